# The two entry points: `make demo` and `make test`. Both set everything up first, without root.
PYTHON ?= python3
UV_VERSION := 0.13.7
ZENSICAL_VERSION := 0.0.73
BIN := .venv/bin
UV := $(BIN)/uv
STUDIO := src/motionloom/studio
FRONT_END := $(BIN)/python $(STUDIO)/front_end.py
NPM := $(FRONT_END) npm
VALIDATOR := tests/gltf_validator
BROWSER := command -v chromium || command -v chromium-browser || command -v google-chrome
BROWSER_PACKAGES := chromium fonts-dejavu-core

# Elsewhere the package also installs without its studio, where npm is out of reach.
ifeq ($(CI),true)
export MOTIONLOOM_REQUIRE_STUDIO := 1
endif

# Tests start a hundred Python processes: each would compile all that it imports where nothing is kept.
unexport PYTHONDONTWRITEBYTECODE

WORKERS := 2
# A file of tests stays with one worker, and long files go first: nobody waits for the last one alone. Threads of the
# linear algebra stay with their worker too: two workers with two threads each wait for one another.
PYTEST := OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder
BESIDE := --no-print-directory -j$(WORKERS) $(if $(filter output-sync,$(.FEATURES)),--output-sync=target)

.PHONY: demo test front lint types web loops unit browser chromium lock figures docs bench clean help

help:
	@echo "make demo    set up, build the studio and the demo corpus, write the tour to ./demo"
	@echo "make test    set up, then lint, types and all tests: the package, the front end, a real browser"
	@echo "make bench   every benchmark beside its target (needs the real recordings)"
	@echo "make docs    the documentation as a web site in ./site;  make figures  redraw its pictures"
	@echo "make lock    choose new package versions"

demo: front
	$(BIN)/motionloom demo demo

# The front end is built when the package is installed (hatch_build.py), and again when its sources have changed.
front: .venv/.runtime
	@$(FRONT_END) check || $(UV) pip install --quiet --python $(BIN)/python --no-deps --reinstall-package motionloom -e .
	@$(FRONT_END) check || echo "motionloom: there is no studio yet, all else works; \`$(FRONT_END)\` says why"

# What needs one core each goes side by side; then the tests, which share all there are.
test: .venv/.dev
	@$(MAKE) $(BESIDE) web types lint loops chromium
	@$(MAKE) --no-print-directory unit
	@$(MAKE) --no-print-directory browser

lint: .venv/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/.dev
	$(BIN)/mypy

web: .venv/.dev front
	@$(FRONT_END) packages
	$(NPM) $(STUDIO)/web run --silent check
	$(NPM) $(STUDIO)/web run --silent test

# Compiled once, before all workers come to want the same loop.
loops: .venv/.dev
	$(BIN)/motionloom warmup

unit: .venv/.dev front $(VALIDATOR)/node_modules/.installed
	$(PYTEST) --ignore tests/browser

# After the others: a browser that draws in software keeps a core busy.
browser: .venv/.dev front chromium
	$(PYTEST) tests/browser

chromium:
	@{ $(BROWSER); } >/dev/null || { [ "$$(id -u)" = 0 ] && apt-get update -qq \
	&& DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $(BROWSER_PACKAGES); } \
	|| { echo "the browser tests need Chromium: sudo apt-get install -y $(BROWSER_PACKAGES)" >&2; exit 1; }

bench: .venv/.dev $(VALIDATOR)/node_modules/.installed
	$(BIN)/motionloom bench --write

figures: .venv/.dev
	$(BIN)/python -m docs.figures

docs: .venv/.dev
	$(UV) pip install --quiet --python $(BIN)/python zensical==$(ZENSICAL_VERSION)
	$(BIN)/zensical build

.venv/.uv:
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "motionloom needs Python 3.11 or newer; set PYTHON=python3.11")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv==$(UV_VERSION)
	@touch $@

.venv/.runtime: .venv/.uv requirements.lock pyproject.toml
	$(UV) pip install --quiet --python $(BIN)/python -r requirements.lock
	$(UV) pip install --quiet --python $(BIN)/python --no-deps -e .
	@touch $@

.venv/.dev: .venv/.runtime requirements-dev.lock
	$(UV) pip install --quiet --python $(BIN)/python -r requirements-dev.lock
	@touch $@

# The Khronos glTF validator.
$(VALIDATOR)/node_modules/.installed: .venv/.dev $(VALIDATOR)/package-lock.json
	$(NPM) $(VALIDATOR) ci --no-audit --no-fund --silent
	@touch $@

lock: .venv/.uv
	$(UV) pip compile --quiet --universal --upgrade pyproject.toml -o requirements.lock
	$(UV) pip compile --quiet --universal --upgrade --extra dev -c requirements.lock pyproject.toml -o requirements-dev.lock

clean:
	rm -rf .venv .cache demo build dist $(VALIDATOR)/node_modules $(STUDIO)/web/node_modules $(STUDIO)/static
