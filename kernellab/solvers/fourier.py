"""Random Fourier features: a kernel of differences as the average of a few cosines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from kernellab.kernels import Gaussian, Kernel, Laplacian
from kernellab.solving import Seed, random_generator
from kernellab.validation import FloatArray, check_positive_integer, check_vectors


@dataclass(frozen=True)
class FourierMap:
    """φ(x) = [cos(Ωx), sin(Ωx)] / √m: two features a frequency, and φ(x)·φ(x) = 1.

    Parameters
    ----------
    frequencies : array of shape (m, d). Ω, one frequency a row, in one over the unit of X.
    """

    frequencies: FloatArray

    def __call__(self, X: Any) -> FloatArray:
        """Return the features, shape (n, 2m): first all cosines, then all sines.

        Raises ValueError if X is not a finite array of shape (n, d).
        """
        X = check_vectors(X)
        m, d = self.frequencies.shape
        if X.shape[1] != d:
            raise ValueError(f"X must have {d} features, as the frequencies do, got {X.shape[1]}")
        angles = X @ self.frequencies.T
        features = np.empty((len(X), 2 * m))
        np.cos(angles, out=features[:, :m])
        np.sin(angles, out=features[:, m:])
        features /= np.sqrt(m)
        return features


def fourier_map(kernel: Kernel, d: int, m: int, *, rng: Seed = 0) -> FourierMap:
    """Draw m frequencies whose cosines average to the kernel.

    Bochner's theorem: a continuous, real κ with κ(0) = 1 makes κ(x − z) a kernel exactly if it is
    the Fourier transform of a probability distribution p, κ(δ) = E cos(ω·δ) for ω from p. So m
    draws give φ(x)·φ(z) = (1/m) Σ_j cos(ω_j·(x − z)), whose mean is k(x, z) and whose variance is
    (1 + κ(2δ) − 2κ(δ)²) / (2m). The distributions, of d features, whose map has 2m:

    - Gaussian exp(−γ‖δ‖²): normal, mean 0, variance 2γ = 1/σ² in each coordinate;
    - Laplacian exp(−γ‖δ‖₁): Cauchy of scale γ in each coordinate, independently;
    - Laplacian exp(−γ‖δ‖₂): the Cauchy distribution of d dimensions, of scale γ.

    A Cauchy number is a normal one divided by another; in d dimensions the coordinates share the
    divisor. Rahimi & Recht 2007; the paired form has a smaller variance than √2 cos(ω·x + b) with
    random phases b where k is not small (Sutherland & Schneider 2015). Taught in notebook 07.
    Raises ValueError for a bad d, m or rng, or another kernel.
    """
    d, m = check_positive_integer(d, "d"), check_positive_integer(m, "m")
    rng = random_generator(rng)
    if isinstance(kernel, Gaussian):
        return FourierMap(rng.normal(size=(m, d)) * np.sqrt(2 * kernel.gamma))
    if isinstance(kernel, Laplacian):
        divisors = rng.normal(size=(m, d if kernel.norm == "l1" else 1))
        return FourierMap(kernel.gamma * rng.normal(size=(m, d)) / np.abs(divisors))
    raise ValueError(
        f"kernel must be Gaussian(…) or Laplacian(…), whose frequencies are known, got {kernel!r}"
    )
