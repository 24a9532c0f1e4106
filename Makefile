# Everything a person types. `make help` lists it.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Three workers leave two cores no idle moment: a test waits for its servers now and then.
JOBS ?= 3
# Containers often set it, and each of a session's many processes would compile the whole project again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help run test check format pictures simulate evening attack documents cluster containers bench lock dist clean

help: ## list these targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /|/' | awk -F'|' '{printf "  make %-10s %s\n", $$1, $$2}'

run: $(VENV)/run.stamp ## serve on http://127.0.0.1:8000 with embedded Postgres and Valkey, bots playing (SPINA_PORT, SPINA_DATA)
	@exec $(BIN)/spina serve

test: $(VENV)/dev.stamp ## run every test against real, embedded servers
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal

check: $(VENV)/dev.stamp ## format, lint, types and the fast tests (under a minute)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/python -m tests.services.web.biome ci --error-on-warnings
	$(BIN)/python -m tests.services.web.type_check
	$(BIN)/mypy
	$(BIN)/python -m pytest -q -n $(JOBS) --dist worksteal tests/architecture tests/domain --ignore=tests/domain/rulesets

format: $(VENV)/dev.stamp ## rewrite the sources in the one format
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/python -m tests.services.web.biome check --write

pictures: $(VENV)/dev.stamp ## keep pictures of the pages in .build/pictures, to be looked at
	SPINA_PICTURES=1 $(BIN)/python -m pytest -n $(JOBS) --dist worksteal tests/services/web/test_pictures.py tests/services/web/test_film.py tests/services/web/test_play_page.py tests/services/web/test_new_ruleset.py tests/services/web/seat/test_whole_games.py

simulate: $(VENV)/dev.stamp ## play 10,000 random games (2,000 of Chariotmaster), let bots race on 1,000 random courses, damage every byte of a game, verify hostile files of full size, let both verifiers judge 20,000 damaged games, send 150,000 damaged bodies, requests and frames, let every ruleset meet every outage, and pages outages of two minutes, kill 1,000 notifiers and 1,000 servers, run 10,000 simulated installations, let bots race and play tournaments, play at every table by clicks (long)
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal -k random_play --games 10000 tests/domain/rulesets
	$(BIN)/python -m pytest --courses 1000 -k "random_courses or random_poses" tests/domain/rulesets/chariotmaster tests/services/web/test_course_editor.py
	$(BIN)/python -m pytest --poses 30000 -k oracle tests/domain/rulesets/chariotmaster/table
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal -k flipped --stride 1 tests/domain/audit
	$(BIN)/python -m pytest -s --hostile -k hostile tests/services/audits/test_limits.py
	$(BIN)/python -m pytest -s --damaged 20000 tests/services/web/verify/test_same_verdicts.py
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal --bodies 100000 tests/services/api/test_mutated_bodies.py tests/services/node/edge/test_damaged_requests.py
	$(BIN)/python -m pytest --examples 12 tests/services/api/test_specification.py
	$(BIN)/python -m pytest --kills 1000 tests/services/notices/test_kills.py
	$(BIN)/spina simulate kills --kills 1000
	$(BIN)/python -m pytest --guesses 1000000 -k leaf tests/services/workers/test_timekeeper.py
	$(BIN)/python -m pytest --rulesets all tests/services/whole
	$(BIN)/python -m pytest -s --away 30 --beside 28 tests/services/web/test_outages.py
	$(BIN)/python -m pytest -s --away 120 --beside 28 tests/services/web/test_outages.py
	$(BIN)/python -m pytest --tables 12 tests/services/web/seat/test_every_table.py
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal --every-table tests/services/web/seat/test_every_table.py
	$(BIN)/spina simulate world --seeds 10000
	$(BIN)/spina simulate world --seeds 1000 --planted all
	$(BIN)/spina simulate charioteer --games 300 --bots strategic,longest,random --least 65
	$(BIN)/spina simulate chariot-race --games 300 --bots fast,careful,random --least 65
	$(BIN)/spina simulate chariot-race --games 3000 --seats 6 --bots fast --options '{"chariots":"alternate"}'
	$(BIN)/spina simulate chariotmaster --games 300 --bots ruthless,steady,random --least 65
	$(BIN)/spina simulate variants --ruleset charioteer --games 100
	$(BIN)/spina simulate variants --ruleset chariot-race --games 100
	$(BIN)/spina simulate variants --ruleset chariotmaster --games 8
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal --hypothesis-profile long tests/domain/tournament/test_random_tournaments.py
	$(BIN)/spina simulate tournament --players 64 --rounds 5 --restart kill --bundle .build/cup.tournament.zip
	$(BIN)/python -m pytest --tournament .build/cup.tournament.zip tests/simulate/tournament
	$(BIN)/spina simulate tournament --ruleset chariot-race --format round_robin --players 12 --rounds 5 --restart stop --bundle .build/league.tournament.zip
	$(BIN)/python -m pytest --tournament .build/league.tournament.zip tests/simulate/tournament

