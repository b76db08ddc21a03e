"""Input checks: what passes comes back as clean float64, what does not is named in the error."""

import numpy as np
import pytest
import scipy.sparse

from kernellab.validation import (
    check_gram,
    check_labels,
    check_number,
    check_numbers,
    check_positive,
    check_positive_integer,
    check_same_features,
    check_vectors,
)


@pytest.mark.parametrize(
    "X",
    [
        [[1, 2], [3, 4]],
        ((1, 2), (3, 4)),
        np.array([[1, 2], [3, 4]], dtype=np.float32),
        np.array([[1, 2], [3, 4]], dtype=np.uint8),
        np.asfortranarray([[1.0, 2.0], [3.0, 4.0]]),
        np.array([[1, 2], [3, 4]], dtype=object),
        np.array([[1.0, 2.0], [3.0, 4.0]], dtype=">f8"),
    ],
)
def test_vectors_come_back_as_float64_rows(X):
    array = check_vectors(X)
    assert array.dtype == np.float64 and array.dtype.isnative and array.flags.c_contiguous
    assert array.tolist() == [[1.0, 2.0], [3.0, 4.0]]
    assert check_vectors(array) is array


@pytest.mark.parametrize(
    ("X", "words"),
    [
        ([1.0, 2.0], r"X must have shape \(n_samples, n_features\), got shape \(2,\)"),
        (np.ones((2, 2, 2)), r"got shape \(2, 2, 2\)"),
        (3.0, r"got shape \(\)"),
        (None, r"got shape \(\)"),
        (np.ones((0, 2)), "at least one example"),
        (np.ones((2, 0)), "at least one example"),
        ([[1.0, np.nan]], r"X must be finite, got nan at \[0, 1\]"),
        ([[1.0], [-np.inf]], r"X must be finite, got -inf at \[1, 0\]"),
        ([[None, 1.0]], "X must be finite"),
        ([[1.0, 2.0], [3.0]], "rows equally long"),
        ([["1", "2"]], "real numbers"),
        ([[1.0 + 2.0j]], "real numbers"),
        (np.array([["2020-01-01"]], dtype="datetime64[D]"), "real numbers"),
        (scipy.sparse.eye_array(3).tocsr(), "dense"),
        (np.ma.masked_invalid([[1.0, np.nan]]), "masked"),
    ],
)
def test_bad_vectors_are_named(X, words):
    with pytest.raises(ValueError, match=words):
        check_vectors(X)


@pytest.mark.parametrize("view", [lambda X: X, lambda X: X.T, lambda X: X[::2, ::3]])
@pytest.mark.parametrize("size", [1.0, 1e300])  # of the others: the squares of 1e300 overflow
def test_one_entry_that_is_not_finite_is_found(view, size):
    check_vectors(view(np.full((6, 9), size)))
    for bad in (np.nan, np.inf, -np.inf):
        X = np.full((6, 9), size)
        X[4, 6] = bad
        with pytest.raises(ValueError, match=r"finite, got -?(nan|inf) at .*\(1 such"):
            check_vectors(view(X))


def test_the_error_uses_the_callers_name():
    with pytest.raises(ValueError, match=r"^Z must have shape"):
        check_vectors([1.0], "Z")
    with pytest.raises(ValueError, match=r"^Kz must have shape"):
        check_gram([1.0], "Kz")


def test_features_must_agree():
    check_same_features(np.ones((2, 3)), np.ones((5, 3)))
    with pytest.raises(ValueError, match="Z must have as many features as X, got 4, and X has 3"):
        check_same_features(np.ones((2, 3)), np.ones((2, 4)))


@pytest.mark.parametrize("y", [[1, -1, 1], (1.0, -1.0, 1.0), np.array([1, -1, 1], dtype=np.int8)])
def test_labels_come_back_as_floats(y):
    with pytest.raises(ValueError, match="y must hold one label an example, got 3 for 4"):
        check_labels(y, 4)
    labels = check_labels(y, 3)
    assert labels.dtype == np.float64 and labels.tolist() == [1.0, -1.0, 1.0]


