# kernellab. `make lab` opens the course, `make test` checks it; both install what they need.
# Another Python: make lab PYTHON=python3.12.   Flags for JupyterLab: make lab LAB_FLAGS=--no-browser
# A part of it: make portable PORTABLE_FLAGS="--cpu Haswell notebooks/03_kernel_trick.ipynb unit"
# Fewer and smaller problems: make bench BENCH_FLAGS=--quick

PYTHON ?= python3
VENV ?= .venv
LAB_FLAGS ?=
DEMO_FLAGS ?=
BENCH_FLAGS ?=
PORTABLE_FLAGS ?=
RELEASE ?= release
SUBMITTED ?=
GRADED ?= graded
GRADE_FLAGS ?=
PYODIDE ?=
LITE_OUT ?= build/lite
FIRST := notebooks/00_start_here.ipynb
LESSONS := $(wildcard notebooks/[0-9][0-9]_*.ipynb)
LITE := build/lite-tools
HALL := $(LESSONS:notebooks/%=build/hall/%)

PY := $(VENV)/bin/python
PIP_INSTALL := $(PY) -m pip install --quiet --disable-pip-version-check --no-compile \
    --constraint constraints.txt
# pip would compile on one core, and take longer for that than for all the rest.
COMPILE := $(PY) -m compileall -qq -j 0 $(VENV)/lib || true

.PHONY: help lab demos test check browsers fuzz portable bounds notebooks exercises release grade site lite lite-test slides handout screenshots bench clean distclean
.NOTPARALLEL:
# Without their bytecode a hundred short-lived processes would compile the same modules again.
unexport PYTHONDONTWRITEBYTECODE

help:
	@echo "make lab        open the course in JupyterLab (the first time it installs itself)"
	@echo "make test       lint, types, unit tests, every notebook, grading, the figures in a browser"
	@echo "make check      the quick part of it: lint, types, unit tests"
	@echo "make browsers   some of the browser tests in Firefox and in WebKit"
	@echo "make fuzz     500 random moves, and keys, in every live figure (takes long)"
	@echo "make portable   tests and notebooks as other processors compute them: every printed digit"
	@echo "make bounds     unit tests and figures with the lowest versions taken, and with the newest"
	@echo "make notebooks  run all notebooks again, in place"
	@echo "make demos      one live figure after the other on the whole screen, for a lecture"
	@echo "make site       the lessons as web pages that need no network: build/site (at first 3 minutes)"
	@echo "make lite       the course in the browser alone, Python included, for a web server:"
	@echo "                build/lite; PYODIDE=folder takes Pyodide's distribution along"
	@echo "make lite-test  every lesson to its end in that browser (takes long)"
	@echo "make slides     the lessons as slides, one file each: build/slides (at first three minutes)"
	@echo "make handout    the slides as PDF, one a page (needs Chromium)"
	@echo "make screenshots  photograph the application for the README (needs Chromium)"
	@echo "make exercises  write notebooks/exercises from notebooks/solutions"
	@echo "make release    one archive for students, without solutions, in a folder: RELEASE=$(RELEASE)"
	@echo "make grade      grade what was handed in: SUBMITTED=folder [GRADED=$(GRADED)]"
	@echo "make bench      measure speed and memory against scikit-learn, and how soon every live"
	@echo "                figure follows the hand (20 minutes)"
	@echo "make clean      remove caches and test results (make distclean: .venv too)"

lab: $(VENV)/.lab
	@$(PY) -m jupyterlab --LabApp.default_url=/lab/tree/$(FIRST) $(LAB_FLAGS)

demos: $(VENV)/.lab
	@$(PY) tools/show_demos.py $(DEMO_FLAGS)

test: $(VENV)/.test
	@$(PY) tools/run_tests.py

check: $(VENV)/.test
	@$(PY) tools/run_tests.py --quick

browsers: $(VENV)/.test
	@$(PY) tools/run_tests.py firefox webkit

fuzz: $(VENV)/.test
	@KERNELLAB_MOVES=500 $(PY) -m pytest -q -n auto tests/live/test_every_figure.py
	@KERNELLAB_MOVES=500 $(PY) -m pytest -q tests/browser/test_demos.py tests/browser/test_every_control.py

portable: $(VENV)/.test
	@$(PY) tools/portable.py $(PORTABLE_FLAGS)

bounds:
	@$(PYTHON) tools/bounds.py lowest
	@$(PYTHON) tools/bounds.py newest

