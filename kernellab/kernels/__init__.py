"""Kernels: objects that map two lists of examples to the matrix of their inner products.

``kernel(X, Z)[i, j]`` is k(x_i, z_j) = φ(x_i)·φ(z_j). What an example is, a vector, a text or a
graph, is the business of each kernel; a solver sees the Gram matrix only. Kernels add, multiply
and scale to new kernels: ``Gaussian(0.5) + 2 * Linear()``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kernellab.kernels.base import FunctionKernel, Kernel, Normalized, Product, Scaled, Sum
from kernellab.kernels.columns import OnColumns
from kernellab.kernels.distances import Gaussian, Laplacian
from kernellab.kernels.field import score_field
from kernellab.kernels.graphs import Graph, WeisfeilerLehman
from kernellab.kernels.structured import AllSubsequences, SetKernel, Spectrum
from kernellab.kernels.vectors import Linear, Polynomial, Sigmoid, VectorKernel


def as_kernel(spec: Any, *, gamma: float = 1.0, degree: int = 3, coef0: float = 1.0) -> Kernel:
    """Turn a kernel, a name or a function into a kernel.

    A kernel is returned as it is. Names: "linear", "poly" (of gamma, degree and coef0), "rbf" or
    "gaussian" (of gamma), "laplacian" (of gamma, ℓ1). A callable k(X, Z) must return the Gram
    matrix, shape (n, m), and is taken at its word to be a kernel. Raises ValueError if spec is none
    of these, or a parameter of the named kernel is not what it takes.
    """
    if isinstance(spec, Kernel):
        return spec
    makers: dict[str, Callable[[], Kernel]] = {
        "linear": Linear,
        "poly": lambda: Polynomial(degree, coef0, gamma),
        "rbf": lambda: Gaussian(gamma),
        "gaussian": lambda: Gaussian(gamma),
        "laplacian": lambda: Laplacian(gamma),
    }
    if isinstance(spec, str) and spec in makers:
        return makers[spec]()
    if callable(spec) and not isinstance(spec, type):
        return FunctionKernel(spec)
    raise ValueError(
        f"kernel must be a Kernel such as Gaussian(gamma=1.0), a callable k(X, Z), or one of "
        f"{', '.join(repr(name) for name in makers)}, got {spec!r}"
    )
