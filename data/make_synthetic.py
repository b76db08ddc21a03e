"""Write the synthetic data files of the course: the same files on every run.

Usage: python data/make_synthetic.py [folder]
"""

from __future__ import annotations

import sys
from pathlib import Path

from kernellab.datasets import Dataset, make_clouds, make_rings


def write(dataset: Dataset, path: Path) -> None:
    """One example a line, four decimals, the label last."""
    lines = [",".join([*dataset.feature_names, "label"])]
    for x, label in zip(dataset.X, dataset.y, strict=True):
        lines.append(",".join([*(f"{value:.4f}" for value in x), f"{label:+.0f}"]))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")


def main(folder: Path) -> None:
    """Write every synthetic file into a folder."""
    write(make_clouds(200, separation=4.0, rng=1), folder / "clouds.csv")
    write(make_rings(1000, rng=4), folder / "rings.csv")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent)
