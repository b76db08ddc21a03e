"""scikit-learn's own checks of estimators, on each of ours: none is expected to fail."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from kernellab import estimators as e
from kernellab.kernels import Gaussian

# No KernelRidge("precomputed"): the checks hand it Gram matrices cut to integers, and rightly it
# refuses what is not positive semi-definite.
ESTIMATORS = [
    e.Perceptron(),
    e.KernelPerceptron(),
    e.HardMarginSVC(),
    e.KernelSVC(),
    e.KernelSVC(Gaussian(0.5), lam=0.01, class_weight="balanced"),
    e.KernelSVC(solver="sdca", bias=False),
    e.KernelSVC(solver="pegasos", bias=False, gap=0.05),
    e.KernelSVC("precomputed"),
    e.LinearSVC(),
    e.LinearSVC(loss="squared_hinge", max_passes=20),
    e.PegasosSVC(),
    e.KernelSVR(),
    e.KernelSVR(bias=False, C=10.0),
    e.OneClassSVM(),
    e.OneClassSVM(C=0.1),
    e.KernelRidge(),
    e.Nystroem(),
    e.Nystroem(landmarks="cholesky"),
    e.MKLClassifier(),
    e.MKLClassifier(p=2.0, bias=False, max_passes=5),
    e.OneVsRestClassifier(e.LinearSVC(max_passes=20)),
    e.OneVsOneClassifier(e.KernelSVC()),
    e.OneVsOneClassifier(e.KernelSVC("precomputed")),
]


@parametrize_with_checks(ESTIMATORS)
def test_check(estimator, check):
    check(estimator)
