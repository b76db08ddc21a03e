"""Names of a package that are loaded when they are first used, so that importing it stays light."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any


def attach(
    package: str, homes: Mapping[str, Sequence[str]], modules: Sequence[str] = ()
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return ``__getattr__``, ``__dir__`` and ``__all__`` for a package.

    Parameters
    ----------
    package
        Its ``__name__``.
    homes
        The names in each of its modules, such as ``{"figures.kkt": ("KKT",)}``.
    modules
        Modules of it that are names themselves, such as ``"exercises"`` or ``"theory.roc"``.
    """
    home = {name: module for module, names in homes.items() for name in names}
    modules_by_name = {path.split(".")[-1]: path for path in modules}

    def load(name: str) -> Any:
        if name in home:
            value = getattr(import_module(f"{package}.{home[name]}"), name)
        elif name in modules_by_name:
            value = import_module(f"{package}.{modules_by_name[name]}")
        else:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        setattr(sys.modules[package], name, value)  # the next look-up does not come here
        return value

    public = sorted({*home, *modules_by_name})
    return load, lambda: sorted({*vars(sys.modules[package]), *public}), public
