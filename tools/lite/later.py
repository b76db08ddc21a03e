"""Wheels that are unpacked when something in them is imported: it lies in Pyodide's library."""

import shutil
import sys
from importlib import invalidate_caches
from pathlib import Path
from tempfile import gettempdir
from zipfile import ZipFile

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


class Finder:
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


sys.meta_path.insert(0, Finder)
