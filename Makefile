# ChessLocker: everything is a make target. Needs Python 3.11 or newer, make and git; the rest installs itself.
PYTHON ?= python3
PORT ?= 8000
VENV := .venv
BIN := $(VENV)/bin
# The PostgreSQL driver is only installed where a PostgreSQL database is named.
LOCK := $(if $(filter postgres%,$(DATABASE_URL)),requirements-postgres.txt,requirements.txt)

.DEFAULT_GOAL := help
.PHONY: help install demo run test prove-pairings prove-ledger prove-crash prove-backups lint format lock messages clean

help: ## Show this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{ printf "make %-12s %s\n", $$1, $$2 }'

$(VENV)/$(LOCK).stamp: $(LOCK)
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing what ChessLocker needs (about half a minute the first time) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $(LOCK)
	@touch $@

$(VENV)/dev.stamp: $(VENV)/$(LOCK).stamp requirements-dev.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.txt
	@touch $@

install: $(VENV)/$(LOCK).stamp ## Install into .venv and collect the static files, no more
	@$(BIN)/python manage.py collectstatic --noinput --verbosity 0

demo: install ## A demo school on http://127.0.0.1:8000 (PORT=8001 for another port)
	@CHESSLOCKER_DATA=$(or $(CHESSLOCKER_DATA),var/demo) DATABASE_URL= CHESSLOCKER_BIND=127.0.0.1:$(PORT) \
		$(BIN)/python manage.py serve --demo

run: install ## For real use: your own school, data in var/
	@$(BIN)/python manage.py serve

test: $(VENV)/dev.stamp ## All tests: SQLite, PostgreSQL where found, a browser where found
	@$(BIN)/python -m tests.run $(ARGS)

prove-ledger: $(VENV)/dev.stamp ## The ledger against an oracle, 5,000 times 50 steps on each database (an hour or two)
	@$(BIN)/python -m tests.prove ledger

prove-pairings: $(VENV)/dev.stamp ## Every pairing of the conformance data beside the project (a few minutes)
	@$(BIN)/python -m tests.prove_pairings

prove-crash: $(VENV)/dev.stamp ## The server killed 300 times while it records, on each database (about half an hour)
	@$(BIN)/python -m tests.prove crash

prove-backups: $(VENV)/dev.stamp ## 50 backups under load restored, 100 damaged ones refused, on each database (some minutes)
	@$(BIN)/python -m tests.prove backups

lint: $(VENV)/dev.stamp ## ruff, formatting, types
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy chesslocker classes ratings tournaments

format: $(VENV)/dev.stamp ## Put the code in shape
	@$(BIN)/ruff check --fix --quiet .
	@$(BIN)/ruff format --quiet .

UV_COMPILE := uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header pyproject.toml
lock: ## Renew the lock files (maintainers; needs uv)
	$(UV_COMPILE) -o requirements.txt
	$(UV_COMPILE) --extra postgres -o requirements-postgres.txt
	$(UV_COMPILE) --extra postgres --group dev -o requirements-dev.txt

messages: ## Collect new texts into the catalogues and compile them (maintainers; needs gettext)
	@$(BIN)/python manage.py makemessages --locale de --locale es --locale fr --ignore .venv --no-location --no-wrap --no-obsolete
	@$(BIN)/python manage.py compilemessages --locale de --locale es --locale fr --verbosity 0

clean: ## Remove the environment and the collected files, never your data
	@rm -rf $(VENV) staticfiles
