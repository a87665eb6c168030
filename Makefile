# Two commands: `make run` and `make test`. Each sets up what it needs first; see README.md.
.POSIX:
.PHONY: run test lint types layers tests bench screenshots lock clean

VENV = .venv
OUT = out
BIN = $(VENV)/bin
SAMPLE = resources/samples/occupancy-head.onnx

run:
	@VENV="$(VENV)" sh scripts/setup.sh run
	@sh scripts/run.sh "$(VENV)" "$(OUT)" "$(SAMPLE)"

# The whole gate. pytest comes last, so that its closing line is the last one printed.
test:
	@VENV="$(VENV)" sh scripts/setup.sh test
	@$(MAKE) --no-print-directory lint types layers tests

lint:
	"$(BIN)"/ruff format --check .
	"$(BIN)"/ruff check .

types:
	"$(BIN)"/mypy

layers:
	"$(BIN)"/lint-imports

tests:
	QT_QPA_PLATFORM=offscreen "$(BIN)"/python -m pytest -q

bench:
	@VENV="$(VENV)" sh scripts/setup.sh test
	"$(BIN)"/python -m benchmarks

screenshots:
	@VENV="$(VENV)" sh scripts/setup.sh run
	QT_QPA_PLATFORM=offscreen "$(BIN)"/python scripts/screenshots.py docs/screenshots

lock:
	sh scripts/lock.sh

clean:
	rm -rf "$(VENV)" "$(OUT)" build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
