/* generate.h -- random scripts, and making a failing one smaller. */
#ifndef LP_ORACLE_GENERATE_H
#define LP_ORACLE_GENERATE_H

#include <stdbool.h>
#include <stdint.h>

/* What programs may contain besides loads, stores, RMWs, CAS, fences and
 * conditionals on values read. */
enum generate_feature {
	GENERATE_LOCKS = 1,
	GENERATE_AWAITS = 2,  /* await, require, assume */
	GENERATE_LOOPS = 4,   /* CAS loops, spin loops, counted loops */
	GENERATE_PLAIN = 8,
	GENERATE_ASSERTS = 16,
	GENERATE_CHOICES = 32, /* choose, weak CAS */
	GENERATE_TWINS = 64,  /* threads that run the same lines, one after the other */
	GENERATE_OWN = 128,   /* own locations and their addresses, from which nothing is
	                       * calculated; without locks, awaits and idioms */
	GENERATE_RELAYS = 256, /* twins that can depend on each other through a third thread,
	                       * everything relaxed, and little else */
};

/* A program of 2 to 4 threads, 1 to 3 locations and about `events` accesses; the
 * same seed gives the same text.  The caller frees it. */
char *generate_script(uint64_t seed, unsigned features, unsigned events);

/* Some of the release stores come twice, the second time relaxed: whether a read of that one
 * synchronises depends on the release sequences.  Takes `text`, and returns what the caller frees. */
char *generate_again(char *text, uint64_t seed);

/* Threads start the next one of the text, between any two lines, and perhaps join it.  Takes and returns text in the
 * same way. */
char *generate_spawns(char *text, uint64_t seed);

/* The smallest script found for which `fails` still holds: threads and lines are
 * dropped, numbers and orders weakened, as long as it does.  The caller frees it. */
char *shrink_script(const char *text, bool (*fails)(void *closure, const char *text),
		    void *closure);

#endif
