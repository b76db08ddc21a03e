"""MNIST from files made here: small ones of the same form, and every way one can be wrong."""

import gzip
import struct

import numpy as np
import pytest

from kernellab.datasets import load_mnist

NAMES = {
    "train-images-idx3-ubyte": 6,
    "train-labels-idx1-ubyte": 6,
    "t10k-images-idx3-ubyte": 4,
    "t10k-labels-idx1-ubyte": 4,
}


def idx(array, code=8):
    head = bytes((0, 0, code, array.ndim)) + struct.pack(f">{array.ndim}I", *array.shape)
    return head + array.astype(np.uint8).tobytes()


def numbers(name, n):
    rng = np.random.default_rng(n)
    return rng.integers(256, size=(n, 28, 28)) if "images" in name else rng.integers(10, size=n)


@pytest.fixture(params=["plain", "gzip"])
def folder(tmp_path, request):
    for name, n in NAMES.items():
        raw = idx(numbers(name, n))
        if request.param == "gzip":
            (tmp_path / f"{name}.gz").write_bytes(gzip.compress(raw))
        else:
            (tmp_path / name).write_bytes(raw)
    return tmp_path


def test_images_and_labels_are_those_of_the_files(folder):
    for data, part, n in zip(load_mnist(str(folder)), ("train", "t10k"), (6, 4), strict=True):
        images = numbers(f"{part}-images", n)
        assert data.X.shape == (n, 784)
        assert data.X.dtype == np.float64
        np.testing.assert_array_equal(data.X * 255, images.reshape(n, -1))
        np.testing.assert_array_equal(data.y, numbers(f"{part}-labels", n))
        assert data.X[0, 28 + 3] == images[0, 1, 3] / 255  # row by row
        assert data.feature_names[28 + 3] == "pixel 1 3"
        assert data.target_names == tuple("0123456789")
        assert data.X.min() >= 0 and data.X.max() <= 1


def test_what_is_missing_is_listed(folder, tmp_path_factory):
    for path in folder.glob("t10k-*"):
        path.unlink()
    with pytest.raises(FileNotFoundError, match="missing t10k-images-idx3-ubyte, t10k-labels") as e:
        load_mnist(folder)
    assert "train-images" not in str(e.value)
    assert "downloads nothing" in str(e.value)
    with pytest.raises(FileNotFoundError, match="missing train-images-idx3-ubyte, train-labels"):
        load_mnist(tmp_path_factory.mktemp("empty") / "nowhere")


GOOD = idx(numbers("images", 6))
WRONG = [
    ("train-images-idx3-ubyte", GOOD[:-1], "must hold 6 × 28 × 28 = 4704 bytes .*, got 4703"),
    ("train-images-idx3-ubyte", GOOD + b"x", "got 4705: was it copied whole"),
    ("train-images-idx3-ubyte", GOOD[:9], "is cut short: 9 bytes, its head has 16"),
    ("train-images-idx3-ubyte", b"", "begins with 00000803, got an empty file"),
    ("train-images-idx3-ubyte", b"<html>404</html>", "begins with 00000803, got 3c68746d"),
    ("train-images-idx3-ubyte", idx(numbers("labels", 6)), "begins with 00000803, got 00000801"),
    ("train-labels-idx1-ubyte", idx(np.zeros(6), 13), "begins with 00000801, got 00000d01"),
    ("train-labels-idx1-ubyte", idx(np.zeros(5)), "a label for each of 6 images, got 5"),
    ("train-labels-idx1-ubyte", idx(np.full(6, 11)), "must hold digits 0 … 9, got 11"),
    ("train-images-idx3-ubyte", idx(np.zeros((6, 20, 20))), "images of 28 × 28, got"),
    ("train-images-idx3-ubyte", gzip.compress(GOOD)[:-30], "is a broken gzip file"),
    ("train-images-idx3-ubyte", gzip.compress(GOOD)[:50] + bytes(500), "is a broken gzip file"),
]


# A gzip file holds the second it was made in, so it cannot name a test.
@pytest.mark.parametrize(("name", "content", "words"), WRONG, ids=[words for *_, words in WRONG])
def test_a_wrong_file_is_named(folder, name, content, words):
    (folder / name).write_bytes(content)
    with pytest.raises(ValueError, match=f"{name} .*{words}"):
        load_mnist(folder)
