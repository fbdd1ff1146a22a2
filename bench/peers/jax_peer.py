"""JAX on the CPU: the program with lax.scan, lax.associative_scan and the cumulative operations, jitted."""

import jax
import jax.numpy as jnp

import program
from protocol import Variant

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_platforms", "cpu")
# Products in the precision of their operands.
jax.config.update("jax_default_matmul_precision", "highest")


def version():
    return jax.__version__


def set_threads(_):
    """restrict_threads of run.py has set XLA's flags and the CPUs to run on."""


def scan(combine, init, xs, extras):
    def step(carry, x):
        results = combine(*carry, *x, *extras)
        return tuple(results[:len(init)]), tuple(results[len(init):])

    carry, ys = jax.lax.scan(step, tuple(init), tuple(xs))
    return (*carry, *ys)


def associative_scan(combine, xs, extras):
    def whole(a, b):
        return tuple(jax.vmap(lambda a, b: tuple(combine(*a, *b, *extras)))(a, b))

    return jax.lax.associative_scan(whole, tuple(xs))


def fold_scan(combine, xs, extras):
    """The same prefix as a left fold: less work on one thread than the tree."""
    first = tuple(x[0] for x in xs)

    def step(carry, x):
        y = tuple(combine(*carry, *x, *extras))
        return y, y

    _, ys = jax.lax.scan(step, first, tuple(x[1:] for x in xs))
    return tuple(jnp.concatenate([x[:1], y]) for x, y in zip(xs, ys))


CUMULATIVE = dict(cumsum=jax.lax.cumsum, cumprod=jax.lax.cumprod, cummax=jax.lax.cummax, cummin=jax.lax.cummin,
                  logcumsumexp=jax.lax.cumlogsumexp)


def jitted(function, inputs):
    """Compiled for these inputs, which lie in JAX's memory before the clock starts."""
    arrays = [jnp.asarray(x) for x in inputs]
    compiled = jax.jit(function).lower(*arrays).compile()
    return lambda: jax.block_until_ready(compiled(*arrays))


def _prefix(case, name, axis, indices):
    function = CUMULATIVE[name]
    wide = program.accumulates_wide(case.program())

    def running(x):
        values = function(x.astype(jnp.float64), axis=axis).astype(x.dtype) if wide else function(x, axis=axis)
        if not indices:
            return values
        places = jax.lax.broadcasted_iota(jnp.int64, x.shape, axis)
        return values, jax.lax.cummax(jnp.where(x == values, places, 0), axis=axis)

    return jitted(running, case.inputs)


def _program(case, prefix):
    functions = program.array_functions(jnp)
    return jitted(program.load(case.program(), program.namespace(functions, scan, prefix)), case.inputs)


def variants(case):
    text = case.program()
    prefix = program.prefix_of(text)
    if prefix:
        yield Variant(f"lax.{CUMULATIVE[prefix[0]].__name__}, jit", lambda: _prefix(case, *prefix))
    if "higher_order." not in text and prefix:
        return
    if "higher_order.associative_scan" in text:
        yield Variant("lax.associative_scan, jit", lambda: _program(case, associative_scan))
        yield Variant("left fold by lax.scan, jit", lambda: _program(case, fold_scan))
    else:
        yield Variant("lax.scan, jit" if "higher_order.scan" in text else "jit",
                      lambda: _program(case, associative_scan))
