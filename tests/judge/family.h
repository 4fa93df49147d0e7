/* family.h -- inside the generators of the judge: threads as lists of lines, and families of them.
 *
 * A family is something that threads of real objects do together: take a lock, push to a list, help each
 * other.  families.def lists them; each is a function that appends lines to threads a and b, and perhaps
 * to the last thread.
 *
 * Lines are those of scripts (program/script.h).  Common names: x, y, z are atomic, d and e plain data,
 * b a block, m a lock, n@ the threads' own nodes; r2, r11 and mostly r0, r1 are results; `goto out` ends a
 * thread.  Labels are made unique afterwards.
 */
#ifndef LP_JUDGE_FAMILY_H
#define LP_JUDGE_FAMILY_H

#include "generator.h"

enum { LINES = 80, LENGTH = 48, THREADS = 4 };

struct body {
	char line[LINES][LENGTH];
	unsigned count;
};

struct mixer {
	struct generator g;
	unsigned wrong;  /* in percent: orders that are not as they should be */
	bool sc, mixed;  /* all orders are seq_cst, or some are */
	bool careful;    /* salt is at the beginning or end of threads */
	unsigned risk;   /* a number, for families that want to do the same thing in several places */
	unsigned threads;
	struct body body[THREADS];
	char init[200];  /* lines in front */
	bool twins;      /* the first two threads are alike */
};

bool chance(struct mixer *, unsigned percent);

/* Appends a line to the thread, or in front of all; the text is at most LENGTH - 1 characters. */
__attribute__((format(printf, 3, 4)))
void put(struct mixer *, unsigned thread, const char *format, ...);
void put_init(struct mixer *, const char *line);

/* Memory orders: mostly correct, and as wrong as the program is. */
const char *acq(struct mixer *);
const char *rel(struct mixer *);
const char *both(struct mixer *);
const char *fails(struct mixer *); /* of a compare-exchange */
const char *cas(struct mixer *);   /* the word: sometimes a weak one */

/* A line that is reached for one value of the register only. */
void put_maybe(struct mixer *, unsigned thread, const char *reg, const char *line);

/* Something plain that two threads do under mutual exclusion, or when one knows of the other: the
 * `second` one comes after the first. */
void put_data(struct mixer *, unsigned thread, bool second);

/* b waits, in some way, for what a says at the location. */
void put_publishing_at(struct mixer *, unsigned a, unsigned b, const char *loc);

#define FAMILY(name) void put_##name(struct mixer *, unsigned a, unsigned b);
#define WHOLE(name, generate)
#include "families.def"
#undef WHOLE
#undef FAMILY

#endif
