import copy
import pickle
import warnings
from dataclasses import dataclass
from itertools import count, islice

import numpy as np
import pytest

from kernellab.solving import NotConverged, pass_orders, random_generator, solve


@dataclass(frozen=True)
class Halving:
    """A made-up solver that halves its gap each pass."""

    passes: int
    alpha: np.ndarray
    looked: list

    @property
    def gap(self):
        self.looked.append(self.passes)
        return 2.0**-self.passes


@dataclass(frozen=True)
class Saying:
    passes: int
    gap: float
    status: str = "running"


def halving(steps_a_pass=1, looked=None):
    looked = [] if looked is None else looked
    alpha = np.zeros(3)
    for step in count(1):
        alpha += 1  # live: the same array in every state
        yield Halving(step // steps_a_pass, alpha, looked)


def quietly(states, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return solve(states, **options)


def test_it_stops_at_the_gap_and_not_before():
    result = quietly(halving(), gap=1 / 16)
    assert (result.status, result.converged) == ("converged", True)
    assert (result.passes, result.gap) == (4, 1 / 16)
    assert result.history == [(1, 1 / 2), (2, 1 / 4), (3, 1 / 8), (4, 1 / 16)]
    assert result.alpha is result.state.alpha
    with pytest.raises(AttributeError, match="beta"):
        _ = result.beta
    assert quietly(halving(), gap=1 / 8, max_passes=3).converged


def test_at_the_cap_it_warns_with_the_gap_reached():
    words = r"stopped at the cap after 5 passes with gap 0\.0312"
    with pytest.warns(NotConverged, match=words) as record:
        result = solve(halving(), gap=1e-9, max_passes=5)
    assert record[0].filename == __file__
    assert (result.status, result.converged) == ("stopped at the cap", False)
    assert (result.gap, result.passes) == (1 / 32, 5)
    assert "0.0312" in repr(result)
    assert "cap" in repr(result)


def test_the_gap_is_looked_at_once_a_pass():
    looked = []
    result = quietly(halving(steps_a_pass=100, looked=looked), gap=1 / 8)
    np.testing.assert_array_equal(result.alpha, [300, 300, 300])
    assert len(looked) <= 5


def test_a_solver_may_speak_for_itself():
    states = [Saying(1, 0.5), Saying(1, 0.4, "unbounded"), Saying(2, 0.0)]
    with pytest.warns(NotConverged, match=r"unbounded after 1 passes with gap 0\.4"):
        result = solve(states)
    assert (result.status, result.gap) == ("unbounded", 0.4)
    assert quietly([Saying(1, np.inf), Saying(2, 7.0, "converged")]).converged


def test_a_gap_that_is_no_number_is_divergence():
    with pytest.warns(NotConverged, match="diverged"):
        result = solve([Saying(1, 0.5), Saying(2, np.nan), Saying(3, 0.0)])
    assert (result.status, result.passes) == ("diverged", 2)


def test_a_generator_that_ends_is_judged_by_its_last_state():
    with pytest.warns(NotConverged, match="stalled after 2 passes"):
        assert not solve([Saying(1, 0.5), Saying(2, 0.2)]).converged
    assert quietly([Saying(1, 0.5), Saying(1, 0.5), Saying(1, 0.0)]).converged


def test_exactly_so_many_passes_without_a_word():
    result = quietly(halving(), gap=None, max_passes=7)
    assert (result.status, result.passes, len(result.history)) == ("stopped at the cap", 7, 7)
    assert quietly([Saying(1, 0.5), Saying(2, 0.0)], gap=None, max_passes=9).status == "stalled"
    with pytest.warns(NotConverged, match="unbounded after 1 passes with gap 0.5$"):
        solve([Saying(1, 0.5, "unbounded")], gap=None)


def test_a_generator_is_told_the_gap_from_its_second_state_on():
    heard = []

    def listening():
        for passes in count():
            heard.append((yield Saying(passes, 1.0)))

    solve(listening(), gap=None, max_passes=2)
    with pytest.warns(NotConverged):
        solve(listening(), gap=0.25, max_passes=1)
    assert heard == [0.0, 0.0, 0.25]


def test_a_generator_goes_on_where_it_was():
    states = halving()
    assert quietly(states, gap=1 / 4).passes == 2
    assert quietly(states, gap=1 / 64).history[0] == (3, 1 / 8)


def test_a_result_can_be_copied_and_pickled():
    result = quietly([Saying(1, 0.0)])
    for twin in (copy.deepcopy(result), pickle.loads(pickle.dumps(result))):
        assert twin == result


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"gap": -1e-3}, ["gap", "-0.001"]),
        ({"gap": np.nan}, ["gap", "nan"]),
        ({"gap": "small"}, ["gap", "small"]),
        ({"max_passes": 0}, ["max_passes", "0"]),
        ({"max_passes": 2.5}, ["max_passes", "2.5"]),
    ],
)
def test_bad_requests_are_named(options, words):
    with pytest.raises(ValueError) as error:
        solve(halving(), **options)
    for word in words:
        assert word in str(error.value)


def test_no_states_is_an_error():
    with pytest.raises(ValueError, match="states"):
        solve([])


def test_orders_are_cyclic_or_fresh():
    for order in islice(pass_orders(4), 3):
        np.testing.assert_array_equal(order, [0, 1, 2, 3])
    orders = list(islice(pass_orders(50, 7), 3))
    for order in orders:
        np.testing.assert_array_equal(np.sort(order), np.arange(50))
    assert not np.array_equal(orders[0], orders[1])
    again = list(islice(pass_orders(50, np.random.default_rng(7)), 3))
    np.testing.assert_array_equal(orders, again)


@pytest.mark.parametrize("rng", [-1, 1.5, "lucky", True, np.random.RandomState(0)])
def test_a_bad_seed_is_named(rng):
    with pytest.raises(ValueError, match="rng must be a seed"):
        random_generator(rng)
    with pytest.raises(ValueError, match="rng"):
        pass_orders(3, rng)
