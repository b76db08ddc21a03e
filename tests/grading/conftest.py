"""One thing that every new gradebook asks for, asked once: nbgrader starts a program for it."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import nbgrader.api
import pytest


@pytest.fixture(scope="session", autouse=True)
def _one_version_for_all_gradebooks() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
        once = functools.cache(nbgrader.api.get_alembic_version)
        patch.setattr(nbgrader.api, "get_alembic_version", once)
        yield
