"""Kernels of texts and of sets: an example need not be a vector to have inner products.

A solver sees the Gram matrix only, so a list of texts serves wherever an array of vectors does.
Longer examples have larger k(x, x): `Normalized(Spectrum(3))` compares them by angle.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernellab.compiled import compiled
from kernellab.kernels.base import Kernel
from kernellab.validation import FloatArray, check_positive_integer

Codes = NDArray[np.int64]
Counts = Counter[Hashable]
Numbers = dict[Hashable, int]


class CountingKernel(Kernel):
    """k(x, z) = Σ_u φ_u(x) φ_u(z), where φ_u(x) counts how often the part u occurs in x.

    A subclass says what the parts of an example are. Of all possible ones only those that occur
    are ever stored.
    """

    @abstractmethod
    def count_parts(self, examples: list[Any], name: str, numbers: Numbers) -> list[Counts]:
        """Return φ(x) of each example; raise a ValueError that calls them `name`.

        `numbers` is empty before X and shared with Z, for parts that are better numbered.
        """

    def __call__(self, X: Any, Z: Any = None) -> FloatArray:
        """Return the Gram matrix, shape (n, m), of n and m examples, Z by default X.

        Raises ValueError if an example is not what this kernel compares.
        """
        numbers: Numbers = {}
        counts = self.count_parts(check_examples(X, "X"), "X", numbers)
        A = B = _as_rows(counts, counts)
        if Z is not None and Z is not X:
            B = _as_rows(self.count_parts(check_examples(Z, "Z"), "Z", numbers), counts)
        return np.asarray((A @ B.T).toarray())

    def diag(self, X: Any) -> FloatArray:
        """Return Σ_u φ_u(x)², shape (n,)."""
        counts = self.count_parts(check_examples(X, "X"), "X", {})
        return np.array([sum(c * c for c in count.values()) for count in counts], dtype=np.float64)


def _as_rows(counts: list[Counts], known: list[Counts]) -> Any:
    """Return one sparse row an example, one column for each part that occurs in `known`."""
    from scipy.sparse import csr_array  # here, for the first figure of a page does without

    column: dict[Hashable, int] = {}
    for count in known:
        for part in count:
            column.setdefault(part, len(column))
    entries = [
        (row, column[part], times)
        for row, count in enumerate(counts)
        for part, times in count.items()
        if part in column
    ]
    rows, columns, values = np.array(entries, dtype=np.float64).reshape(-1, 3).T
    places = (rows.astype(np.intp), columns.astype(np.intp))
    shape = (len(counts), max(1, len(column)))
    return csr_array((values, places), shape=shape)


def check_examples(examples: Any, name: str) -> list[Any]:
    """Return a list of at least one example; refuse a single text in place of a list of texts."""
    if isinstance(examples, str | bytes) or not isinstance(examples, Iterable):
        raise ValueError(f"{name} must be a list of examples, got {examples!r}; pass [{name}]")
    listed = list(examples)
    if not listed:
        raise ValueError(f"{name} must hold at least one example, got none")
    return listed


def _check_sequence(x: Any, name: str, i: int) -> Sequence[Hashable]:
    """Return a text, or a tuple of symbols that can be compared."""
    if isinstance(x, str):
        return x
    if isinstance(x, Sequence) and all(isinstance(symbol, Hashable) for symbol in x):
        return tuple(x)
    raise ValueError(
        f"{name}[{i}] must be a text or a sequence of hashable symbols, such as words, got {x!r}"
    )


@dataclass(frozen=True)
class Spectrum(CountingKernel):
    """k(s, t) = Σ_u #(u in s) · #(u in t) over all texts u of p letters: the p-gram kernel.

    Occurrences are counted and may overlap: "aa" is in "aaa" twice. A text of fewer than p letters
    has no p-gram, so k = 0 with every text. O(|s| + |t|) a pair. Leslie, Eskin and Noble (2002),
    *The spectrum kernel*. Raises ValueError if p is not a positive integer; when called, if an
    example is neither a text nor a sequence of hashable symbols (words of a sentence, notes,
    bases). Taught in notebook 03.

    Parameters
    ----------
    p : int. Letters of a p-gram, at least 1.
    """

    p: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "p", check_positive_integer(self.p, "p"))

    def count_parts(self, examples: list[Any], name: str, numbers: Numbers) -> list[Counts]:
        """Return the number of occurrences of each p-gram in each text."""
        texts = [_check_sequence(x, name, i) for i, x in enumerate(examples)]
        return [Counter(s[i : i + self.p] for i in range(len(s) - self.p + 1)) for s in texts]


@compiled
def common_subsequences(s: Codes, t: Codes) -> float:
    """Count the pairs of equal subsequences of s and t, the empty one included.

    A pair for s followed by the letter a either leaves a out, or ends in a and an equal letter of
    t, after any pair for s and for what is before that letter:
    k(sa, t) = k(s, t) + Σ_{j: t_j = a} k(s, t_1 … t_{j−1}).
    """
    pairs = np.ones(len(t) + 1)  # pairs[j] is for t_1 … t_j, and for as much of s as was read
    for a in s:
        ending_in_a = 0.0
        before = pairs[0]
        for j in range(len(t)):
            if t[j] == a:
                ending_in_a += before
            before = pairs[j + 1]
            pairs[j + 1] += ending_in_a
    total: float = pairs[-1]
    return total


@dataclass(frozen=True)
class AllSubsequences(Kernel):
    """k(s, t) = Σ_u #(u in s) · #(u in t) over subsequences u of any length, gaps allowed.

    A text of n letters has 2ⁿ subsequences, counted as often as they occur, the empty one included;
    the dynamic programme needs |s| · |t| steps. Shawe-Taylor and Cristianini (2004), *Kernel
    methods for pattern analysis*, section 11.4. Raises ValueError when called, if an example is
    neither a text nor a sequence of hashable symbols, or so long that k(s, s) overflows: a text of
    one letter n times has (2n choose n). Taught in notebook 03.
    """

    def __call__(self, X: Any, Z: Any = None) -> FloatArray:
        """Return the Gram matrix, shape (n, m), of n and m texts, Z by default X."""
        same = Z is None or Z is X
        code: dict[Hashable, int] = {}
        left = _encode(X, "X", code)
        right = left if same else _encode(Z, "Z", code)
        K = np.empty((len(left), len(right)))
        with np.errstate(over="ignore"):
            for i, s in enumerate(left):
                for j in range(i if same else 0, len(right)):
                    K[i, j] = common_subsequences(s, right[j])
                    if same:
                        K[j, i] = K[i, j]
        return _refuse_overflow(K, self)

    def diag(self, X: Any) -> FloatArray:
        """Return k(s, s), shape (n,)."""
        with np.errstate(over="ignore"):
            values = [common_subsequences(s, s) for s in _encode(X, "X", {})]
        return _refuse_overflow(np.array(values), self)


def _encode(texts: Any, name: str, code: dict[Hashable, int]) -> list[Codes]:
    """Number the symbols in the order in which they turn up, for loops that compare numbers."""
    sequences = [_check_sequence(x, name, i) for i, x in enumerate(check_examples(texts, name))]
    return [np.array([code.setdefault(a, len(code)) for a in s], dtype=np.int64) for s in sequences]


def _refuse_overflow(K: FloatArray, kernel: Kernel) -> FloatArray:
    if not np.isfinite(K).all():
        raise ValueError(
            f"X and Z must not be so long that {kernel} overflows; cut the examples into pieces"
        )
    return K


@dataclass(frozen=True)
class SetKernel(CountingKernel):
    """k(A, B) = 2^|A ∩ B|, the number of common subsets; or |A ∩ B|, that of common elements.

    An example is any iterable; what occurs in it twice is in the set once. 2^|A ∩ B| is the product
    over elements of 1 + [in A][in B], an ANOVA kernel. Raises ValueError if `of` is neither; when
    called, if an example is not an iterable of hashable elements, or shares more than 1023 of them.
    Taught in notebook 03.

    Parameters
    ----------
    of : {"subsets", "elements"}
        What A and B are compared by. "subsets": one feature for each set U, 1 if U ⊆ A, so that
        all combinations of elements count. "elements": one feature an element, the linear kernel
        of 0/1 vectors.
    """

    of: str = "subsets"

    def __post_init__(self) -> None:
        if self.of not in ("subsets", "elements"):
            raise ValueError(f"of must be 'subsets' or 'elements', got {self.of!r}")

    def __call__(self, X: Any, Z: Any = None) -> FloatArray:
        """Return the Gram matrix, shape (n, m), of n and m sets, Z by default X."""
        return self._of_size(super().__call__(X, Z))

    def diag(self, X: Any) -> FloatArray:
        """Return 2^|A| or |A|, shape (n,)."""
        return self._of_size(super().diag(X))

    def count_parts(self, examples: list[Any], name: str, numbers: Numbers) -> list[Counts]:
        """Return the elements of each set, once each."""
        return [Counter(_check_set(x, name, i)) for i, x in enumerate(examples)]

    def _of_size(self, common: FloatArray) -> FloatArray:
        if self.of == "elements":
            return common
        with np.errstate(over="ignore"):
            return _refuse_overflow(np.exp2(common), self)


def _check_set(x: Any, name: str, i: int) -> frozenset[Hashable]:
    try:
        return frozenset(x)
    except TypeError:
        raise ValueError(
            f"{name}[{i}] must be a set or another iterable of hashable elements, got {x!r}"
        ) from None
