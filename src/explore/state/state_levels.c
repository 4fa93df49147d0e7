/* state_levels.c -- counts states by the number of transitions that led to them when they were met.
 * In a breadth-first search this is their distance from the first state.
 */
#include "base/error.h"
#include "explore/state/shared/shared.h"

/* May another process have the record of the parent? */
static bool is_shared(const struct lp_state_search *s, uint32_t record)
{
	return lp_shared_is_split(s->shared) && record >= s->shared->agreed_records;
}

void lp_search_levels(struct lp_state_search *s)
{
	const uint32_t count = s->records.count;
	uint32_t *level = lp_alloc(sizeof *level * (count + 1)), most = 0;

	/* The parent of a state was met before it. */
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t from = lp_search_record(s, i).from;
		LP_HOLDS(is_shared(s, i) || from == UINT32_MAX || from < i);
		level[i] = is_shared(s, i) ? lp_shared_depth(s, i) : from == UINT32_MAX ? 0 : level[from] + 1;
		most = level[i] > most ? level[i] : most;
	}
	uint64_t *levels = lp_arena_alloc(s->arena, sizeof *levels * (most + 1));
	for (uint32_t i = 0; i <= most; i++)
		levels[i] = 0;
	/* Only the first peer counts the states that all peers have. */
	for (uint32_t i = lp_shared_is_split(s->shared) && s->shared->peers.self ? s->shared->agreed_records : 0; i < count; i++)
		levels[level[i]]++;
	s->counts->levels = levels;
	s->counts->level_count = count ? most + 1 : 0;
	lp_free(level);
}
