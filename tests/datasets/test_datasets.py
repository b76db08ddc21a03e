import gzip
import importlib.util
from pathlib import Path

import numpy as np
import pytest
import sklearn.datasets

from kernellab import datasets
from kernellab.datasets import (
    files,
    load_clouds,
    load_digits,
    load_iris,
    load_packages,
    make_and,
    make_clouds,
    make_contradiction,
    make_rings,
    make_xor,
)

DATA = Path(__file__).resolve().parents[2] / "data"


def test_iris_is_scikit_learns_iris():
    theirs = sklearn.datasets.load_iris()
    ours = load_iris(classes=None)
    np.testing.assert_array_equal(ours.X, theirs.data)
    np.testing.assert_array_equal(ours.y, theirs.target_names[theirs.target])
    assert list(ours.feature_names) == theirs.feature_names
    assert list(ours.target_names) == list(theirs.target_names)


def test_digits_are_scikit_learns_digits():
    theirs = sklearn.datasets.load_digits()
    ours = load_digits(classes=None)
    np.testing.assert_array_equal(ours.X, theirs.data)
    np.testing.assert_array_equal(ours.y, theirs.target)


def test_of_two_classes_the_first_is_negative():
    everything = load_digits(classes=None)
    for classes in ((3, 8), (8, 3)):
        two = load_digits(classes)
        rows = np.isin(everything.y, classes)
        np.testing.assert_array_equal(two.X, everything.X[rows])
        np.testing.assert_array_equal(two.y == -1, everything.y[rows] == classes[0])
        np.testing.assert_array_equal(two.y == 1, everything.y[rows] == classes[1])
        assert two.target_names == tuple(map(str, classes))


def test_features_are_chosen_by_name_and_in_the_order_asked():
    names = ("petal width (cm)", "sepal length (cm)")
    chosen = load_iris(features=names)
    np.testing.assert_array_equal(chosen.X, load_iris().X[:, [3, 0]])
    assert chosen.feature_names == names
    assert chosen.X.flags.c_contiguous


def test_three_classes_and_one_keep_their_labels():
    assert set(load_iris(None).y) == {"setosa", "versicolor", "virginica"}
    assert set(load_iris(["virginica"]).y) == {"virginica"}
    assert set(load_digits([7]).y) == {7}


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: load_iris(("setosa", "rose")), ["classes", "rose", "virginica"]),
        (lambda: load_iris("setosas"), ["classes", "setosas", "versicolor"]),
        (lambda: load_iris(("setosa", "setosa")), ["classes", "once"]),
        (lambda: load_iris(()), ["classes", "at least one"]),
        (lambda: load_iris(features=("petal",)), ["features", "'petal'", "petal width (cm)"]),
        (lambda: load_digits((3, 11)), ["classes", "11", "0, 1, 2"]),
        (lambda: load_digits(("3", "8")), ["classes", "'3'"]),
        (lambda: load_packages(("games", "kde")), ["sections", "'kde'", "science"]),
        (lambda: load_packages(()), ["sections", "at least one"]),
        (lambda: make_clouds(1), ["n ", "1"]),
        (lambda: make_clouds(2.5), ["n ", "2.5"]),
        (lambda: make_clouds(True), ["n ", "True"]),
        (lambda: make_clouds(separation=-1), ["separation", "-1"]),
        (lambda: make_clouds(separation=np.nan), ["separation", "nan"]),
        (lambda: make_clouds(rng="lucky"), ["rng", "lucky"]),
        (lambda: make_rings(noise=np.inf), ["noise", "inf"]),
        (lambda: make_rings(rng=-1), ["rng", "-1"]),
        (lambda: make_xor((1, 1)), ["inputs", "(1, 1)"]),
        (lambda: make_and((0, 1, 2)), ["inputs", "(0, 1, 2)"]),
        (lambda: make_and((0, np.nan)), ["inputs", "nan"]),
    ],
)
def test_bad_requests_are_named(call, words):
    with pytest.raises(ValueError) as error:
        call()
    for word in words:
        assert word in str(error.value)


