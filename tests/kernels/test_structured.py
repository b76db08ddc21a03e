"""Kernels of texts, sets and graphs, against explicit features made by brute force."""

import copy
import itertools
import pickle
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernellab.certificates import is_positive_semidefinite
from kernellab.kernels import (
    AllSubsequences,
    Graph,
    Normalized,
    SetKernel,
    Spectrum,
    WeisfeilerLehman,
)

WORDS = ["kernel", "eel", "", "banana", "ananas", "kerne", "e", "nnn"]


def gram_of_features(features, left, right):
    """Inner products of explicit features, a dictionary an example."""
    left, right = [features(x) for x in left], [features(x) for x in right]
    return np.array([[float(sum(f[u] * g.get(u, 0) for u in f)) for g in right] for f in left])


def grams_of_text(p):
    return lambda s: Counter("".join(s[i : i + p]) for i in range(len(s) - p + 1))


def subsequences(s):
    chosen = itertools.product([False, True], repeat=len(s))
    return Counter("".join(itertools.compress(s, choice)) for choice in chosen)


def subsets(items):
    items = sorted(set(items))
    sizes = range(len(items) + 1)
    return dict.fromkeys(
        itertools.chain.from_iterable(itertools.combinations(items, r) for r in sizes), 1
    )


def unfolded(graph, v, depth):
    """What can be seen from v within `depth` steps, as text: no numbers for labels here."""
    if depth == 0:
        return repr(graph.labels[v])
    around = sorted(unfolded(graph, u, depth - 1) for u in graph.neighbours[v])
    return f"[{unfolded(graph, v, depth - 1)}: {', '.join(around)}]"


def neighbourhoods(h):
    return lambda graph: Counter(
        f"{depth} {unfolded(graph, v, depth)}" for depth in range(h + 1) for v in range(len(graph))
    )


def random_graph(rng, labels="CNO"):
    n = rng.integers(1, 7)
    pairs = list(itertools.combinations(range(n), 2))
    edges = [pair for pair in pairs if rng.random() < 0.4]
    return Graph.from_edges(list(rng.choice(list(labels), n)), edges)


GRAPHS = [random_graph(np.random.default_rng(seed)) for seed in range(8)]

# Each kernel with examples and with the features that define it.
CASES = [
    (Spectrum(1), WORDS, grams_of_text(1)),
    (Spectrum(2), WORDS, grams_of_text(2)),
    (Spectrum(3), WORDS, grams_of_text(3)),
    (AllSubsequences(), WORDS, subsequences),
    (SetKernel(), WORDS, subsets),
    (SetKernel("elements"), WORDS, lambda x: dict.fromkeys(x, 1)),
    (WeisfeilerLehman(0), GRAPHS, neighbourhoods(0)),
    (WeisfeilerLehman(1), GRAPHS, neighbourhoods(1)),
    (WeisfeilerLehman(3), GRAPHS, neighbourhoods(3)),
]
every_case = pytest.mark.parametrize(
    ("kernel", "examples", "features"), CASES, ids=lambda k: f"{k!r}"[:24]
)


@every_case
def test_entries_are_inner_products_of_the_explicit_features(kernel, examples, features):
    left, right = examples[:5], examples[3:]
    assert (kernel(examples) == gram_of_features(features, examples, examples)).all()
    assert (kernel(left, right) == gram_of_features(features, left, right)).all()
    assert (kernel(right, left) == kernel(left, right).T).all()
    assert (kernel.diag(examples) == np.diag(kernel(examples))).all()


@every_case
def test_they_join_the_algebra(kernel, examples, features):
    examples = [x for x in examples if kernel.diag([x])[0] > 0]
    K = kernel(examples)
    assert ((kernel + 2 * kernel * kernel)(examples) == K + 2 * K**2).all()
    cosine = Normalized(kernel)(examples)
    lengths = np.sqrt(np.diag(K))
    np.testing.assert_allclose(cosine, K / np.outer(lengths, lengths), rtol=1e-14)
    assert is_positive_semidefinite((kernel + kernel * kernel)(examples))
    assert kernel.is_psd and eval(repr(kernel)) == kernel
    for twin in (copy.deepcopy(kernel), pickle.loads(pickle.dumps(kernel))):
        assert twin == kernel and hash(twin) == hash(kernel)


texts = st.lists(st.text("abc", max_size=7), min_size=1, max_size=6)
graphs = st.lists(
    st.integers(0, 10**6).map(lambda seed: random_graph(np.random.default_rng(seed), "XY")),
    min_size=1,
    max_size=6,
)


@settings(max_examples=40)
@given(examples=texts, p=st.integers(1, 3))
def test_features_of_random_texts(examples, p):
    assert (Spectrum(p)(examples) == gram_of_features(grams_of_text(p), examples, examples)).all()
    expected = gram_of_features(subsequences, examples, examples)
    assert (AllSubsequences()(examples) == expected).all()


@settings(max_examples=40)
@given(examples=graphs, h=st.integers(0, 3))
def test_features_of_random_graphs(examples, h):
    K = WeisfeilerLehman(h)(examples)
    assert (gram_of_features(neighbourhoods(h), examples, examples) == K).all()
    assert is_positive_semidefinite(K, tol=1e-12)


# --- numbers by hand ------------------------------------------------------------------------------


