/* mixer.h -- inside generate_mixed.c: threads as lists of lines, and patterns of them. */
#ifndef LP_ORACLE_MIXER_H
#define LP_ORACLE_MIXER_H

#include "generator.h"

enum { LINES = 60, LENGTH = 48, THREADS = 4, PATTERNS = 15 /* the next one: publishing */, VAIN_READS = 4 };

struct body {
	char line[LINES][LENGTH];
	unsigned count;
};

struct mixer {
	struct generator g;
	unsigned wrong;  /* in percent: orders that are not as they should be */
	bool sc;         /* all orders are seq_cst */
	bool careful;    /* salt is at the beginning or end of threads */
	unsigned threads;
	struct body body[THREADS];
	const char *init; /* lines in front */
	bool twins;       /* the first two threads are alike */
};

bool chance(struct mixer *, unsigned percent);

/* Appends a line to the thread; the text is at most LENGTH - 1 characters. */
__attribute__((format(printf, 3, 4)))
void put(struct mixer *, unsigned thread, const char *format, ...);

/* Memory orders: mostly right, and as wrong as the program is. */
const char *acq(struct mixer *);
const char *rel(struct mixer *);
const char *both(struct mixer *);

/* Appends what pattern number `which` has threads a and b do, and perhaps the last one. */
void put_pattern(struct mixer *, unsigned a, unsigned b, unsigned which);

/* b waits, in some way, for what a says at the location. */
void put_publishing(struct mixer *, unsigned a, unsigned b, const char *loc);

#endif
