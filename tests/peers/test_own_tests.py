"""scikit-learn's own tests of SVC, SVR, OneClassSVM, LinearSVC, KernelRidge, Nystroem, Perceptron.

They are read from the installed scikit-learn, not copied, and meet our classes through `shims`.
What is not run is in `shims.SKIPPED`, with the reason.
"""

from __future__ import annotations

import inspect
import re

import pytest
from shims import SHIMS, SKIPPED, load_tests

MODULES = {
    "svm": ("sklearn.svm", "svm/tests/test_svm.py"),
    "ridge": ("sklearn.kernel_ridge", "tests/test_kernel_ridge.py"),
    "nystroem": ("sklearn.kernel_approximation", "tests/test_kernel_approximation.py"),
    "perceptron": ("sklearn.linear_model", "linear_model/tests/test_perceptron.py"),
}


def collect():
    """Return the test functions that name one of our classes, under names of their own."""
    found = {}
    for short, (home, path) in MODULES.items():
        ours = re.compile("|".join(rf"\b{shim.__name__}\b" for shim in SHIMS[home]))
        for name, test in vars(load_tests(home, path)).items():
            if name.startswith("test_") and ours.search(inspect.getsource(test)):
                name = f"test_{short}_{name.removeprefix('test_')}"
                found[name] = skipped(SKIPPED[name]) if name in SKIPPED else test
    return found


def skipped(reason):
    """Return one test to skip, for however many cases there were."""

    @pytest.mark.skip(reason=reason)
    def not_run():
        pass

    return not_run


OWN = collect()
globals().update(OWN)


def test_the_table_of_what_is_skipped_names_tests_that_exist():
    assert {name.split("[")[0] for name in SKIPPED} - set(OWN) == set()
    assert len(OWN) > 60
