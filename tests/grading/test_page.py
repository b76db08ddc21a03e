"""The page handed back, in a browser: what is seen of it, and how long it is."""

from __future__ import annotations

import datetime
import os
import re
from pathlib import Path

import browsers
import feedback
import nbformat
import pytest

SCREEN = (1366, 768)
ROWS = "\n".join(f"  row {k}" for k in range(30))
LONG = f"""\
✗ dual_update: not yet.
Example 3 of 18 (seed 163):
{ROWS}
This looks like “the labels are left out”. α counts, y says in which direction.
A hint: exercises.dual_update.hint()"""


def result() -> feedback.Result:
    """Return nine exercises, all wrong, each with all that a check can say."""
    marks = [
        feedback.Mark(
            f"exercise_{k}", rf"From counts to $w_{k}$", 0.0, 3.0,
            words=feedback.tidy(LONG), code="def f(x):\n    return x < 1",
            comment=r"Nearly: $\frac{1}{n}\sum_i \alpha_i$ <b>" if k == 0 else "", by_hand=k == 0,
        )
        for k in range(9)
    ]  # fmt: skip
    return feedback.Result(
        "ann", "Ann Ånström", "01_dual_perceptron", "01 · Exercises", marks,
        trouble="stopped after 150 s", late=datetime.timedelta(minutes=150), most=27.0,
    )  # fmt: skip


def test_what_a_check_says_is_said_without_seed_hint_or_end():
    words = feedback.tidy(LONG)
    assert "seed" not in words
    assert "hint()" not in words
    assert words.startswith("Example 3 of 18:")
    assert words.endswith("y says in which direction.")
    assert ROWS in words


def test_a_right_answer_keeps_the_remark_of_its_check():
    output = nbformat.v4.new_output(
        "stream", text="✓ f: correct.\nOne thing: n²\nnumbers.\n✓ f: all.\n"
    )
    check = nbformat.v4.new_code_cell("f.check(f)", outputs=[output])
    check.metadata.nbgrader = {"grade_id": "f_check"}
    said = feedback.what_happened([check], "f")
    assert said == {"words": "", "code": "", "note": "n² numbers."}
    mark = feedback.Mark("f", "F", 1.0, 1.0, **said)
    page = feedback.rendered(feedback.Result("a", "A", "01", "01", [mark], most=1.0))
    assert "<p>One thing: n² numbers.</p>" in page


def test_what_is_folded_away_is_the_example_and_not_what_is_wrong_with_it():
    words = "Example 1 of 2:\n  K = [[1, 2],\n       [2, 1]]\n  y = [1]\n"
    words += "  it returns nothing: return, not print.\n  it printed: 3\nThis looks like “a sum”."
    folded = str(feedback.paragraphs(words, 3))
    assert folded.count("<details>") == 1
    told = "<p>Example 1 of 2:</p><p>  it returns nothing: return, not print.</p>"
    told += "<pre>  it printed: 3</pre><p>This looks like “a sum”.</p>"
    assert re.sub(r"<details>.*</details>", "", folded, flags=re.DOTALL) == told
    assert "<details>" not in feedback.paragraphs(words)


@pytest.mark.browser
@pytest.mark.parametrize("width", [SCREEN[0], 390])
def test_it_is_read_without_network_and_fits(tmp_path: Path, width: int) -> None:
    file = tmp_path / "page.html"
    feedback.write(result(), file)
    try:
        running = browsers.running("chromium")
        browser = running.__enter__()
    except browsers.MissingError as missing:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(str(missing))
    try:
        page = browser.new_page(viewport={"width": width, "height": SCREEN[1]})
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(file.as_uri())
        page.screenshot(path=str(tmp_path / "page.png"), full_page=True)
        said = page.inner_text("body")
        for words in ("Ann Ånström", "0 of 27 points", "2 h 30 min late", "stopped after 150 s"):
            assert words in said
        assert said.count("This looks like") == 9
        assert page.locator("math mfrac").first.bounding_box()["height"] > 15
        assert "<b>" in said  # a remark is text
        assert all(url.startswith(("file:", "data:")) for url in asked)
        size = page.evaluate("[document.body.scrollWidth, document.documentElement.scrollHeight]")
        assert size[0] <= width
        if width == SCREEN[0]:
            assert size[1] <= 3 * SCREEN[1], "all wrong, and all that can be said: three screens"
    finally:
        running.__exit__(None, None, None)
