"""The frame of the exercises: what a check says about any answer, however it goes wrong."""

import signal
import time
import types
from xml.etree import ElementTree

import numpy as np
import pytest

from kernellab.exercises import pictures, running
from kernellab.exercises.dashboard import dashboard
from kernellab.exercises.exercise import (
    HARD_CODED,
    OTHER_SHAPE,
    REMEMBERS,
    FunctionExercise,
    Misconception,
    NotYet,
    compare,
    number_words,
    shown,
)
from kernellab.exercises.running import (
    CHANGES_ITS_INPUT,
    ENDLESS,
    NOT_FILLED_IN,
    RAISES,
    RETURNS_NOTHING,
    TimeIsUp,
    run,
    time_limit,
)


def cases(rng):
    yield {"x": np.array([1.0]), "k": 2}
    for n in (1, 2, 2, 3, 3):
        yield {"x": rng.integers(1, 5, n).astype(float), "k": int(rng.integers(2, 5))}


def times():
    return FunctionExercise(
        "times",
        "Return k x.",
        ["What is twice x?", "k times x.", "k * x"],
        "Products are everywhere.",
        cases=cases,
        solution=lambda x, k: k * x,
        misconceptions=[("a sum", "It is a product.", lambda x, k: k + x)],
    )


def verdict(answer, **options):
    return times().verdict(answer, **options)


# --- right answers ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "answer",
    [
        lambda x, k: k * x,
        lambda a, b: a * b,
        lambda x, k: (k * x).tolist(),
        lambda x, k: tuple(k * x),
        lambda x, k: (k * x).astype(np.float32),
        lambda x, k: (k * x).astype(int),
        lambda *both: both[0] * both[1],
        np.multiply,
    ],
)
def test_a_right_answer_in_many_forms(answer):
    assert verdict(answer).correct


def test_what_is_said_to_a_right_answer(capsys):
    times().check(lambda x, k: k * x)
    times().check(lambda x, k: k * x, strict=True, seed=7)
    assert capsys.readouterr().out == (
        "✓ times: correct (6 examples, seed 0).\nProducts are everywhere.\n"
        "✓ times: correct (6 examples, seed 7).\n"
    )


# --- wrong answers ------------------------------------------------------------------------------


def test_what_is_said_to_a_wrong_answer(capsys):
    times().check(lambda x, k: k + x)
    assert capsys.readouterr().out == (
        "✗ times: not yet.\n"
        "Example 1 of 6 (seed 0):\n"
        "  x = [1]\n"
        "  k = 2\n"
        "  expected [2]\n"
        "  yours    [3]\n"
        "This looks like “a sum”. It is a product.\n"
        "A hint: exercises.times.hint()\n"
    )


def test_the_same_seed_says_the_same_and_another_draws_others():
    wrong = lambda x, k: k * x if len(x) < 3 else x  # noqa: E731
    texts = [verdict(wrong, seed=seed).text for seed in (0, 0, 1)]
    assert texts[0] == texts[1] != texts[2]
    assert "(seed 1)" in texts[2]


def test_the_smallest_counterexample_comes_first():
    answer = verdict(lambda x, k: k * x if len(x) < 2 else x)
    assert "Example 3 of 6" in answer.text
    assert answer.misconception is None


def test_what_is_nearly_nothing_beside_the_rest_is_0_in_an_example_only():
    few = np.array([1.5, 1e-7])
    assert shown({"K": few, "tiny": few / 100}) == "  K = [1.5, 0. ]\n  tiny = [1.5e-02, 1.0e-09]"
    assert "1.0e-07" in number_words(few)
    assert "nan" in shown({"K": np.full(2, np.nan)})


def test_an_idea_that_divides_by_zero_is_not_recognised_and_does_no_harm():
    task = times()
    task.misconceptions = (Misconception("a share", "?", lambda x, k: x / (k - k)),)
    assert task.verdict(lambda x, k: x).misconception is None
    task.misconceptions = (Misconception("a share", "?", lambda x, k: 1 / (k - k)),)
    assert task.verdict(lambda x, k: x).misconception is None


def test_zero_is_shown_without_a_sign():
    assert "yours    [0, 0]" not in verdict(lambda x, k: -0.5 * x).text
    assert compare([0.5, 1], [-0.0, 0.5]) == "expected [0.5, 1. ]\nyours    [0. , 0.5]"


def in_place(x, k):
    x *= k
    return x


def talkative(x, k):
    print("k is", k)
    return x


