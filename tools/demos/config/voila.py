"""What the application of the demos is told besides flags: which of them a page asks for."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
from choice import chosen

c = get_config()  # type: ignore[name-defined]  # noqa: F821
c.VoilaConfiguration.prelaunch_hook = chosen
