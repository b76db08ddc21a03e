"""Count the words in what packages of Debian say of themselves: data/packages.txt.gz.

The lists come with every Debian system, and `apt-get update` brings them up to date:

    apt-get update -o Acquire::Languages=en
    cd /var/lib/apt/lists
    /usr/lib/apt/apt-helper cat-file *_main_binary-amd64_Packages* > Packages
    /usr/lib/apt/apt-helper cat-file *_main_i18n_Translation-en* > Translation-en

The file of the course was made from `main` of Debian 12, release 12.15 (11 July 2026), without the
lists of updates and of security.

Usage: python data/make_packages.py Packages Translation-en [folder]
"""

from __future__ import annotations

import gzip
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

SECTIONS = ("games", "science", "sound", "net")
EACH = 600  # packages a section
MIN_WORDS = 12  # different ones; shorter descriptions say too little
MIN_TEXTS = 3  # rarer words tell no text from another

Fields = dict[str, str]


def stanzas(path: Path) -> Iterator[Fields]:
    """Yield the entries of a list, each a dictionary of its fields; lines of text go on."""
    fields: Fields = {}
    name = ""
    for line in [*path.read_text(encoding="utf-8").split("\n"), ""]:
        if line.startswith(" "):
            fields[name] += "\n" + line
        elif line:
            name, _, value = line.partition(":")
            fields[name] = value.strip()
        elif fields:
            yield fields
            fields = {}


def bags(packages: Path, translation: Path) -> dict[str, dict[str, Counter[str]]]:
    """Return counts of words by section and name: of one package for each source and each text.

    Packages of one source (a game and its data) share most of their words. Of those the one that
    has the name of its source is taken, or the first in the alphabet.
    """
    texts = {
        (entry["Package"], entry["Description-md5"]): entry["Description-en"]
        for entry in stanzas(translation)
    }
    found: dict[str, dict[str, Counter[str]]] = {section: {} for section in SECTIONS}
    entries = [entry for entry in stanzas(packages) if entry.get("Section") in found]
    sources: set[str] = set()
    seen: set[tuple[tuple[str, int], ...]] = set()
    for entry in sorted(entries, key=lambda e: (e["Package"] != source(e), e["Package"])):
        text = texts.get((entry["Package"], entry["Description-md5"]), "")
        bag = Counter(re.findall(r"[a-z]{2,}", text.lower()))
        same = tuple(sorted(bag.items()))
        if source(entry) not in sources and same not in seen and len(bag) >= MIN_WORDS:
            sources.add(source(entry))
            seen.add(same)
            found[entry["Section"]][entry["Package"]] = bag
    return found


def source(entry: Fields) -> str:
    """Return the name of the source that a package is built from."""
    return entry.get("Source", entry["Package"]).split()[0]


def lines(found: dict[str, dict[str, Counter[str]]], each: int) -> Iterator[str]:
    """Yield the lines of the file: all words, then each text by its section, name and counts."""
    rng = random.Random(0)
    chosen = [
        (section, name, bag)
        for section, bags_of_it in found.items()
        for name, bag in rng.sample(sorted(bags_of_it.items()), each)
    ]
    rng.shuffle(chosen)
    texts = Counter(word for *_, bag in chosen for word in bag)
    words = sorted(word for word, count in texts.items() if count >= MIN_TEXTS)
    number = {word: k for k, word in enumerate(words)}
    yield " ".join(words)
    for section, name, bag in chosen:
        counts = sorted((number[word], count) for word, count in bag.items() if word in number)
        entries = (str(k) if count == 1 else f"{k}:{count}" for k, count in counts)
        yield " ".join([section, name, *entries])


def main(packages: Path, translation: Path, folder: Path, each: int = EACH) -> None:
    """Write the file into a folder; the same lists give the same bytes."""
    text = "\n".join(lines(bags(packages, translation), each)) + "\n"
    packed = gzip.compress(text.encode(), 9, mtime=0)
    (folder / "packages.txt.gz").write_bytes(packed)


if __name__ == "__main__":
    lists = [Path(argument) for argument in sys.argv[1:3]]
    main(*lists, Path(sys.argv[3]) if len(sys.argv) > 3 else Path(__file__).resolve().parent)