def half_a_stub(x, k):
    if len(x) > 1:
        raise NotImplementedError
    return k * x


def stub_below(x, k):
    print(k * x)
    raise NotImplementedError("your turn")


def forgetful(x, k, before=[]):  # noqa: B006
    before.append(k)
    return k * x if len(before) < 7 else x


ONE_ONE, NO_NUMBER = (
    "The shape should be (1,); yours is (1, 1).",
    "An array of numbers is expected, not",
)
NO_INVERSE = "Here this matrix has no inverse. Is there a row that repeats"


@pytest.mark.parametrize(
    ("answer", "misconception", "words"),
    [
        (lambda x, k: np.array([2.0]), HARD_CODED, "the same answer to every example"),
        (lambda x, k: (k * x)[:, np.newaxis], OTHER_SHAPE, ONE_ONE),
        (lambda x, k: (k * x)[np.newaxis], OTHER_SHAPE, ONE_ONE),
        (lambda x, k: [[v] for v in k * x], OTHER_SHAPE, ONE_ONE),
        (lambda x, k: k * x * np.ones((len(x), 1)) if len(x) > 1 else k * x, None,
         "The shape should be (2,); yours is (2, 2)."),
        (lambda x, k: "two", None, f"{NO_NUMBER} str"),
        (lambda x, k: {"a": 1}, None, f"{NO_NUMBER} dict"),
        (lambda x, k: [[1], [1, 2]], None, f"{NO_NUMBER} list"),
        (lambda x, k: 1j, None, f"{NO_NUMBER} complex"),
        (lambda x, k: print, None, f"{NO_NUMBER} built"),
        (np.array([2.0]), None, "Pass the function itself, without parentheses; this is"),
        (lambda x: x, None, "It must take (x, k), in this order; yours takes (x)."),
        (lambda x, k, z: x, None, "yours takes (x, k, z)."),
        (lambda: 1, None, "yours takes ()."),
        (in_place, CHANGES_ITS_INPUT,
         "it changes x, which belongs to whoever calls it. Work on x.copy()."),
        (forgetful, REMEMBERS, "in a global or default argument"),
        (talkative, None, "  it printed: k is 2"),
        (half_a_stub, RAISES, "Example 3 of 6"),
        (stub_below, RAISES, "it still raises NotImplementedError. Delete that line."),
        (lambda x, k: np.linalg.inv(x), RAISES, "of your code: (lambda x, k: np.linalg.inv(x)"),
        (lambda x, k: np.linalg.inv(np.zeros((2, 2))), RAISES, NO_INVERSE),
        (lambda x, k: np.linalg.cholesky(np.zeros((2, 2))), RAISES, NO_INVERSE),
    ],
)  # fmt: skip
def test_a_wrong_answer_is_told_what_is_wrong(answer, misconception, words, capsys):
    found = verdict(answer)
    assert not found.correct
    assert found.misconception == misconception
    assert words in found.text
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_nan_and_infinity_are_wrong(value):
    assert not verdict(lambda x, k: k * x + value).correct
    assert compare([np.nan], [np.nan]) is not None


# --- stubs and other functions ------------------------------------------------------------------


def stub(x, k):
    raise NotImplementedError("your turn")


def bare_stub(x, k):
    """Return k x."""
    raise NotImplementedError


def words_only(x, k):
    """Return k x."""


@pytest.mark.parametrize(
    "answer", [stub, bare_stub, words_only, lambda x, k: None, lambda x, k: ..., None, ...]
)
def test_a_stub_is_told_politely(answer):
    found = verdict(answer)
    assert not found.correct
    assert not found.filled_in
    assert found.misconception == NOT_FILLED_IN
    assert found.text.startswith("○ times: not filled in yet;")
    assert "Error:" not in found.text


def prints(x, k):
    print(k * x)


def forgets(x, k):
    x = k * x


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (prints, "it returns nothing: return, not print.\n  it printed: [2.]"),
        (forgets, "it returns nothing: where is the return?"),
    ],
)
def test_an_answer_that_returns_nothing_is_no_stub(answer, words):
    found = verdict(answer)
    assert found.filled_in
    assert found.misconception == RETURNS_NOTHING
    assert found.text.startswith("✗ times: not yet.\nExample 1 of 6")
    assert words in found.text


# --- errors and endless loops -------------------------------------------------------------------


def faulty(x, k):
    y = x * k
    return y[len(x)]


