# Every target sets up what it needs: each is enough on a fresh machine with Python 3.11 or newer.
#
#   PYTHON=python3.12   the Python to make .venv with (default: the one in .venv, else python3)
#   TORCH=no            leave torch out: chapters 0 to 4 work without it
#   VERSIONS=lowest     the lowest versions that pyproject.toml promises, or newest (default: the pins)
#   TORCH_INDEX=        one more package index to take torch from (empty: only the default one)
#   PORT=8888           where `make lab` listens, and `make class` (8000)      BROWSER=no  open no browser
#   CHAPTER=            what `make notebooks` and `make page` build (default: all), e.g. chapters/01_dot_product.py

PYTHON := $(shell if .venv/bin/python -c "" 2>/dev/null; then echo .venv/bin/python; else echo python3; fi)
TORCH ?=
TORCH_INDEX ?=
VERSIONS ?=
PORT ?=
BROWSER ?=
CHAPTER ?=
export TORCH TORCH_INDEX VERSIONS
# Compiled once, not by each of the hundreds of Python processes that the tests start.
unexport PYTHONDONTWRITEBYTECODE

INSIDE := .venv/bin/python
ENVIRONMENT = @$(PYTHON) tools/environment.py
# More processes than the two cores of a small server: many tests wait, for a kernel or for a limit.
TESTS := -q -n 3 --dist worksteal -m "not browser"
IN_A_BROWSER := -q -n 3 -m browser tests/browser
# A browser waits more than it works, so its tests come first and notebooks beside them; tests/browser keeps the
# cells of a notebook in one process.
NBVAL := -q -n 4 --no-loadscope-reorder --nbval --nbval-current-env

# $(call step,name,command): run the command; say its name before, and how long it took after.
define step
@echo "== $(1)"; begun=$$(date +%s); $(2); status=$$?; \
echo "== $(1): $$([ $$status = 0 ] && echo done || echo FAILED), $$(( $$(date +%s) - begun )) s"; \
exit $$status
endef

STYLE = $(call step,style,$(INSIDE) -m ruff check . && $(INSIDE) -m ruff format --check . && $(INSIDE) -m mypy)

.PHONY: help lab class test walk setup notebooks docs page bench clean

help:  ## say what each target does (the default)
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/make \1|\2/p' Makefile | awk -F'|' '{printf "%-16s %s\n", $$1, $$2}'

lab:  ## lay your own copies of the notebooks into work/ and open the first chapter
	$(ENVIRONMENT) lab torch
	@$(INSIDE) -m tools.lab --port $(or $(PORT),8888) $(if $(filter no,$(BROWSER)),--no-browser)

class:  ## try a class here: JupyterHub with accounts, limits and links to the chapters (docs/class.md)
	$(ENVIRONMENT) class lab torch
	@$(INSIDE) -m deploy --port $(or $(PORT),8000)

test:  ## every check: style, tests, both editions of every notebook again, one as on an old processor
	$(ENVIRONMENT) build class lab page test torch
	@$(INSIDE) -m deploy.proxy || echo "The tests of a class are skipped."
	$(if $(filter lowest newest,$(VERSIONS)),@echo "== style: only the pinned ruff and mypy judge it",$(STYLE))
	$(call step,tests,$(INSIDE) -m pytest $(TESTS))
	$(call step,notebooks and a browser,$(INSIDE) -m pytest $(NBVAL) tests/browser notebooks)

walk:  ## the browser tests with all cells and all sliders, pictures at every setting, and the grader on more than sixty hand-ins (make test takes a part of the shortest chapter with PyTorch and the shortest without, and a few of the others)
	$(ENVIRONMENT) build lab page test torch
	$(call step,walk,WALK=all $(INSIDE) -m pytest $(IN_A_BROWSER))
	$(call step,sweeps,WALK=all $(INSIDE) -m pytest $(TESTS) tests/chapters)
	$(call step,hand-ins,WALK=all $(INSIDE) -m pytest -q -n 2 tests/grade/test_hand_ins.py tests/grade/test_elsewhere.py)

setup:  ## install everything into .venv
	$(ENVIRONMENT) build class lab page test torch

notebooks:  ## build notebooks/ from chapters/
	$(ENVIRONMENT) build torch
	$(call step,build,$(INSIDE) -m tools.build $(CHAPTER))

docs:  ## make the pages in docs/ that come from the chapters
	$(ENVIRONMENT) build lab test torch
	$(call step,docs,$(INSIDE) -m tools.teaching && $(INSIDE) -m tools.concepts && $(INSIDE) -m tools.cards && $(INSIDE) -m tools.house)

page:  ## make the course as a web page in site/, which any static host serves
	$(ENVIRONMENT) build page torch
	$(call step,page,$(INSIDE) -m tools.page $(basename $(notdir $(CHAPTER))))

bench:  ## measure sliders, chapters and kernels
	$(ENVIRONMENT) build class lab test torch
	$(call step,benchmarks,for script in benchmarks/*.py; do $(INSIDE) -m benchmarks.$$(basename $$script .py) || exit 1; done)

clean:  ## remove .venv and caches; never work/, which is yours
	@rm -rf .venv .page site .pytest_cache .ruff_cache .mypy_cache .hypothesis dist build *.egg-info
	@find . -name __pycache__ -type d -not -path './work/*' -prune -exec rm -rf {} +
	@echo "Removed .venv and caches. work/ is as it was."
