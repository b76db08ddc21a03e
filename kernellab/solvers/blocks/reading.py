"""How blocks of rows are read: where they are, what is made of one, a first look at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from kernellab.losses import DualLoss
from kernellab.solvers.linear import append_constant
from kernellab.solvers.sparse import SparseRows, check_rows, shape, take, times
from kernellab.solving import Order
from kernellab.validation import FloatArray, check_numbers, check_vectors

Vector = FloatArray
Rows = FloatArray | SparseRows
Features = Callable[[Any], Any] | None


class Blocks(Protocol):
    """Blocks of rows, wherever they are."""

    def __len__(self) -> int:
        """How many."""

    def keep(self, value: Any) -> Any:
        """Hand out once what every reading needs; what is returned goes to `map`."""

    def map(
        self, function: Callable[..., Any], kept: Any, arguments: Sequence[tuple[Any, ...]],
        which: Sequence[int],
    ) -> Iterator[Any]:  # fmt: skip
        """Yield function(kept, block, *arguments[k]) of the k-th of some blocks, in order."""


@dataclass(frozen=True)
class BlocksHere:
    """Blocks in this process: a list, or anything with a length that loads block b when asked."""

    blocks: Sequence[tuple[Any, Any]]

    def __len__(self) -> int:
        return len(self.blocks)

    def keep(self, value: Any) -> Any:
        """Return it: there is nobody to hand it to."""
        return value

    def map(
        self, function: Callable[..., Any], kept: Any, arguments: Sequence[tuple[Any, ...]],
        which: Sequence[int],
    ) -> Iterator[Any]:  # fmt: skip
        """Yield the values one after the other, with one block in memory."""
        for b, extra in zip(which, arguments, strict=True):
            yield function(kept, self.blocks[b], *extra)


@dataclass(frozen=True)
class Reader:
    """How a block is read: as rows of features, and as signs and targets or numbers.

    Parameters
    ----------
    features : callable or None. X → Z, such as a `fourier_map`, made anew at every reading.
    bias : float. Value of a constant feature, 0 for none.
    positive : label or None. The label that counts as +1; None if labels are −1 and +1.
    loss : DualLoss or None. None: y is what ridge regression takes.
    classes : tuple of labels or None. A column of targets −1 and +1 for each of them.
    """

    features: Features = None
    bias: float = 0.0
    positive: Any = None
    loss: DualLoss | None = None
    classes: tuple[Any, ...] | None = None

    def rows(self, X: Any) -> Rows:
        """Return the rows that the machine sees, shape (n_b, d)."""
        rows = X if isinstance(X, SparseRows) else check_rows(X)
        if self.features is not None:
            rows = check_rows(self.features(rows.matrix if isinstance(rows, SparseRows) else rows))
        return append_constant(rows, self.bias)

    @property
    def signed(self) -> bool:
        """Whether it is a regression."""
        return self.loss is None or self.loss.signed

    def sign_and_target(self, y: Any, n: int) -> tuple[Vector, Vector]:
        """Return what a dual loss makes of n labels or targets."""
        assert self.loss is not None
        if self.positive is not None:
            y = np.where(check_codes(y, n) == self.positive, 1.0, -1.0)
        return self.loss.sign_and_target(y, n)

    def targets(self, y: Any, n: int) -> FloatArray:
        """Return targets, shape (n,) or (n, q)."""
        if self.classes is None:
            return check_numbers(y, "y", n) if np.ndim(y) == 1 else check_vectors(y, "y")
        hit = check_codes(y, n)[:, np.newaxis] == np.array(self.classes)
        if not hit.any(axis=1).all():
            stranger = np.asarray(y)[~hit.any(axis=1)][0]
            raise ValueError(f"y must hold the labels of classes, got {stranger}")
        return np.where(hit, 1.0, -1.0)


class Look(NamedTuple):
    """What a first look at a block finds; `error` says what is wrong with it, if anything is."""

    error: str = ""
    n: int = 0
    given: int = 0  # columns of X
    sample: Any = None  # its first row, as the machine sees it
    outputs: int = 0  # columns of y
    signs: frozenset[float] = frozenset()


def look(reader: Reader, block: Any) -> Look:
    """Check a block as the solvers in memory check all of X and y."""
    try:
        X, y = block
    except (TypeError, ValueError):
        return Look("must be a pair (X, y)")
    try:
        given = check_rows(X)
        n = shape(given)[0]
        sample = reader.rows(take(given, np.arange(1)))  # a copy, or all of X would stay with it
        if reader.loss is None:
            targets = reader.targets(y, n)
            if len(targets) != n:
                raise ValueError(f"y must have {n} rows, as X has, got {len(targets)}")
            return Look(
                "", n, shape(given)[1], sample, 0 if targets.ndim == 1 else targets.shape[1]
            )
        signs = frozenset(np.unique(reader.sign_and_target(y, n)[0]).tolist())
        return Look("", n, shape(given)[1], sample, 0, signs)
    except ValueError as error:
        return Look(str(error))


@dataclass(frozen=True)
class Data:
    """Blocks that have been looked at, and the reader, here and as they keep it."""

    blocks: Blocks
    reader: Reader
    kept: Any
    looks: list[Look]

    @property
    def sizes(self) -> list[int]:
        """How many rows each block has."""
        return [seen.n for seen in self.looks]

    def read(
        self, function: Callable[..., Any], arguments: Sequence[tuple[Any, ...]] | None = None,
        which: Sequence[int] | None = None,
    ) -> Iterator[Any]:  # fmt: skip
        """Yield the function of all blocks, or of some, in order, each with its own arguments."""
        which = range(len(self.looks)) if which is None else which
        each = [()] * len(which) if arguments is None else arguments
        return self.blocks.map(function, self.kept, each, which)


def look_at_all(blocks: Any, reader: Reader) -> Data:
    """Look at each block; an error names the block.

    Raises ValueError if there is no block, one is not as it should be or not as wide as the first,
    or if the labels are of one kind in all of them.
    """
    held: Blocks
    if hasattr(blocks, "map") and hasattr(blocks, "keep"):
        held = blocks
    elif hasattr(blocks, "__len__") and hasattr(blocks, "__getitem__"):
        held = BlocksHere(blocks)
    else:
        raise ValueError(
            f"blocks must be a list of pairs (X, y): they are read many times, got {blocks!r}"
        )
    if (n := len(held)) == 0:
        raise ValueError("blocks must hold at least one block, got none")
    kept = held.keep(reader)
    looks = list(held.map(look, kept, [()] * n, range(n)))
    for b, seen in enumerate(looks):
        if seen.error:
            raise ValueError(f"block {b}: {seen.error}")
        for what, here, there in (
            ("features", seen.given, looks[0].given),
            ("columns of y", seen.outputs, looks[0].outputs),
            ("non-zeros only", isinstance(seen.sample, SparseRows),
             isinstance(looks[0].sample, SparseRows)),
        ):  # fmt: skip
            if here != there:
                raise ValueError(
                    f"block {b} must be like block 0, got {here} {what}, and block 0 has {there}"
                )
    if not reader.signed:
        signs = frozenset().union(*(seen.signs for seen in looks))
        if len(signs) < 2:
            which = "−1 and +1" if reader.positive is None else f"{reader.positive!r} and others"
            raise ValueError(f"y must hold {which}, got one kind of label only in all blocks")
    return Data(held, reader, kept, looks)


def add_up(parts: Iterator[tuple[Any, ...]]) -> list[Any]:
    """Return the sums of what each block has answered, entry by entry."""
    return [sum(values) for values in zip(*parts, strict=True)]


def order_of(n: int, generator: np.random.Generator | None) -> Order:
    """Return 0 … n−1, shuffled if there is a generator and a choice."""
    return np.arange(n) if generator is None or n == 1 else generator.permutation(n)


def check_codes(y: Any, n: int) -> Any:
    """Return n labels of any kind as an array, or raise a ValueError."""
    y = np.asarray(y)
    if y.shape != (n,):
        raise ValueError(f"y must hold one label an example, shape ({n},), got {y.shape}")
    return y


def scores(reader: Reader, X: Any, w: FloatArray, b: Any) -> FloatArray:
    """Return w·φ(x) + b of new examples, shape (m,), or (m, q) for q outputs; the constant is b."""
    rows = Reader(reader.features).rows(X)
    if shape(rows)[1] != len(w):
        raise ValueError(f"X must have {len(w)} features, got {shape(rows)[1]}")
    return np.asarray(times(rows, w) + b)


class Machine:
    """A linear machine on features, whose last weight is that of the constant feature if any is."""

    _weights: Vector
    _data: Data

    @property
    def w(self) -> Vector:
        """Weights of the features, shape (r,), without that of the constant feature."""
        return self._weights[:-1] if self._data.reader.bias else self._weights

    @property
    def b(self) -> float:
        """The bias: the weight of the constant feature times its value, 0 without one."""
        value = self._data.reader.bias
        return float(self._weights[-1] * value) if value else 0.0

    def scores(self, X: Any) -> FloatArray:
        """Return w·φ(x) + b of new examples, shape (m,); ValueError if X is not as the blocks."""
        return scores(self._data.reader, X, self.w, self.b)
