"""MNIST from files that somebody has put there: nothing is downloaded."""

from __future__ import annotations

import gzip
import math
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernellab.datasets.records import Dataset

SOURCE = "Y. LeCun, C. Cortes and C. J. C. Burges (1998), The MNIST database of handwritten digits"
PARTS = {
    "train": ("train-images-idx3-ubyte", "train-labels-idx1-ubyte"),
    "test": ("t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"),
}
UNSIGNED_BYTES = 8  # the code of the one type of number that MNIST uses


def load_mnist(folder: str | Path) -> tuple[Dataset, Dataset]:
    """MNIST: 60 000 images of handwritten digits for training and 10 000 for the test.

    Returns two Datasets, training and test: X of shape (n, 784), 28 × 28 pixels row by row, from 0
    (paper) to 1 (ink), in the order of the files; y holds digits 0 … 9. In float64 the training
    images take 376 MB. Source: Y. LeCun, C. Cortes and C. J. C. Burges (1998). Taught in notebook
    08. Raises FileNotFoundError, which lists what is missing; ValueError, which names the file, if
    one is cut short or is no IDX file of images or labels.

    Parameters
    ----------
    folder : str or Path
        Where the four files are, under their published names, such as train-images-idx3-ubyte, as
        they are or with .gz. Smaller ones of the same form will do.
    """
    folder = Path(folder).expanduser()
    found = {name: _find(folder, name) for names in PARTS.values() for name in names}
    missing = [name for name, path in found.items() if path is None]
    if missing:
        raise FileNotFoundError(
            f"MNIST is not in {folder}: missing {', '.join(missing)} (plain or .gz). The course "
            f"works offline and downloads nothing; fetch the four files once, and put them there"
        )
    train, test = (
        _dataset(*(path for name in names if (path := found[name]) is not None))
        for names in PARTS.values()
    )
    return train, test


def read_idx(path: Path, dimensions: int) -> NDArray[np.uint8]:
    """Return the array of unsigned bytes in an IDX file, gzip or not, which has so many dimensions.

    Two zeros, a code for the type, the number of dimensions, each of them as a big-endian 32-bit
    integer, and the numbers, the last index fastest. Raises ValueError if it is anything else.
    """
    raw = path.read_bytes()
    if raw[:2] == b"\x1f\x8b":
        try:
            raw = gzip.decompress(raw)
        except (OSError, EOFError, zlib.error) as error:
            raise ValueError(f"{path.name} is a broken gzip file: {error}") from None
    start = 4 + 4 * dimensions
    if raw[:4] != bytes((0, 0, UNSIGNED_BYTES, dimensions)):
        raise ValueError(
            f"{path.name} must be an IDX file of {dimensions} dimensions and unsigned bytes, which "
            f"begins with 0000080{dimensions}, got {raw[:4].hex() or 'an empty file'}"
        )
    if len(raw) < start:
        raise ValueError(f"{path.name} is cut short: {len(raw)} bytes, its head has {start}")
    shape = struct.unpack(f">{dimensions}I", raw[4:start])
    if len(raw) - start != math.prod(shape):
        raise ValueError(
            f"{path.name} must hold {' × '.join(map(str, shape))} = {math.prod(shape)} bytes after "
            f"its head, got {len(raw) - start}: was it copied whole?"
        )
    return np.frombuffer(raw, dtype=np.uint8, offset=start).reshape(shape)


def _find(folder: Path, name: str) -> Path | None:
    paths = (folder / name, folder / f"{name}.gz")
    return next((path for path in paths if path.is_file()), None)


def _dataset(images_path: Path, labels_path: Path) -> Dataset:
    images, labels = read_idx(images_path, 3), read_idx(labels_path, 1)
    if images.shape[1:] != (28, 28) or len(images) == 0:
        raise ValueError(f"{images_path.name} must hold images of 28 × 28, got {images.shape}")
    if len(images) != len(labels):
        raise ValueError(
            f"{labels_path.name} must hold a label for each of {len(images)} images, got "
            f"{len(labels)}"
        )
    if labels.max() > 9:
        raise ValueError(f"{labels_path.name} must hold digits 0 … 9, got {labels.max()}")
    names = tuple(f"pixel {row} {column}" for row in range(28) for column in range(28))
    X: NDArray[Any] = images.reshape(len(images), -1) / 255.0
    return Dataset(X, labels.astype(np.int64), names, tuple(map(str, range(10))), SOURCE)
