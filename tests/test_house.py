"""The rules of the house: floors, light imports, one environment said three times, clean files."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from graphlib import TopologicalSorter
from importlib import import_module, metadata
from itertools import chain
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import bounds
import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

import kernellab
from kernellab import lessons
from kernellab.page.course import LESSONS

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "kernellab"

# --- floors: imports go down only --------------------------------------------------------------

# From the top. A room imports from its own floor and from those below it.
FLOORS = (
    {"lessons"},
    {"exercises", "live"},
    {"draw", "estimators", "page"},
    {"datasets"},
    {"solvers", "clusters"},
    {"kernels", "losses", "certificates", "solving"},
    {"validation", "compiled", "lazily"},
)
HEIGHT = {name: height for height, floor in enumerate(FLOORS) for name in floor}
# Not even downwards: drawing does not solve, solving does not draw.
NEVER = {"draw": {"solvers", "estimators", "solving", "datasets"}, "estimators": {"draw", "page"}}
DRAWN = re.compile(r"kernellab\.(draw|live|exercises|lessons\.\w+\.(figures|exercises))\b")
SHOWN = "mistakes"  # a lesson imports no other lesson, but may show what is wrong on purpose
# Who may import what is heavy. Nobody imports pyplot: figures here belong to no global state.
HEAVY = {
    "sklearn": {"estimators"},
    "ipywidgets": {"live", "lessons"},
    "jupyter_server": {"live"},
    "anywidget": {"live"},
    "matplotlib": {"draw", "live", "exercises", "lessons"},
    "numba": {"compiled"},
    "dask": {"clusters"},
    "distributed": {"clusters"},
    "matplotlib.pyplot": set(),
    "pylab": set(),
}
FILES = sorted(PACKAGE.rglob("*.py"))


def imports(source: str, package: list[str]) -> Iterator[str]:
    """Yield the full dotted names a module imports; `package` is where its dots start from."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            path = [*base, *(node.module or "").split(".")]
            yield from (".".join(filter(None, [*path, alias.name])) for alias in node.names)


def room_of(dotted: str) -> str:
    """Return the room, or the file beside the rooms, that a dotted name lies in."""
    return [*dotted.split("."), "the package itself"][1]


def complaints(place: str, imported: str) -> list[str]:
    """Say what is wrong with a module at a dotted place importing `imported`."""
    room = room_of(place)
    if imported.split(".")[0] != "kernellab":
        return [
            f"{place} imports {imported}; only {sorted(allowed) or 'nobody'} may"
            for heavy, allowed in HEAVY.items()
            if f"{imported}.".startswith(f"{heavy}.") and room not in allowed
        ]
    target = room_of(imported)
    if ".theory." in place and DRAWN.match(imported):
        return [f"{place} imports {imported}: mathematics draws nothing"]
    if target not in HEIGHT:
        return [f"{place} imports {imported} through the package, not from its module"]
    if target == room == "lessons":
        lesson, other = place.split(".")[2], imported.split(".")[2]
        return [f"{place} imports {imported}"] if other not in (lesson, SHOWN) else []
    if HEIGHT[target] < HEIGHT[room]:
        return [f"{place} imports {target}, which is on a floor above it"]
    return [f"{place} imports {target}"] if target in NEVER.get(room, set()) else []


def modules() -> Iterator[Any]:
    """Yield the dotted place of each file, the file, and the package its dots start from."""
    for file in FILES:
        parts = ["kernellab", *file.relative_to(PACKAGE).with_suffix("").parts]
        if parts != ["kernellab", "__init__"]:
            yield pytest.param(".".join(parts), file, parts[:-1], id="/".join(parts[1:]))


MODULES = list(modules())


def test_every_room_is_on_a_floor():
    assert {room_of(case.values[0]) for case in MODULES} == set(HEIGHT)


def test_the_picture_of_the_house_is_true():
    picture = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split("```")[1]
    floors = re.split(r"^ ─+$", picture, flags=re.MULTILINE)[1:]  # above them, the notebooks
    drawn = [set(re.findall(r"^   (\w+)(?:/|\.py)", floor, re.MULTILINE)) for floor in floors]
    assert drawn == list(FLOORS)
    rooms = {room.__name__.split(".")[-1] for room in ROOMS}
    assert rooms <= set(re.findall(r"\w+", floors[0]))


