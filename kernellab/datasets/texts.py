"""Real texts as counts of words: what packages of Debian say of themselves."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from functools import cache

import numpy as np
from scipy.sparse import csr_array

from kernellab.datasets.files import check_choice, data_file
from kernellab.datasets.records import WordCounts

SECTIONS = ("games", "science", "sound", "net")
PACKAGES_SOURCE = (
    "counts of words in the descriptions of packages of Debian 12, by their maintainers; "
    "counts are facts, no description is shipped; BSD-3-Clause"
)


def load_packages(sections: Sequence[str] | None = ("games", "science")) -> WordCounts:
    """What 2400 packages of Debian say of themselves, as counts of words, by section.

    Returns WordCounts: X of shape (600 · sections, words), sparse, in the order of the file
    (shuffled): small letters only, and words that occur in at least three packages of the file.
    Source: data/make_packages.py, which says how the packages were chosen. Raises ValueError for an
    unknown or repeated name; the message lists the known ones. Raises FileNotFoundError if the data
    file is missing. Taught in notebook 04.

    Parameters
    ----------
    sections : names of sections, or None for all four
        "games", "science", "sound", "net", 600 packages each. With exactly two, the first
        becomes −1 and the second +1.
    """
    words, labels, names, X = _read_counts("packages.txt.gz")
    chosen = check_choice(sections, SECTIONS, "sections")
    rows = np.flatnonzero(np.isin(labels, chosen))
    y = labels[rows]
    if len(chosen) == 2:
        y = np.where(y == chosen[0], -1.0, 1.0)
    kept = tuple(names[i] for i in rows)
    return WordCounts(X[rows], y, words, kept, tuple(chosen), PACKAGES_SOURCE)


@cache
def _read_counts(name: str) -> tuple[tuple[str, ...], np.ndarray, tuple[str, ...], csr_array]:
    """Words, sections, names and counts: a line of words, then one line a text.

    Such a line has the section, the name, and the words by number, 17 for once, 17:3 for 3 times.
    """
    with gzip.open(data_file(name), "rt", encoding="utf-8") as file:
        words, *texts = (line.split() for line in file)
    starts, columns, counts = [0], [], []
    for _, _, *entries in texts:
        for entry in entries:
            column, _, count = entry.partition(":")
            columns.append(int(column))
            counts.append(float(count or 1))
        starts.append(len(columns))
    # scikit-learn takes no longer integers than these.
    places = (np.array(columns, dtype=np.int32), np.array(starts, dtype=np.int32))
    X = csr_array((counts, *places), shape=(len(texts), len(words)), dtype=np.float64)
    labels = np.array([section for section, *_ in texts])
    return tuple(words), labels, tuple(name for _, name, *_ in texts), X
