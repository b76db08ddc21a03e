"""What Python in a page puts off until it is imported; this lies in Pyodide's library.

Wheels are unpacked then; and only then is the folder of the notebook looked into, which is to ask
the page, again and again.
"""

import shutil
import sys
from importlib import invalidate_caches
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, ModuleSpec, SourceFileLoader
from pathlib import Path
from tempfile import gettempdir
from types import FrameType, ModuleType
from typing import Self
from zipfile import ZipFile

OF_THE_PAGE = "/drive"
LATER = {"scipy": "scipy", "scikit_learn": "sklearn"}  # by the name of the wheel, what it imports
waiting: dict[str, tuple[str, str]] = {}  # by what is imported, a wheel and where it is to be


def unpack(file: str, folder: str, format: str | None, name: str) -> None:
    """Unpack an archive into a folder; of one that can wait only what says that it is there."""
    imported = LATER.get(name.partition("-")[0])
    if imported is None:
        shutil.unpack_archive(file, folder, format)
        return
    with ZipFile(file) as archive:
        archive.extractall(folder, [n for n in archive.namelist() if ".dist-info/" in n])
    waiting[imported] = shutil.copyfile(file, f"{gettempdir()}/{name}"), folder


class Waiting:
    """Python asks it first who has a module: it never has, and unpacks what is waiting."""

    @staticmethod
    def find_spec(name: str, *_: object) -> None:
        """Unpack the wheel of a module."""
        if name in waiting:
            file, folder = waiting.pop(name)
            with ZipFile(file) as archive:
                archive.extractall(folder)
            Path(file).unlink()
            invalidate_caches()


class Beside(FileFinder):
    """Python asks it what lies in a folder of the page: it looks only if what lies there asks."""

    def find_spec(self, name: str, target: ModuleType | None = None) -> ModuleSpec | None:
        """Look for a module that is imported by a cell, or by a module from there."""
        frame: FrameType | None = sys._getframe(1)
        while frame and frame.f_globals["__name__"].startswith("importlib"):
            frame = frame.f_back
        module = frame.f_globals if frame else {"__name__": ""}
        if module["__name__"] == "__main__" or module.get("__file__", "").startswith(OF_THE_PAGE):
            return super().find_spec(name, target)
        return None

    @classmethod
    def of(cls, folder: str) -> Self:
        """Return the one for a folder, if it is of the page; raises ImportError if not."""
        if not folder.startswith(OF_THE_PAGE):
            raise ImportError
        return cls(folder, (SourceFileLoader, SOURCE_SUFFIXES))


sys.meta_path.insert(0, Waiting)
sys.path_hooks.insert(0, Beside.of)