@pytest.mark.parametrize(("place", "file", "package"), MODULES)
def test_imports_go_down_only(place, file, package):
    names = imports(file.read_text(encoding="utf-8"), package)
    assert [c for name in names for c in complaints(place, name)] == []


NAMED = {case.values[0].removesuffix(".__init__") for case in MODULES}


def module_of(dotted: str) -> str:
    """Return the module that a dotted name is, or is in."""
    while dotted not in NAMED and "." in dotted:
        dotted = dotted.rpartition(".")[0]
    return dotted


@pytest.mark.parametrize("part_of", [room_of, module_of])
def test_nothing_imports_itself_through_others(part_of):
    graph: dict[str, set[str]] = {}
    for place, file, package in (case.values for case in MODULES):
        names = imports(file.read_text(encoding="utf-8"), package)
        targets = {part_of(name) for name in names if name.startswith("kernellab.")}
        graph.setdefault(part_of(place), set()).update(targets - {part_of(place)})
    TopologicalSorter(graph).prepare()  # raises CycleError


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ("kernels.base", "from kernellab.solvers.perceptron import dual_perceptron"),
        ("compiled", "import kernellab.validation\nimport kernellab.solving"),
        ("solvers.perceptron", "from ..draw import plane"),
        ("solvers.sdca", "from kernellab.estimators import KernelSVC"),
        ("draw.plane", "from kernellab.solving import solve"),
        ("live.figure", "from kernellab.lessons import margin"),
        ("lessons.ridge.theory", "from kernellab.lessons.margin.theory import hulls"),
        ("lessons.ridge.theory", "from kernellab.lessons import margin"),
        ("lessons.ridge.theory.gap", "from kernellab.lessons.ridge.figures import ridge_dial"),
        ("solvers.perceptron", "from kernellab import Gaussian"),
        ("solvers.perceptron", "import sklearn.svm"),
        ("exercises.choice", "import ipywidgets"),
        ("solvers.perceptron", "from matplotlib.figure import Figure"),
        ("draw.plane", "import matplotlib.pyplot as plt"),
        ("solvers.blocks.reading", "import dask"),
    ],
)
def test_a_wrong_import_is_noticed(place, line):
    package = ["kernellab", *place.split(".")[:-1]]
    assert [c for name in imports(line, package) for c in complaints(f"kernellab.{place}", name)]


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ("solvers.perceptron", "from kernellab.compiled import compiled"),
        ("live.figure", "from ..solvers.perceptron import dual_perceptron\nimport ipywidgets"),
        ("lessons.margin.figures.kkt", "from kernellab.live import figure"),
        ("lessons.margin.exercises", "from kernellab.lessons.margin.theory import hulls"),
        ("lessons.pegasos.figures.stepper", "from kernellab.lessons.mistakes import exhibits"),
        (
            "draw.plane",
            "from matplotlib.figure import Figure\nfrom kernellab.kernels import Kernel",
        ),
        ("estimators.svm", "from sklearn.base import BaseEstimator\nimport kernellab.solvers.smo"),
    ],
)
def test_a_right_import_is_not(place, line):
    package = ["kernellab", *place.split(".")[:-1]]
    names = imports(line, package)
    assert [c for name in names for c in complaints(f"kernellab.{place}", name)] == []


# --- the package: light to import, names where they are said to be -----------------------------


def test_importing_the_package_imports_nothing_heavy():
    code = "import sys; from kernellab.lessons import margin; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "kernellab.lessons.margin" in loaded
    assert loaded & {"numpy", "IPython", *HEAVY, "scipy"} == set()


ROOMS = [import_module(f"kernellab.lessons.{room.name}") for room in iter_modules(lessons.__path__)]
NAMES = [(package, name) for package in (kernellab, *ROOMS) for name in package.__all__]


@pytest.mark.parametrize(("package", "name"), NAMES, ids=lambda it: getattr(it, "__name__", it))
def test_public_name_resolves(package, name):
    value = getattr(package, name)
    assert value is getattr(package, name)
    assert name in dir(package)


def test_an_unknown_name_is_an_ordinary_error():
    with pytest.raises(AttributeError, match=r"module 'kernellab' has no attribute 'Gausian'"):
        _ = kernellab.Gausian
    with pytest.raises(ImportError):
        from kernellab import Gausian  # noqa: F401


