"""Data for the lessons: small real sets that ship with the course, and seeded synthetic ones.

Loaders (`load_*`) read the files of the `data` folder, offline; makers (`make_*`) draw from a
seeded generator, so that the same call gives the same points. Vectors come as a `Dataset`, counts
of words as a `WordCounts`, what is no vector as `Structures`. MNIST alone does not ship:
`load_mnist` reads files of yours.
"""

from __future__ import annotations

from kernellab.datasets.files import data_file
from kernellab.datasets.mnist import load_mnist
from kernellab.datasets.records import Dataset, Structures, WordCounts
from kernellab.datasets.shipped import load_clouds, load_digits, load_iris, load_rings
from kernellab.datasets.structures import load_boiling_points, load_molecules, load_towns, molecule
from kernellab.datasets.synthetic import (
    make_and,
    make_clouds,
    make_contradiction,
    make_rings,
    make_xor,
)
from kernellab.datasets.targets import make_outside_circle, make_quarters
from kernellab.datasets.texts import SECTIONS, load_packages
