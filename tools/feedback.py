"""The page that a student gets back: one row an exercise, and for what is wrong why, once.

It needs no network and no program: formulas are MathML, the style is inside. It shows no hidden
test, no seed, and no folder of the machine that graded.
"""

from __future__ import annotations

import ast
import datetime
import html
import itertools
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cells as pages
from jinja2 import Environment, FileSystemLoader, StrictUndefined

MOST_LINES = 14  # about one exercise; if there are more, its example is folded away
FOLDED = 5  # what is left of it then
MOST_KEPT = 100
LINES_OF_ALL = 63  # about all: with the titles three screens of a laptop
HEADING = re.compile(r"^##\s+(?:(\d+)\s*·\s*)?(.+?)\s*(?:\*\([^)]*\)\*)?\s*$", re.MULTILINE)
TITLE = re.compile(r"^#\s+(.+?)\s*$", re.MULTILINE)
SEED = re.compile(r" \(seed \d+\)|, seed \d+|, seed=\d+")
EXAMPLE = re.compile(r" {3,}(?:[-\[\d.]|nan|inf)|  (?:[\w, .…]+ = |expected |yours |it printed)")
SENTENCE = re.compile(r"(?<=[.?:])\n")
FORMULA = re.compile(r"\$\$(.+?)\$\$|\$(.+?)\$", re.DOTALL)
NOT_SAID = re.compile(r"^A hint: |^[✗✓] \w+: ")
BORROWED = re.compile(r"\.solution\b")
DEFINED = re.compile(r"^\s*def (\w+)\(", re.MULTILINE)
WITHOUT_REASON = "The check did not accept it."
NO_CELL = "There is no answer: its cell is missing."
SILENT = "The check did not say that this is right: something in the notebook has replaced it."

Cell = Any  # nbformat's nodes are untyped


@dataclass
class Mark:
    """What one student got for one exercise, and why.

    exercise, title : Its name in the notebook, and the words over it.
    words, code : What the check said, empty if it was content; the student's answer.
    note : What it said beside, to an answer that is right.
    by_hand, look_again, comment : Whether a teacher gave the points; whether the answer changed
        since then; what the teacher wrote.
    """

    exercise: str
    title: str
    points: float
    of: float
    words: str = ""
    code: str = ""
    note: str = ""
    by_hand: bool = False
    look_again: bool = False
    comment: str = ""

    def __post_init__(self) -> None:
        if self.by_hand and self.words in {NO_CELL, SILENT}:
            self.words = ""  # a teacher found it

    @property
    def hand_words(self) -> str:
        """Say whether a teacher gave the points."""
        return ("look again" if self.look_again else "yes") if self.by_hand else ""

    @property
    def state(self) -> str:
        """One word for it, which is also its class in the style sheet."""
        if self.points >= self.of:
            return "right"
        if self.points > 0:
            return "partly"
        return "open" if self.words.startswith("Not filled in") else "wrong"

    @property
    def sign(self) -> str:
        """The sign that the checks print."""
        return {"right": "✓", "partly": "◐", "open": "○", "wrong": "✗"}[self.state]


