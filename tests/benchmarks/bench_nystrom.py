"""Nyström maps of 20 000 examples by 256 landmarks against scikit-learn's Nystroem.

Fit and transform are timed, with the same uniform landmarks, in double precision.
"""

from __future__ import annotations

import numpy as np
from measure import Times, interleaved_medians
from sklearn.kernel_approximation import Nystroem

from kernellab.kernels import Gaussian
from kernellab.solvers.nystrom import nystrom_map, trace_error

N, M = 20_000, 256


def compare(d: int) -> Times:
    """Return the ratio of our times to scikit-learn's for d features; print both errors."""
    X = np.random.default_rng(0).normal(size=(N, d))
    kernel = Gaussian(1.0 / d)
    peer = Nystroem(gamma=kernel.gamma, n_components=M, random_state=0)
    landmarks = X[peer.fit(X).component_indices_]

    def ours() -> np.ndarray:
        return nystrom_map(kernel, landmarks)(X)

    times, theirs = interleaved_medians(ours, lambda: peer.fit_transform(X))
    errors = [trace_error(kernel.diag(X), features) / N for features in (ours(), peer.transform(X))]
    print(f"{d} features: trace errors {errors[0]:.6f}, scikit-learn's {errors[1]:.6f}")
    return times / theirs
