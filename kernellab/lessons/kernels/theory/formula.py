"""A kernel typed as a formula: a few names, numbers and operations, and nothing else.

The text is parsed to a tree, and only what is allowed in it has a value; nothing of it is ever run
as Python.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from kernellab.kernels import Kernel
from kernellab.validation import FloatArray, check_same_features, check_vectors

MOST_LETTERS = 120

OPERATIONS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: np.add,
    ast.Sub: np.subtract,
    ast.Mult: np.multiply,
    ast.Div: np.divide,
    ast.Pow: np.power,
    ast.USub: np.negative,
    ast.UAdd: np.positive,
}
FUNCTIONS: dict[str, tuple[Callable[..., Any], int]] = {  # and how many numbers each takes
    **{f.__name__: (f, 1) for f in (np.exp, np.log, np.tanh, np.cos, np.sin, np.sqrt)},
    "abs": (np.abs, 1),
    "min": (np.minimum, 2),
    "max": (np.maximum, 2),
}
NAMES = ("dot", "dist", "xx", "zz", "x1", "x2", "z1", "z2", "pi")


@dataclass(frozen=True)
class Formula(Kernel):
    """k(x, z) written as a formula in x·z, ‖x − z‖ and the coordinates; a kernel or not.

    Parameters
    ----------
    text : str
        Names: ``dot`` (x·z), ``dist`` (‖x − z‖), ``xx`` and ``zz`` (x·x, z·z), ``x1``, ``x2``,
        ``z1``, ``z2`` (coordinates), ``pi``. Operations + − * / and ** or ^; functions exp, log,
        tanh, cos, sin, sqrt, abs, min, max. For example "exp(-dist**2)" or "(dot - 1)^2".

    Raises
    ------
    ValueError
        If the text is not such a formula; when called, if it is not symmetric, k(x, z) ≠ k(z, x),
        or not finite somewhere.

    Notes
    -----
    `is_psd` is False: nobody has promised anything. Taught in notebook 03.
    """

    text: str

    def __post_init__(self) -> None:
        parse(self.text)

    @property
    def is_psd(self) -> bool:
        """False: a formula promises nothing."""
        return False

    def __call__(self, X: Any, Z: Any = None) -> FloatArray:
        """Return the matrix of k(x_i, z_j), shape (n, m), of X (n, d) and Z (m, d)."""
        X = check_vectors(X)
        K = self._values(X, X if Z is None else check_vectors(Z, "Z"))
        if Z is None:
            far = np.abs(K - K.T)
            if far.max() > 1e-9 * np.abs(K).max():
                i, j = np.unravel_index(far.argmax(), far.shape)
                raise ValueError(
                    f"the formula must be symmetric, k(x, z) = k(z, x), got {K[i, j]:.4g} and "
                    f"{K[j, i]:.4g} for two points"
                )
            K = (K + K.T) / 2
        return K

    def _values(self, X: FloatArray, Z: FloatArray) -> FloatArray:
        check_same_features(X, Z)
        dot = X @ Z.T
        dist = np.sqrt(((X[:, np.newaxis] - Z) ** 2).sum(axis=2))
        xx, zz = (X**2).sum(axis=1)[:, np.newaxis], (Z**2).sum(axis=1)
        values: dict[str, Any] = {"dot": dot, "dist": dist, "xx": xx, "zz": zz, "pi": np.pi}
        for k in range(min(2, X.shape[1])):
            values |= {f"x{k + 1}": X[:, k, np.newaxis], f"z{k + 1}": Z[:, k]}
        with np.errstate(all="ignore"):
            K = np.broadcast_to(value_of(parse(self.text), values), dot.shape).astype(float)
        if not np.isfinite(K).all():
            raise ValueError(f"the formula must give a number everywhere, {self.text} does not")
        return K


@lru_cache
def parse(text: str) -> ast.expr:
    """Return the tree of a formula; raise a ValueError that says what is not allowed in it."""
    if not isinstance(text, str) or not text.strip():
        raise ValueError("the formula must not be empty; write for example exp(-dist**2)")
    if len(text) > MOST_LETTERS:
        raise ValueError(f"the formula must have at most {MOST_LETTERS} letters, got {len(text)}")
    plain = text.replace("^", "**").replace("−", "-").replace("·", "*")
    try:
        tree = ast.parse(plain.strip(), mode="eval").body
        with np.errstate(all="ignore"):
            value_of(tree, dict.fromkeys(NAMES, np.float64(1.0)))  # only what is allowed has one
    except (SyntaxError, RecursionError, MemoryError):
        raise ValueError(
            f"the formula must be complete, such as (dot - 1)**2, got {text!r}"
        ) from None
    return tree


def value_of(node: ast.AST, values: Mapping[str, Any]) -> Any:
    """Return the value of a formula's tree; integers become floats, so nothing grows for ever.

    Raises
    ------
    ValueError
        At the first node that is not a number, a name of `values`, or an operation or function
        listed above.
    """
    match node:
        case ast.BinOp(left, op, right) if type(op) in OPERATIONS:
            return OPERATIONS[type(op)](value_of(left, values), value_of(right, values))
        case ast.UnaryOp(op, operand) if type(op) in OPERATIONS:
            return OPERATIONS[type(op)](value_of(operand, values))
        case ast.Call(ast.Name(name), args, []) if FUNCTIONS.get(name, (0, 0))[1] == len(args):
            return FUNCTIONS[name][0](*(value_of(argument, values) for argument in args))
        case ast.Name(name) if name in values:
            return values[name]
        case ast.Constant(int() | float() as number) if not isinstance(number, bool):
            return np.float64(number)
    raise ValueError(
        f"the formula may hold numbers, + - * / **, {', '.join(values)}, and the functions "
        f"{', '.join(FUNCTIONS)}, got {ast.unparse(node)}"
    )
