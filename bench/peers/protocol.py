"""What all peers share: a case read from its directory, the check of results, the clock, the JSON lines.

A peer module defines `variants(case)`, which yields Variant(name, prepare). `prepare()` returns `call`
or (call, read): call() computes and returns the results, read(results) makes NumPy arrays of them.
Whatever happens before call() is not timed."""

import collections
import glob
import json
import os
import re
import signal
import subprocess
import time

import numpy as np

Variant = collections.namedtuple("Variant", "name prepare note", defaults=("",))

# A repetition is at least this long, so that reading the clock is no part of it.
SHORTEST_NS = 200_000
# A result that says nothing new after so many.
MOST_REPETITIONS = 1000


class Skip(Exception):
    """This variant cannot or should not run this case; the text says why."""


class Expired(BaseException):
    """The time for a variant is over. No Exception: frameworks catch and wrap those."""


class Elsewhere:
    """What prepare() returns where another process computes: run(seconds, longest) returns the results
    as NumPy arrays and the times of single calls in ns."""

    def __init__(self, run):
        self.run = run


class Case:
    """One directory that `scanc bench` wrote: case.json, program.fx, in.<i>.npy, out.<i>.npy."""

    def __init__(self, path):
        self.path = path
        with open(os.path.join(path, "case.json")) as f:
            about = json.load(f)
        self.name = about["name"]
        self.sizes = about["sizes"]
        self.rtol = float(about.get("rtol", 0))
        self.atol = float(about.get("atol", 0))
        self.inputs = self._arrays("in")
        self.expected = self._arrays("out")

    def _arrays(self, stem):
        count = len(glob.glob(os.path.join(glob.escape(self.path), stem + ".*.npy")))
        return [np.load(os.path.join(self.path, f"{stem}.{i}.npy")) for i in range(count)]

    def program(self):
        path = os.path.join(self.path, "program.fx")
        if not os.path.exists(path):
            raise Skip("the case has no program.fx")
        with open(path) as f:
            return f.read()


def as_arrays(results):
    """Results of any framework, one or a sequence of them, as NumPy arrays."""
    if isinstance(results, (tuple, list)):
        return [np.asarray(r) for r in results]
    return [np.asarray(results)]


def difference(case, results):
    """"" if the results are the expected ones, else what is wrong."""
    if len(results) != len(case.expected):
        return f"{len(results)} results, expected {len(case.expected)}"
    for i, (got, want) in enumerate(zip(results, case.expected)):
        if got.shape != want.shape:
            return f"result {i} has shape {list(got.shape)}, expected {list(want.shape)}"
        if want.dtype.kind in "biu":
            bad = got != want
        else:
            bad = ~np.isclose(got, want, rtol=case.rtol, atol=case.atol, equal_nan=True)
        if bad.any():
            at = tuple(int(k) for k in np.argwhere(bad)[0])
            return (f"result {i} differs in {int(bad.sum())} of {bad.size} elements, "
                    f"at {list(at)}: {got[at]}, expected {want[at]}")
    return ""


def time_call(call, seconds):
    """Times of single calls in ns: at least 10 repetitions, then until `seconds` have passed; three of a
    call that takes longer than that itself, the one that measures it included."""
    start = time.perf_counter_ns()
    call()
    once = max(time.perf_counter_ns() - start, 1)
    batch = max(1, SHORTEST_NS // once)
    budget = seconds * 1e9
    at_least = 10 if once * 10 < 4 * budget else 3
    times = [once] if once > budget else []
    begin = time.perf_counter_ns()
    while len(times) < MOST_REPETITIONS:
        start = time.perf_counter_ns()
        for _ in range(batch):
            call()
        end = time.perf_counter_ns()
        times.append((end - start) / batch)
        if len(times) >= at_least and end - begin >= budget:
            break
    return times


class limit:
    """Raises Expired in what takes longer than so many seconds (as soon as Python code runs again)."""

    def __init__(self, seconds):
        self.seconds = seconds

    def _expired(self, *_):
        raise Expired(f"given up after {self.seconds:g} s")

    def __enter__(self):
        signal.signal(signal.SIGALRM, self._expired)
        signal.setitimer(signal.ITIMER_REAL, self.seconds)

    def __exit__(self, *_):
        signal.setitimer(signal.ITIMER_REAL, 0)


def without_paths(text):
    """Records are shown to others: where things lie on this machine is not their business."""
    return re.sub(r"(?<![\w.])(/[\w.+~-]+){2,}/?", "<path>", text)


def failed(text, late=False):
    return dict(ok=False, times_ns=[], note=without_paths(" ".join(text.split()))[:300], late=late)


def measure(case, variant, seconds, longest):
    """The fields ok, times_ns and note of a variant's line."""
    try:
        with limit(longest):
            prepared = variant.prepare()
            if isinstance(prepared, Elsewhere):
                results, times = prepared.run(seconds, longest)
            else:
                call, read = prepared if isinstance(prepared, tuple) else (prepared, as_arrays)
                results, times = read(call()), None
            wrong = difference(case, results)
            if wrong:
                return failed("result is off: " + wrong)
            return dict(ok=True, times_ns=times or time_call(call, seconds), note=variant.note)
    except Skip as why:
        return failed(str(why))
    except Expired as why:
        return failed(str(why), late=True)
    except subprocess.TimeoutExpired:
        return failed(f"given up after {longest:g} s", late=True)
    except Exception as error:  # whatever a framework throws is its answer to this case
        return failed(f"{type(error).__name__}: {error}")