@pytest.mark.parametrize(
    ("y", "words"),
    [
        ([0, 1], "y must hold the two labels -1 and .1, got 0, 1"),
        ([1, 1], "got only 1"),
        ([-1.0], "got only -1"),
        ([1, -1, 0], "got"),
        ([1, -1, np.nan], "nan"),
        (["a", "b"], "'a', 'b'"),
        (["1", "-1"], "'-1', '1'"),
        ([True, False], "False, True"),
        ([], "no label"),
        (range(9), "and 4 more"),
        ([[1], [-1]], r"one-dimensional, got shape \(2, 1\)"),
        (1.0, "one-dimensional"),
        (np.ma.array([1, -1], mask=[0, 1]), "masked"),
    ],
)
def test_bad_labels_are_named(y, words):
    with pytest.raises(ValueError, match=words):
        check_labels(y)


def test_one_label_passes_where_both_are_not_needed():
    assert check_labels([1, 1], both=False).tolist() == [1.0, 1.0]
    for y in ([], [2], [1, 0], ["1"]):
        with pytest.raises(ValueError, match="y must hold labels -1 or"):
            check_labels(y, both=False)


@pytest.mark.parametrize(
    ("K", "words"),
    [
        (np.ones((2, 3)), r"shape \(n, n\) with n ≥ 1, got shape \(2, 3\)"),
        (np.ones(4), "shape"),
        (np.ones((0, 0)), "shape"),
        ([[1.0, np.nan], [np.nan, 1.0]], "finite"),
        ([[1.0, 2.0], [3.0, 1.0]], r"symmetric, got K\[0, 1\] = 2 and K\[1, 0\] = 3"),
        ([["a"]], "real numbers"),
    ],
)
def test_bad_gram_matrices_are_named(K, words):
    with pytest.raises(ValueError, match=words):
        check_gram(K)


@pytest.mark.parametrize(("i", "j"), [(0, 599), (599, 0), (300, 301), (10, 400), (520, 30)])
def test_one_asymmetric_entry_is_found_wherever_it_is(i, j):
    K = np.ones((600, 600))
    K[i, j] += 1e-6
    with pytest.raises(ValueError, match=rf"K\[{min(i, j)}, {max(i, j)}\]"):
        check_gram(K)


@pytest.mark.rounding
def test_asymmetry_of_rounding_passes_at_any_scale():
    for scale in (1e-200, 1.0, 1e200):
        check_gram(scale * np.array([[1.0, 0.5 + 1e-14], [0.5, 1.0]]))
        with pytest.raises(ValueError, match="symmetric"):
            check_gram(scale * np.array([[1.0, 0.5 + 1e-6], [0.5, 1.0]]))
    check_gram(np.zeros((3, 3)))


def test_lists_of_numbers():
    assert check_numbers([1, 2], "scores").tolist() == [1.0, 2.0]
    for bad in ([], [[1.0]], 1.0, [1.0, 2.0, 3.0]):
        with pytest.raises(ValueError, match="scores must have shape"):
            check_numbers(bad, "scores", 2)
    with pytest.raises(ValueError, match="scores must be finite"):
        check_numbers([np.inf], "scores")


NOT_NUMBERS = ["1", None, True, np.nan, np.inf, -np.inf, 1j, [1.0]]


@pytest.mark.parametrize(
    ("check", "values", "words"),
    [
        (check_positive, [10**400, 0, -1.0, np.float64(-2), np.array(0.0)], "a positive number"),
        (check_number, [10**400], "a finite number"),
        (check_positive_integer, [0, -3, 2.5, 2.0, np.float64(2)], "a positive integer"),
    ],
)
def test_what_is_no_such_number_is_named(check, values, words):
    for value in [*NOT_NUMBERS, *values]:
        with pytest.raises(ValueError, match=f"^gamma must be {words}, got"):
            check(value, "gamma")


def test_good_numbers_come_back_as_pythons():
    for value in (2, 2.0, np.float32(2), np.int64(2), np.array(2.0)):
        assert type(check_positive(value, "gamma")) is float
        assert check_positive(value, "gamma") == check_number(value, "gamma") == 2.0
    for value in (2, np.int8(2), np.array(2)):
        assert type(check_positive_integer(value, "degree")) is int
    with pytest.raises(ValueError, match=r"^gamma must be a positive number, got -1\.0$"):
        check_positive(np.float64(-1), "gamma")
