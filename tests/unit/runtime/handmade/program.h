/* program.h -- what the program of program.c can be asked to do. */
#ifndef LP_TESTS_HANDMADE_H
#define LP_TESTS_HANDMADE_H

enum scenario {
	PIECES, UNWRITTEN, WRITTEN, ENDED, UNWOUND, PRIVATE_AFTER, LENT, LENT_TOO_LATE, SPIN_SLOT, SPIN_MEMORY,
	SPIN_UNKNOWN, ATOMICS, CALLED_BACK, LOCALS, NOT_UNDERSTOOD
};

/* By index in lp_module.variables. */
enum variable { SCENARIO, WORD, BYTES, COPIED, OTHER };

#endif
