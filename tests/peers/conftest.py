"""What scikit-learn's own tests expect of a test run."""

from pathlib import Path

import numpy as np
import pytest
from shims import SKIPPED
from sklearn.base import BaseEstimator


def pytest_configure(config):
    config.addinivalue_line("markers", "thread_unsafe: scikit-learn's; we run one thread")


def pytest_collection_modifyitems(config, items):
    """Skip what `SKIPPED` names; leave out the cases that are about scikit-learn's own classes."""
    left_out = []
    for item in items:
        if Path(item.path).name != "test_own_tests.py":
            continue
        cases = item.callspec.params.values() if hasattr(item, "callspec") else ()
        if any(is_theirs(value) for value in cases):
            left_out.append(item)
        for start, reason in SKIPPED.items():
            if "[" in start and item.name.startswith(start):  # some cases of a test only
                item.add_marker(pytest.mark.skip(reason=reason))
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


def is_theirs(value):
    """Say whether a parameter of a test is an estimator of scikit-learn, or its class."""
    kind = value if isinstance(value, type) else type(value)
    return issubclass(kind, BaseEstimator) and kind.__module__.startswith("sklearn.")


@pytest.fixture
def global_random_seed():
    return 42


@pytest.fixture(params=[np.float64])
def global_dtype(request):
    return request.param
