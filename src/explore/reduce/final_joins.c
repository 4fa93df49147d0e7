/* final_joins.c -- recognises the end of main() when it is the same every time. */
#include "explore/reduce/final_joins.h"

#include "base/error.h"
#include "explore/graph/lockstep.h"

enum { READS = 256 }; /* the most reads; checking more of them would cost too much */

void lp_final_joins_close(struct lp_final_joins *t)
{
	lp_free(t->reads.at);
	*t = (struct lp_final_joins){ 0 };
}

void lp_final_joins_resumes(struct lp_machine *m, const struct lp_graph *g, lp_eid e)
{
	struct lp_final_joins *t = &m->final_joins;
	const struct lp_thread *first = &g->threads.at[0];
	const struct lp_event *join = lp_graph_event(g, e);

	if (join->kind != LP_EV_JOIN || !join->index) {
		lp_final_joins_disturbed(t);
		return;
	}
	const struct lp_event *before = lp_graph_event(g, first->at[join->index - 1]);
	if (before->kind != LP_EV_JOIN) {
		const uint64_t uid = lp_note_of(g, before)->uid;
		if (uid == t->known)
			return; /* this was checked already */
		*t = (struct lp_final_joins){ .on = true, .from = uid, .first = join->index,
				       .reads = t->reads };
	} else if (!t->from || join->index > t->next || join->index < t->first ||
		   lp_graph_note(g, first->at[t->first - 1])->uid != t->from) {
		lp_final_joins_disturbed(t);
		return;
	}
	LP_HOLDS(t->from && t->first <= join->index && join->thread == 0);
	t->next = join->index;
	while (t->reads.count && LP_LAST(&t->reads).index >= t->next)
		t->reads.count--;
	if (before->kind != LP_EV_JOIN)
		t->reads.count = 0;
	t->noise = m->program->class->noise(m->program);
}

void lp_final_joins_resumed(struct lp_machine *m)
{
	struct lp_final_joins *t = &m->final_joins;

	if (!t->from)
		return;
	if (m->program->class->noise(m->program) != t->noise)
		lp_final_joins_disturbed(t);
	t->next++;
}

void lp_final_joins_read(struct lp_final_joins *t, uintptr_t loc, size_t size)
{
	if (t->reads.count == READS) {
		lp_final_joins_disturbed(t);
		return;
	}
	LP_HOLDS(t->from && (!t->reads.count || LP_LAST(&t->reads).index <= t->next));
	LP_PUSH(&t->reads, (struct lp_final_joins_read){ t->next, loc, size });
}

void lp_final_joins_disturbed(struct lp_final_joins *t)
{
	t->from = 0;
}

void lp_final_joins_ended(struct lp_final_joins *t, uint32_t index)
{
	if (t->from && t->next == index) {
		t->known = t->from;
		t->from = 0;
	}
}

bool lp_final_joins_holds(const struct lp_machine *m)
{
	LP_HOLDS(m->final_joins.on && m->final_joins.known);
	if (m->program->main_concerned)
		return false;
	for (uint32_t i = 0; i < m->final_joins.reads.count; i++) {
		const uintptr_t loc = m->final_joins.reads.at[i].loc;
		const size_t size = m->final_joins.reads.at[i].size;
		if (lp_machine_was_atomic(m, loc, size) || !lp_race_is_alone(m->race, 0, loc, size))
			return false;
	}
	return true;
}
