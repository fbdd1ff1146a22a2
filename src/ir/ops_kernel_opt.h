/* Optimisation of the element loops, whatever the build type: included first. Loops are vectorised;
 * math functions do not set errno and floating-point flags are not observed, which changes no
 * value. */
#ifndef SCANC_IR_OPS_KERNEL_OPT_H
#define SCANC_IR_OPS_KERNEL_OPT_H

#if defined __GNUC__ && !defined __clang__ && defined __OPTIMIZE__
#pragma GCC optimize("O3", "no-math-errno", "no-trapping-math")
#endif
/* Comparisons of unsigned types with zero are written once for all types. */
#pragma GCC diagnostic ignored "-Wtype-limits"

#endif
