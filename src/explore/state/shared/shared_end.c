/* shared_end.c -- the first peer follows the path to a violation that some peer has found.
 *
 * A peer has only the records of its own states.  Each record names the peer that has the record of the parent.
 * The peers assemble the path to the violation from these records; then the first peer follows it, and finds
 * the violation as if it had searched alone.
 */
#include "base/error.h"
#include "explore/state/shared/shared.h"

uint32_t lp_shared_depth(const struct lp_state_search *s, uint32_t record)
{
	const struct lp_shared *sh = s->shared;
	uint32_t depth = 0;

	LP_HOLDS(record < s->records.count);
	if (record >= sh->agreed_records) {
		LP_HOLDS(record - sh->agreed_records < sh->origins.count);
		return sh->origins.at[record - sh->agreed_records].depth;
	}
	for (; lp_search_record(s, record).from != UINT32_MAX; depth++)
		record = lp_search_record(s, record).from;
	return depth;
}

struct link {
	struct lp_record record;
	uint32_t peer; /* the peer that has the record of the parent */
};

/* Gets a record from the peer that has it. */
static struct link ask(struct lp_state_search *s, uint32_t peer, uint32_t record)
{
	struct lp_shared *sh = s->shared;
	struct link l = { .peer = peer };

	LP_HOLDS(peer < sh->peers.count && (peer != sh->peers.self || record < s->records.count));
	if (record < sh->agreed_records) {
		l.record = lp_search_record(s, record);
		return l;
	}
	if (peer == sh->peers.self) {
		l.record = lp_search_record(s, record);
		l.peer = sh->origins.at[record - sh->agreed_records].peer;
		for (uint32_t i = 0; i < sh->peers.count; i++)
			if (i != peer)
				lp_bytes_put(&sh->out[i], &l, sizeof l);
	}
	lp_shared_exchange(s);
	if (peer != sh->peers.self) {
		struct lp_cursor in = { sh->in[peer].at, sh->in[peer].count, false };
		lp_cursor_get(&in, &l, sizeof l);
	}
	return l;
}

void lp_shared_find_wrong(struct lp_state_search *s, struct lp_snapshot *n, uint32_t peer, struct lp_record last)
{
	struct lp_shared *sh = s->shared;
	struct link l = { last, peer };

	s->way.path.count = 0;
	LP_PUSH(&s->way.path, last.way);
	while (l.record.from != UINT32_MAX && !sh->is_lost) {
		l = ask(s, l.peer, l.record.from);
		if (l.record.from != UINT32_MAX)
			LP_PUSH(&s->way.path, l.record.way);
	}
	if (sh->is_lost)
		return;
	s->stopped = true;
	s->out->verdict = LP_VIOLATION;
	if (sh->peers.self)
		return;
	const struct lp_state_counts counts = *s->counts;
	s->stopped = false;
	s->out->verdict = LP_VERIFIED;
	lp_search_go_to(s, n);
	s->arrivals.heads.count = s->arrivals.words.count = 0;
	lp_search_visit(s, n);
	s->arrivals.heads.count = s->arrivals.words.count = 0;
	*s->counts = counts;
	s->way.given = true;
	if (!s->wrong)
		lp_search_stop(s, "what another process found cannot be found once more");
}
