/* whole.h -- calls that read all of a set or map at once, seen key by key.
 *
 * For one key, such a call says whether the key is there, or what it holds, as a `contains` or `get` would.  If the calls on a key,
 * with these, are not linearizable, nothing is.  The other way round, if all keys are, and none of
 * these calls overlaps with an update, the whole is: linearizability is local, and wherever a read takes effect within
 * its time, all keys are the same.
 */
#ifndef LP_CHECK_HISTORY_WHOLE_H
#define LP_CHECK_HISTORY_WHOLE_H

#include "check/history/problem.h"

struct lp_whole {
	const struct lp_problem *p;
	int64_t *keys;
	uint32_t count;
	uint32_t *first, *ops;   /* of a key: ops[first[k]] .. ops[first[k + 1] - 1] */
	uint32_t *reads;         /* the calls that read everything */
	uint32_t read_count;
	int64_t *values;         /* of each read, sorted by key: values[from[i]] .. values[from[i + 1] - 1] */
	size_t *from;
	uint32_t method;         /* `contains` or `get` */
	uint32_t width;          /* words of an entry */
	bool is_exact;           /* keys decide it */
};

/* False if there are no such calls. */
bool lp_whole_open(struct lp_whole *w, const struct lp_problem *p);
void lp_whole_close(struct lp_whole *w);

/* The calls on a key, and what the others say about it. */
void lp_whole_part(const struct lp_whole *w, uint32_t key, struct lp_problem *part);

#endif