evening: $(VENV)/dev.stamp ## rehearse a club's evening: 48 bots at 12 tables, five rounds, every hand of the organisers, a killed server; verified and counted again
	$(BIN)/spina simulate tournament --players 48 --rounds 5 --evening --bundle .build/evening.tournament.zip
	$(BIN)/python -m pytest --tournament .build/evening.tournament.zip tests/simulate/tournament

attack: $(VENV)/dev.stamp ## attack a server over the loopback, and tell what its honest players noticed (half an hour; again behind a proxy with CADDY=caddy)
	$(BIN)/spina simulate attack $(addprefix --caddy ,$(CADDY))

documents: $(VENV)/dev.stamp ## run every command and program of the documents three times, on ports of their own
	for run in 1 2 3; do $(BIN)/python -m pytest -q $$($(BIN)/python -m tests.document_blocks) || exit 1; done

cluster: $(VENV)/dev.stamp $(VENV)/cluster.stamp ## kill and freeze 200 primaries of three databases under Patroni, while bots play (Linux on x86-64, 90 minutes)
	$(BIN)/spina simulate cluster --kills 200

containers: $(VENV)/dev.stamp ## run the tests of the stores against the images of the compose file (needs a container engine)
	$(BIN)/python -m tests.containers
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal --services=containers tests/infra --ignore=tests/infra/embedded

bench: $(VENV)/dev.stamp ## measure side by side, print, and save .build/bench.json (long)
	$(BIN)/spina bench all --json .build/bench.json

lock: $(VENV)/dev.stamp ## write the pins with hashes again, from requirements/*.in
	for of in build production run dev generators cluster; do \
	  $(BIN)/uv pip compile -q --universal --generate-hashes --no-header --python-version 3.11 \
	    requirements/$$of.in -o requirements/$$of.txt || exit 1; \
	done

dist: $(VENV)/dev.stamp ## build wheels, source distribution and npm package of the last commit in dist, the same bytes each time
	rm -rf dist
	$(BIN)/python -m infra.deploy.distributions dist
	$(BIN)/python -m tests.clients.js.package dist

clean: ## remove what make made (not .spina, where games are kept)
	rm -rf $(VENV) .build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis build *.egg-info clients/python/build clients/python/*.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The environment: hashed pins only, then this project itself, editable and without dependencies of its own. The path
# adds the packages of the source tree that are not installed: bench, simulate and tests.
$(VENV)/python.stamp:
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else f"Spina needs Python 3.11 or later, found {sys.version.split()[0]}; try make PYTHON=python3.11")'
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/run.stamp: $(VENV)/python.stamp requirements/build.txt requirements/run.txt pyproject.toml clients/python/pyproject.toml
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements/build.txt -r requirements/run.txt
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-build-isolation --no-deps -e clients/python -e .
	@echo $(CURDIR) > $$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/spina_source_tree.pth
	@touch $@

# Environments of their own: they pin other versions of what the project uses, or what only `make cluster` needs.
$(VENV)/generators.stamp $(VENV)/cluster.stamp: $(VENV)/%.stamp: requirements/%.txt
	$(PYTHON) -m venv $(VENV)/$*
	$(VENV)/$*/bin/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements/$*.txt
	@touch $@

$(VENV)/dev.stamp: $(VENV)/run.stamp $(VENV)/generators.stamp requirements/dev.txt
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements/dev.txt
	@$(BIN)/python -m tests.services.web.chromium
	@touch $@
