"""The course as a list of lessons: its map, and the way from one notebook to the next.

The links are made when a notebook is run, from the notebooks that lie beside it, so that none of
them can be dead.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Lesson:
    """One notebook: number, file, title, question, hours (exercises extra), needs, and why."""

    number: str
    file: str
    title: str
    question: str
    hours: float
    exercises: float
    needs: str
    why: str

    def link(self) -> str:
        """Return the title as a Markdown link if the notebook is here, else as plain words."""
        name = f"{self.number} · {self.title}"
        return f"[{name}]({self.file})" if Path(self.file).exists() else f"{name} (not here yet)"


LESSONS = (
    Lesson(
        "00", "00_start_here.ipynb", "Start here", "What can a kernel do that a line cannot?",
        0.5, 0, "nothing", "You see where all of this goes, and that it works on your machine.",
    ),
    Lesson(
        "01", "01_dual_perceptron.ipynb", "The perceptron and its dual",
        "What does a learner that only counts its mistakes know about its data?", 1.5, 2,
        "vectors, gradients",
        "The simplest learner there is, and it needs nothing but dot products: that is the door.",
    ),
    Lesson(
        "02", "02_maximum_margin_by_hand.ipynb", "Maximum margin, by hand",
        "Of all lines without a mistake, which one, and how is it found with pencil and paper?",
        1.5, 2, "01, gradients",
        "The perceptron takes the first line it meets. The support vector machine takes the best.",
    ),
    Lesson(
        "03", "03_kernel_trick.ipynb", "The kernel trick",
        "How do you add eleven million features, and compute none of them?",
        1.5, 2.5, "02, eigenvalues",
        "Through the door: replace the dot product, and lines become circles, words, molecules.",
    ),
    Lesson(
        "04", "04_pegasos.ipynb", "Pegasos",
        "How far does one random example at a time go?", 1.5, 2, "02",
        "When there are too many examples to look at all of them, look at one.",
    ),
    Lesson(
        "05", "05_sdca.ipynb", "SDCA, animated",
        "How good is an answer, if nobody knows the best one?", 1.5, 2, "03",
        "A solver that proves how far it is from the answer, and so knows when to stop.",
    ),
    Lesson(
        "06", "06_kernel_ridge.ipynb", "Kernel ridge regression",
        "At what temperature does a molecule boil that nobody has boiled yet?", 1.5, 1.5, "03",
        "Predict numbers instead of classes, with one formula and with honest errors.",
    ),
    Lesson(
        "07", "07_nystrom_and_mkl.ipynb", "Nyström and multiple kernels",
        "What may we leave out of a Gram matrix: most of its columns? Whole kernels?",
        1.5, 1.5, "05, 06",
        "A kernel compares everybody with everybody. Here we pay less, and learn the kernel too.",
    ),
    Lesson(
        "08", "08_scale.ipynb", "Many classes, many points",
        "What does it cost when n grows?", 1.5, 1.5, "07",
        "Ten classes, a hundred thousand points, and what that costs.",
    ),
    Lesson(
        "09", "09_mistakes_in_print.ipynb", "The museum of mistakes",
        "What did everybody overlook?", 1.5, 0, "02, 03, 04, 05, 06",
        "Wrong code draws nice curves too. Find what is wrong with it, and mend it.",
    ),
)  # fmt: skip
# The folder of each in kernellab/lessons.
ROOMS = (
    "start", "perceptron", "margin", "kernels", "pegasos", "sdca", "ridge", "approximation",
    "scale", "mistakes",
)  # fmt: skip


def lesson_of(module: str) -> str:
    """Return number and title of the lesson whose room a module is in: "02 · Maximum margin …".

    For any other module it is nothing.
    """
    room = next(iter(module.partition("kernellab.lessons.")[2].split(".")))
    found = dict(zip(ROOMS, LESSONS, strict=True)).get(room)
    return f"{found.number} · {found.title}" if found else ""


class Words(str):
    """Markdown that a notebook shows as such."""

    def _repr_markdown_(self) -> str:
        return str(self)


def course_map() -> Words:
    """Return the table of all lessons, with links to those that are here."""
    rows = [
        f"| {one.link()} | {one.question} | {one.why} | {one.hours:g} | {one.exercises or '–'} "
        f"| {one.needs} |"
        for one in LESSONS
    ]
    head = [
        "| lesson | its question | why | hours | exercises | read first |",
        "|---|---|---|---|---|---|",
    ]
    return Words("\n".join(head + rows))


def navigation(number: str) -> Words:
    """Return links to the lessons before and after lesson ``number``, such as "01".

    Raises ValueError if there is no such lesson.
    """
    numbers = [lesson.number for lesson in LESSONS]
    if number not in numbers:
        raise ValueError(f"number must be one of {', '.join(numbers)}, got {number!r}")
    here = numbers.index(number)
    before = [f"← {LESSONS[here - 1].link()}"] if here > 0 else []
    after = [f"{LESSONS[here + 1].link()} →"] if here + 1 < len(LESSONS) else []
    return Words("  |  ".join([*before, *after]))
