# `make proof`: the rules, proved at full size (about an hour on two cores); rewrites docs/proof.md.

PYTHON ?= $(if $(wildcard .venv/bin/python),.venv/bin/python,python3)

.PHONY: proof
proof:
	$(PYTHON) -m tests.proof
