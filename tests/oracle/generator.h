/* generator.h -- inside the makers of random scripts (generate.c, generate_own.c). */
#ifndef LP_ORACLE_GENERATOR_H
#define LP_ORACLE_GENERATOR_H

#include "generate.h"

#include <stdio.h>

struct generator {
	uint64_t state;
	unsigned features;
	unsigned locs, threads;
	unsigned relaxed; /* in percent: accesses that are relaxed whatever else */
	unsigned idioms;  /* in percent: statements that are idioms */
	FILE *out;
	unsigned reg;   /* next register to set in this thread */
	unsigned label; /* next label in this thread */
	int budget;     /* accesses left for this thread */
};

enum { ME = 12 }; /* the register with the thread's address; see new_reg() */

extern const char *const loc_names[];

/* Dice.  Calls of them are sequenced (never two in one argument list): the same seed gives
 * the same program with every compiler. */
unsigned below(struct generator *, unsigned n);
bool one_in(struct generator *, unsigned n);
const char *any_loc(struct generator *);
const char *load_order(struct generator *);
const char *store_order(struct generator *);
const char *rmw_order(struct generator *);

/* The register to set next; one that was probably set. */
unsigned new_reg(struct generator *);
unsigned old_reg(struct generator *);

/* Statements. */
void put_fence(struct generator *);
void put_assert(struct generator *);
void put_own_statement(struct generator *);

#endif
