#!/usr/bin/env python3
"""run.py PEER CASE_DIR [--threads=N] [--seconds=S] [--limit=S] [--only=VARIANT]
run.py --list

Runs one peer on one case and prints a JSON line per variant:
{"peer", "variant", "version", "ok", "times_ns": [...], "note"}
times_ns are of single calls, timed in this process after a result that was compared with the expected
one. See README.md beside this file."""

import argparse
import importlib
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
PYTHON_PEERS = ("torch", "jax", "numba", "numpy", "scipy", "onnxruntime")
PROGRAM_PEERS = ("cxx", "ggml")  # built by install.sh; they print the same lines themselves


def restrict_threads(count):
    """Before any library is loaded: as many threads as asked for and as many CPUs to run them on."""
    for name in ("OMP", "MKL", "OPENBLAS", "NUMBA"):
        os.environ[name + "_NUM_THREADS"] = str(count)
    if count == 1:
        os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_cpu_multi_thread_eigen=false"
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-count:])


def claim_stdout():
    """The JSON lines go to the old standard output; what libraries print goes to standard error."""
    lines = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    return lines


def run_program(peer, arguments):
    program = os.path.join(HERE, "build", peer)
    if not os.path.exists(program):
        print(json.dumps(dict(peer=peer, variant="", version="", ok=False, times_ns=[],
                              note="not built: see install.sh")))
        return 0
    return subprocess.call([program, arguments.case, str(arguments.seconds), str(arguments.threads)])


def run_module(peer, arguments):
    lines = claim_stdout()

    def say(variant, version, **fields):
        print(json.dumps(dict(peer=peer, variant=variant, version=version, **fields)), file=lines)

    try:
        import protocol
        module = importlib.import_module(peer + "_peer")
    except ImportError as error:
        say("", "", ok=False, times_ns=[], note=f"not installed: {error}")
        return
    case = protocol.Case(arguments.case)
    module.set_threads(arguments.threads)
    for variant in module.variants(case):
        if arguments.only in (None, variant.name):
            result = protocol.measure(case, variant, arguments.seconds, arguments.limit)
            say(variant.name, module.version(), **result)


def main():
    if sys.argv[1:] == ["--list"]:
        print("\n".join(PYTHON_PEERS + PROGRAM_PEERS))
        return 0
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("peer", choices=PYTHON_PEERS + PROGRAM_PEERS)
    parser.add_argument("case")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--limit", type=float, default=120)
    parser.add_argument("--only")
    arguments = parser.parse_args()
    restrict_threads(arguments.threads)
    if arguments.peer in PROGRAM_PEERS:
        return run_program(arguments.peer, arguments)
    run_module(arguments.peer, arguments)
    return 0


if __name__ == "__main__":
    sys.exit(main())