def test_an_error_comes_with_the_line_of_the_student_and_none_of_ours():
    found = verdict(faulty)
    assert found.misconception == RAISES
    line = faulty.__code__.co_firstlineno + 2
    assert "IndexError: index 1 is out of bounds" in found.text
    assert f"in line {line} of your code: return y[len(x)]" in found.text
    assert "running.py" not in found.text
    assert "Traceback" not in found.text


@pytest.mark.parametrize("error", [SystemExit, RecursionError, AssertionError, ZeroDivisionError])
def test_any_error_is_caught(error):
    def raising(x, k):
        raise error("so")

    assert f"{error.__name__}: so" in verdict(raising).text


def test_an_interrupt_of_the_reader_is_not_an_answer():
    def interrupted(x, k):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        verdict(interrupted)


def endless(x, k):
    while True:
        k += 1


def stubborn(x, k):
    while True:
        try:
            k += 1
        except Exception:
            k = 0


@pytest.mark.parametrize("answer", [endless, stubborn])
def test_an_endless_loop_is_stopped_in_the_main_thread(answer):
    found = verdict(answer, seconds=0.05)
    assert found.misconception == ENDLESS
    assert "still running after 0.05 s, and was stopped" in found.text
    assert "or grow a list or a file without end?" in " ".join(found.text.split())
    assert "of your code:" in found.text


def test_a_slow_import_is_no_endless_loop(tmp_path, monkeypatch):
    (tmp_path / "a_slow_package.py").write_text("import time\ntime.sleep(20)\n")
    monkeypatch.syspath_prepend(tmp_path)

    def importing(x, k):
        import a_slow_package

        return a_slow_package

    found = verdict(importing, seconds=0.05)
    assert "It was importing a package. Do that in a cell of its own" in found.text
    assert "Does a loop" not in found.text


def test_an_endless_loop_is_stopped_without_signals(monkeypatch):
    monkeypatch.delattr(signal, "setitimer")
    assert verdict(endless, seconds=0.05).misconception == ENDLESS


def test_an_alarm_while_the_clock_is_put_away_leaves_no_clock():
    before, late = signal.getsignal(signal.SIGALRM), []
    for microseconds in range(1, 200):
        try:
            with time_limit(1e-6 * microseconds):
                pass
        except TimeIsUp as error:  # kept, with the frames that it came through
            late.append(error)
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
        assert signal.getsignal(signal.SIGALRM) == before


@pytest.mark.parametrize("clock", [running._alarm, running._watch])
def test_the_clock_is_put_away(clock):
    before = signal.getsignal(signal.SIGALRM)
    with pytest.raises(TimeIsUp), clock(0.02):
        while True:
            time.sleep(0)
            endless_step()
    with clock(0.02):
        pass
    time.sleep(0.05)  # a clock that still runs would ring here
    endless_step()
    assert signal.getsignal(signal.SIGALRM) is before


def endless_step():
    return 1


def test_an_answer_does_not_change_how_numpy_takes_an_invalid_number():
    before = np.geterr()
    assert run(lambda x: np.seterr(all="raise"), {"x": 1}, 1).trouble is None
    assert np.geterr() == before


def test_warnings_of_a_wrong_answer_are_not_shown():
    assert run(lambda x: np.array([1.0]) / 0, {"x": 1}, 1).value == np.inf


# --- hints and the question ---------------------------------------------------------------------


def test_hints_climb_and_the_last_stays(capsys):
    exercise = times()
    for _ in range(4):
        exercise.hint()
    assert capsys.readouterr().out.splitlines() == [
        "Hint 1 of 3: What is twice x?",
        "Hint 2 of 3: k times x.",
        "Hint 3 of 3: k * x",
        "Hint 3 of 3: k * x",
    ]


# --- answers of several parts ---------------------------------------------------------------------


def line():
    return FunctionExercise(
        "line",
        "Return w and b.",
        ["?", "?", "?"],
        "Lines.",
        cases=lambda rng: ({"k": float(k)} for k in range(1, 7)),
        solution=lambda k: (np.array([k, 2 * k]), -k),
        misconceptions=[("other sign", "b, not t.", lambda k: (np.array([k, 2 * k]), k))],
        parts=("w", "b"),
    )


@pytest.mark.parametrize(
    "answer",
    [
        lambda k: (np.array([k, 2 * k]), -k),
        lambda k: [[k, 2 * k], -k],
        lambda k: (np.float32([k, 2 * k]), np.float32(-k)),
    ],
)
def test_parts_in_many_forms(answer):
    assert line().verdict(answer).correct


