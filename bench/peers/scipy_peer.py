"""SciPy: scipy.signal.lfilter for the recursive filters."""

import numpy as np
import scipy
from scipy.signal import lfilter

from protocol import Variant

# Numerator and denominator of each workload's filter; the workload's program has the same numbers.
FILTERS = dict(
    ema_audio=([0.1], [1, -0.9]),
    biquad_audio=([0.0675, 0.1349, 0.0675], [1, -1.143, 0.4128]))


def version():
    return scipy.__version__


def _filter(case):
    if case.name == "ema_lanes":  # with a state to begin from and to hand back
        init, x = case.inputs
        b, a = np.array([0.1], np.float32), np.array([1, -0.9], np.float32)
        start = (init * np.float32(0.9))[None]
        return lambda: lfilter(b, a, x, axis=0, zi=start)[0], lambda y: [y[-1], y]
    x = case.inputs[0]
    b, a = [np.array(p, x.dtype) for p in FILTERS[case.name]]
    return lambda: lfilter(b, a, x, axis=-1)


def variants(case):
    if case.name == "ema_lanes" or case.name in FILTERS:
        yield Variant("lfilter", lambda: _filter(case))
