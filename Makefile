# `make proof`: rules and secrecy, proved at full size (an hour or two on two cores); rewrites docs/proof.md, but for
# the notes at its end.

PYTHON ?= $(if $(wildcard .venv/bin/python),.venv/bin/python,python3)

.PHONY: proof
proof:
	$(PYTHON) -m tests.proof
