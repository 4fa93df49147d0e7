/* whole.h -- calls that read a whole set or map, split by key.
 *
 * For each key, such a call tells what `contains` or `get` would have returned.  If, for some key, the calls on it
 * and these answers are not linearizable, the history is wrong.  Conversely, if they are linearizable for every key,
 * and no whole read overlaps with an update, the history is correct: linearizability is local, and no key changes
 * while a whole read is open, so it does not matter when it takes effect.  (For a map this also requires that a
 * missing key has no initial value.  Otherwise `get` does not tell whether the key is present.  And the entries of a read
 * have to be those of some map: what `get` would have returned is not clear if a key has two values.)
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
	uint32_t width;          /* words per entry */
	bool is_exact;           /* if the calls on every key are correct, the history is correct */
};

/* Returns false, and leaves `w` alone, if the object is not a built-in set or map, if no call reads it whole, or if another
 * method concerns all keys. */
bool lp_whole_open(struct lp_whole *w, const struct lp_problem *p);
void lp_whole_close(struct lp_whole *w);

/* Sets `part` to the problem that consists of the calls on a key and of what the whole reads say about the key. */
void lp_whole_part(const struct lp_whole *w, uint32_t key, struct lp_problem *part);

#endif
