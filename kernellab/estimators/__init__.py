"""The face of the solvers: estimators that fit, predict and score as scikit-learn's do."""

from __future__ import annotations

from kernellab.estimators.approximation import Nystroem
from kernellab.estimators.linear import LinearSVC, PegasosSVC
from kernellab.estimators.mkl import MKLClassifier
from kernellab.estimators.multiclass import OneVsOneClassifier, OneVsRestClassifier
from kernellab.estimators.perceptrons import KernelPerceptron, Perceptron
from kernellab.estimators.ridge import KernelRidge
from kernellab.estimators.svm import HardMarginSVC, KernelSVC, KernelSVR, OneClassSVM