def test_numbers_by_hand():
    assert Spectrum(2)(["aaa"], ["aa"]).tolist() == [[2.0]]  # overlapping occurrences
    assert Spectrum(3)(["statistics"], ["computation"]).tolist() == [[2.0]]  # "tat" and "ati"
    assert AllSubsequences()(["ab"], ["ab"]).tolist() == [[4.0]]  # empty, a, b, ab
    assert AllSubsequences()(["gatta"], ["cata"]).tolist() == [[14.0]]
    assert SetKernel()([{1, 2, 3}], [{2, 3, 4}]).tolist() == [[4.0]]
    assert SetKernel("elements")([{1, 2, 3}], [{2, 3, 4}]).tolist() == [[2.0]]
    path = Graph.from_edges("CCO", [(0, 1), (1, 2)])
    assert WeisfeilerLehman(0)([path]).tolist() == [[5.0]]  # C twice, O once
    assert WeisfeilerLehman(1)([path]).tolist() == [[8.0]]  # and three different neighbourhoods


def test_texts_of_words_and_numbers():
    words = [["the", "moon"], ("the", "the", "moon"), ["the", "moon"]]
    assert Spectrum(2)(words).tolist() == [[1.0, 1.0, 1.0], [1.0, 2.0, 1.0], [1.0, 1.0, 1.0]]
    assert AllSubsequences()([[1, 2], [2, 1]]).tolist() == [[4.0, 3.0], [3.0, 4.0]]
    assert Spectrum(1)(np.array(["ab", "b"])).tolist() == [[2.0, 1.0], [1.0, 1.0]]


# --- graphs ---------------------------------------------------------------------------------------


def ring(*sizes):
    """Rings of these sizes, all vertices with one label."""
    starts = itertools.accumulate((0, *sizes[:-1]))
    edges = [
        (start + k, start + (k + 1) % size)
        for start, size in zip(starts, sizes, strict=True)
        for k in range(size)
    ]
    return Graph.from_edges("x" * sum(sizes), edges)


def test_what_the_test_of_weisfeiler_and_lehman_cannot_tell_apart():
    path = Graph.from_edges("x" * 6, [(k, k + 1) for k in range(5)])
    K = WeisfeilerLehman(4)([ring(6), ring(3, 3), path])
    assert K[0, 0] == K[0, 1] == K[1, 1]
    assert K[0, 2] < K[0, 0]


def test_an_isolated_vertex_is_not_mistaken_for_a_label():
    # Labels that are numbers, like those that stand for labels of the next round.
    graphs = [Graph([[], []], [0, 1]), Graph([[], []], [1, 2]), Graph([[1], [0]], [2, 0])]
    graphs += [Graph([[]], [(0, ())]), Graph([[], []], [(1, ()), (2,)])]
    expected = gram_of_features(neighbourhoods(2), graphs, graphs)
    assert (WeisfeilerLehman(2)(graphs) == expected).all()


def test_a_graph_is_its_neighbours_and_labels():
    graph = Graph([[2, 1], [0], [0]], "abc")
    assert graph == Graph.from_edges("abc", [(0, 1), (2, 0)]) and len(graph) == 3
    assert graph.neighbours == ((1, 2), (0,), (0,)) and graph.labels == ("a", "b", "c")
    assert Graph([[1], [0]]).labels == (None, None)
    assert len({graph, copy.deepcopy(graph)}) == 1


# --- what they refuse -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Spectrum(0), "p must be a positive integer, got 0"),
        (lambda: SetKernel("pairs"), "of must be 'subsets' or 'elements', got 'pairs'"),
        (lambda: WeisfeilerLehman(-1), "h must be an integer of at least 0, got -1"),
        (lambda: Spectrum(2)("text"), "X must be a list of examples, got 'text'"),
        (lambda: Spectrum(2)(["a"], "text"), "Z must be a list of examples"),
        (lambda: Spectrum(2)([]), "X must hold at least one example"),
        (lambda: Spectrum(2)(["a", 5]), r"X\[1\] must be a text or a sequence .* got 5"),
        (lambda: AllSubsequences()(["a"], [None]), r"Z\[0\] must be a text .* got None"),
        (lambda: AllSubsequences()(["a" * 600]), "must not be so long that AllSubsequences"),
        (lambda: SetKernel()([{1}, 2]), r"X\[1\] must be a set .* got 2"),
        (lambda: SetKernel()([range(1024)]), "must not be so long that SetKernel"),
        (lambda: WeisfeilerLehman(1)(["CCO"]), r"X\[0\] must be a Graph, got 'CCO'"),
        (lambda: WeisfeilerLehman(1)([ring(3)], [None]), r"Z\[0\] must be a Graph, got None"),
        (
            lambda: Graph([[1], []]),
            "neighbours must name each edge at both ends, got 1 at vertex 0",
        ),
        (lambda: Graph([[3]]), "neighbours must hold vertices from 0 to 0, got 3 at vertex 0"),
        (lambda: Graph([[1, 1], [0]]), r"neighbours must be named once each, got \[1, 1\]"),
        (lambda: Graph([[1], [0]], "a"), "labels must be one hashable value for each of 2"),
        (lambda: Graph([[]], [[1]]), "labels must be one hashable value"),
        (lambda: Graph.from_edges("ab", [(0, 2)]), r"edges must join vertices from 0 to 1"),
        (lambda: Normalized(Spectrum(3))(["abc", "ab"]), "positive self-similarity .* row 1"),
    ],
)
def test_bad_input_is_named(make, words):
    with pytest.raises(ValueError, match=words):
        make()
