#!/usr/bin/env python3
"""run.py PEER CASE_DIR [--threads=N] [--seconds=S] [--limit=S] [--only=VARIANT] [--skip=VARIANT ...]
run.py PEER --serve [--threads=N]
run.py --list

Runs one peer on one case and prints a JSON line per variant:
{"peer", "variant", "version", "ok", "times_ns": [...], "note", "late"}
times_ns are of single calls, timed in this process after a result that was compared with the expected
one. --serve loads the framework once and answers lines of standard input, each a JSON list of CASE_DIR and
options, with the same lines and an empty one; every case is run by a fork of that process. See README.md beside
this file."""

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
    for name in ("OMP", "MKL", "OPENBLAS"):
        os.environ[name + "_NUM_THREADS"] = str(count)
    # One compiler of torch.compile at a time, in this process: it would start others that load PyTorch again.
    os.environ.setdefault("TORCHINDUCTOR_COMPILE_THREADS", "1")
    if count == 1:
        os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_cpu_multi_thread_eigen=false"
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-count:])


def claim_stdout():
    """The JSON lines go to the old standard output; what libraries print goes to standard error."""
    lines = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    return lines


def kind_of(case):
    """What the programs in C++ are told to compute: a prefix operation, "affine", or the workload's name."""
    import program
    text = case.program()
    prefix = program.prefix_of(text)
    if case.inputs[0].ndim == 1 and case.name != "mamba_scan":
        if prefix and not prefix[2] and not program.accumulates_wide(text):
            return prefix[0]
        if case.name == "affine_scan":
            return "affine"
    return case.name


def run_program(peer, arguments, lines):
    def answer(note, variant=""):
        print(json.dumps(dict(peer=peer, variant=variant, version="", ok=False, times_ns=[], note=note)), file=lines)

    path = os.path.join(HERE, "build", peer)
    if not os.path.exists(path):
        return answer("not built: see bench/peers/install.sh")
    try:
        import protocol
    except ImportError as error:
        return answer(f"not installed: {error}")
    case = protocol.Case(arguments.case)
    try:
        done = subprocess.run([path, arguments.case, kind_of(case), str(arguments.seconds), str(arguments.threads),
                               str(case.rtol), str(case.atol)], timeout=arguments.limit, check=False, stdout=lines)
        if done.returncode:
            answer(f"its process failed with {done.returncode}", "all")
    except subprocess.TimeoutExpired:
        answer(f"given up after {arguments.limit:g} s", "all")


def run_module(peer, arguments, lines):
    def say(variant, version, **fields):
        print(json.dumps(dict(peer=peer, variant=variant, version=version, **fields)), file=lines)

    try:
        import protocol
        module = importlib.import_module(peer + "_peer")
    except ImportError as error:
        say("", "", ok=False, times_ns=[], note=f"not installed: {error}")
        return
    case = protocol.Case(arguments.case)
    if hasattr(module, "set_threads"):
        module.set_threads(arguments.threads)
    elif arguments.threads > 1:
        return
    for variant in module.variants(case):
        if arguments.only in (None, variant.name):
            skip = variant.name in arguments.skip
            result = (protocol.failed("not tried: given up at a smaller size") if skip else
                      protocol.measure(case, variant, arguments.seconds, arguments.limit))
            say(variant.name, module.version(), **result)


def run(arguments, lines):
    (run_program if arguments.peer in PROGRAM_PEERS else run_module)(arguments.peer, arguments, lines)


def preload(peer):
    """What a peer that is not installed lacks is said when it is asked."""
    try:
        importlib.import_module("protocol")
        module = importlib.import_module(peer + "_peer")
        if hasattr(module, "preload"):
            module.preload()
    except ImportError:
        pass


def serve(parser, peer, threads, lines):
    preload(peer)
    for line in sys.stdin:
        arguments = parser.parse_args([peer, *json.loads(line), f"--threads={threads}"])
        process = os.fork()
        if process == 0:
            try:
                run(arguments, lines)
                lines.flush()
                os._exit(0)
            except BaseException:
                sys.excepthook(*sys.exc_info())
                os._exit(1)
        _, status = os.waitpid(process, 0)
        if status:
            print(json.dumps(dict(peer=peer, variant="all", version="", ok=False, times_ns=[],
                                  note=f"its process failed with {os.waitstatus_to_exitcode(status)}")), file=lines)
        print(file=lines)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("peer", nargs="?", choices=PYTHON_PEERS + PROGRAM_PEERS)
    parser.add_argument("case", nargs="?")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--serve", action="store_true")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--limit", type=float, default=120)
    parser.add_argument("--only")
    parser.add_argument("--skip", action="append", default=[])
    arguments = parser.parse_args()
    if arguments.list:
        print(*PYTHON_PEERS, *PROGRAM_PEERS, sep="\n")
        return
    if not arguments.peer or not (arguments.case or arguments.serve):
        parser.error("which peer and which case?")
    restrict_threads(arguments.threads)
    lines = claim_stdout()
    if arguments.serve:
        serve(parser, arguments.peer, arguments.threads, lines)
    else:
        run(arguments, lines)


if __name__ == "__main__":
    main()
