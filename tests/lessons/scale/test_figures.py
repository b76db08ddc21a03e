"""The live figures of notebook 08, moved from Python: the numbers must follow, and stay true."""

from __future__ import annotations

import numpy as np
import pytest

from kernellab.lessons.scale.figures import pictures
from kernellab.lessons.scale.figures.growth_dial import (
    ASKED,
    LEARNERS,
    GrowthDial,
    chosen,
    time_words,
)
from kernellab.lessons.scale.figures.memory_dial import BUDGETS, MemoryDial
from kernellab.lessons.scale.theory.growth import (
    FOURIER,
    METHODS,
    NYSTROM,
    PAIRS,
    REST,
    RIDGE,
    curve,
)


@pytest.mark.parametrize("method", LEARNERS)
@pytest.mark.parametrize("known", [2000, 10_000])
def test_the_star_is_on_the_line_through_what_is_known(method, known):
    figure = GrowthDial(method=method, known=known, asked=1_000_000)
    one, known = curve(*LEARNERS[method]), figure.known
    few = (one.n <= known) & (one.n >= known / 10)
    slope, intercept = np.polyfit(np.log(one.n[few]), np.log(one.fit[few]), 1)
    assert figure.numbers["exponent"] == pytest.approx(slope)
    told = np.exp(intercept + slope * np.log(1e6))
    assert figure.numbers["seconds"] == pytest.approx(told)
    assert figure.told.get_data()[1][0] == pytest.approx(told)


def test_what_it_took_is_told_only_when_asked_for():
    figure = GrowthDial(known=2000, asked=10_000)
    assert figure.numbers["took"] is None
    assert len(figure.later.get_xdata()) == 0
    figure.reveal = True
    one = curve(RIDGE)
    took = one.fit[one.n == 10_000][0]
    assert figure.numbers["ratio"] == pytest.approx(took / figure.numbers["seconds"])
    assert list(figure.later.get_xdata()) == [5000, 10_000]
    times = f"{figure.numbers['ratio']:.1f} times"
    assert times in figure.title.get_text() and times in figure.live.readout
    figure.asked = 1_000_000  # which nobody measured
    assert figure.numbers["took"] is None
    assert "nobody measured n = 1 000 000" in figure.live.readout
    assert "at n = 10 000 it took 5.4 times the forecast" in figure.live.readout
    figure.known = 10_000
    assert len(figure.later.get_xdata()) == 0 and "times" not in figure.live.readout
    figure.reveal = False
    assert "nobody" not in figure.live.readout


def test_sizes_are_offered_as_far_as_they_were_measured():
    figure = GrowthDial(known=20_000, asked=100_000)
    assert figure.known == 10_000
    assert figure.numbers["last"] == "10 000"
    assert "law from 1 000 ≤ n ≤ 10 000" in figure.live.readout
    figure.method = PAIRS
    figure.known = 50_000
    figure.method = RIDGE
    assert figure.known == 2000


def test_a_law_is_read_off_two_sizes_at_least():
    figure = GrowthDial(method="Nyström, m = 1024", known=1000)
    one = curve(NYSTROM, 1024)
    assert one.n[0] > 1000
    exponent = np.log(one.fit[1] / one.fit[0]) / np.log(one.n[1] / one.n[0])
    assert figure.numbers["exponent"] == pytest.approx(exponent)
    assert figure.numbers["last"] == f"{one.n[1]:,}".replace(",", " ")


def test_no_measured_point_beyond_what_is_known_is_shown():
    assert max(GrowthDial(known=2000).seen.get_xdata()) <= 2000


@pytest.mark.parametrize("method", LEARNERS)
def test_guides_have_slopes_1_2_3_from_the_first_mark(method):
    figure = GrowthDial(method=method, asked=10_000_000)
    for p, line in enumerate(figure.guides.lines, 1):
        assert line.get_xdata()[0] == figure.seen.get_xdata()[0]
        assert line.get_ydata()[0] == figure.seen.get_ydata()[0]
        slope = np.diff(np.log(line.get_ydata())) / np.diff(np.log(line.get_xdata()))
        assert slope == pytest.approx(p)
        assert line.get_ydata()[-1] < line.axes.get_ylim()[1]


