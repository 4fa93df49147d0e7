/* test_axioms.c -- the models, asked event by event, against their axioms on whole graphs.
 *
 *     test_axioms [GRAPHS [SEED]]
 *
 * Graphs grow at random: a read is given any write, a write any place.  The model says by its floor and accepts() whether
 * the graph is still consistent; the axioms (model/axioms.h) must say the same, and find the same happens-before.  What is not
 * consistent is taken back, so that graphs become large.  A disagreement prints the graph.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "expect.h"
#include "graph/parts.h"
#include "model/axioms.h"
#include "model/models.h"

enum { THREADS = 3, LOCATIONS = 2, STEPS = 14 };

static uint64_t state;
static unsigned consistent, inconsistent;

static uint32_t below(uint32_t n)
{
	return (uint32_t)(lp_mix(state += UINT64_C(0x9e3779b97f4a7c15)) % n);
}

static void print(const struct lp_graph *g)
{
	static const char *const kinds[] = { "read", "write", "fence", "spawn", "join", "choose", "call", "end" };

	for (lp_eid id = 0; id < g->ev.count; id++) {
		const struct lp_event *e = lp_graph_event(g, id);
		printf("  %2u: T%u %s%s order %u loc %u rf %d pos %u target %u\n", id, e->thread, kinds[e->kind], e->rmw ? " (rmw)" : "",
		       e->order, e->loc, (int)e->rf, e->pos, e->target);
	}
}

static lp_eid add(const struct lp_model_class *model, struct lp_graph *g, const struct lp_event *e)
{
	const lp_eid id = lp_graph_add(g, e);

	lp_model_synchronise(model, g, id);
	return id;
}

/* The event was added, at or above the floor if `above`: do both say the same?  If it does not belong, it is taken back. */
static bool judge(const struct lp_model_class *model, struct lp_graph *g, lp_eid id, bool above)
{
	const bool says = above && model->accepts(g, id), holds = lp_axioms_judge(model, g) == LP_AXIOMS_HOLD;

	EXPECT(says == holds, "%s: event %u: the model says %s, the axioms %s", model->name, id, says ? "yes" : "no", holds ? "yes" : "no");
	if (says != holds)
		print(g);
	consistent += holds;
	inconsistent += !holds;
	if (!says || !holds)
		lp_graph_pop(g);
	return says && holds;
}

static struct lp_event event(const struct lp_model_class *model, const struct lp_graph *g, uint32_t thread, enum lp_event_kind kind,
			     enum lp_order order)
{
	return (struct lp_event){ .kind = (uint8_t)kind, .order = (uint8_t)model->order(kind, order), .thread = thread,
				  .index = g->threads.at[thread].count, .rf = LP_NO_EVENT };
}

static bool is_between(const struct lp_graph *g, uint32_t l, uint32_t pos)
{
	const struct lp_loc *loc = &g->locs.at[l];

	return pos <= loc->co.count && g->ev.at[loc->co.at[pos - 1]].rmw;
}

static void grow_by_access(const struct lp_model_class *model, struct lp_graph *g, uint32_t thread)
{
	static const enum lp_order orders[] = { LP_RLX, LP_RLX, LP_ACQREL, LP_SC, LP_PLAIN };
	const uint32_t loc = below(LOCATIONS), count = g->locs.at[loc].co.count;
	const unsigned what = below(5);
	const enum lp_order order = orders[below(what < 4 ? 5 : 4)];
	struct lp_event e = event(model, g, thread, what < 2 ? LP_EV_WRITE : LP_EV_READ, order);

	e.loc = loc;
	if (what < 2) {
		e.pos = 1 + below(count + 1);
		if (!is_between(g, loc, e.pos)) {
			const bool above = e.pos > model->floor(g, &e);
			judge(model, g, add(model, g, &e), above);
		}
		return;
	}
	const uint32_t pos = below(count + 1);
	e.rf = lp_graph_at(&g->locs.at[loc], pos);
	e.locked = e.rmw = what == 4 && !is_between(g, loc, pos + 1);
	const bool above = pos >= model->floor(g, &e);
	if (!judge(model, g, add(model, g, &e), above) || !e.rmw)
		return;
	struct lp_event write = event(model, g, thread, LP_EV_WRITE, order);
	write.loc = loc;
	write.rmw = write.locked = true;
	write.pos = pos + 1;
	if (!judge(model, g, add(model, g, &write), true))
		lp_graph_pop(g); /* the read, too */
}

static void grow(const struct lp_model_class *model, struct lp_graph *g)
{
	uint32_t threads = 1;

	lp_graph_clear(g);
	for (uint32_t l = 0; l < LOCATIONS; l++)
		lp_graph_need_loc(g, l);
	for (uint32_t i = 0; i < STEPS; i++) {
		const uint32_t thread = below(threads);
		if (!thread && threads < THREADS) {
			struct lp_event spawn = event(model, g, 0, LP_EV_SPAWN, LP_PLAIN);
			spawn.target = threads++;
			add(model, g, &spawn);
		} else if (!below(6)) {
			struct lp_event fence = event(model, g, thread, LP_EV_FENCE, below(2) ? LP_SC : LP_ACQREL);
			judge(model, g, add(model, g, &fence), true);
		} else {
			grow_by_access(model, g, thread);
		}
		EXPECT(lp_graph_validate(g));
	}
	if (threads == THREADS) {
		const struct lp_event end = event(model, g, THREADS - 1, LP_EV_END, LP_PLAIN);
		add(model, g, &end);
		struct lp_event join = event(model, g, 0, LP_EV_JOIN, LP_PLAIN);
		join.target = THREADS - 1;
		judge(model, g, add(model, g, &join), true);
		grow_by_access(model, g, 0);
	}
}

int main(int argc, char **argv)
{
	const unsigned graphs = argc > 1 ? (unsigned)atoi(argv[1]) : 2000;
	struct lp_graph g;

	state = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
	printf("seed %llu\n", (unsigned long long)state);
	lp_graph_open(&g);
	for (unsigned i = 0; i < graphs && !failures; i++)
		for (enum lp_model m = LP_MODEL_SC; m <= LP_MODEL_RC11_C20; m++)
			grow(lp_model_class_of(m), &g);
	lp_graph_close(&g);
	printf("%u consistent, %u not\n", consistent, inconsistent);
	EXPECT(failures || (consistent > graphs && inconsistent > graphs));
	return expect_status();
}
