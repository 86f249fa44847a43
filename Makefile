# `make help` lists the targets. Two are for everyone: `make demo` and `make test`.
# Everything is installed into $(VENV); pip and apt are used as this machine has them configured.

CAPTURE ?= captures/rabbitmq_stream/publish_confirm

# What tests need from Debian: a package, or program:package where the two names differ.
PROGRAMS := java:openjdk-17-jre-headless nats-server rabbitmq-server sshd:openssh-server tcpdump tmux tshark luac5.2:lua5.2 luac5.3:lua5.3 luac5.4:lua5.4 luacheck:lua-check

# Modules that write files kept in the repository. Each one writes when run as `python -m MODULE`, and with
# `--check` writes nothing, names what is stale and fails.
GENERATORS := tests.recorded.rule_examples streamshark.views.manual.write streamshark.cli.manual_pages docs.images.terminal docs.images.screens docs.python_page docs.tui_page docs.example_ticket_page streamshark.lua.generate streamshark.lua.omitted_rules tests.cli.goldens tests.cli.reports

# What `make quick` leaves out: tests with these marks, and these folders.
QUICK := not process and not slow and not fuzz and not spark and not sweep
SLOW := cluster contracts drift foreign fuzz judge lua planted recorded spark

# How many spoilt frames `make fuzz` reads.
FRAMES ?= 1000000

PYTHON ?= python3
VENV ?= .venv
WORKERS ?= 2
BIN := $(VENV)/bin

# Where writing bytecode is off, each run of the tests would compile all of them anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help demo quick test test-all programs lint types imports unit coverage planted test-spark test-sweep test-wireshark format protocol capture generate check-generated fuzz drift bench release clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1\t/p' Makefile | expand -t 18

demo: $(VENV)/.package ## install Streamshark in .venv and read a recorded capture (CAPTURE=folder)
	@set -- $(CAPTURE)/traffic.*; \
	test -f "$$1" || { echo "make demo: no capture in $(CAPTURE)" >&2; exit 2; }; \
	$(BIN)/streamshark read "$$1" && \
	printf '\nThe program is %s. Three things to try:\n' "$(CURDIR)/$(BIN)/streamshark" && \
	printf '  %s\n' "$(BIN)/streamshark $$1" "$(BIN)/streamshark check $$1" \
	  "$(BIN)/streamshark explain $$1"

quick: $(VENV)/.test ## tests that take no time and start no program: 40 seconds
	@$(BIN)/pytest -q -n 0 -m '$(QUICK)' $(SLOW:%=--ignore=tests/%) $(ARGS)

test: programs lint types imports unit ## install what tests need, then run every check: about six minutes

test-all: export STREAMSHARK_DRAW = all
test-all: test coverage test-spark test-sweep test-wireshark fuzz planted ## whatever there is to run: hours

programs: ## install the programs that tests run (through apt as root; else print the line to run)
	@.ci/install-programs $(PROGRAMS)

lint: $(VENV)/.test ## ruff and typos
	@$(BIN)/ruff check --no-cache
	@$(BIN)/ruff format --check
	@$(BIN)/typos

types: $(VENV)/.test ## mypy, strict
	@$(BIN)/mypy

imports: $(VENV)/.test ## the boundaries between the packages
	@$(BIN)/lint-imports --no-logo

unit: $(VENV)/.test ## the tests alone (ARGS='-k name' to choose)
	@$(BIN)/pytest -n $(WORKERS) --dist loadgroup $(ARGS)

coverage: programs $(VENV)/.test ## which lines and branches of src the tests reach
	@$(BIN)/pytest -n $(WORKERS) --dist loadgroup --cov --cov-report=term:skip-covered $(ARGS)

planted: programs $(VENV)/.test ## whether tests notice the faults in tests/planted (ARGS=names to choose)
	@$(BIN)/python -m tests.planted $(ARGS)

test-spark: programs $(VENV)/.test ## pipelines, streams, lakes, stores, clusters and the notebook of Spark (of which `make test` has one run)
	@$(BIN)/python -m pip install --quiet --editable '.[notebook]'
	@$(BIN)/pytest -n $(WORKERS) --dist loadgroup -m spark $(ARGS)

test-sweep: programs $(VENV)/.test ## foreign traffic (and STREAMSHARK_FOREIGN=folder) and spoilt captures (STREAMSHARK_SWEEP=n) at length; every frame encoded
	@$(BIN)/pytest -n $(WORKERS) -m sweep $(ARGS)

test-wireshark: programs $(VENV)/.test ## the plugins in Wireshark 4.0, 4.4 and 4.6: loaded, and judged (makes the newer ones once, as root)
	@set -e; for suite in bookworm trixie sid; do \
	program=$$(.ci/install-wireshark $$suite); \
	"$$program" --version 2>/dev/null | head -n 1; \
	PATH="$$(dirname "$$program"):$$PATH" STREAMSHARK_TSHARK="$$program" $(BIN)/pytest -n $(WORKERS) tests/judge tests/lua/test_install.py tests/test_tls_decryption.py $(ARGS); \
	done

format: $(VENV)/.test ## format and mend what ruff can mend
	@$(BIN)/ruff check --fix-only
	@$(BIN)/ruff format

protocol: $(VENV)/.test ## start a protocol as a copy of the example (NAME=chess)
	@$(BIN)/python docs/example_protocol/start.py '$(NAME)'
	@set -- src/streamshark/protocols/$(NAME) tests/protocols/$(NAME); \
	$(BIN)/ruff check --quiet --fix-only "$$@"; $(BIN)/ruff format --quiet "$$@"

capture: $(VENV)/.package ## add a recording to captures/ (FILE=recording.pcapng PROTOCOL=chess SCENARIO=first PORT=7700)
	@$(BIN)/python -m captures.recorders.provenance '$(FILE)' '$(PROTOCOL)' '$(SCENARIO)' $(PORT)

generate: $(VENV)/.test ## write the generated files again
	@set -e; for module in $(GENERATORS); do $(BIN)/python -m $$module; done

check-generated: $(VENV)/.test ## name generated files that are stale (the tests see them too)
	@set -e; for module in $(GENERATORS); do $(BIN)/python -m $$module --check; done

fuzz: $(VENV)/.test ## the property tests at length, and a million spoilt frames (FRAMES=n)
	@STREAMSHARK_FUZZ=$(FRAMES) $(BIN)/pytest -n $(WORKERS) -m fuzz --hypothesis-profile=deep $(ARGS)

drift: $(VENV)/.test ## compare our tables with a checkout of the broker (STREAMSHARK_RABBITMQ_SERVER=folder)
	@$(BIN)/python -m tests.drift.rabbitmq_stream

bench: $(VENV)/.test ## measure, and print the tables of docs/benchmarks.md
	@$(BIN)/python bench/run.py $(ARGS)

release: ## build sdist and wheel in dist/, and run the README on the installed wheel
	@.ci/release '$(PYTHON)'

clean: ## remove the environment and what tools left
	rm -rf $(VENV) dist build .cache .coverage .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/.package: pyproject.toml .ci/create-venv
	@PYTHON='$(PYTHON)' .ci/create-venv $(VENV)
	@$(BIN)/python -m pip install --quiet --editable .
	@$(BIN)/python -m compileall -q src # else each start pays for it where writing bytecode is off
	@touch $@

$(VENV)/.test: pyproject.toml .ci/create-venv
	@PYTHON='$(PYTHON)' .ci/create-venv $(VENV)
	@$(BIN)/python -m pip install --quiet --editable '.[test]'
	@$(BIN)/python -m compileall -q src
	@touch $(VENV)/.package $@