def test_a_data_set_belongs_to_its_caller():
    load_iris().X[:] = 0
    load_iris(None).y[:] = "rose"
    load_clouds().X[:] = 0
    assert load_iris().X.min() > 0
    assert "rose" not in load_iris(None).y
    load_packages().X.data[:] = 0
    assert load_packages().X.data.min() >= 1
    assert load_clouds().X.any()


@pytest.mark.parametrize("make", [make_clouds, make_rings])
def test_made_data_are_seeded_and_balanced(make):
    first, again, other = make(61, rng=5), make(61, rng=np.random.default_rng(5)), make(61, rng=6)
    np.testing.assert_array_equal(first.X, again.X)
    np.testing.assert_array_equal(first.y, again.y)
    assert not np.array_equal(first.X, other.X)
    assert first.X.shape == (61, 2)
    assert np.count_nonzero(first.y == -1) == 30
    assert np.count_nonzero(first.y == 1) == 31


def test_clouds_are_as_far_apart_as_they_say():
    data = make_clouds(20_000, separation=3.0, rng=0)
    centres = [data.X[data.y == label].mean(axis=0) for label in (-1, 1)]
    assert np.linalg.norm(centres[1] - centres[0]) == pytest.approx(3.0, abs=0.06)
    assert data.X[data.y == 1].std(axis=0) == pytest.approx([1, 1], abs=0.03)


def test_rings_have_the_radii_they_say():
    exact = make_rings(100, noise=0.0)
    np.testing.assert_allclose(np.linalg.norm(exact.X, axis=1), np.where(exact.y < 0, 1, 2))
    noisy = make_rings(20_000, rng=1)
    wrong = (np.linalg.norm(noisy.X, axis=1) > 1.5) != (noisy.y > 0)
    assert wrong.mean() == pytest.approx(0.0228, abs=0.004)


def test_truth_tables():
    for inputs in ((-1.0, 1.0), (0.0, 1.0)):
        both = make_and(inputs)
        truth = inputs[1] == both.X
        np.testing.assert_array_equal(truth, [[0, 0], [0, 1], [1, 0], [1, 1]])
        np.testing.assert_array_equal(both.y > 0, truth[:, 0] & truth[:, 1])
        either = make_xor(inputs)
        np.testing.assert_array_equal(either.X, both.X)
        np.testing.assert_array_equal(either.y > 0, truth[:, 0] ^ truth[:, 1])


def test_the_contradiction_is_one():
    data = make_contradiction()
    np.testing.assert_array_equal(data.X[1], data.X[2])
    assert data.y[1] == -data.y[2]
    assert len(np.unique(data.X, axis=0)) == 3


def test_the_shipped_synthetic_files_are_what_the_script_writes(tmp_path):
    script("make_synthetic").main(tmp_path)
    written = sorted(path.name for path in tmp_path.iterdir())
    assert written == ["clouds.csv", "rings.csv"]
    for name in written:
        assert (tmp_path / name).read_bytes() == (DATA / name).read_bytes()


# --- counts of words -----------------------------------------------------------------------------


