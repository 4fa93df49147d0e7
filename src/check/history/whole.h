/* whole.h -- calls that read a whole set or map, split by key.
 *
 * A call that reads the whole set or map (a whole read) tells, for each key, what `contains` or `get` would have returned.
 * So each key has its own history: the calls on the key, and what the whole reads tell about it.  If the history of some
 * key is not linearizable, the whole history is wrong.  If the history of every key is linearizable, and no whole read
 * overlaps with an update, the whole history is correct.  The reasons are that linearizability is local, and that no key
 * changes while a whole read is open, so it does not matter when the read takes effect.  (For a map this also requires that
 * a missing key has no initial value.  Otherwise `get` does not tell whether the key is present.  Also, the entries of a
 * whole read must be those of some map: if a key has two values, it is not clear what `get` would have returned.)
 */
#ifndef LP_CHECK_HISTORY_WHOLE_H
#define LP_CHECK_HISTORY_WHOLE_H

#include "check/history/problem.h"

struct lp_whole {
	const struct lp_problem *p;
	int64_t *keys;
	uint32_t count;
	uint32_t *first, *ops;   /* the operations on key k are ops[first[k]] .. ops[first[k + 1] - 1] */
	uint32_t *reads;         /* the whole reads */
	uint32_t read_count;
	int64_t *values;         /* the result of read i, sorted by key: values[from[i]] .. values[from[i + 1] - 1] */
	size_t *from;
	uint32_t method;         /* `contains` or `get` */
	uint32_t width;          /* the number of words in `values` per key: 1 for a set; 2 for a map, key and value */
	bool is_exact;           /* if the calls on every key are correct, the history is correct */
};

/* Returns false, and does not change `w`, if the object is not a built-in set or map, if no call is a whole read, or if some
 * call of another method concerns all keys. */
bool lp_whole_open(struct lp_whole *w, const struct lp_problem *p);
void lp_whole_close(struct lp_whole *w);

/* Sets `part` to the history of a key: the calls on the key, and what the whole reads tell about it.  `key` is an index into
 * w->keys. */
void lp_whole_part(const struct lp_whole *w, uint32_t key, struct lp_problem *part);

#endif
