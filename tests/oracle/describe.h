/* describe.h -- one execution graph as one canonical line of text.
 *
 * Both sides of the comparison, the naive enumerator and the explorer, turn their
 * graphs into an array of struct seen_event, threads' events in program order,
 * and into text by the same function.  Equal graphs give equal text:
 *
 *     1: W.rel x=1 | 2: R.acq x=1<1.0 U.rlx y=0>1<init | co x 1.0 | co y 2.1
 *
 * An event is (thread).(number among those shown).  Fences, spawns, joins and
 * yields are left out: they follow from the values read.  So are plain accesses unless
 * asked for, since an explorer need not make them events; then, of locations that are
 * accessed plainly, atomic accesses are shown with their values only.
 */
#ifndef LP_ORACLE_DESCRIBE_H
#define LP_ORACLE_DESCRIBE_H

#include "base/vec.h"
#include "program/program.h"
#include "program/script.h"

#define SEEN_INITIAL (UINT32_MAX - 1)
#define SEEN_NONE UINT32_MAX

struct seen_event {
	struct lp_op op;
	struct lp_response answer;
	lp_tid thread;
	uint32_t reads_from; /* index in the array, or SEEN_INITIAL, or SEEN_NONE */
	uint32_t co_after;   /* writes: index of the write directly before in co, likewise */
};

/* Does the event write? */
bool seen_writes(const struct seen_event *);

/* The caller frees the text.  `plain`: with the plain accesses. */
char *describe(const struct lp_script *, const struct seen_event *, uint32_t count,
	       bool plain);

/* The same for all graphs that differ in the names of like threads only: the least of their
 * texts. */
char *describe_alike(const struct lp_script *, const struct seen_event *, uint32_t count,
		     bool plain);

/* Do different graphs of the script always have different texts?  Not if a location is
 * accessed both plainly and atomically, and plain accesses are not shown. */
bool describes_all(const struct lp_script *, bool plain);

/* A set of texts, which it owns; sorted by graph_set_sort(), which also says how
 * many were there twice (and drops them). */
struct graph_set {
	LP_VEC(char *);
};

uint32_t graph_set_sort(struct graph_set *);
void graph_set_drop(struct graph_set *);

#endif
