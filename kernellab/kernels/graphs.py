"""A kernel of labelled graphs, by the neighbourhoods that occur in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

from kernellab.kernels.structured import CountingKernel, Counts, Numbers


@dataclass(frozen=True)
class Graph:
    """An undirected graph with a label at each vertex, such as a molecule and its atoms.

    Raises ValueError if a neighbour is no vertex, an edge stands at one end only or twice, or the
    number of labels is another.

    Parameters
    ----------
    neighbours : sequence of sequences of int
        Of each vertex 0 … n−1 those it is joined to; stored as tuples, sorted. Each edge stands at
        both its ends.
    labels : sequence of n hashable values, optional. By default all the same.
    """

    neighbours: tuple[tuple[int, ...], ...]
    labels: tuple[Hashable, ...]

    def __init__(
        self, neighbours: Sequence[Iterable[int]], labels: Iterable[Hashable] | None = None
    ) -> None:
        n = len(neighbours)
        lists = [list(of_one) for of_one in neighbours]
        for v, of_one in enumerate(lists):
            for u in of_one:
                if not isinstance(u, Integral) or not 0 <= u < n:
                    raise ValueError(
                        f"neighbours must hold vertices from 0 to {n - 1}, got {u!r} at vertex {v}"
                    )
                if v not in lists[u]:
                    raise ValueError(
                        f"neighbours must name each edge at both ends, got {u} at vertex {v} and "
                        f"not {v} at vertex {u}"
                    )
            if len(set(of_one)) < len(of_one):
                raise ValueError(f"neighbours must be named once each, got {of_one} at vertex {v}")
        labels = (None,) * n if labels is None else tuple(labels)
        if len(labels) != n or not all(isinstance(label, Hashable) for label in labels):
            raise ValueError(
                f"labels must be one hashable value for each of {n} vertices, got {labels!r}"
            )
        object.__setattr__(self, "neighbours", tuple(tuple(sorted(map(int, of))) for of in lists))
        object.__setattr__(self, "labels", labels)

    @classmethod
    def from_edges(cls, labels: Sequence[Hashable], edges: Iterable[tuple[int, int]]) -> Graph:
        """Return the graph of these labels, one a vertex, whose edges are pairs of vertices.

        ``Graph.from_edges("CCO", [(0, 1), (1, 2)])`` is ethanol without its hydrogen.
        """
        neighbours: list[set[int]] = [set() for _ in labels]
        for edge in edges:
            for v, u in (edge, edge[::-1]):
                if not isinstance(v, Integral) or not 0 <= v < len(neighbours):
                    raise ValueError(
                        f"edges must join vertices from 0 to {len(neighbours) - 1}, got {edge!r}"
                    )
                neighbours[v].add(u)
        return cls([sorted(of_one) for of_one in neighbours], labels)

    def __len__(self) -> int:
        return len(self.labels)


@dataclass(frozen=True)
class WeisfeilerLehman(CountingKernel):
    """k(G, H) = Σ_u #(u in G) · #(u in H) over neighbourhoods u of radius 0, 1, …, h.

    In each round the new label of a vertex is its old one with the sorted old ones of its
    neighbours: after i rounds a label says what the graph looks like within i steps, as a tree.
    Graphs that the test of Weisfeiler and Lehman cannot tell apart have equal features: a ring of
    six and two rings of three. O(h · edges) a graph. Shervashidze et al. (2011), *Weisfeiler–Lehman
    graph kernels*. Raises ValueError if h is not such an integer; when called, if an example is not
    a `Graph`. Taught in notebook 03.

    Parameters
    ----------
    h : int. Rounds of refinement, at least 0; with 0 the labels alone are counted.
    """

    h: int

    def __post_init__(self) -> None:
        if not isinstance(self.h, Integral) or isinstance(self.h, bool) or self.h < 0:
            raise ValueError(f"h must be an integer of at least 0, got {self.h!r}")
        object.__setattr__(self, "h", int(self.h))

    def count_parts(self, examples: list[Any], name: str, numbers: Numbers) -> list[Counts]:
        """Return how often each label of each round occurs in each graph."""
        for i, graph in enumerate(examples):
            if not isinstance(graph, Graph):
                raise ValueError(f"{name}[{i}] must be a Graph, got {graph!r}")
        return [Counter(refined_labels(graph, self.h, numbers)) for graph in examples]


def refined_labels(graph: Graph, h: int, numbers: Numbers) -> list[int]:
    """Return the labels of all vertices after 0, 1, …, h rounds, as numbers.

    `numbers` gives each label a number of its own when it first turns up; labels of all graphs
    that are compared must share it. Without numbers, labels would grow with every round.
    """
    labels = [numbers.setdefault((label,), len(numbers)) for label in graph.labels]
    seen = list(labels)
    for _ in range(h):
        labels = [
            numbers.setdefault((own, tuple(sorted(labels[u] for u in around))), len(numbers))
            for own, around in zip(labels, graph.neighbours, strict=True)
        ]
        seen += labels
    return seen
