/* state_paths.c -- how many accesses a transition has.
 *
 * After Gueta, Flanagan, Yahav and Sagiv, "Cartesian Partial-Order Reduction", SPIN 2007, which
 * Liu et al. (TSE 2013) use as well.  In a state every process i gets a *path*: the steps that it
 * makes next, alone, up to some access.  All accesses of a path but the last are *inner*. If
 *
 *     no inner access of any path conflicts with any access of any other path        (*)
 *
 * then the transitions "process i runs its path to the end", one for every i, are enough.
 * To see this, take any execution from the state, and in it the first access that is the last one
 * of a path, say of process i.  All accesses before it are inner.  By (*) each of them has the
 * result that it has on its process's path, and those of other processes can be moved behind the
 * path of i.  So the execution passes through the transition of i, and the rest of it is shorter.
 * If no path was run to its end, there is no violation yet.
 *
 *   - Calls begin paths and returns end them.  Calls of other processes may be moved behind the path of
 *     i, so that they come after its return.  That orders more calls, and a violation remains a violation
 *     (as with late calls, state.c).
 *   - A linearization point (LP_POINT) belongs to an access that ends a path, as a return does.
 *   - A path has branches (calls, choices).  All branches have the same number of accesses,
 *     unless they return or wait earlier.
 *   - A wait is also an access, to the location that it waits for.
 *   - A compare-and-swap that fails in the current memory only reads: by (*) it fails at any time.
 *   - An access that writes the value that the current memory already has also counts as a read.  As an inner
 *     access it finds that value at any time, by (*), and leaves it there.  But where races are errors, a plain
 *     store counts as a write: it races with reads, whatever it stores.
 *   - Two processes in the same situation have paths of the same length, so that one process can
 *     represent the other.
 *   - Races.  Two accesses that race are not inner.  At most one of them may end a path of
 *     more than one access, so that one process is still at its access when the other reaches its own.
 *   - If a path returns to an earlier local state without having written, it ends after this iteration.
 *
 * A shorter path is always sound as well: it has fewer inner accesses.
 */
#include <string.h>

#include "base/error.h"
#include "explore/state/state_search.h"

static bool conflict(const struct lp_print *a, const struct lp_print *b)
{
	return a->word == b->word && (a->bytes & b->bytes) && (a->writes || b->writes);
}

/* May `p` be the last access of the path, by (*) for the inner accesses of other paths, and by the
 * rule for races? */
static bool may_end(const struct lp_state_search *s, const struct lp_print *p)
{
	for (uint32_t j = 0; j < s->options->processes; j++) {
		const struct lp_path *other = &s->step.paths[j];
		for (uint32_t k = 0; j != s->step.process && k < other->prints; k++) {
			const struct lp_print *q = &other->print[k];
			if (!conflict(p, q))
				continue;
			if (q->level < s->step.length[j])
				return false;
			if (s->step.length[j] > 1 && (p->plain || q->plain) &&
			    !s->options->races_ignored)
				return false;
		}
	}
	return true;
}

/* May `p` be an inner access of the path? */
static bool may_be_inner(const struct lp_state_search *s, const struct lp_print *p)
{
	for (uint32_t j = 0; j < s->options->processes; j++)
		for (uint32_t k = 0; j != s->step.process && k < s->step.paths[j].prints; k++)
			if (conflict(p, &s->step.paths[j].print[k]))
				return false;
	return true;
}

/* Limits the length of the path. */
static void cut(struct lp_state_search *s, uint32_t length)
{
	LP_HOLDS(length);
	if (length < s->step.length[s->step.process])
		s->step.length[s->step.process] = (uint8_t)length;
}

void lp_path_ends(struct lp_state_search *s, uint32_t level)
{
	cut(s, level);
}

static bool take(struct lp_state_search *s, struct lp_print p)
{
	struct lp_path *mine = &s->step.paths[s->step.process];

	if (p.level > 1 && (mine->prints == LP_PATH_PRINTS || !may_end(s, &p))) {
		cut(s, p.level - 1u);
		return false;
	}
	if (mine->prints == LP_PATH_PRINTS) {
		s->step.too_many = true; /* even at the first access */
		return false;
	}
	mine->print[mine->prints++] = p;
	if (s->step.length[s->step.process] > p.level && !may_be_inner(s, &p))
		cut(s, p.level);
	return true;
}