@pytest.mark.parametrize(
    ("answer", "words", "name"),
    [
        (lambda k: (np.array([k, 2 * k]), k), "Of (w, b), b differs:", "other sign"),
        (lambda k: np.array([k, 2 * k]), "a tuple of 2\n  yours    one array, [", None),
        (lambda k: [k, 2 * k], "Of (w, b), w differs:", None),
        (lambda k: (k, k, k), "expected w, b: a tuple of 2", None),
        (lambda k: k, "expected w, b: a tuple of 2", None),
        (lambda k: (np.array([[k], [2 * k]]), -k), "The shape should be (2,)", OTHER_SHAPE),
        (lambda k: (np.array([1.0, 2.0]), -1.0), "w differs", HARD_CODED),
        (lambda k: (np.array([k, 2 * k]), "b"), "An array of numbers is expected, not str", None),
    ],
)
def test_the_part_that_differs_is_named(answer, words, name):
    found = line().verdict(answer)
    assert not found.correct
    assert words in found.text
    assert found.misconception == name


# --- what a notebook shows besides ----------------------------------------------------------------


def test_a_strict_check_shows_words_and_no_stack():
    with pytest.raises(NotYet) as caught:
        times().check(lambda x, k: x, strict=True)
    shown = caught.value._render_traceback_()
    assert shown[0] == "✗ times: not yet."
    assert not any("exercise.py" in line for line in shown)
    with pytest.raises(AssertionError, match="not filled in yet"):
        times().check(None, strict=True)


def test_a_picture_with_its_words(capsys):
    with times().picture() as page:
        page.axes.plot([0, 1])
        page.alt = "A line that rises from 0 to 1"
    assert "A line that rises" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (NotImplementedError("your turn"), "○ times: no picture yet; it is not filled in."),
        (TypeError("no"), "✗ times: no picture; TypeError: no\nSee first what exercises.times"),
        (None, "✗ times: no picture; ValueError: page.alt must say in words"),
    ],
)
def test_no_picture_of_what_fails(error, words, capsys):
    with times().picture():
        named("times", error)()
    assert capsys.readouterr().out.startswith(words)


def named(name, error):
    """Return a function of that name that raises an error, if it is given one."""
    scope = {"error": error}
    exec(f"def {name}(*arguments):\n    if error:\n        raise error\n", scope)
    return scope[name]


def test_a_picture_that_needs_another_exercise_says_which(capsys):
    with times().picture():
        named("sums", NotImplementedError)()
    with times().picture():
        exec("raise NotImplementedError", {})
    assert capsys.readouterr().out.splitlines() == [
        "○ times: no picture yet; the picture also needs sums, which is not filled in.",
        "○ times: no picture yet; it is not filled in.",
    ]


def test_an_answer_that_calls_a_stub_is_told_which(capsys):
    sums = named("sums", NotImplementedError)
    times().check(lambda x, k: sums(x, k))
    times().check(stub)
    assert [line.split("; ")[1] for line in capsys.readouterr().out.splitlines()[::2]] == [
        "it calls sums, which still raises NotImplementedError.",
        "it still raises NotImplementedError.",
    ]


def test_no_picture_of_what_does_not_end(capsys):
    with pictures.drawn("times", (3, 2), seconds=0.05):
        endless(0, 0)
    assert "still running after 0.05 s, and was stopped" in capsys.readouterr().out


def test_the_dashboard_says_what_is_done_and_what_is_open():
    right, wrong, stubbed, untouched = (times() for _ in range(4))
    wrong.name = "wrong"
    for task, answer in ((right, lambda x, k: k * x), (wrong, lambda x, k: k + x), (stubbed, None)):
        task.check(answer)
    wrong.hint()
    wrong.hint()
    shown = dashboard(types.SimpleNamespace(EXERCISES=(right, wrong, stubbed, untouched)))
    assert repr(shown).splitlines() == [
        "■□□□ 1 of 4 done. Next: wrong.",
        "  ✓ done     times",
        "  ✗ not yet  wrong  “a sum”, hints taken: 2 of 3",
        "  ○ open     times",
        "  ○ open     times",
    ]
    page = ElementTree.fromstring(shown._repr_html_())
    rows = [["".join(cell.itertext()) for cell in row] for row in page.iter("tr")]
    assert rows[1:3] == [
        ["✓ done", "times", ""],
        ["✗ not yet", "wrong", "“a sum”, hints taken: 2 of 3"],
    ]
    assert "1 of 4 done" in page.find("caption").text
