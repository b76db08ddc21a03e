"""What the lesson and its further notebooks say in words, and no output of theirs shows."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import nbformat
import numpy as np
import pytest

import kernellab as kl
from kernellab.lessons import pegasos
from kernellab.lessons.pegasos.figures.pegasos_bound import LAMBDAS as BOUND_LAMBDAS
from kernellab.lessons.pegasos.figures.pegasos_bound import clouds
from kernellab.lessons.pegasos.figures.pegasos_break import FREE
from kernellab.lessons.pegasos.figures.stepper import optimum
from kernellab.lessons.pegasos.figures.words import LAMBDAS

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def texts():
    packages = kl.load_packages(("games", "science"))
    return pegasos.unit_rows(packages.X), packages.y


def test_the_first_figure_is_thrown_far_out_and_never_rests():
    figure = pegasos.PegasosStepper()
    lengths = np.linalg.norm(np.diff(figure.run.W, axis=0), axis=1)
    assert lengths[0] > 20 * np.median(lengths[:50]) and lengths[-100:].max() < lengths[0] / 10
    kicks = [t for t, (_, margin) in enumerate(figure.run.seen) if t and margin < 1]
    assert kicks[:4] == [1, 2, 4, 9]
    figure.t = 23
    assert np.sum(figure.y * (figure.X @ figure.numbers["w"]) <= 0) == 1
    square, margin = figure.run.seen[24]
    figure.t = 24
    margins = figure.y * (figure.X @ figure.numbers["w"])
    assert np.sum(margins <= 0) == 3 and margins[square] > 2.9 and margin < 0.1
    assert kicks[4] == 24 and 0 < margin < 1
    waiting = figure.y[square] * (figure.run.W[9:24] @ figure.X[square])
    assert (waiting > 0).all() and (waiting < 1).all()  # inside the band all the time
    lacks = figure.numbers["lacks"]
    assert lacks[22] < 0.02 and lacks[10] < lacks[23] < lacks[9]
    assert lacks[23] == pytest.approx(0.25, abs=0.005)
    away = np.linalg.norm(figure.run.W - figure.numbers["best"], axis=1)
    assert away[[50, 200]] == pytest.approx(0.1, abs=0.01)
    late = [margin < 1 for _, margin in figure.run.seen[-50:]]
    assert any(late) and not all(late)
    figure.t = 24
    assert figure.path.kick.get_visible()  # the arrow
    figure.t = 200
    x, y = figure.path.slides.get_data()
    assert len(x) == 51 and np.ptp(x) < 0.38 and np.ptp(y) < 0.38
    assert figure.path.kick.axes.get_xlim()[0] > 0  # zoomed in: the origin is outside


def test_growing_weights_are_seven_times_better_and_equal_ones_worse():
    figure = pegasos.PegasosBound(average="linear")
    assert 6.5 < figure.numbers["last"][-1] / figure.numbers["mean"][-1] < 8
    figure.average = "uniform"
    last, mean = figure.numbers["last"], figure.numbers["mean"]
    assert (mean > last)[1:].all()
    assert 650 < figure.numbers["bound"][-1] / mean[-1] < 800
    figure.project = True
    assert figure.numbers["mean"][-1] < mean[-1] / 2
    figure.configure(project=False, lam=0.003)
    assert 0.6 < figure.numbers["mean"][-1] / figure.numbers["last"][-1] < 0.8  # ahead
    figure.average, closer = "linear", {}
    for figure.lam in BOUND_LAMBDAS:
        closer[figure.lam] = figure.numbers["last"][-1] / figure.numbers["mean"][-1]
    assert max(closer, key=closer.__getitem__) == 0.001
    assert all(0.9 < closer[lam] < 1.3 for lam in (0.01, 0.03, 0.1))
    assert max(closer[0.3], closer[1.0]) < 0.7  # the last is ahead
    X, y = figure.X, figure.y
    assert optimum(X, y, 0.001)[2] == pytest.approx(0.3967, abs=5e-5)


def test_lambda_w_is_a_mean_over_the_draws_and_at_the_minimum_over_all():
    X, y = clouds()
    *_, state = kl.pegasos(X, y, 0.1, orders=[np.random.default_rng(0).integers(60, size=500)])
    np.testing.assert_allclose(0.1 * state.w, (state.alpha * y) @ X / 500)
    w = optimum(X, y, 0.1)[0]
    margins = y * (X @ w)
    at_one = np.abs(margins - 1) < 1e-6
    rest = 60 * 0.1 * w - (y * (margins < 1) * ~at_one) @ X
    share = np.linalg.lstsq((y[:, np.newaxis] * X)[at_one].T, rest)[0]
    np.testing.assert_allclose(share @ (y[:, np.newaxis] * X)[at_one], rest, atol=1e-5)
    assert (share > -1e-6).all() and (share < 1 + 1e-6).all()


def test_a_batch_of_k_is_worth_about_k_steps():
    figure = pegasos.MiniBatches()
    found = figure.numbers["found"]
    assert 8 < np.exp(np.mean(np.log(found[1] / found[16])[4:])) < 24
    by_examples = {k: np.interp(np.log([300, 600, 1000]), np.log(k * STEPS), np.log(f))
                   for k, f in found.items()}  # fmt: skip
    for k in (4, 16, 60):
        assert by_examples[k] == pytest.approx(by_examples[1], abs=0.7)
    X, y, order = figure.X, figure.y, np.random.default_rng(1).integers(60, size=(20, 4))
    *_, state = kl.pegasos(X, y, 0.1, batch_size=4, orders=[order.ravel()])
    counts = 4 * state.alpha  # k t = 80 examples were seen
    np.testing.assert_allclose(state.w, (counts * y) @ X / (0.1 * 80))
    figure.lam = 0.001
    slow = figure.numbers["found"]
    at = [np.interp(np.log(480), np.log(k * STEPS), np.log(slow[k])) for k in (1, 16)]
    assert at[1] > at[0]
    seen = [np.random.default_rng(draw).integers(60, size=60) for draw in range(8)]
    for k in (16, 60):  # the whole first batch violates; of single steps, less than half
        alone, together = (
            [
                next(
                    islice(kl.pegasos(X, y, 0.001, batch_size=size, orders=[o[:k]]), 1, None)
                ).alpha
                for o in seen
            ]
            for size in (1, k)
        )
        assert np.sum(together, axis=1) * k == pytest.approx(np.full(8, k))
        assert np.sum(alone, axis=1).mean() < k / 2


STEPS = np.unique(np.round(2 ** (np.arange(21) / 2)).astype(int))


def test_words_of_games_and_of_science(texts):
    X, y = texts
    figure = pegasos.WordWeights()
    first, second = (figure.numbers[f"{side}_words"].split(", ") for side in ("first", "second"))
    assert {"game", "fortune", "you"} <= set(first[:4])
    assert second[:3] == ["data", "sequence", "analysis"]
    assert (len(y), y.sum(), X.shape[1]) == (1200, 0, 5143)
    assert round(X[:800].nnz / 800) == 46
    packages = kl.load_packages(("games", "science"))
    words = packages.words
    drivers = X[:800, [words.index("driver")]].toarray()[:, 0].nonzero()[0]
    telescopes = [i for i in drivers if packages.names[i].startswith("indi-")]
    assert len(telescopes) > len(drivers) / 2
    w = figure.numbers["answer"].w
    assert 3 < -w.min() / w.max() < 3.6
    for word, science, games in (("for", 331, 208), ("game", 0, 288)):
        has = X[:800, [words.index(word)]].toarray()[:, 0] > 0
        assert (sum(has[y[:800] > 0]), sum(has[y[:800] < 0])) == (science, games)
    assert [sum(y[:800] == s) for s in (1, -1)] == [406, 394]


def test_the_three_lines_are_the_steps_of_the_array(texts):
    page = nbformat.read(ROOT / "notebooks" / "04_pegasos.ipynb", as_version=4)
    (told,) = (cell.source for cell in page.cells if "# and no multiply" in cell.source)
    lines = told.split("```")[1].removeprefix("python\n")
    X, labels = texts[0][:60].toarray(), texts[1][:60]
    names = {"lam": 0.01, "t": 0, "v": {}, "dot": pegasos.dot, "increment": pegasos.increment}
    for row, label in zip(X, labels, strict=True):
        names |= {"x": {key: row[key] for key in row.nonzero()[0]}, "y": label}
        exec(lines, names)
    alpha, v = np.zeros(60), np.zeros(X.shape[1])
    pegasos.sum_pass(X, labels, 0.01, alpha, v, range(60), 0)
    np.testing.assert_allclose([names["v"].get(key, 0) for key in range(len(v))], v, atol=1e-12)


def test_a_plane_separates_the_texts(texts):
    X, y = texts[0][:800], texts[1][:800]
    run = next(islice(kl.pegasos(X, y, 1e-4, average="linear"), 5, None))
    assert (y * (X @ run.w) > 0).all()


def test_growing_weights_need_one_other_factor_than_equal_ones():
    W, mean = np.random.default_rng(0).normal(size=(20, 3)), np.zeros(3)
    for t, w in enumerate(W, start=1):
        mean = mean + (w - mean) * 2 / (t + 1)
    np.testing.assert_allclose(mean, np.average(W, axis=0, weights=np.arange(1, 21)))


def test_who_violates_on_the_rings():
    figure = pegasos.KernelCounts(t=1280)
    alpha = figure.numbers["alpha"]
    rings = kl.make_rings(40, 8, noise=0.2)  # the loop on the page
    counts, sums, rng = np.zeros(40), np.zeros(40), np.random.default_rng(0)
    for t in range(0, 1280, 40):
        kl.kernel_pegasos_pass(
            kl.Gaussian(0.5)(rings.X), rings.y, 0.01, counts, sums, rng.permutation(40), t
        )
    np.testing.assert_array_equal(counts, alpha)
    off = np.abs(np.linalg.norm(figure.X, axis=1) - 1.5)  # from the circle in the middle
    often = np.argsort(alpha)[-10:]
    assert off[often].mean() < 0.6 * off.mean() < off[alpha == 0].mean()
    assert (alpha == 0).sum() == 15
    (crossed,) = np.flatnonzero(
        figure.y * (figure.numbers["coef"] @ kl.Gaussian(0.5)(figure.X)) <= 0
    )
    assert figure.y[crossed] < 0 and alpha[crossed] == 1280 / 40
    assert (alpha == 32).sum() == 2
    share = alpha / (0.01 * 1280)  # of lesson 02's α
    assert share.max() == pytest.approx(figure.numbers["C"])
    figure.load("λ too large")
    assert (figure.numbers["alpha"] == 32).all()


def test_the_star_wanders_and_the_shape_stays():
    numbers = pegasos.ChooseLam(deal=10).numbers
    assert numbers["wins"] == "once at 1e-05, 2 times at 0.0001, 7 times at 0.0003"
    rates = np.array([curve.rate for curve in numbers["curves"]])
    chosen = []
    for curve in numbers["curves"]:
        at = curve.rate.argmin()
        within = curve.rate <= curve.rate[at] + curve.error[at]
        chosen.append(LAMBDAS[np.flatnonzero(within)[-1]])
    assert (chosen.count(0.001), chosen.count(0.0003)) == (7, 3) and chosen[9] == 0.0003
    assert (rates[:, :4] < 0.045).all() and (rates[:, 5:] > 0.08).all()
    first = pegasos.ChooseLam().numbers
    assert first["simplest"] == 0.001 and first["curves"][0].rate[3] == pytest.approx(0.035)


# --- further -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def trials():
    rings = kl.load_rings()
    return pegasos.try_models(rings.X[:200], rings.y[:200], pegasos.all_models())


def test_who_cannot_and_who_will_not(trials):
    rings = kl.load_rings()
    found = {(trial.model.name, trial.model.lam): trial for trial in trials}
    assert all(abs(found["x·z", lam].validated - 0.5) < 0.03 for lam in (2, 0.1, 0.01, 1e-4))
    flat = found["(x·z + 1)^2", 2]
    assert 0.78 < np.abs(flat.coef).sum() * 2 * 2000 / 2000 < 0.85  # coef = α y / (λT)
    assert flat.train * 200 / (rings.y[:200] < 0).sum() > 0.8
    narrow = [found["Gaussian, σ = 0.01", lam] for lam in (2, 0.1, 0.01, 1e-4)]
    assert max(trial.train for trial in narrow) == 0
    wrong = pegasos.verdicts(narrow[1], rings.X[:200], rings.X[200:], rings.y[200:])
    assert wrong.mean() == pytest.approx(0.051, abs=5e-4)


def test_another_order_changes_the_answers_of_what_has_not_arrived(trials):
    rings = kl.load_rings()
    X, y = rings.X[:200], rings.y[:200]
    changed = {}
    for trial in trials:
        K, K_test = (trial.model.kernel(Z, X) for Z in (X, rings.X[200:]))
        other = next(islice(kl.kernel_pegasos(K, y, trial.model.lam, rng=1), 10, None))
        differ = np.sum((K_test @ trial.coef) * (K_test @ other.coef) <= 0)
        changed[trial.model.name, trial.model.lam] = differ
    assert changed["(x·z + 1)^2", 0.1] == 7
    assert [changed["(x·z + 2)^2", 1e-4], changed["Gaussian, σ = 1", 1e-4]] == [21, 19]


def test_three_ways_to_break_it():
    def lacks(at, **settings):
        return pegasos.PegasosBreak(**settings).run.lacking[at]

    cm, far = "x₂ in cm", "6 to the right"
    for at in (3, -1):  # after ten passes, and after a hundred
        units, small, free = (lacks(at, **settings) for settings in (
            {"unit": cm}, {"lam": 1e-4}, {"shift": far, "bias": FREE}
        ))  # fmt: skip
        assert units > 50 * max(small, free)
    assert lacks(-1, unit=cm) > 5 and lacks(-1) < 0.001
    X = pegasos.PegasosBreak().X
    plain, scaled = (X**2 @ [[1, 1], [1, 100**2]]).max(axis=0)
    assert 2e3 < scaled / plain < 1e4


def test_the_pairs_need_less_than_a_fifth_of_the_kernel_values():
    digits = kl.load_digits(None)
    y = digits.y[np.random.default_rng(0).permutation(len(digits.y))][:797]
    sizes = np.unique(y, return_counts=True)[1]
    pairs = sum((a + b) ** 2 for k, a in enumerate(sizes) for b in sizes[:k])
    assert pairs < 10 * 797**2 / 5