# --- one environment, said three times ---------------------------------------------------------

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
# Without the Qt, and without the tables and the dashboard, that we do not use.
CONDA_NAMES = {"matplotlib-base": "matplotlib", "dask-core": "dask"}


def declared() -> dict[str, Requirement]:
    """Return what pyproject.toml asks for, core and extras."""
    extras = PROJECT["project"]["optional-dependencies"].values()
    lines = [*PROJECT["project"]["dependencies"], *chain.from_iterable(extras)]
    return {canonicalize_name(r.name): r for r in map(Requirement, lines)}


def conda() -> dict[str, Requirement]:
    """Return what environment.yml asks for, with conda and with pip inside it."""
    environment = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    lines = [line for line in environment["dependencies"] if isinstance(line, str)]
    (inner,) = (line["pip"] for line in environment["dependencies"] if isinstance(line, dict))
    assert "--editable ." in inner
    lines += [line for line in inner if not line.startswith("-")]
    asked = {canonicalize_name(r.name): r for r in map(Requirement, lines)}
    return {CONDA_NAMES.get(name, name): requirement for name, requirement in asked.items()}


def pins() -> dict[str, str]:
    """Return the versions of constraints.txt; every line is `name==version` and nothing else."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned = [line for line in lines if line and not line.startswith("#")]
    assert [line for line in pinned if not re.fullmatch(r"[\w.-]+==[\w.]+", line)] == []
    names = [canonicalize_name(line.split("==")[0]) for line in pinned]
    assert len(names) == len(set(names))
    return dict(zip(names, (line.split("==")[1] for line in pinned), strict=True))


def test_conda_asks_for_the_same_as_pip():
    asked = {name: str(r.specifier) for name, r in conda().items() if name not in ("python", "pip")}
    assert asked == {name: str(r.specifier) for name, r in declared().items()}


def test_one_oldest_python():
    oldest = PROJECT["project"]["requires-python"]
    assert str(conda()["python"].specifier) == oldest
    assert f">={PROJECT['tool']['mypy']['python_version']}" == oldest
    numbers = tuple(map(int, oldest.removeprefix(">=").split(".")))
    assert f"sys.version_info < {numbers}" in (ROOT / "tools/make_venv.py").read_text()
    for file in ("README.md", "Makefile", "tools/make_venv.py"):
        said = re.findall(r"Python (\d\.\d+) or newer", (ROOT / file).read_text(encoding="utf-8"))
        assert set(said) == {oldest.removeprefix(">=")}, file


def test_every_requirement_has_a_lower_bound_only():
    # Upper bounds of a library make environments that no longer solve; the pins are elsewhere.
    for requirement in declared().values():
        assert [s.operator for s in requirement.specifier] == [">="], requirement


def test_every_requirement_is_pinned_within_its_bound():
    build = map(Requirement, PROJECT["build-system"]["requires"])
    for requirement in [*declared().values(), *build]:
        assert Version(pins()[canonicalize_name(requirement.name)]) in requirement.specifier


def test_the_lowest_versions_are_those_of_the_bounds():
    build = map(Requirement, PROJECT["build-system"]["requires"])
    every = {r.name: r for r in [*declared().values(), *build]}
    lowest = {r.name: r for r in map(Requirement, bounds.lower_bounds().splitlines())}
    assert lowest.keys() == every.keys()
    for name, requirement in lowest.items():
        (exact,), (bound,) = requirement.specifier, every[name].specifier
        assert (exact.operator, exact.version) == ("==", bound.version)


def test_what_the_requirements_require_is_pinned_too():
    if any(metadata.version(name) != pins()[name] for name in declared()):
        pytest.skip("not the pinned environment: others may require something else")
    seen: set[tuple[str, frozenset[str]]] = set()
    todo = [(name, frozenset(r.extras)) for name, r in declared().items()]
    while todo:
        name, extras = todo.pop()
        if (name, extras) in seen:
            continue
        seen.add((name, extras))
        for line in metadata.requires(name) or ():
            r = Requirement(line)
            if r.marker is None or any(r.marker.evaluate({"extra": e}) for e in ("", *extras)):
                todo.append((canonicalize_name(r.name), frozenset(r.extras)))
    assert {name for name, _ in seen} - set(pins()) == set()


def test_every_pin_takes_the_oldest_python():
    # Its first patch too: Debian 12 has 3.11.2 and cannot install what needs 3.11.5.
    oldest = PROJECT["project"]["requires-python"].removeprefix(">=") + ".0"
    here = {canonicalize_name(d.name): d for d in metadata.distributions()}
    pinned = [d for name, d in here.items() if pins().get(name) == d.version]
    assert len(pinned) > 100
    wanted = {d.name: SpecifierSet(d.metadata.get("Requires-Python", "")) for d in pinned}
    assert [name for name, python in wanted.items() if oldest not in python] == []


# --- clean files -------------------------------------------------------------------------------

# Written so that the patterns do not find themselves.
STRANGERS = {
    "a path of one machine": r"/(?:root|work|home/\w+|Users/\w+)/",
    "a package registry": r"\b(?:pypi\.org|pythonhosted\.org|conda\.anaconda\.org)\b",
    "a conflict marker": r"^(?:<{7}|>{7}) ",
}
# Of notebooks, tests/test_notebooks.py reads the text.
BINARY = {".ipynb", ".gz", ".png", ".jpg", ".gif", ".woff2"}


def committed() -> list[Path]:
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    if done.returncode != 0:
        pytest.skip("not a git checkout")
    return [ROOT / name for name in done.stdout.split("\0") if name and (ROOT / name).is_file()]


@pytest.mark.parametrize("what", STRANGERS)
def test_no_file_holds(what):
    pattern = re.compile(STRANGERS[what], re.MULTILINE)
    found = [
        f"{file.relative_to(ROOT)}: {match.group()}"
        for file in committed()
        if file.suffix not in BINARY
        for match in pattern.finditer(file.read_text(encoding="utf-8"))
    ]
    assert found == []


def test_the_patterns_find_what_they_are_for():
    for what, line in {
        "a path of one machine": "see /home" + "/alice/notes",
        "a package registry": "https://pypi" + ".org/simple",
        "a conflict marker": "<" * 7 + " HEAD",
    }.items():
        assert re.search(STRANGERS[what], line)


def test_nothing_made_by_running_is_committed():
    made = re.compile(r"__pycache__|\.ipynb_checkpoints|\.pyc$|^\.venv/|^test-results/|\.egg-info")
    assert [f for f in committed() if made.search(str(f.relative_to(ROOT)))] == []


def test_the_citation_is_of_this_version():
    said = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    # What version 1.2.0 of the Citation File Format asks for, and the fields that it knows.
    assert {"cff-version", "message", "title", "authors"} <= set(said)
    assert set(said) <= {
        "abstract", "authors", "cff-version", "commit", "contact", "date-released", "doi",
        "identifiers", "keywords", "license", "license-url", "message", "preferred-citation",
        "references", "repository", "repository-artifact", "repository-code", "title", "type",
        "url", "version",
    }  # fmt: skip
    assert said["cff-version"] == "1.2.0"
    assert said["type"] in {"software", "dataset"}
    person = {"family-names", "given-names", "name-particle", "name-suffix", "alias", "orcid"}
    entity = {"name", "website", "orcid", "email", "alias"}
    for author in said["authors"]:
        assert set(author) <= (entity if "name" in author else person), author
        assert all(isinstance(value, str) and value for value in author.values())
    assert re.fullmatch(r"\d{4}-\d{2}-\d{2}", said["date-released"])  # a string, not a date
    assert all(isinstance(word, str) for word in said["keywords"])
    assert said["version"] == kernellab.__version__
    assert said["license"] == PROJECT["project"]["license"]


def test_the_links_of_the_readme_lead_somewhere():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for link in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", text):
        assert "://" in link or (ROOT / link).exists(), link
    headings = {h.lower().replace(" ", "-") for h in re.findall(r"^## (.*)$", text, re.MULTILINE)}
    assert set(re.findall(r"\]\(#([^)]+)\)", text)) <= headings


def test_the_readme_lists_the_lessons_that_are_here():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for lesson in LESSONS:
        here = (ROOT / "notebooks" / lesson.file).exists()
        assert (f"| {lesson.number} · {lesson.title} |" in text) is here, lesson.number


def test_the_readme_names_commands_that_exist():
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    named = re.findall(r"\bmake (\w+)", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert {"lab", "test"} <= set(named) <= set(targets)
