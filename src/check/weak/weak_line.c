/* weak_line.c -- finds an order of the updates that a session has seen and of its calls.
 *
 * Items, keys and sources are those of weak_calls.h.  For a session, let hb be the least order of calls with two properties:
 *
 *     it has all dependences;
 *     for each item of the session, with source w: every other update on the item's key that is before the item's call
 *     is before w.
 *
 * After Bouajjani, Enea, Guerraoui and Hamza, "On verifying causal consistency", POPL 2017: bad patterns CyclicHB and
 * WriteHBInitRead.  If hb has no cycle, and if no update of a key is before a call whose result says that there was none,
 * an order as in the first line exists.  Let the session's calls come one by one.  Let each call follow directly after the
 * updates that are before it in hb and have not come yet, in any order that hb allows.  Suppose that one of these updates,
 * other than the source, is on the key of an item of the call.  In hb it is before the source.  So the source comes after it,
 * and is also one of these updates: if the source had come with an earlier call, the update would have come then, too.  So
 * the source is the last update on the key.  Calls with several items (all of a set) change nothing in this argument.
 *
 * hb is computed for one session at a time: edges are added until there are no more.
 */
#include "check/weak/weak_infer.h"

static const char line_order[] = "no order of what a session has seen, one after the other, explains what it reads";

struct line {
	struct lp_weak_inference *f;
	uint32_t session;
	struct lp_weak_edges edges;
	uint32_t *past; /* by call: the updates before it */
	uint32_t *list;
};

static uint32_t *past_of(const struct line *l, uint32_t call)
{
	return l->past + (size_t)l->f->views.cells * call;
}

/* Adds the edges that the items of the call require.  Returns false if the items are impossible. */
static bool demand(struct line *l, uint32_t call)
{
	const struct lp_weak_inference *f = l->f;
	const struct lp_weak_calls *w = f->w;
	const struct lp_weak_call *c = &w->calls[call];

	for (uint32_t i = c->first_item; i < c->first_item + c->items; i++) {
		const uint32_t source = f->source[i];
		const uint32_t key = lp_weak_item_key(f, i);
		const uint32_t count = key == LP_ANY_KEY ? 0 : lp_view_list(&f->views, past_of(l, call), key, l->list);
		f->not_initially[i] |= count > 0;
		if (source == LP_INITIALLY && count)
			return false;
		for (uint32_t j = 0; source < LP_OPEN && j < count; j++) {
			const uint32_t to = w->updates.at[source].call;
			if (l->list[j] != source && !lp_view_has(&f->views, past_of(l, to), l->list[j]))
				LP_PUSH(&l->edges, (struct lp_weak_edge){ .from = w->updates.at[l->list[j]].call,
									  .to = to });
		}
	}
	return true;
}

/* The pasts of all calls with the edges so far; false if there is a cycle. */
static bool pass(struct line *l)
{
	const struct lp_views *views = &l->f->views;
	const struct lp_weak_calls *w = l->f->w;
	struct lp_weak_graph g;
	uint32_t call;

	memset(l->past, 0, sizeof *l->past * views->cells * w->count);
	lp_weak_graph_open(&g, w->count, l->edges.at, l->edges.count);
	while ((call = lp_weak_graph_next(&g)) != LP_NO_OP)
		for (uint32_t i = g.first[call]; i < g.first[call + 1]; i++) {
			uint32_t *next = past_of(l, g.next[i]);
			lp_view_join(views, next, past_of(l, call));
			if (w->calls[call].update != LP_NO_UPDATE)
				lp_view_add(views, next, w->calls[call].update);
		}
	const bool acyclic = g.done == w->count;
	lp_weak_graph_close(&g);
	return acyclic;
}

static bool says_something(const struct lp_weak_calls *w, uint32_t session)
{
	bool something = false;

	for (uint32_t c = w->first_call[session]; c < w->first_call[session + 1] && !something; c++)
		something = w->calls[c].items > 0;
	return something;
}

static bool exists(struct line *l)
{
	const struct lp_weak_calls *w = l->f->w;
	const uint32_t dependences = l->edges.count;
	uint32_t before;
	bool good = true;

	if (!says_something(w, l->session))
		return true;
	do {
		before = l->edges.count;
		good = pass(l);
		for (uint32_t c = w->first_call[l->session]; good && c < w->first_call[l->session + 1]; c++)
			good = demand(l, c);
	} while (good && l->edges.count > before);
	l->edges.count = dependences;
	return good;
}

bool lp_weak_lines_exist(struct lp_weak_inference *f)
{
	struct line l = { .f = f, .list = f->list };

	l.past = lp_views_alloc(&f->views, f->w->count);
	lp_weak_dependences(f, &l.edges);
	for (; l.session < f->w->sessions && !f->clash; l.session++)
		if (!exists(&l))
			f->clash = line_order;
	lp_free(l.edges.at);
	lp_free(l.past);
	return !f->clash;
}
