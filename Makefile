# One task runner. `make` alone lists what there is.
.DEFAULT_GOAL := help
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules

BIN := .venv/bin
SETUP := .venv/installed
TOTO := .venv-toto/installed
TOTO_PYTEST := .venv-toto/bin/python -m pytest -q tests/forecasting/toto tests/forecasting/test_toto_edges.py tests/forecasting/test_toto_golden.py
SUITES ?= $(sort $(wildcard benchmarks/suites/*))

# uv brings certificates of its own; a machine that has some may need them (a company's proxy).
ifneq ($(wildcard /etc/ssl/certs/ca-certificates.crt),)
export UV_SYSTEM_CERTS := 1
endif

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: demo
demo: $(SETUP) ## evaluate the bundled example pull request: a no-go, then its safe form: a go
	@$(BIN)/python -m scripts.demo

.PHONY: test test-long test-toto
test: $(SETUP) ## run the tests, those of the extra `toto` too (installs torch into .venv-toto once); test-long has the rest
	@scripts/servers.sh
	@status=0; timeout 420 $(MAKE) --no-print-directory $(TOTO) & installing=$$!; \
	$(BIN)/pytest -n 3 -q -m "not long" || status=1; \
	if wait $$installing; then $(TOTO_PYTEST) || status=1; \
	else printf 'test: .venv-toto could not be made, so the tests of torch did not run; run make test-toto\n' >&2; fi; exit $$status
test-long: $(SETUP) ## run what takes minutes: whole servers and workers that are killed, random histories
	@scripts/servers.sh
	@$(BIN)/pytest -n 3 -q -m long
test-toto: $(TOTO) ## run only the tests that need torch and toto-2
	@$(TOTO_PYTEST)

.PHONY: check format lint types contracts docs audit
check: format lint types contracts docs audit ## what CI checks besides the tests: format, lint, types, import contracts, generated docs, advisories

format: $(SETUP)
	@$(BIN)/ruff format --check --quiet .
lint: $(SETUP)
	@$(BIN)/ruff check --quiet .
types: $(SETUP)
	@$(BIN)/basedpyright
contracts: $(SETUP)
	@$(BIN)/lint-imports --no-logo
docs: $(SETUP)
	@$(BIN)/python -m scripts.docs_check
audit: $(SETUP)
	@$(BIN)/python -m scripts.audit

.PHONY: accuracy
accuracy: $(SETUP) ## score gonogo on labelled pull requests; SUITES="folder ..." for others than the bundled ones
	@$(BIN)/python -m benchmarks.accuracy $(SUITES)

.venv-bench/installed: $(SETUP)  # models that the forecasts are held against; without them the bench says so
	@$(BIN)/uv venv --quiet --allow-existing --python $(BIN)/python .venv-bench && $(BIN)/uv pip install --quiet --python .venv-bench/bin/python statsforecast \
		|| echo 'bench: statsforecast could not be installed' >&2
	@mkdir -p .venv-bench && touch $@

.PHONY: bench
bench: $(SETUP) .venv-bench/installed ## time and memory of gonogo check; what bencher's orchestration costs a call, and kill -9 beside its peers
	@$(BIN)/python -m benchmarks.bench
	@$(BIN)/python -m benchmarks.forecasting_bench
	@$(BIN)/python -m benchmarks.toto
	@$(BIN)/python benchmarks/bencher/bench/main.py
	@$(BIN)/python -m benchmarks.linters
	@$(BIN)/python -m benchmarks.manifests_bench
	@$(BIN)/python -m benchmarks.graph_bench
	@$(BIN)/python -m benchmarks.log_patterns_bench
	@$(BIN)/python -m benchmarks.app_bench

.PHONY: snap
snap: $(SETUP) ## write what is generated again: --help, settings, indexes, report schema, the reports that tests compare
	@$(BIN)/python -m scripts.docs_check --write
	@$(BIN)/python -m scripts.report_snapshots

.PHONY: new-rule
new-rule: $(SETUP) ## make new-rule RULE=postgres/name-of-the-hazard: rule, page, test, registry line
	@$(BIN)/python -m scripts.new_rule $(RULE)

.PHONY: new-playbook
new-playbook: $(SETUP) ## make new-playbook PLAYBOOK=name-of-the-failure: playbook, page, test, registry line
	@$(BIN)/python -m scripts.new_playbook $(PLAYBOOK)

COMPILE := $(BIN)/uv pip compile pyproject.toml --quiet --universal --python-version 3.12 --generate-hashes \
	--custom-compile-command "make lock"

.PHONY: lock
lock: ## pin the dependencies again: requirements.lock (everything), requirements-base.lock (what gonogo itself needs), requirements-server.lock, requirements-toto.lock
	@$(COMPILE) --group dev --output-file requirements.lock
	@$(COMPILE) --constraint requirements.lock --output-file requirements-base.lock
	@$(COMPILE) --constraint requirements.lock --extra server --extra aws --extra kubernetes --extra claude --extra logs --extra plot --output-file requirements-server.lock
	@$(COMPILE) --constraint requirements.lock --extra toto --group toto --output-file requirements-toto.lock

.PHONY: setup
setup: $(SETUP) ## make .venv with everything; quick when nothing changed

$(SETUP): requirements.lock pyproject.toml benchmarks/bencher/pyproject.toml scripts/setup.sh
	@scripts/setup.sh

$(TOTO): requirements-toto.lock scripts/setup_toto.sh | $(SETUP)
	@scripts/setup_toto.sh
