"""scikit-learn's own tests of SVC.

They are read from the installed scikit-learn, not copied, and meet our class through `shims`.
What is not run is in `shims.SKIPPED`, with the reason.
"""

import inspect
import re

import pytest
from shims import SKIPPED, load_tests


def collect():
    """Return the test functions that name our class."""
    return {
        name: skipped(SKIPPED[name]) if name in SKIPPED else test
        for name, test in vars(load_tests()).items()
        if name.startswith("test_") and re.search(r"\bSVC\b", inspect.getsource(test))
    }


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
    assert len(OWN) > 30
