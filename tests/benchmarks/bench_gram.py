"""Gaussian Gram matrices against scikit-learn's rbf_kernel."""

from __future__ import annotations

import numpy as np
from measure import Times, interleaved_medians
from sklearn.metrics.pairwise import rbf_kernel

from kernellab.kernels import Gaussian


def compare(n: int, d: int) -> tuple[Times, Times]:
    """Return our and scikit-learn's times for an n × n Gram matrix of d features."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    kernel = Gaussian(gamma=1.0 / d)
    ours, theirs = interleaved_medians(lambda: kernel(X), lambda: rbf_kernel(X, gamma=kernel.gamma))
    return ours, theirs