/* Has the process been in this local state before, and only read since? */
static bool goes_round(struct lp_state_search *s, lp_local local, uint32_t level, bool writes)
{
	LP_HOLDS(level && level <= LP_PATH_ACCESSES);
	s->step.passed[level] = local;
	s->step.wrote[level] = writes;
	for (uint32_t k = level; k-- > 1;)
		if (s->step.wrote[k])
			return false;
		else if (s->step.passed[k] == local)
			return true;
	return false;
}

bool lp_path_takes(struct lp_state_search *s, const struct lp_place_of *p, lp_local local, uint32_t level,
		   bool writes)
{
	struct lp_print print = { p->word, (uint8_t)level, lp_search_bytes(p), writes,
				  p->op.order == LP_PLAIN };
	const uint8_t slot = s->a.words.at[p->word].slot;

	if (goes_round(s, local, level, writes)) {
		cut(s, level - 1);
		return false;
	}
	if (!take(s, print))
		return false;
	if (p->op.size == 16) {
		print.word = p->second;
		if (!take(s, print))
			return false;
	}
	/* An access to a block also reads whether the block exists. */
	if (slot != LP_NO_SLOT &&
	    !take(s, (struct lp_print){ s->heap.heads[slot], (uint8_t)level, 1, false, false }))
		return false;
	return level < s->step.length[s->step.process];
}

bool lp_path_frees(struct lp_state_search *s, const struct lp_op *op, uint32_t level)
{
	const uint8_t slot = lp_automaton_slot(&s->a, op->loc);

	LP_HOLDS(level && level <= LP_PATH_ACCESSES);
	if (slot == LP_NO_SLOT)
		return false;
	s->step.wrote[level] = true;
	return take(s, (struct lp_print){ s->heap.heads[slot], (uint8_t)level, 1, true, false }) &&
	       level < s->step.length[s->step.process];
}

static void look_ahead(struct lp_state_search *s, const struct lp_snapshot *n, uint32_t process,
		       uint32_t length)
{
	struct lp_path *mine = &s->step.paths[process];
	uint32_t kept = 0;

	mine->prints = 0;
	s->step.length[process] = (uint8_t)length;
	lp_search_process(s, n, process);
	for (uint32_t k = 0; k < mine->prints; k++)
		if (mine->print[k].level <= s->step.length[process])
			mine->print[kept++] = mine->print[k];
	mine->prints = kept;
}

/* Only the first access of every branch is known.  May there be a second one? */
static bool may_go_on(struct lp_state_search *s, uint32_t process)
{
	const struct lp_path *mine = &s->step.paths[process];

	s->step.process = process;
	for (uint32_t k = 0; k < mine->prints; k++)
		if (!may_be_inner(s, &mine->print[k]))
			return false;
	return true;
}

/* Does (*) hold for all pairs of paths? */
static bool paths_are_apart(const struct lp_state_search *s)
{
	const uint8_t *length = s->step.length;

	for (uint32_t i = 0; i < s->options->processes; i++) {
		const struct lp_path *mine = &s->step.paths[i];
		for (uint32_t j = 0; j < s->options->processes; j++) {
			const struct lp_path *other = &s->step.paths[j];
			for (uint32_t k = 0; i != j && k < mine->prints; k++)
				for (uint32_t l = 0; mine->print[k].level < length[i] && l < other->prints; l++)
					if (other->print[l].level <= length[j] && conflict(&mine->print[k], &other->print[l]))
						return false;
		}
	}
	return true;
}

void lp_paths_find(struct lp_state_search *s, const struct lp_snapshot *n)
{
	const uint32_t count = s->options->processes;

	s->step.ahead = true;
	s->step.too_many = false;
	for (uint32_t i = 0; i < count; i++)
		look_ahead(s, n, i, 1);
	for (uint32_t i = 0; i < count && !s->step.too_many; i++)
		if (may_go_on(s, i))
			look_ahead(s, n, i, s->step.alike[i] ? s->step.length[i - 1] : LP_PATH_ACCESSES);
	for (uint32_t i = count; i-- > 1;)
		if (s->step.alike[i] && s->step.length[i] < s->step.length[i - 1])
			s->step.length[i - 1] = s->step.length[i];
	for (uint32_t i = 0; i < count; i++)
		if (s->step.too_many)
			s->step.length[i] = 1;
	s->step.ahead = false;
	LP_VALID(s->again || paths_are_apart(s)); /* otherwise the search restarts, because other processes can
	                                           * observe an access after all */
}
