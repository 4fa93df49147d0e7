/* rmw.h -- the functions of read-modify-writes (RMWs). */
#ifndef LP_BASE_RMW_H
#define LP_BASE_RMW_H

/* How an RMW computes the value that it writes, from the value that it has read and an operand.  MAX and MIN
 * compare signed numbers.  The prefix U stands for unsigned numbers, and the prefix F for floating-point
 * numbers of 4 or 8 bytes. */
enum lp_rmw {
	LP_XCHG, LP_ADD, LP_SUB, LP_AND, LP_OR, LP_XOR, LP_NAND,
	LP_MAX, LP_MIN, LP_UMAX, LP_UMIN, LP_FADD, LP_FSUB, LP_FMAX, LP_FMIN,
};

#endif