notebooks: $(VENV)/.test
	@$(PY) tools/run_notebooks.py

site: $(VENV)/.test
	@$(PY) tools/make_site.py

lite: $(LITE)/.done
	@$(LITE)/bin/python tools/lite/build.py "$(LITE_OUT)" $(if $(PYODIDE),--pyodide "$(PYODIDE)")

lite-test: $(VENV)/.test
	@KERNELLAB_EVERY_FIGURE=1 $(PY) tools/run_tests.py lite

slides: $(VENV)/.test $(HALL)
	@$(PY) tools/make_slides.py $(HALL)

handout: $(VENV)/.test $(HALL)
	@$(PY) tools/make_slides.py --handout $(HALL)

# Pictures for the last row: every lesson is run again in lecture mode, 3 to 20 seconds each, two
# minutes for all eight; after that only those that have changed, or all if the package has.
build/hall/%.ipynb: notebooks/%.ipynb $(shell find kernellab -name '*.py') | $(VENV)/.test
	@$(PY) tools/run_notebooks.py --hall $(@D) $<

screenshots: $(VENV)/.test
	@$(PY) tools/screenshots.py

exercises: $(VENV)/.teach
	@$(PY) tools/exercises.py

release: $(VENV)/.teach
	@$(PY) tools/grading.py release "$(RELEASE)"

grade: $(VENV)/.teach
	@test -n "$(SUBMITTED)" || { \
	    echo "Name the folder that holds one folder a student: make grade SUBMITTED=handed_in"; exit 1; }
	@$(PY) tools/grading.py grade "$(SUBMITTED)" "$(GRADED)" $(GRADE_FLAGS)

bench: $(VENV)/.test
	@$(PY) tests/benchmarks/table.py $(BENCH_FLAGS)
	@$(PY) tests/benchmarks/million.py $(BENCH_FLAGS)
	@KERNELLAB_EVERY_FIGURE=1 $(PY) -m pytest -q tests/browser/test_latency.py

clean:
	rm -rf .pytest_cache .mypy_cache .ruff_cache .hypothesis .virtual_documents
	rm -rf build dist test-results __pycache__
	find kernellab tests tools data notebooks \
	    \( -name __pycache__ -o -name .ipynb_checkpoints \) -prune -exec rm -rf {} +

distclean: clean
	rm -rf $(VENV)

# --- the local environment ---------------------------------------------------------------------
# A stamp file a stage: what is installed is not installed again until its list changes.
# The build backend comes from constraints.txt too, hence --no-build-isolation.

$(VENV)/.lab: pyproject.toml constraints.txt tools/make_venv.py $(wildcard tools/lab_*.json)
	@command -v $(PYTHON) >/dev/null || { \
	    echo "There is no $(PYTHON) here. kernellab needs Python 3.11 or newer;"; \
	    echo "name another one, for example: make lab PYTHON=python3.12"; exit 1; }
	@$(PYTHON) tools/make_venv.py $(VENV)
	@echo "Installing the course into $(VENV) (once; some minutes on a slow line)"
	@$(PIP_INSTALL) hatchling editables
	@$(PIP_INSTALL) --no-build-isolation --editable '.[fast,lab,scale]'
	@$(COMPILE)
	@mkdir -p $(VENV)/share/jupyter/lab/settings $(VENV)/etc/jupyter/labconfig
	@cp tools/lab_settings.json $(VENV)/share/jupyter/lab/settings/overrides.json
	@cp tools/lab_page.json $(VENV)/etc/jupyter/labconfig/page_config.json
	@touch $@

$(VENV)/.teach: $(VENV)/.lab
	@echo "Installing nbgrader into $(VENV) (once)"
	@$(PIP_INSTALL) --no-build-isolation --editable '.[fast,lab,scale,teach]'
	@$(COMPILE)
	@touch $@

$(VENV)/.test: $(VENV)/.lab
	@echo "Installing the test tools into $(VENV) (once)"
	@$(PIP_INSTALL) --no-build-isolation --editable '.[fast,lab,scale,teach,test]'
	@$(COMPILE)
	@touch $@ $(VENV)/.teach

$(LITE)/.done: tools/lite/requirements.txt constraints.txt tools/make_venv.py
	@$(PYTHON) tools/make_venv.py $(LITE)
	@echo "Installing JupyterLite into $(LITE) (once)"
	@$(LITE)/bin/python -m pip install --quiet --disable-pip-version-check \
	    --constraint constraints.txt --requirement $<
	@touch $@
