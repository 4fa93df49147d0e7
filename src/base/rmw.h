/* rmw.h -- what read-modify-writes do. */
#ifndef LP_BASE_RMW_H
#define LP_BASE_RMW_H

/* What an RMW writes, from the value read (v) and the operand (o).  MAX and MIN take them as signed
 * numbers, those with U as unsigned, those with F as floating-point ones of 4 or 8 bytes. */
enum lp_rmw {
	LP_XCHG, LP_ADD, LP_SUB, LP_AND, LP_OR, LP_XOR, LP_NAND,
	LP_MAX, LP_MIN, LP_UMAX, LP_UMIN, LP_FADD, LP_FSUB, LP_FMAX, LP_FMIN,
};

#endif
