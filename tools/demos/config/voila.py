"""What the application of the demos is told besides flags: which of them a page asks for, …"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
from choice import chosen

c = get_config()  # type: ignore[name-defined]  # noqa: F821
c.VoilaConfiguration.prelaunch_hook = chosen
# While it makes figures, Voilà does not hear that the page is still there, and would give it up
# after 90 seconds, on a slow machine before the last figure: so it does not ask.
c.Voila.tornado_settings = {"ws_ping_interval": 0}