def test_more_features_take_longer():
    figure, seconds = GrowthDial(known=20_000, asked=100_000), []
    for m in (64, 256, 1024):
        figure.method, figure.known = f"Nyström, m = {m}", 20_000
        seconds.append(figure.numbers["seconds"])
    assert seconds == sorted(seconds)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.12, "0.12 s"), (11.5, "12 s"), (119, "120 s"), (121, "2 minutes"), (6600, "110 minutes"),
     (86_400, "24 hours"), (3e5, "3.5 days"), (1e8, "3.2 years"), (1e12, "32 000 years")],
)  # fmt: skip
def test_times_in_words(seconds, words):
    assert time_words(seconds) == words
    assert time_words(2280, digits=1) == "40 minutes"


@pytest.mark.parametrize("budget", BUDGETS)
def test_a_budget_is_met_where_the_law_says(budget):
    figure = MemoryDial(budget=budget)
    for name, n in figure.numbers["full"].items():
        one = chosen(name, figure.m)
        assert one.memory_law()(n) == pytest.approx(1000 * budget)
        assert n < figure.limit.axes.get_xlim()[1]  # its mark is in view
    assert figure.numbers["first"] == min(
        figure.numbers["full"], key=lambda name: figure.numbers["full"][name]
    )


def test_sixteen_times_the_memory_is_four_times_as_far_for_a_gram_matrix():
    figure = MemoryDial(budget=1.0)
    few = figure.numbers["full"]
    figure.budget = 16.0
    many = figure.numbers["full"]
    assert many[RIDGE] / few[RIDGE] == pytest.approx(4, rel=0.1)
    assert many[NYSTROM] / few[NYSTROM] == pytest.approx(16, rel=0.1)
    assert figure.numbers["farther"][::2] == pytest.approx([4, 16], rel=0.1)
    assert "kernel ridge 4, " in figure.live.readout
    figure.budget = 1.0
    assert figure.numbers["farther"] is None


def test_every_preset_has_words():
    for figure in (GrowthDial(), MemoryDial()):
        for preset in figure.presets:
            figure.load(preset)
            assert figure.live.error == ""
            assert "None" not in figure.live.alt + figure.live.readout


def test_asked_goes_beyond_what_was_measured():
    assert max(ASKED) > max(one.n[-1] for one in map(curve, METHODS[:3]))


def test_printed_pictures_say_what_they_show():
    images, y = np.zeros((3, 64)), np.array([1, 2, 3])
    found = pictures.misread(images, y, np.array([1, 7, 3]))
    assert found.alt.startswith("1 of 3 images are wrong; shown: 2 taken for 7")
    assert pictures.misread(images, y, y).alt.startswith("0 of 3")
    assert "40 minutes to 3 hours; exact, pairs took 10 s" in pictures.two_learners().alt
    assert "11 copies" in pictures.copies().alt
    assert "kernel ridge: 99.5 % after 11 s on 10 000 copies" in pictures.right_over_time().alt
    assert "(98.7 % on the originals); exact, one against" in pictures.right_over_time().alt
    assert pictures.right_over_time().alt.count("on the originals") == 4
    assert "Fourier" not in pictures.right_over_time().alt
    assert "99.5 % at n = 10 000" in pictures.right_over_n().alt
    assert "random Fourier, m = 1024" in pictures.right_over_n().alt
    of_one_pair = pictures.rows_of_support([200, 20_000], [53.2, 331.0]).alt
    assert "53 of 200, 331 of 20 000" in of_one_pair
    assert "45 small ones" in pictures.small_against_large().alt
    assert FOURIER not in MemoryDial().numbers["full"]
    features = [curve(name, 256).memory_law().reaches(1000) for name in (NYSTROM, FOURIER)]
    assert features[0] == pytest.approx(features[1], rel=0.05)
    assert "4 blocks" in pictures.cut_into_blocks().alt
    for table in (pictures.slopes(), pictures.ten_digits(), pictures.beside_scikit_learn()):
        rows = table.splitlines()
        assert len(rows) == 2 + len(METHODS) - (REST not in table)
        assert len({row.count("|") for row in rows}) == 1