@dataclass
class Result:
    """What one student got for one notebook."""

    student: str
    full_name: str
    name: str
    title: str
    marks: list[Mark]
    trouble: str = ""
    late: datetime.timedelta = field(default_factory=datetime.timedelta)
    penalty: float = 0.0
    most: float = 0.0

    @property
    def points(self) -> float:
        """The points, less what lateness cost."""
        return max(0.0, sum(mark.points for mark in self.marks) - self.penalty)

    @property
    def percent(self) -> int:
        """The points of a hundred."""
        return round(100 * self.points / self.most) if self.most else 0

    @property
    def late_words(self) -> str:
        """Say how late it was; empty if it was not."""
        minutes = int(self.late.total_seconds() // 60)
        if self.late <= datetime.timedelta():
            return ""
        days, hours, minutes = minutes // 1440, minutes // 60 % 24, minutes % 60
        parts = [(days, "d"), (hours, "h"), (minutes, "min")]
        return " ".join(f"{n} {unit}" for n, unit in parts if n)[:16] or "1 min"

    @property
    def filled_in(self) -> bool:
        """Say whether there is an answer; the whole course, handed in, has lessons without any."""
        return any(m.points or m.by_hand or (m.code and m.state == "wrong") for m in self.marks)

    @property
    def is_graded(self) -> bool:
        """Say whether a notebook could be read, this one or the one before."""
        return self.filled_in or not self.trouble.startswith("not graded")

    @property
    def remark(self) -> str:
        """Say what whoever grades should know."""
        again = [mark.exercise for mark in self.marks if mark.look_again]
        borrowed = [mark.exercise for mark in self.marks if BORROWED.search(mark.code)]
        silent = [mark.exercise for mark in self.marks if mark.words == SILENT]
        lacking = [mark.exercise for mark in self.marks if "No module named" in mark.words]
        said = [self.trouble]
        if borrowed:
            said.append(f"asks the check for its solution: {', '.join(borrowed)}")
        if silent:
            said.append(f"the check was replaced, look at the code: {', '.join(silent)}")
        if lacking:
            said.append(f"imports what is not installed here: {', '.join(lacking)}")
        if again:
            said.append(
                f"marked by hand before it or its points changed, look again: {', '.join(again)}"
            )
        return "; ".join(filter(None, said))


# --- reading a graded notebook ------------------------------------------------------------------


def heading(cells: list[Cell]) -> str:
    """Return the title of a notebook."""
    for cell in cells:
        if cell.cell_type == "markdown" and (match := TITLE.search(cell.source)):
            return match[1]
    return ""


def titles(cells: list[Cell]) -> dict[str, str]:
    """Return the title of each exercise, by its name, in order."""
    found, last = {}, ""
    for cell in cells:
        if cell.cell_type == "markdown" and (match := HEADING.search(cell.source)):
            last = match[2]
        mark = cell.metadata.get("nbgrader", {})
        if mark.get("solution"):
            found[mark["grade_id"]] = last or mark["grade_id"]
    return found


def what_happened(cells: list[Cell], exercise: str) -> dict[str, str]:
    """Return the words of the check of an exercise, and the answer."""
    check, answer = with_id(cells, f"{exercise}_check"), answer_of(cells, exercise)
    code = answer.source if answer is not None else ""
    if check is None:
        return {"words": "", "code": code}
    words = reason(check, answer, exercise)
    note = "" if words else one_thing(check)
    if words == f"NameError: name '{exercise}' is not defined":
        words = not_there(exercise, code, below=answer in cells[cells.index(check) :])
    return {"words": words, "code": code, "note": note}


def one_thing(check: Cell) -> str:
    """Return the remark of a check on an answer that is right, in one line; empty without one."""
    printed = "".join(o.text for o in check.outputs if o.output_type == "stream")
    said = printed.partition("One thing: ")[2].partition("\n✓")[0]
    return " ".join(said.split())


def not_there(exercise: str, code: str, *, below: bool) -> str:
    """Say why a check did not find its function."""
    if below:
        return f"The cell with {exercise} stands below its check, which runs first."
    if is_blank(code):
        return "Not filled in: the cell is empty."
    names = ", ".join(DEFINED.findall(code))
    return f"There is no function {exercise}; your cell defines {names or 'no function'}."


def is_blank(code: str) -> bool:
    """Say whether code does nothing: empty, a comment, `pass`."""
    try:
        return all(isinstance(statement, ast.Pass) for statement in ast.parse(code).body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


def is_stub(code: str, name: str) -> bool:
    """Say whether code defines a function of that name, and it only raises."""
    try:
        statements = ast.parse(code).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    bodies = [s.body for s in statements if isinstance(s, ast.FunctionDef) and s.name == name]
    return bool(bodies) and all(
        isinstance(one, ast.Raise)
        or (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))
        for one in bodies[-1]
    )


def with_id(cells: list[Cell], name: str) -> Cell | None:
    """Return the cell that nbgrader knows by a name."""
    found = (c for c in cells if c.metadata.get("nbgrader", {}).get("grade_id") == name)
    return next(found, None)


def answer_of(cells: list[Cell], exercise: str) -> Cell | None:
    """Return the cell with an answer: the last that defines it, if its own does not."""
    own = with_id(cells, exercise)
    begin = re.compile(rf"^def {exercise}\(", re.MULTILINE)
    found = [c for c in cells if c.cell_type == "code" and begin.search(c.source)]
    return own if own in found or not found else found[-1]


def reason(check: Cell, answer: Cell | None, exercise: str) -> str:
    """Say why a check was not content, once; empty if it was."""
    printed = "".join(o.text for o in check.outputs if o.output_type == "stream")
    errors = [o for o in check.outputs if o.output_type == "error"]
    if not errors:
        return ""
    mine = [o for o in answer.outputs if o.output_type == "error"] if answer is not None else []
    error = errors[0]
    if answer is None and error.ename == "NameError":
        return NO_CELL
    if mine and error.ename in {"NameError", "NotReached"}:
        return tidy(in_words(mine[0], answer))
    for sign in ("✗", "○"):
        if f"{sign} {exercise}" in printed:
            return tidy(printed[printed.index(f"{sign} {exercise}") :])
    if error.ename == "NotYet":
        return tidy("Right for the examples of the notebook, not for others.\n" + error.evalue)
    return tidy(in_words(error, check))


def in_words(error: Any, cell: Any) -> str:
    """Say what was raised, and in which line if that is known."""
    words = re.sub(r" \(<?(?:ipython-input|…)[^)]*, line \d+\)", "", error.evalue)
    line = re.search(r"line (\d+)\)$", error.evalue) if "Error" in error.ename else None
    where = ""
    lines = cell.source.splitlines() if cell is not None else []
    if line and int(line[1]) <= len(lines):
        where = f"\n  in line {line[1]} of your code: {lines[int(line[1]) - 1].strip()}"
    known = error.ename in {"Stopped", "NotReached", "TooLong", "NoOutput", "Silent"}
    if error.ename == "MemoryError" and not words:
        words = "it took more memory than one notebook may have."
    return words if known else f"{error.ename}: {words}{where}"


def tidy(words: str) -> str:
    """Return what a check said without seeds, signs and the way to the hints, not too long."""
    lines = []
    for line in pages.ANSI.sub("", SEED.sub("", words)).splitlines():
        if line.startswith("○"):
            line = "Not filled in" + line.partition(": not filled in")[2]
        if line.strip() and not NOT_SAID.match(line):
            lines.append(line[:200])
    return cut("\n".join(lines), MOST_KEPT) or WITHOUT_REASON


def cut(words: str, most: int) -> str:
    """Return at most so many lines; the last ones, which say what is wrong, before the first."""
    lines = words.splitlines()
    if len(lines) <= most:
        return words
    first = max(1, most // 3)
    return "\n".join([*lines[:first], "  …", *lines[-(most - first - 1) :]])


# --- the page -----------------------------------------------------------------------------------


def write(result: Result, file: Path) -> None:
    """Write the page, unless it says this already."""
    page = rendered(result)
    if file.is_file() and file.read_text(encoding="utf-8") == page:
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(page, encoding="utf-8")


def rendered(result: Result) -> str:
    """Return the page as HTML."""
    frame = Environment(
        loader=FileSystemLoader(pages.TEMPLATES), undefined=StrictUndefined, autoescape=True,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    told = [mark.words.count("\n") + 1 for mark in result.marks if mark.words]
    shown = (sum(n if n <= m else FOLDED for n in told) for m in range(MOST_LINES, 0, -1))
    most = MOST_LINES - next((k for k, n in enumerate(shown) if n <= LINES_OF_ALL), MOST_LINES)
    frame.filters["paragraphs"] = lambda words: paragraphs(words, most)
    frame.filters.update(formulas=formulas, points=points)
    page: str = frame.get_template("feedback.html").render(result=result)
    if "<math" in page:
        page = page.replace("<style>", f"<style>\n  {pages.embedded_font()}", 1)
    return page


def points(number: float) -> str:
    """Write points."""
    return f"{number:g}"


def formulas(words: str) -> Any:
    """Return text as HTML, with what stands between dollars as MathML."""
    from markupsafe import Markup

    said, end = [], 0
    for match in FORMULA.finditer(words):
        said.append(html.escape(words[end : match.start()]))
        try:
            said.append(pages.mathml(match[1] or match[2], display=bool(match[1])))
        except ValueError:
            said.append(html.escape(match[0]))
        end = match.end()
    return Markup("".join([*said, html.escape(words[end:])]))


def paragraphs(words: str, most: int = MOST_LINES) -> Any:
    """Return what a check said as HTML: its sentences as text, its examples as they stand.

    If there are more than so many lines, the example is folded away.
    """
    from markupsafe import Markup

    every, said = words.splitlines(), []
    fold = len(every) > most
    stands = EXAMPLE.match if fold else re.compile(" ").match
    for as_it_stands, group in itertools.groupby(every, lambda line: bool(stands(line))):
        lines = list(group)
        text = html.escape("\n".join(lines))
        if not as_it_stands:
            said.append(f"<p>{SENTENCE.sub('<br>', text)}</p>")
        elif fold and len(lines) > 2:
            said.append(f"<details><summary>the example</summary><pre>{text}</pre></details>")
        else:
            said.append(f"<pre>{text}</pre>")
    return Markup("".join(said))
