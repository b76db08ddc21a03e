"""scikit-learn's own checks of estimators, on each of ours: none is expected to fail."""

from __future__ import annotations

from sklearn.utils.estimator_checks import parametrize_with_checks

from kernellab import estimators as e
from kernellab.kernels import Gaussian

ESTIMATORS = [
    e.Perceptron(),
    e.KernelPerceptron(),
    e.KernelSVC(),
    e.KernelSVC(Gaussian(0.5), lam=0.01),
    e.KernelSVC(solver="sdca", bias=False),
    e.KernelSVC(solver="pegasos", bias=False, gap=0.05),
    e.KernelSVC("precomputed"),
    e.LinearSVC(),
    e.LinearSVC(loss="squared_hinge"),
    e.PegasosSVC(),
    e.KernelSVR(),
    e.KernelSVR(solver="sdca", bias=False, C=10.0),
    e.KernelSVR("precomputed"),
    e.OneClassSVM(),
    e.OneClassSVM(C=0.1),
    e.KernelRidge(),
    e.Nystroem(),
    e.Nystroem(landmarks="cholesky"),
    e.RandomFourierFeatures(),
]


@parametrize_with_checks(ESTIMATORS)
def test_check(estimator, check):
    check(estimator)