def script(name):
    spec = importlib.util.spec_from_file_location(name, DATA / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_shipped_packages():
    packages = load_packages(None)
    assert packages.X.shape == (2400, len(packages.words))
    assert len(set(packages.names)) == 2400
    assert packages.target_names == tuple(script("make_packages").SECTIONS)
    assert [int((packages.y == name).sum()) for name in packages.target_names] == [600] * 4
    counts = packages.X.data
    assert counts.min() >= 1
    np.testing.assert_array_equal(counts, counts.round())
    assert packages.X.has_canonical_format
    assert ((packages.X > 0).sum(axis=0) >= 3).all()
    assert packages.X.nnz < 0.02 * np.prod(packages.X.shape)
    assert list(packages.words) == sorted(set(packages.words))


def test_two_sections_are_two_classes():
    everything = load_packages(None)
    two = load_packages(("sound", "games"))
    rows = np.flatnonzero(np.isin(everything.y, ("sound", "games")))
    np.testing.assert_array_equal(two.X.toarray(), everything.X[rows].toarray())
    np.testing.assert_array_equal(two.y, np.where(everything.y[rows] == "games", 1.0, -1.0))
    assert two.names == tuple(everything.names[i] for i in rows)
    column = two.words.index("game")
    assert (two.X[two.y > 0, [column]] > 0).mean() > 5 * (two.X[two.y < 0, [column]] > 0).mean()


# Debian's packages: name, section, the number of the description; and the descriptions.
PACKAGES = (
    ("chess-data\nSource: chess (1.0)", "games", 1), ("chess", "games", 2),
    ("atoms", "science", 3), ("atoms-twin", "science", 3), ("short", "science", 4),
    ("libthing", "libs", 3),
)  # fmt: skip
DESCRIPTIONS = {
    1: "Pieces and boards for the game of Chess.",
    2: "The game of chess\n Play the game, play it again: 64 fields.\n .\n A game, no more.",
    3: "Atoms, atoms\n and the forces between them.",
    4: "Atoms.",
}


def test_how_words_are_counted(tmp_path, monkeypatch):
    make = script("make_packages")
    monkeypatch.setattr(make, "SECTIONS", ("games", "science"))
    monkeypatch.setattr(make, "MIN_WORDS", 3)
    monkeypatch.setattr(make, "MIN_TEXTS", 1)
    packages, translation = tmp_path / "Packages", tmp_path / "Translation-en"
    packages.write_text(
        "\n".join(
            f"Package: {name}\nSection: {section}\nDescription-md5: {k}\n"
            for name, section, k in PACKAGES
        )
    )
    translation.write_text("\n".join(
        f"Package: {name.split()[0]}\nDescription-md5: {k}\nDescription-en: {DESCRIPTIONS[k]}\n"
        for name, section, k in PACKAGES if section != "libs"
    ))  # fmt: skip
    make.main(packages, translation, tmp_path, 1)
    with gzip.open(tmp_path / "packages.txt.gz", "rt") as file:
        words, *texts = (line.split() for line in file)
    assert words == sorted(words)
    read = {}
    for section, name, *entries in texts:
        pairs = (entry.partition(":")[::2] for entry in entries)
        read[section, name] = {words[int(k)]: int(count or 1) for k, count in pairs}
    assert read == {
        ("games", "chess"): {
            "the": 2, "game": 3, "of": 1, "chess": 1, "play": 2, "it": 1, "again": 1, "fields": 1,
            "no": 1, "more": 1,
        },
        ("science", "atoms"): {
            "atoms": 2, "and": 1, "the": 1, "forces": 1, "between": 1, "them": 1
        },
    }  # fmt: skip


def test_every_file_has_its_source_in_the_readme():
    readme = (DATA / "README.md").read_text(encoding="utf-8")
    for path in DATA.iterdir():
        if path.suffix in (".csv", ".gz"):
            assert f"`{path.name}`" in readme
    for source in (load_iris().source, load_digits().source):
        doi = source.split("doi:")[1].split(",")[0]
        assert f"https://doi.org/{doi}" in readme
        assert "CC BY 4.0" in source


def test_files_are_found_in_an_installed_package_too(tmp_path, monkeypatch):
    (tmp_path / "kernellab" / "data").mkdir(parents=True)
    (tmp_path / "kernellab" / "data" / "iris.csv").write_text("here")
    here = tmp_path / "kernellab" / "datasets" / "files.py"
    monkeypatch.setattr(files, "__file__", str(here))
    assert datasets.data_file("iris.csv").read_text() == "here"
    with pytest.raises(FileNotFoundError, match=r"digits\.csv\.gz is missing"):
        datasets.data_file("digits.csv.gz")
