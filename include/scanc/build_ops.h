/* clang-format off */
/* One call per operator: part of scanc/build.h. Written by tests/unit/build_ops.c from the op table; docs/ops.md says
 * what each one is in PyTorch. */
#define scanc_add(...) SCANC_OP_(0, add, 2, __VA_ARGS__) /* self, other */
#define scanc_add_scaled(...) SCANC_OP_(0, add_scaled, 3, __VA_ARGS__) /* self, other, alpha=1 */
#define scanc_sub(...) SCANC_OP_(0, sub, 2, __VA_ARGS__) /* self, other */
#define scanc_sub_scaled(...) SCANC_OP_(0, sub_scaled, 3, __VA_ARGS__) /* self, other, alpha=1 */
#define scanc_rsub(...) SCANC_OP_(0, rsub, 2, __VA_ARGS__) /* self, other */
#define scanc_rsub_scaled(...) SCANC_OP_(0, rsub_scaled, 3, __VA_ARGS__) /* self, other, alpha=1 */
#define scanc_mul(...) SCANC_OP_(0, mul, 2, __VA_ARGS__) /* self, other */
#define scanc_div(...) SCANC_OP_(0, div, 2, __VA_ARGS__) /* self, other */
#define scanc_div_trunc(...) SCANC_OP_(0, div_trunc, 2, __VA_ARGS__) /* self, other */
#define scanc_floor_divide(...) SCANC_OP_(0, floor_divide, 2, __VA_ARGS__) /* self, other */
#define scanc_remainder(...) SCANC_OP_(0, remainder, 2, __VA_ARGS__) /* self, other */
#define scanc_fmod(...) SCANC_OP_(0, fmod, 2, __VA_ARGS__) /* self, other */
#define scanc_neg(...) SCANC_OP_(0, neg, 1, __VA_ARGS__) /* self */
#define scanc_abs(...) SCANC_OP_(0, abs, 1, __VA_ARGS__) /* self */
#define scanc_sign(...) SCANC_OP_(0, sign, 1, __VA_ARGS__) /* self */
#define scanc_sgn(...) SCANC_OP_(0, sgn, 1, __VA_ARGS__) /* self */
#define scanc_reciprocal(...) SCANC_OP_(0, reciprocal, 1, __VA_ARGS__) /* self */
#define scanc_square(...) SCANC_OP_(0, square, 1, __VA_ARGS__) /* self */
#define scanc_pow(...) SCANC_OP_(0, pow, 2, __VA_ARGS__) /* self, exponent */
#define scanc_pow_scalar(...) SCANC_OP_(0, pow_scalar, 2, __VA_ARGS__) /* self, exponent */
#define scanc_addcmul(...) SCANC_OP_(0, addcmul, 3, __VA_ARGS__) /* self, tensor1, tensor2 */
#define scanc_addcmul_scaled(...) SCANC_OP_(0, addcmul_scaled, 4, __VA_ARGS__) /* self, tensor1, tensor2, value=1 */
#define scanc_addcdiv(...) SCANC_OP_(0, addcdiv, 3, __VA_ARGS__) /* self, tensor1, tensor2 */
#define scanc_addcdiv_scaled(...) SCANC_OP_(0, addcdiv_scaled, 4, __VA_ARGS__) /* self, tensor1, tensor2, value=1 */
#define scanc_fma(...) SCANC_OP_(0, fma, 3, __VA_ARGS__) /* a, b, c */
#define scanc_lerp(...) SCANC_OP_(0, lerp, 3, __VA_ARGS__) /* self, end, weight */
#define scanc_conj(...) SCANC_OP_(0, conj, 1, __VA_ARGS__) /* self */
#define scanc_sqrt(...) SCANC_OP_(0, sqrt, 1, __VA_ARGS__) /* self */
#define scanc_rsqrt(...) SCANC_OP_(0, rsqrt, 1, __VA_ARGS__) /* self */
#define scanc_exp(...) SCANC_OP_(0, exp, 1, __VA_ARGS__) /* self */
#define scanc_exp2(...) SCANC_OP_(0, exp2, 1, __VA_ARGS__) /* self */
#define scanc_expm1(...) SCANC_OP_(0, expm1, 1, __VA_ARGS__) /* self */
#define scanc_log(...) SCANC_OP_(0, log, 1, __VA_ARGS__) /* self */
#define scanc_log2(...) SCANC_OP_(0, log2, 1, __VA_ARGS__) /* self */
#define scanc_log10(...) SCANC_OP_(0, log10, 1, __VA_ARGS__) /* self */
#define scanc_log1p(...) SCANC_OP_(0, log1p, 1, __VA_ARGS__) /* self */
#define scanc_sin(...) SCANC_OP_(0, sin, 1, __VA_ARGS__) /* self */
#define scanc_cos(...) SCANC_OP_(0, cos, 1, __VA_ARGS__) /* self */
#define scanc_tan(...) SCANC_OP_(0, tan, 1, __VA_ARGS__) /* self */
#define scanc_asin(...) SCANC_OP_(0, asin, 1, __VA_ARGS__) /* self */
#define scanc_acos(...) SCANC_OP_(0, acos, 1, __VA_ARGS__) /* self */
#define scanc_atan(...) SCANC_OP_(0, atan, 1, __VA_ARGS__) /* self */
#define scanc_sinh(...) SCANC_OP_(0, sinh, 1, __VA_ARGS__) /* self */
#define scanc_cosh(...) SCANC_OP_(0, cosh, 1, __VA_ARGS__) /* self */
#define scanc_tanh(...) SCANC_OP_(0, tanh, 1, __VA_ARGS__) /* self */
#define scanc_asinh(...) SCANC_OP_(0, asinh, 1, __VA_ARGS__) /* self */
#define scanc_acosh(...) SCANC_OP_(0, acosh, 1, __VA_ARGS__) /* self */
#define scanc_atanh(...) SCANC_OP_(0, atanh, 1, __VA_ARGS__) /* self */
#define scanc_tanh_rest(...) SCANC_OP_(0, tanh_rest, 1, __VA_ARGS__) /* self */
#define scanc_atan2(...) SCANC_OP_(0, atan2, 2, __VA_ARGS__) /* self, other */
#define scanc_hypot(...) SCANC_OP_(0, hypot, 2, __VA_ARGS__) /* self, other */
#define scanc_erf(...) SCANC_OP_(0, erf, 1, __VA_ARGS__) /* self */
#define scanc_erfc(...) SCANC_OP_(0, erfc, 1, __VA_ARGS__) /* self */
#define scanc_erfinv(...) SCANC_OP_(0, erfinv, 1, __VA_ARGS__) /* self */
#define scanc_lgamma(...) SCANC_OP_(0, lgamma, 1, __VA_ARGS__) /* self */
#define scanc_digamma(...) SCANC_OP_(0, digamma, 1, __VA_ARGS__) /* self */
#define scanc_ndtr(...) SCANC_OP_(0, ndtr, 1, __VA_ARGS__) /* self */
#define scanc_logit(...) SCANC_OP_(0, logit, 1, __VA_ARGS__) /* self */
#define scanc_logit_eps(...) SCANC_OP_(0, logit_eps, 2, __VA_ARGS__) /* self, eps */
#define scanc_sinc(...) SCANC_OP_(0, sinc, 1, __VA_ARGS__) /* self */
#define scanc_deg2rad(...) SCANC_OP_(0, deg2rad, 1, __VA_ARGS__) /* self */
#define scanc_rad2deg(...) SCANC_OP_(0, rad2deg, 1, __VA_ARGS__) /* self */
#define scanc_angle(...) SCANC_OP_(0, angle, 1, __VA_ARGS__) /* self */
#define scanc_logaddexp(...) SCANC_OP_(0, logaddexp, 2, __VA_ARGS__) /* self, other */
#define scanc_logaddexp2(...) SCANC_OP_(0, logaddexp2, 2, __VA_ARGS__) /* self, other */
#define scanc_xlogy(...) SCANC_OP_(0, xlogy, 2, __VA_ARGS__) /* self, other */
#define scanc_xlog1py(...) SCANC_OP_(0, xlog1py, 2, __VA_ARGS__) /* self, other */
#define scanc_copysign(...) SCANC_OP_(0, copysign, 2, __VA_ARGS__) /* self, other */
#define scanc_nextafter(...) SCANC_OP_(0, nextafter, 2, __VA_ARGS__) /* self, other */
#define scanc_heaviside(...) SCANC_OP_(0, heaviside, 2, __VA_ARGS__) /* self, values */
#define scanc_floor(...) SCANC_OP_(0, floor, 1, __VA_ARGS__) /* self */
#define scanc_ceil(...) SCANC_OP_(0, ceil, 1, __VA_ARGS__) /* self */
#define scanc_trunc(...) SCANC_OP_(0, trunc, 1, __VA_ARGS__) /* self */
#define scanc_round(...) SCANC_OP_(0, round, 1, __VA_ARGS__) /* self */
#define scanc_round_decimals(...) SCANC_OP_(0, round_decimals, 2, __VA_ARGS__) /* self, decimals */
#define scanc_frac(...) SCANC_OP_(0, frac, 1, __VA_ARGS__) /* self */
#define scanc_maximum(...) SCANC_OP_(0, maximum, 2, __VA_ARGS__) /* self, other */
#define scanc_minimum(...) SCANC_OP_(0, minimum, 2, __VA_ARGS__) /* self, other */
#define scanc_fmax(...) SCANC_OP_(0, fmax, 2, __VA_ARGS__) /* self, other */
#define scanc_fmin(...) SCANC_OP_(0, fmin, 2, __VA_ARGS__) /* self, other */
#define scanc_clamp(...) SCANC_OP_(0, clamp, 3, __VA_ARGS__) /* self, min, max */
#define scanc_clamp_min(...) SCANC_OP_(0, clamp_min, 2, __VA_ARGS__) /* self, min */
#define scanc_clamp_max(...) SCANC_OP_(0, clamp_max, 2, __VA_ARGS__) /* self, max */
#define scanc_where(...) SCANC_OP_(0, where, 3, __VA_ARGS__) /* condition, self, other */
#define scanc_masked_fill(...) SCANC_OP_(0, masked_fill, 3, __VA_ARGS__) /* mask, self, value */
#define scanc_fill(...) SCANC_OP_(0, fill, 2, __VA_ARGS__) /* self, value */
#define scanc_copy(...) SCANC_OP_(0, copy, 2, __VA_ARGS__) /* self, src */
#define scanc_eq(...) SCANC_OP_(0, eq, 2, __VA_ARGS__) /* self, other */
#define scanc_ne(...) SCANC_OP_(0, ne, 2, __VA_ARGS__) /* self, other */
#define scanc_lt(...) SCANC_OP_(0, lt, 2, __VA_ARGS__) /* self, other */
#define scanc_le(...) SCANC_OP_(0, le, 2, __VA_ARGS__) /* self, other */
#define scanc_gt(...) SCANC_OP_(0, gt, 2, __VA_ARGS__) /* self, other */
#define scanc_ge(...) SCANC_OP_(0, ge, 2, __VA_ARGS__) /* self, other */
#define scanc_isnan(...) SCANC_OP_(0, isnan, 1, __VA_ARGS__) /* self */
#define scanc_isinf(...) SCANC_OP_(0, isinf, 1, __VA_ARGS__) /* self */
#define scanc_isfinite(...) SCANC_OP_(0, isfinite, 1, __VA_ARGS__) /* self */
#define scanc_isposinf(...) SCANC_OP_(0, isposinf, 1, __VA_ARGS__) /* self */
#define scanc_isneginf(...) SCANC_OP_(0, isneginf, 1, __VA_ARGS__) /* self */
#define scanc_signbit(...) SCANC_OP_(0, signbit, 1, __VA_ARGS__) /* self */
#define scanc_logical_and(...) SCANC_OP_(0, logical_and, 2, __VA_ARGS__) /* self, other */
#define scanc_logical_or(...) SCANC_OP_(0, logical_or, 2, __VA_ARGS__) /* self, other */
#define scanc_logical_xor(...) SCANC_OP_(0, logical_xor, 2, __VA_ARGS__) /* self, other */
#define scanc_logical_not(...) SCANC_OP_(0, logical_not, 1, __VA_ARGS__) /* self */
#define scanc_bitwise_and(...) SCANC_OP_(0, bitwise_and, 2, __VA_ARGS__) /* self, other */
#define scanc_bitwise_or(...) SCANC_OP_(0, bitwise_or, 2, __VA_ARGS__) /* self, other */
#define scanc_bitwise_xor(...) SCANC_OP_(0, bitwise_xor, 2, __VA_ARGS__) /* self, other */
#define scanc_bitwise_not(...) SCANC_OP_(0, bitwise_not, 1, __VA_ARGS__) /* self */
#define scanc_shift_left(...) SCANC_OP_(0, shift_left, 2, __VA_ARGS__) /* self, other */
#define scanc_shift_right(...) SCANC_OP_(0, shift_right, 2, __VA_ARGS__) /* self, other */
#define scanc_sigmoid(...) SCANC_OP_(0, sigmoid, 1, __VA_ARGS__) /* self */
#define scanc_log_sigmoid(...) SCANC_OP_(0, log_sigmoid, 1, __VA_ARGS__) /* self */
#define scanc_relu(...) SCANC_OP_(0, relu, 1, __VA_ARGS__) /* self */
#define scanc_relu6(...) SCANC_OP_(0, relu6, 1, __VA_ARGS__) /* self */
#define scanc_hardtanh(...) SCANC_OP_(0, hardtanh, 3, __VA_ARGS__) /* self, min_val=-1, max_val=1 */
#define scanc_silu(...) SCANC_OP_(0, silu, 1, __VA_ARGS__) /* self */
#define scanc_gelu(...) SCANC_OP_(0, gelu, 1, __VA_ARGS__) /* self */
#define scanc_gelu_tanh(...) SCANC_OP_(0, gelu_tanh, 1, __VA_ARGS__) /* self */
#define scanc_elu(...) SCANC_OP_(0, elu, 4, __VA_ARGS__) /* self, alpha=1, scale=1, input_scale=1 */
#define scanc_selu(...) SCANC_OP_(0, selu, 1, __VA_ARGS__) /* self */
#define scanc_celu(...) SCANC_OP_(0, celu, 2, __VA_ARGS__) /* self, alpha=1 */
#define scanc_leaky_relu(...) SCANC_OP_(0, leaky_relu, 2, __VA_ARGS__) /* self, negative_slope=0.01 */
#define scanc_prelu_kernel(...) SCANC_OP_(0, prelu_kernel, 2, __VA_ARGS__) /* self, weight */
#define scanc_hardsigmoid(...) SCANC_OP_(0, hardsigmoid, 1, __VA_ARGS__) /* self */
#define scanc_hardswish(...) SCANC_OP_(0, hardswish, 1, __VA_ARGS__) /* self */
#define scanc_mish(...) SCANC_OP_(0, mish, 1, __VA_ARGS__) /* self */
#define scanc_softplus(...) SCANC_OP_(0, softplus, 3, __VA_ARGS__) /* self, beta=1, threshold=20 */
#define scanc_threshold(...) SCANC_OP_(0, threshold, 3, __VA_ARGS__) /* self, threshold, value */
#define scanc_hardshrink(...) SCANC_OP_(0, hardshrink, 2, __VA_ARGS__) /* self, lambd=0.5 */
#define scanc_softshrink(...) SCANC_OP_(0, softshrink, 2, __VA_ARGS__) /* self, lambd=0.5 */
#define scanc_tanh_backward(...) SCANC_OP_(0, tanh_backward, 2, __VA_ARGS__) /* grad_output, output */
#define scanc_sigmoid_backward(...) SCANC_OP_(0, sigmoid_backward, 2, __VA_ARGS__) /* grad_output, output */
#define scanc_threshold_backward(...) SCANC_OP_(0, threshold_backward, 3, __VA_ARGS__) /* grad_output, self, threshold */
#define scanc_silu_backward(...) SCANC_OP_(0, silu_backward, 2, __VA_ARGS__) /* grad_output, self */
#define scanc_gelu_backward(...) SCANC_OP_(0, gelu_backward, 2, __VA_ARGS__) /* grad_output, self */
#define scanc_gelu_tanh_backward(...) SCANC_OP_(0, gelu_tanh_backward, 2, __VA_ARGS__) /* grad_output, self */
#define scanc_mish_backward(...) SCANC_OP_(0, mish_backward, 2, __VA_ARGS__) /* grad_output, self */
#define scanc_leaky_relu_backward(...) SCANC_OP_(0, leaky_relu_backward, 4, __VA_ARGS__) /* grad_output, self, negative_slope, self_is_result */
#define scanc_hardtanh_backward(...) SCANC_OP_(0, hardtanh_backward, 4, __VA_ARGS__) /* grad_output, self, min_val, max_val */
#define scanc_hardsigmoid_backward(...) SCANC_OP_(0, hardsigmoid_backward, 2, __VA_ARGS__) /* grad_output, self */
#define scanc_hardswish_backward(...) SCANC_OP_(0, hardswish_backward, 2, __VA_ARGS__) /* grad_output, self */
#define scanc_softplus_backward(...) SCANC_OP_(0, softplus_backward, 4, __VA_ARGS__) /* grad_output, self, beta, threshold */
#define scanc_shrink_backward(...) SCANC_OP_(0, shrink_backward, 3, __VA_ARGS__) /* grad_output, self, lambd */
#define scanc_softsign(...) SCANC_OP_(0, softsign, 1, __VA_ARGS__) /* self */
#define scanc_tanhshrink(...) SCANC_OP_(0, tanhshrink, 1, __VA_ARGS__) /* self */
#define scanc_prelu(...) SCANC_OP_(0, prelu, 2, __VA_ARGS__) /* self, weight */
#define scanc_elu_backward(...) SCANC_OP_(0, elu_backward, 6, __VA_ARGS__) /* grad_output, alpha, scale, input_scale, is_result, self_or_result */
#define scanc_log_sigmoid_backward(...) SCANC_OP_(0, log_sigmoid_backward, 3, __VA_ARGS__) /* grad_output, self, buffer */
#define scanc_nan_to_num(...) SCANC_OP_(0, nan_to_num, 4, __VA_ARGS__) /* self, nan=None, posinf=None, neginf=None */
#define scanc_float_power(...) SCANC_OP_(0, float_power, 2, __VA_ARGS__) /* self, exponent */
#define scanc_ldexp(...) SCANC_OP_(0, ldexp, 2, __VA_ARGS__) /* self, other */
#define scanc_div_mode(...) SCANC_OP_(0, div_mode, 3, __VA_ARGS__) /* self, other, rounding_mode */
#define scanc_gelu_mode(...) SCANC_OP_(0, gelu_mode, 2, __VA_ARGS__) /* self, approximate='none' */
#define scanc_gelu_mode_backward(...) SCANC_OP_(0, gelu_mode_backward, 3, __VA_ARGS__) /* grad_output, self, approximate='none' */
#define scanc_inplace_mode(...) SCANC_OP_(0, inplace_mode, 10, __VA_ARGS__) /* self, alpha=1, negative_slope=0.01, min_val=-1, max_val=1, threshold=0, value=0, p=0.5, training=True, inplace=False */
#define scanc_clone(...) SCANC_OP_(0, clone, 1, __VA_ARGS__) /* self */
#define scanc_alias(...) SCANC_OP_(0, alias, 1, __VA_ARGS__) /* self */
#define scanc_to(...) SCANC_OP_(0, to, 3, __VA_ARGS__) /* self, dtype=None, other=None */
#define scanc_dropout(...) SCANC_OP_(0, dropout, 3, __VA_ARGS__) /* self, p=0.5, train=True */
#define scanc_native_dropout(...) SCANC_OP_(0, native_dropout, 3, __VA_ARGS__) /* input, p=0.5, train=True */
#define scanc_log_sigmoid_forward(...) SCANC_OP_(0, log_sigmoid_forward, 1, __VA_ARGS__) /* self */
#define scanc_complex(...) SCANC_OP_(0, complex, 2, __VA_ARGS__) /* real, imag */
#define scanc_polar(...) SCANC_OP_(0, polar, 2, __VA_ARGS__) /* abs, angle */
#define scanc_full(mod, ...) SCANC_OP_(mod, full, 3, __VA_ARGS__) /* size, fill_value, dtype=None */
#define scanc_zeros(mod, ...) SCANC_OP_(mod, zeros, 3, __VA_ARGS__) /* size, stride=None, dtype=None */
#define scanc_ones(mod, ...) SCANC_OP_(mod, ones, 2, __VA_ARGS__) /* size, dtype=None */
#define scanc_full_like(...) SCANC_OP_(0, full_like, 3, __VA_ARGS__) /* self, fill_value, dtype=None */
#define scanc_zeros_like(...) SCANC_OP_(0, zeros_like, 2, __VA_ARGS__) /* self, dtype=None */
#define scanc_ones_like(...) SCANC_OP_(0, ones_like, 2, __VA_ARGS__) /* self, dtype=None */
#define scanc_new_full(...) SCANC_OP_(0, new_full, 4, __VA_ARGS__) /* self, size, fill_value, dtype=None */
#define scanc_new_zeros(...) SCANC_OP_(0, new_zeros, 4, __VA_ARGS__) /* self, size, stride=None, dtype=None */
#define scanc_new_ones(...) SCANC_OP_(0, new_ones, 3, __VA_ARGS__) /* self, size, dtype=None */
#define scanc_scalar_tensor(mod, ...) SCANC_OP_(mod, scalar_tensor, 2, __VA_ARGS__) /* s, dtype=None */
#define scanc_tensor_literal(mod, ...) SCANC_OP_(mod, tensor_literal, 2, __VA_ARGS__) /* data, dtype=None */
#define scanc_arange(mod, ...) SCANC_OP_(mod, arange, 4, __VA_ARGS__) /* end, start=0, step=1, dtype=None */
#define scanc_linspace(mod, ...) SCANC_OP_(mod, linspace, 4, __VA_ARGS__) /* start, end, steps, dtype=None */
#define scanc_logspace(mod, ...) SCANC_OP_(mod, logspace, 5, __VA_ARGS__) /* start, end, steps, base=10.0, dtype=None */
#define scanc_eye(mod, ...) SCANC_OP_(mod, eye, 3, __VA_ARGS__) /* n, m=None, dtype=None */
#define scanc_view(...) SCANC_OP_(0, view, 2, __VA_ARGS__) /* self, size */
#define scanc_view_as(...) SCANC_OP_(0, view_as, 2, __VA_ARGS__) /* self, other */
#define scanc_view_dtype(...) SCANC_OP_(0, view_dtype, 2, __VA_ARGS__) /* self, dtype */
#define scanc_reshape(...) SCANC_OP_(0, reshape, 2, __VA_ARGS__) /* self, size */
#define scanc_reshape_as(...) SCANC_OP_(0, reshape_as, 2, __VA_ARGS__) /* self, other */
#define scanc_flatten(...) SCANC_OP_(0, flatten, 3, __VA_ARGS__) /* self, start_dim=0, end_dim=-1 */
#define scanc_unflatten(...) SCANC_OP_(0, unflatten, 3, __VA_ARGS__) /* self, dim, sizes */
#define scanc_unsqueeze(...) SCANC_OP_(0, unsqueeze, 2, __VA_ARGS__) /* self, dim */
#define scanc_squeeze(...) SCANC_OP_(0, squeeze, 2, __VA_ARGS__) /* self, dim=None */
#define scanc_atleast_1d(...) SCANC_OP_(0, atleast_1d, 1, __VA_ARGS__) /* self */
#define scanc_atleast_2d(...) SCANC_OP_(0, atleast_2d, 1, __VA_ARGS__) /* self */
#define scanc_atleast_3d(...) SCANC_OP_(0, atleast_3d, 1, __VA_ARGS__) /* self */
#define scanc_permute(...) SCANC_OP_(0, permute, 2, __VA_ARGS__) /* self, dims */
#define scanc_transpose(...) SCANC_OP_(0, transpose, 3, __VA_ARGS__) /* self, dim0, dim1 */
#define scanc_t(...) SCANC_OP_(0, t, 1, __VA_ARGS__) /* self */
#define scanc_numpy_T(...) SCANC_OP_(0, numpy_T, 1, __VA_ARGS__) /* self */
#define scanc_mT(...) SCANC_OP_(0, mT, 1, __VA_ARGS__) /* self */
#define scanc_adjoint(...) SCANC_OP_(0, adjoint, 1, __VA_ARGS__) /* self */
#define scanc_movedim(...) SCANC_OP_(0, movedim, 3, __VA_ARGS__) /* self, source, destination */
#define scanc_expand(...) SCANC_OP_(0, expand, 2, __VA_ARGS__) /* self, size */
#define scanc_expand_as(...) SCANC_OP_(0, expand_as, 2, __VA_ARGS__) /* self, other */
#define scanc_broadcast_tensors(...) SCANC_OP_(0, broadcast_tensors, 1, __VA_ARGS__) /* tensors */
#define scanc_meshgrid(...) SCANC_OP_(0, meshgrid, 2, __VA_ARGS__) /* tensors, indexing='ij' */
#define scanc_select(...) SCANC_OP_(0, select, 3, __VA_ARGS__) /* self, dim, index */
#define scanc_slice(...) SCANC_OP_(0, slice, 5, __VA_ARGS__) /* self, dim=0, start=None, end=None, step=1 */
#define scanc_narrow(...) SCANC_OP_(0, narrow, 4, __VA_ARGS__) /* self, dim, start, length */
#define scanc_split(...) SCANC_OP_(0, split, 3, __VA_ARGS__) /* self, split_size, dim=0 */
#define scanc_split_with_sizes(...) SCANC_OP_(0, split_with_sizes, 3, __VA_ARGS__) /* self, split_sizes, dim=0 */
#define scanc_chunk(...) SCANC_OP_(0, chunk, 3, __VA_ARGS__) /* self, chunks, dim=0 */
#define scanc_tensor_split(...) SCANC_OP_(0, tensor_split, 3, __VA_ARGS__) /* self, sections, dim=0 */
#define scanc_hsplit(...) SCANC_OP_(0, hsplit, 2, __VA_ARGS__) /* self, sections */
#define scanc_vsplit(...) SCANC_OP_(0, vsplit, 2, __VA_ARGS__) /* self, sections */
#define scanc_dsplit(...) SCANC_OP_(0, dsplit, 2, __VA_ARGS__) /* self, sections */
#define scanc_unbind(...) SCANC_OP_(0, unbind, 2, __VA_ARGS__) /* self, dim=0 */
#define scanc_unfold(...) SCANC_OP_(0, unfold, 4, __VA_ARGS__) /* self, dimension, size, step */
#define scanc_diagonal(...) SCANC_OP_(0, diagonal, 4, __VA_ARGS__) /* self, offset=0, dim1=0, dim2=1 */
#define scanc_as_strided(...) SCANC_OP_(0, as_strided, 4, __VA_ARGS__) /* self, size, stride, storage_offset=None */
#define scanc_view_as_real(...) SCANC_OP_(0, view_as_real, 1, __VA_ARGS__) /* self */
#define scanc_view_as_complex(...) SCANC_OP_(0, view_as_complex, 1, __VA_ARGS__) /* self */
#define scanc_real(...) SCANC_OP_(0, real, 1, __VA_ARGS__) /* self */
#define scanc_imag(...) SCANC_OP_(0, imag, 1, __VA_ARGS__) /* self */
#define scanc_tensor_getitem(...) SCANC_OP_(0, tensor_getitem, 2, __VA_ARGS__) /* self, index */
#define scanc_tensor_setitem(...) SCANC_OP_(0, tensor_setitem, 3, __VA_ARGS__) /* self, index, value */
#define scanc_cat(...) SCANC_OP_(0, cat, 2, __VA_ARGS__) /* tensors, dim=0 */
#define scanc_stack(...) SCANC_OP_(0, stack, 2, __VA_ARGS__) /* tensors, dim=0 */
#define scanc_hstack(...) SCANC_OP_(0, hstack, 1, __VA_ARGS__) /* tensors */
#define scanc_vstack(...) SCANC_OP_(0, vstack, 1, __VA_ARGS__) /* tensors */
#define scanc_dstack(...) SCANC_OP_(0, dstack, 1, __VA_ARGS__) /* tensors */
#define scanc_column_stack(...) SCANC_OP_(0, column_stack, 1, __VA_ARGS__) /* tensors */
#define scanc_flip(...) SCANC_OP_(0, flip, 2, __VA_ARGS__) /* self, dims */
#define scanc_fliplr(...) SCANC_OP_(0, fliplr, 1, __VA_ARGS__) /* self */
#define scanc_flipud(...) SCANC_OP_(0, flipud, 1, __VA_ARGS__) /* self */
#define scanc_rot90(...) SCANC_OP_(0, rot90, 3, __VA_ARGS__) /* self, k=1, dims=[0, 1] */
#define scanc_roll(...) SCANC_OP_(0, roll, 3, __VA_ARGS__) /* self, shifts, dims=[] */
#define scanc_repeat(...) SCANC_OP_(0, repeat, 2, __VA_ARGS__) /* self, repeats */
#define scanc_tile(...) SCANC_OP_(0, tile, 2, __VA_ARGS__) /* self, dims */
#define scanc_repeat_interleave(...) SCANC_OP_(0, repeat_interleave, 4, __VA_ARGS__) /* self, repeats, dim=None, output_size=None */
#define scanc_repeat_each(...) SCANC_OP_(0, repeat_each, 4, __VA_ARGS__) /* self, repeats, dim=None, output_size=None */
#define scanc_repeat_index(...) SCANC_OP_(0, repeat_index, 2, __VA_ARGS__) /* repeats, output_size=None */
#define scanc_pad(...) SCANC_OP_(0, pad, 4, __VA_ARGS__) /* self, pad, mode='constant', value=None */
#define scanc_reflection_pad(...) SCANC_OP_(0, reflection_pad, 2, __VA_ARGS__) /* self, padding */
#define scanc_replication_pad(...) SCANC_OP_(0, replication_pad, 2, __VA_ARGS__) /* self, padding */
#define scanc_circular_pad(...) SCANC_OP_(0, circular_pad, 2, __VA_ARGS__) /* self, pad */
#define scanc_pixel_shuffle(...) SCANC_OP_(0, pixel_shuffle, 2, __VA_ARGS__) /* self, upscale_factor */
#define scanc_pixel_unshuffle(...) SCANC_OP_(0, pixel_unshuffle, 2, __VA_ARGS__) /* self, downscale_factor */
#define scanc_im2col(...) SCANC_OP_(0, im2col, 5, __VA_ARGS__) /* self, kernel_size, dilation, padding, stride */
#define scanc_col2im(...) SCANC_OP_(0, col2im, 6, __VA_ARGS__) /* self, output_size, kernel_size, dilation, padding, stride */
#define scanc_upsample_nearest2d(...) SCANC_OP_(0, upsample_nearest2d, 5, __VA_ARGS__) /* self, output_size, scales_h=None, scales_w=None, scale_factors=None */
#define scanc_upsample_bilinear2d(...) SCANC_OP_(0, upsample_bilinear2d, 6, __VA_ARGS__) /* self, output_size, align_corners, scales_h=None, scales_w=None, scale_factors=None */
#define scanc_grid_sampler_2d(...) SCANC_OP_(0, grid_sampler_2d, 5, __VA_ARGS__) /* self, grid, interpolation_mode, padding_mode, align_corners */
#define scanc_tril(...) SCANC_OP_(0, tril, 2, __VA_ARGS__) /* self, diagonal=0 */
#define scanc_triu(...) SCANC_OP_(0, triu, 2, __VA_ARGS__) /* self, diagonal=0 */
#define scanc_tril_indices(mod, ...) SCANC_OP_(mod, tril_indices, 4, __VA_ARGS__) /* row, col, offset=0, dtype=None */
#define scanc_triu_indices(mod, ...) SCANC_OP_(mod, triu_indices, 4, __VA_ARGS__) /* row, col, offset=0, dtype=None */
#define scanc_diag_embed(...) SCANC_OP_(0, diag_embed, 4, __VA_ARGS__) /* self, offset=0, dim1=-2, dim2=-1 */
#define scanc_diag(...) SCANC_OP_(0, diag, 2, __VA_ARGS__) /* self, diagonal=0 */
#define scanc_diagflat(...) SCANC_OP_(0, diagflat, 2, __VA_ARGS__) /* self, offset=0 */
#define scanc_index(...) SCANC_OP_(0, index, 2, __VA_ARGS__) /* self, indices */
#define scanc_index_put(...) SCANC_OP_(0, index_put, 5, __VA_ARGS__) /* self, indices, values, accumulate=False, unsafe=False */
#define scanc_index_select(...) SCANC_OP_(0, index_select, 3, __VA_ARGS__) /* self, dim, index */
#define scanc_index_add(...) SCANC_OP_(0, index_add, 5, __VA_ARGS__) /* self, dim, index, source, alpha=1 */
#define scanc_index_copy(...) SCANC_OP_(0, index_copy, 4, __VA_ARGS__) /* self, dim, index, source */
#define scanc_index_fill(...) SCANC_OP_(0, index_fill, 4, __VA_ARGS__) /* self, dim, index, value */
#define scanc_index_reduce(...) SCANC_OP_(0, index_reduce, 6, __VA_ARGS__) /* self, dim, index, source, reduce, include_self=True */
#define scanc_gather(...) SCANC_OP_(0, gather, 3, __VA_ARGS__) /* self, dim, index */
#define scanc_scatter(...) SCANC_OP_(0, scatter, 5, __VA_ARGS__) /* self, dim, index, src, reduce=None */
#define scanc_scatter_add(...) SCANC_OP_(0, scatter_add, 4, __VA_ARGS__) /* self, dim, index, src */
#define scanc_scatter_reduce(...) SCANC_OP_(0, scatter_reduce, 6, __VA_ARGS__) /* self, dim, index, src, reduce, include_self=True */
#define scanc_take(...) SCANC_OP_(0, take, 2, __VA_ARGS__) /* self, index */
#define scanc_put(...) SCANC_OP_(0, put, 4, __VA_ARGS__) /* self, index, source, accumulate=False */
#define scanc_take_along_dim(...) SCANC_OP_(0, take_along_dim, 3, __VA_ARGS__) /* self, indices, dim=None */
#define scanc_masked_select(...) SCANC_OP_(0, masked_select, 2, __VA_ARGS__) /* self, mask */
#define scanc_masked_scatter(...) SCANC_OP_(0, masked_scatter, 3, __VA_ARGS__) /* self, mask, source */
#define scanc_select_scatter(...) SCANC_OP_(0, select_scatter, 4, __VA_ARGS__) /* self, src, dim, index */
#define scanc_slice_scatter(...) SCANC_OP_(0, slice_scatter, 6, __VA_ARGS__) /* self, src, dim=0, start=None, end=None, step=1 */
#define scanc_diagonal_scatter(...) SCANC_OP_(0, diagonal_scatter, 5, __VA_ARGS__) /* self, src, offset=0, dim1=0, dim2=1 */
#define scanc_as_strided_scatter(...) SCANC_OP_(0, as_strided_scatter, 5, __VA_ARGS__) /* self, src, size, stride, storage_offset=None */
#define scanc_select_backward(...) SCANC_OP_(0, select_backward, 4, __VA_ARGS__) /* grad_output, input_sizes, dim, index */
#define scanc_slice_backward(...) SCANC_OP_(0, slice_backward, 6, __VA_ARGS__) /* grad_output, input_sizes, dim, start, end, step */
#define scanc_diagonal_backward(...) SCANC_OP_(0, diagonal_backward, 5, __VA_ARGS__) /* grad_output, input_sizes, offset, dim1, dim2 */
#define scanc_embedding(...) SCANC_OP_(0, embedding, 4, __VA_ARGS__) /* weight, indices, max_norm=None, norm_type=2.0 */
#define scanc_embedding_dense_backward(...) SCANC_OP_(0, embedding_dense_backward, 5, __VA_ARGS__) /* grad_output, indices, num_weights, padding_idx, scale_grad_by_freq */
#define scanc_one_hot(...) SCANC_OP_(0, one_hot, 2, __VA_ARGS__) /* self, num_classes=-1 */
#define scanc_nonzero(...) SCANC_OP_(0, nonzero, 1, __VA_ARGS__) /* self */
#define scanc_sort(...) SCANC_OP_(0, sort, 4, __VA_ARGS__) /* self, dim=-1, descending=False, stable=None */
#define scanc_argsort(...) SCANC_OP_(0, argsort, 4, __VA_ARGS__) /* self, dim=-1, descending=False, stable=None */
#define scanc_msort(...) SCANC_OP_(0, msort, 1, __VA_ARGS__) /* self */
#define scanc_topk(...) SCANC_OP_(0, topk, 5, __VA_ARGS__) /* self, k, dim=-1, largest=True, sorted=True */
#define scanc_kthvalue(...) SCANC_OP_(0, kthvalue, 4, __VA_ARGS__) /* self, k, dim=-1, keepdim=False */
#define scanc_median(...) SCANC_OP_(0, median, 1, __VA_ARGS__) /* self */
#define scanc_median_dim(...) SCANC_OP_(0, median_dim, 3, __VA_ARGS__) /* self, dim, keepdim=False */
#define scanc_nanmedian(...) SCANC_OP_(0, nanmedian, 1, __VA_ARGS__) /* self */
#define scanc_nanmedian_dim(...) SCANC_OP_(0, nanmedian_dim, 3, __VA_ARGS__) /* self, dim, keepdim=False */
#define scanc_searchsorted(...) SCANC_OP_(0, searchsorted, 6, __VA_ARGS__) /* sorted_sequence, self, out_int32=False, right=False, side=None, sorter=None */
#define scanc_unique(...) SCANC_OP_(0, unique, 4, __VA_ARGS__) /* self, sorted=True, return_inverse=False, return_counts=False */
#define scanc_sum(...) SCANC_OP_(0, sum, 4, __VA_ARGS__) /* self, dim=None, keepdim=False, dtype=None */
#define scanc_prod(...) SCANC_OP_(0, prod, 4, __VA_ARGS__) /* self, dim=None, keepdim=False, dtype=None */
#define scanc_mean(...) SCANC_OP_(0, mean, 4, __VA_ARGS__) /* self, dim=None, keepdim=False, dtype=None */
#define scanc_amax(...) SCANC_OP_(0, amax, 3, __VA_ARGS__) /* self, dim=[], keepdim=False */
#define scanc_amin(...) SCANC_OP_(0, amin, 3, __VA_ARGS__) /* self, dim=[], keepdim=False */
#define scanc_max_dim(...) SCANC_OP_(0, max_dim, 3, __VA_ARGS__) /* self, dim, keepdim=False */
#define scanc_min_dim(...) SCANC_OP_(0, min_dim, 3, __VA_ARGS__) /* self, dim, keepdim=False */
#define scanc_argmax(...) SCANC_OP_(0, argmax, 3, __VA_ARGS__) /* self, dim=None, keepdim=False */
#define scanc_argmin(...) SCANC_OP_(0, argmin, 3, __VA_ARGS__) /* self, dim=None, keepdim=False */
#define scanc_any(...) SCANC_OP_(0, any, 3, __VA_ARGS__) /* self, dim=None, keepdim=False */
#define scanc_all(...) SCANC_OP_(0, all, 3, __VA_ARGS__) /* self, dim=None, keepdim=False */
#define scanc_aminmax(...) SCANC_OP_(0, aminmax, 3, __VA_ARGS__) /* self, dim=None, keepdim=False */
#define scanc_count_nonzero(...) SCANC_OP_(0, count_nonzero, 2, __VA_ARGS__) /* self, dim=None */
#define scanc_nansum(...) SCANC_OP_(0, nansum, 4, __VA_ARGS__) /* self, dim=None, keepdim=False, dtype=None */
#define scanc_nanmean(...) SCANC_OP_(0, nanmean, 4, __VA_ARGS__) /* self, dim=None, keepdim=False, dtype=None */
#define scanc_var(...) SCANC_OP_(0, var, 4, __VA_ARGS__) /* self, dim=None, correction=None, keepdim=False */
#define scanc_std(...) SCANC_OP_(0, std, 4, __VA_ARGS__) /* self, dim=None, correction=None, keepdim=False */
#define scanc_var_mean(...) SCANC_OP_(0, var_mean, 4, __VA_ARGS__) /* self, dim=None, correction=None, keepdim=False */
#define scanc_std_mean(...) SCANC_OP_(0, std_mean, 4, __VA_ARGS__) /* self, dim=None, correction=None, keepdim=False */
#define scanc_vector_norm(...) SCANC_OP_(0, vector_norm, 5, __VA_ARGS__) /* self, ord=2, dim=None, keepdim=False, dtype=None */
#define scanc_logsumexp(...) SCANC_OP_(0, logsumexp, 3, __VA_ARGS__) /* self, dim, keepdim=False */
#define scanc_softmax(...) SCANC_OP_(0, softmax, 4, __VA_ARGS__) /* self, dim, dtype=None, half_to_float=False */
#define scanc_safe_softmax(...) SCANC_OP_(0, safe_softmax, 3, __VA_ARGS__) /* self, dim, dtype=None */
#define scanc_log_softmax(...) SCANC_OP_(0, log_softmax, 4, __VA_ARGS__) /* self, dim, dtype=None, half_to_float=False */
#define scanc_softmax_backward(...) SCANC_OP_(0, softmax_backward, 4, __VA_ARGS__) /* grad_output, output, dim, input_dtype */
#define scanc_log_softmax_backward(...) SCANC_OP_(0, log_softmax_backward, 4, __VA_ARGS__) /* grad_output, output, dim, input_dtype */
#define scanc_trace(...) SCANC_OP_(0, trace, 1, __VA_ARGS__) /* self */
#define scanc_sum_to_size(...) SCANC_OP_(0, sum_to_size, 2, __VA_ARGS__) /* self, size */
#define scanc_cumsum(...) SCANC_OP_(0, cumsum, 3, __VA_ARGS__) /* self, dim, dtype=None */
#define scanc_cumprod(...) SCANC_OP_(0, cumprod, 3, __VA_ARGS__) /* self, dim, dtype=None */
#define scanc_cummax(...) SCANC_OP_(0, cummax, 2, __VA_ARGS__) /* self, dim */
#define scanc_cummin(...) SCANC_OP_(0, cummin, 2, __VA_ARGS__) /* self, dim */
#define scanc_logcumsumexp(...) SCANC_OP_(0, logcumsumexp, 2, __VA_ARGS__) /* self, dim */
#define scanc_diff(...) SCANC_OP_(0, diff, 5, __VA_ARGS__) /* self, n=1, dim=-1, prepend=None, append=None */
#define scanc_trapezoid(...) SCANC_OP_(0, trapezoid, 4, __VA_ARGS__) /* y, x=None, dx=1, dim=-1 */
#define scanc_glu(...) SCANC_OP_(0, glu, 2, __VA_ARGS__) /* self, dim=-1 */
#define scanc_mse_loss(...) SCANC_OP_(0, mse_loss, 3, __VA_ARGS__) /* self, target, reduction=1 */
#define scanc_l1_loss(...) SCANC_OP_(0, l1_loss, 3, __VA_ARGS__) /* self, target, reduction=1 */
#define scanc_smooth_l1_loss(...) SCANC_OP_(0, smooth_l1_loss, 4, __VA_ARGS__) /* self, target, reduction=1, beta=1.0 */
#define scanc_huber_loss(...) SCANC_OP_(0, huber_loss, 4, __VA_ARGS__) /* self, target, reduction=1, delta=1.0 */
#define scanc_binary_cross_entropy(...) SCANC_OP_(0, binary_cross_entropy, 4, __VA_ARGS__) /* self, target, weight=None, reduction=1 */
#define scanc_binary_cross_entropy_with_logits(...) SCANC_OP_(0, binary_cross_entropy_with_logits, 5, __VA_ARGS__) /* self, target, weight=None, pos_weight=None, reduction=1 */
#define scanc_kl_div(...) SCANC_OP_(0, kl_div, 4, __VA_ARGS__) /* self, target, reduction=1, log_target=False */
#define scanc_nll_loss(...) SCANC_OP_(0, nll_loss, 5, __VA_ARGS__) /* self, target, weight=None, reduction=1, ignore_index=-100 */
#define scanc_nll_loss_forward(...) SCANC_OP_(0, nll_loss_forward, 5, __VA_ARGS__) /* self, target, weight, reduction, ignore_index */
#define scanc_cross_entropy_loss(...) SCANC_OP_(0, cross_entropy_loss, 6, __VA_ARGS__) /* self, target, weight=None, reduction=1, ignore_index=-100, label_smoothing=0.0 */
#define scanc_cosine_similarity(...) SCANC_OP_(0, cosine_similarity, 4, __VA_ARGS__) /* x1, x2, dim=1, eps=1e-08 */
#define scanc_pairwise_distance(...) SCANC_OP_(0, pairwise_distance, 5, __VA_ARGS__) /* x1, x2, p=2.0, eps=1e-06, keepdim=False */
#define scanc_dist(...) SCANC_OP_(0, dist, 3, __VA_ARGS__) /* self, other, p=2 */
#define scanc_cdist(...) SCANC_OP_(0, cdist, 4, __VA_ARGS__) /* x1, x2, p=2.0, compute_mode=None */
#define scanc_pdist(...) SCANC_OP_(0, pdist, 2, __VA_ARGS__) /* self, p=2.0 */
#define scanc_layer_norm(...) SCANC_OP_(0, layer_norm, 6, __VA_ARGS__) /* input, normalized_shape, weight=None, bias=None, eps=1e-05, cudnn_enable=True */
#define scanc_native_layer_norm(...) SCANC_OP_(0, native_layer_norm, 5, __VA_ARGS__) /* input, normalized_shape, weight, bias, eps */
#define scanc_native_layer_norm_backward(...) SCANC_OP_(0, native_layer_norm_backward, 8, __VA_ARGS__) /* grad_out, input, normalized_shape, mean, rstd, weight, bias, output_mask */
#define scanc_group_norm(...) SCANC_OP_(0, group_norm, 6, __VA_ARGS__) /* input, num_groups, weight=None, bias=None, eps=1e-05, cudnn_enabled=True */
#define scanc_native_group_norm(...) SCANC_OP_(0, native_group_norm, 8, __VA_ARGS__) /* input, weight, bias, N, C, HxW, group, eps */
#define scanc_native_group_norm_backward(...) SCANC_OP_(0, native_group_norm_backward, 10, __VA_ARGS__) /* grad_out, input, mean, rstd, weight, N, C, HxW, group, output_mask */
#define scanc_batch_norm(...) SCANC_OP_(0, batch_norm, 9, __VA_ARGS__) /* input, weight, bias, running_mean, running_var, training, momentum, eps, cudnn_enabled=True */
#define scanc_native_batch_norm(...) SCANC_OP_(0, native_batch_norm, 8, __VA_ARGS__) /* input, weight, bias, running_mean=None, running_var=None, training=False, momentum=0.1, eps=1e-05 */
#define scanc_native_batch_norm_functional(...) SCANC_OP_(0, native_batch_norm_functional, 8, __VA_ARGS__) /* input, weight, bias, running_mean, running_var, training, momentum, eps */
#define scanc_instance_norm(...) SCANC_OP_(0, instance_norm, 9, __VA_ARGS__) /* input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, cudnn_enabled=True */
#define scanc_rms_norm(...) SCANC_OP_(0, rms_norm, 4, __VA_ARGS__) /* input, normalized_shape, weight=None, eps=None */
#define scanc_mm(...) SCANC_OP_(0, mm, 2, __VA_ARGS__) /* self, mat2 */
#define scanc_bmm(...) SCANC_OP_(0, bmm, 2, __VA_ARGS__) /* self, mat2 */
#define scanc_mv(...) SCANC_OP_(0, mv, 2, __VA_ARGS__) /* self, vec */
#define scanc_dot(...) SCANC_OP_(0, dot, 2, __VA_ARGS__) /* self, tensor */
#define scanc_matmul(...) SCANC_OP_(0, matmul, 2, __VA_ARGS__) /* self, other */
#define scanc_vdot(...) SCANC_OP_(0, vdot, 2, __VA_ARGS__) /* self, other */
#define scanc_linalg_vecdot(...) SCANC_OP_(0, linalg_vecdot, 3, __VA_ARGS__) /* x, y, dim=-1 */
#define scanc_addmm(...) SCANC_OP_(0, addmm, 5, __VA_ARGS__) /* self, mat1, mat2, beta=1, alpha=1 */
#define scanc_baddbmm(...) SCANC_OP_(0, baddbmm, 5, __VA_ARGS__) /* self, batch1, batch2, beta=1, alpha=1 */
#define scanc_addbmm(...) SCANC_OP_(0, addbmm, 5, __VA_ARGS__) /* self, batch1, batch2, beta=1, alpha=1 */
#define scanc_addmv(...) SCANC_OP_(0, addmv, 5, __VA_ARGS__) /* self, mat, vec, beta=1, alpha=1 */
#define scanc_addr(...) SCANC_OP_(0, addr, 5, __VA_ARGS__) /* self, vec1, vec2, beta=1, alpha=1 */
#define scanc_outer(...) SCANC_OP_(0, outer, 2, __VA_ARGS__) /* self, vec2 */
#define scanc_inner(...) SCANC_OP_(0, inner, 2, __VA_ARGS__) /* self, other */
#define scanc_linear(...) SCANC_OP_(0, linear, 3, __VA_ARGS__) /* input, weight, bias=None */
#define scanc_bilinear(...) SCANC_OP_(0, bilinear, 4, __VA_ARGS__) /* input1, input2, weight, bias=None */
#define scanc_tensordot(...) SCANC_OP_(0, tensordot, 4, __VA_ARGS__) /* self, other, dims_self, dims_other */
#define scanc_einsum(...) SCANC_OP_(0, einsum, 3, __VA_ARGS__) /* equation, tensors, path=None */
#define scanc_kron(...) SCANC_OP_(0, kron, 2, __VA_ARGS__) /* self, other */
#define scanc_multi_dot(...) SCANC_OP_(0, multi_dot, 1, __VA_ARGS__) /* matrices */
#define scanc_matrix_power(...) SCANC_OP_(0, matrix_power, 2, __VA_ARGS__) /* self, n */
#define scanc_scaled_dot_product_attention(...) SCANC_OP_(0, scaled_dot_product_attention, 8, __VA_ARGS__) /* query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False */
#define scanc_convolution(...) SCANC_OP_(0, convolution, 9, __VA_ARGS__) /* input, weight, bias, stride, padding, dilation, transposed, output_padding, groups */
#define scanc_convolution_backward(...) SCANC_OP_(0, convolution_backward, 11, __VA_ARGS__) /* grad_output, input, weight, bias_sizes, stride, padding, dilation, transposed, output_padding, groups, output_mask */
#define scanc_conv1d(...) SCANC_OP_(0, conv1d, 7, __VA_ARGS__) /* input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1 */
#define scanc_conv2d(...) SCANC_OP_(0, conv2d, 7, __VA_ARGS__) /* input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1 */
#define scanc_conv3d(...) SCANC_OP_(0, conv3d, 7, __VA_ARGS__) /* input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1 */
#define scanc_conv_transpose1d(...) SCANC_OP_(0, conv_transpose1d, 8, __VA_ARGS__) /* input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1 */
#define scanc_conv_transpose2d(...) SCANC_OP_(0, conv_transpose2d, 8, __VA_ARGS__) /* input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1 */
#define scanc_conv_transpose3d(...) SCANC_OP_(0, conv_transpose3d, 8, __VA_ARGS__) /* input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1 */
#define scanc_avg_pool1d(...) SCANC_OP_(0, avg_pool1d, 6, __VA_ARGS__) /* self, kernel_size, stride=[], padding=0, ceil_mode=False, count_include_pad=True */
#define scanc_avg_pool2d(...) SCANC_OP_(0, avg_pool2d, 7, __VA_ARGS__) /* self, kernel_size, stride=[], padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None */
#define scanc_avg_pool3d(...) SCANC_OP_(0, avg_pool3d, 7, __VA_ARGS__) /* self, kernel_size, stride=[], padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None */
#define scanc_avg_pool2d_backward(...) SCANC_OP_(0, avg_pool2d_backward, 8, __VA_ARGS__) /* grad_output, self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override */
#define scanc_max_pool1d(...) SCANC_OP_(0, max_pool1d, 6, __VA_ARGS__) /* self, kernel_size, stride=[], padding=0, dilation=1, ceil_mode=False */
#define scanc_max_pool2d(...) SCANC_OP_(0, max_pool2d, 6, __VA_ARGS__) /* self, kernel_size, stride=[], padding=0, dilation=1, ceil_mode=False */
#define scanc_max_pool3d(...) SCANC_OP_(0, max_pool3d, 6, __VA_ARGS__) /* self, kernel_size, stride=[], padding=0, dilation=1, ceil_mode=False */
#define scanc_max_pool1d_with_indices(...) SCANC_OP_(0, max_pool1d_with_indices, 6, __VA_ARGS__) /* self, kernel_size, stride=[], padding=0, dilation=1, ceil_mode=False */
#define scanc_max_pool2d_with_indices(...) SCANC_OP_(0, max_pool2d_with_indices, 6, __VA_ARGS__) /* self, kernel_size, stride=[], padding=0, dilation=1, ceil_mode=False */
#define scanc_max_pool3d_with_indices(...) SCANC_OP_(0, max_pool3d_with_indices, 6, __VA_ARGS__) /* self, kernel_size, stride=[], padding=0, dilation=1, ceil_mode=False */
#define scanc_max_pool2d_with_indices_backward(...) SCANC_OP_(0, max_pool2d_with_indices_backward, 8, __VA_ARGS__) /* grad_output, self, kernel_size, stride, padding, dilation, ceil_mode, indices */
#define scanc_adaptive_avg_pool1d(...) SCANC_OP_(0, adaptive_avg_pool1d, 2, __VA_ARGS__) /* self, output_size */
#define scanc_adaptive_avg_pool2d(...) SCANC_OP_(0, adaptive_avg_pool2d, 2, __VA_ARGS__) /* self, output_size */
#define scanc_adaptive_avg_pool3d(...) SCANC_OP_(0, adaptive_avg_pool3d, 2, __VA_ARGS__) /* self, output_size */
#define scanc_adaptive_avg_pool2d_backward(...) SCANC_OP_(0, adaptive_avg_pool2d_backward, 2, __VA_ARGS__) /* grad_output, self */
#define scanc_fft_r2c(...) SCANC_OP_(0, fft_r2c, 4, __VA_ARGS__) /* self, dim, normalization, onesided */
#define scanc_fft_c2r(...) SCANC_OP_(0, fft_c2r, 4, __VA_ARGS__) /* self, dim, normalization, last_dim_size */
#define scanc_fft_c2c(...) SCANC_OP_(0, fft_c2c, 4, __VA_ARGS__) /* self, dim, normalization, forward */
#define scanc_embedding_bag(...) SCANC_OP_(0, embedding_bag, 9, __VA_ARGS__) /* weight, indices, offsets, scale_grad_by_freq=False, mode=0, sparse=False, per_sample_weights=None, include_last_offset=False, padding_idx=-1 */
#define scanc_sym_size(...) SCANC_OP_(0, sym_size, 2, __VA_ARGS__) /* self, dim */
#define scanc_sym_sizes(...) SCANC_OP_(0, sym_sizes, 1, __VA_ARGS__) /* self */
#define scanc_sym_stride(...) SCANC_OP_(0, sym_stride, 2, __VA_ARGS__) /* self, dim */
#define scanc_sym_strides(...) SCANC_OP_(0, sym_strides, 1, __VA_ARGS__) /* self */
#define scanc_sym_numel(...) SCANC_OP_(0, sym_numel, 1, __VA_ARGS__) /* self */
#define scanc_sym_storage_offset(...) SCANC_OP_(0, sym_storage_offset, 1, __VA_ARGS__) /* self */
#define scanc_tensor_dim(...) SCANC_OP_(0, tensor_dim, 1, __VA_ARGS__) /* self */
#define scanc_item(...) SCANC_OP_(0, item, 1, __VA_ARGS__) /* self */
#define scanc_is_nonzero(...) SCANC_OP_(0, is_nonzero, 1, __VA_ARGS__) /* self */
#define scanc_is_floating_point(...) SCANC_OP_(0, is_floating_point, 1, __VA_ARGS__) /* self */
#define scanc_is_complex(...) SCANC_OP_(0, is_complex, 1, __VA_ARGS__) /* self */
#define scanc_assert_true(...) SCANC_OP_(0, assert_true, 2, __VA_ARGS__) /* self, assert_msg=None */
#define scanc_assert_metadata(...) SCANC_OP_(0, assert_metadata, 4, __VA_ARGS__) /* a, size=None, stride=None, dtype=None */
#define scanc_constrain_range(mod, ...) SCANC_OP_(mod, constrain_range, 3, __VA_ARGS__) /* size, min=None, max=None */
#define scanc_check_size(mod, ...) SCANC_OP_(mod, check_size, 3, __VA_ARGS__) /* size, min=None, max=None */
