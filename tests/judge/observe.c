/* observe.c -- observations of executions, and when one covers another; see observe.h. */
#include "observe.h"

#include "base/alloc.h"
#include "base/error.h"

#include <stdatomic.h>
#include <string.h>

enum { COMMON = 4096, PASSES = 256 };

/* Ranks restart one after the other, and the first may be in the next pass by then: what belongs to an earlier pass is told
 * by its number. */
struct common_observations {
	_Atomic uint32_t count, done; /* places that were taken, and filled in */
	_Atomic uint64_t complete[PASSES];
	struct {
		uint32_t pass;
		struct observation seen;
	} at[COMMON];
};

/* ---- views ---- */

static bool names(const struct lp_script *s, uint32_t thread, uint8_t reg)
{
	for (uint32_t i = 0; i < s->outcome.count; i++)
		if (s->outcome.at[i].thread == thread && s->outcome.at[i].reg == reg)
			return true;
	return false;
}

static bool add_register(struct view *v, uint8_t reg)
{
	for (uint32_t i = 0; i < v->regs; i++)
		if (v->reg[i] == reg)
			return true;
	if (v->regs == OBSERVED_REGS)
		return false;
	v->reg[v->regs++] = reg;
	return true;
}

bool view_open(struct view *v, struct lp_script *s, enum lp_model model, uint32_t bound)
{
	const uint32_t count = s->outcome.count;

	*v = (struct view){ .script = s, .model = model, .bound = bound };
	if (s->blocks.count > OBSERVED_THREADS)
		return false;
	for (uint32_t t = 1; t < s->blocks.count; t++)
		v->alike[t] = t > 1 && lp_script_alike(s, t - 1, t) ? v->alike[t - 1] : t;
	for (uint32_t i = 0; i < count; i++) {
		const struct lp_script_outcome o = s->outcome.at[i];
		if (!add_register(v, o.reg))
			return false;
		for (uint32_t t = 1; t < s->blocks.count; t++)
			if (v->alike[t] == v->alike[o.thread] && !names(s, t, o.reg))
				LP_PUSH(&s->outcome, ((struct lp_script_outcome){ t, o.reg }));
	}
	return lp_script_derive(s, NULL);
}

/* ---- like threads ---- */

static uint64_t renamed_value(uint64_t value, const uint32_t *name)
{
	const uint64_t whose = value - LP_SCRIPT_ME;
	return whose < OBSERVED_THREADS ? LP_SCRIPT_ME + name[whose] : value;
}

static uint32_t renamed_call(uint32_t call, const uint32_t *name)
{
	return 2 * (name[call / 2 + 1] - 1) + call % 2;
}

static bool relates(const struct relation *r, uint32_t a, uint32_t b)
{
	return r->after[a] >> b & 1;
}

static void put(struct relation *r, uint32_t a, uint32_t b)
{
	r->after[a] |= (uint16_t)(1u << b);
}

/* Is each pair of the one also one of the other? */
static bool is_within(const struct relation *one, const struct relation *other)
{
	for (uint32_t a = 0; a < OBSERVED_CALLS; a++)
		if (one->after[a] & ~other->after[a])
			return false;
	return true;
}

static struct relation renamed_relation(const struct relation *r, const uint32_t *name)
{
	struct relation result = { 0 };

	for (uint32_t a = 0; a < OBSERVED_CALLS; a++)
		for (uint32_t b = 0; b < OBSERVED_CALLS; b++)
			if (relates(r, a, b))
				put(&result, renamed_call(a, name), renamed_call(b, name));
	return result;
}

static struct observation renamed(const struct observation *o, const uint32_t *name)
{
	struct observation r;

	memset(&r, 0, sizeof r); /* the bytes in between are compared, too */
	r.stuck = o->stuck;
	r.deep = o->deep;
	for (uint32_t t = 0; t < OBSERVED_THREADS; t++) {
		r.ended |= (o->ended >> t & 1) << name[t];
		for (uint32_t i = 0; i < OBSERVED_REGS; i++)
			r.result[name[t]][i] = renamed_value(o->result[t][i], name);
	}
	r.happens = renamed_relation(&o->happens, name);
	r.possible = renamed_relation(&o->possible, name);
	return r;
}

/* Calls f with the observation under all names of threads from t on that are not in `taken`, until it says true. */
typedef bool with_names(void *closure, const struct observation *);

static bool rename_from(const struct view *v, const struct observation *o, uint32_t t, uint32_t taken,
			uint32_t *name, with_names *f, void *closure)
{
	if (t == v->script->blocks.count) {
		const struct observation r = renamed(o, name);
		return f(closure, &r);
	}
	for (uint32_t n = 1; n < v->script->blocks.count; n++) {
		if (v->alike[n] != v->alike[t] || taken >> n & 1)
			continue;
		name[t] = n;
		if (rename_from(v, o, t + 1, taken | 1u << n, name, f, closure))
			return true;
	}
	return false;
}

static bool each_name(const struct view *v, const struct observation *o, with_names *f, void *closure)
{
	uint32_t name[OBSERVED_THREADS] = { 0, 1, 2, 3, 4, 5, 6 };

	return rename_from(v, o, 1, 0, name, f, closure);
}

static bool keep_least(void *least, const struct observation *r)
{
	if (memcmp(r, least, sizeof *r) < 0)
		memcpy(least, r, sizeof *r);
	return false;
}

static void fold(const struct view *v, struct observation *o)
{
	struct observation least = *o;

	each_name(v, o, keep_least, &least);
	*o = least;
}

/* ---- observing ---- */

/* The thread's calls: one from each `choose 1` on.  A thread that does nothing, but for its end, makes none. */
static void find_calls(struct observer *w, const struct lp_graph *g, uint32_t thread, uint32_t *slot)
{
	const struct lp_thread *t = &g->threads.at[thread];
	uint32_t first = 0, nth = 0;

	if (!t->count || lp_graph_event(g, t->at[0])->kind == LP_EV_END)
		return;
	for (uint32_t i = 1; i <= t->count; i++) {
		const struct lp_event *e = i < t->count ? lp_graph_event(g, t->at[i]) : NULL;
		const bool begins = e && e->kind == LP_EV_CALL && !nth;

		if (e && !begins)
			continue;
		slot[w->calls.count] = 2 * (thread - 1) + nth++;
		w->calls.at[w->calls.count++] = (struct lp_call_span){ thread, first, i };
		first = i;
	}
}

/* Could a client order a before b? */
static bool is_possible(const struct observer *w, const struct lp_graph *g,
			const struct lp_model_class *model, uint32_t a, uint32_t b)
{
	const struct lp_calls *c = &w->calls;
	uint32_t before[LP_CALLS] = { 0 };

	if (c->reaches[b] >> a & 1 || c->clashes[a] >> b & 1)
		return false;
	before[b] = UINT32_C(1) << a;
	return c->exact || lp_calls_possible(c, g, model, before);
}

/* A call that never returns comes before none, and how far it got does not matter: it goes on forever. */
static bool is_stuck(const struct observer *w, const struct lp_graph *g, const struct observation *o, uint32_t call)
{
	const struct lp_call_span *s = &w->calls.at[call];
	return !(o->ended >> s->thread & 1) && s->end == g->threads.at[s->thread].count;
}

static void relate(struct observer *w, const struct lp_graph *g, struct observation *o)
{
	const struct lp_model_class *model = lp_model_class_of(w->view->model);
	uint32_t slot[LP_CALLS];

	w->calls.count = 0;
	for (uint32_t t = 1; t < g->threads.count && t < OBSERVED_THREADS; t++)
		find_calls(w, g, t, slot);
	lp_calls_relate(&w->calls, g, model);
	for (uint32_t a = 0; a < w->calls.count; a++)
		for (uint32_t b = 0; b < w->calls.count; b++) {
			if (a == b || is_stuck(w, g, o, a) || is_stuck(w, g, o, b))
				continue;
			if (w->calls.happens[a] >> b & 1)
				put(&o->happens, slot[a], slot[b]);
			if (w->calls.at[a].thread != w->calls.at[b].thread && is_possible(w, g, model, a, b))
				put(&o->possible, slot[a], slot[b]);
		}
}

static void take_results(const struct observer *w, struct observation *o)
{
	const struct view *v = w->view;

	for (uint32_t t = 0; t < v->script->blocks.count; t++) {
		const struct lp_op *op = lp_program_pending(w->program, t);

		o->deep |= lp_script_rounds(w->program, t) > v->bound;
		if (!op || op->kind != LP_OP_END)
			continue;
		o->ended |= 1u << t;
		for (uint32_t i = 0; i < v->regs; i++)
			if (names(v->script, t, v->reg[i]))
				o->result[t][i] = lp_script_register(w->program, t, v->reg[i]);
	}
}

static void share(struct common_observations *c, const struct observation *o, uint32_t pass)
{
	const uint32_t i = atomic_fetch_add(&c->count, 1);

	if (i >= COMMON)
		return;
	c->at[i].seen = *o;
	c->at[i].pass = pass;
	atomic_fetch_add(&c->done, 1);
}

enum lp_judgement observe(void *closure, const struct lp_graph *g, bool stuck, struct lp_program_error *error)
{
	struct observer *w = closure;
	struct observation o;

	(void)error;
	memset(&o, 0, sizeof o);
	w->complete += !stuck;
	if (w->common)
		atomic_fetch_add(&w->common->complete[w->restarts % PASSES], !stuck);
	o.stuck = stuck;
	take_results(w, &o);
	relate(w, g, &o);
	if (w->view->fold)
		fold(w->view, &o);
	for (uint32_t i = 0; i < w->seen.count; i++)
		if (!memcmp(&w->seen.at[i], &o, sizeof o))
			return LP_JUDGED_RIGHT;
	LP_PUSH(&w->seen, o);
	if (w->common)
		share(w->common, &o, w->restarts);
	return LP_JUDGED_RIGHT;
}

void observe_again(void *closure)
{
	struct observer *w = closure;
	w->seen.count = 0;
	w->complete = 0;
	w->restarts++;
}

void observer_share(struct observer *w)
{
	w->common = lp_try_alloc_pages(sizeof *w->common, true);
	LP_HOLDS(w->common);
}

bool observer_gather(struct observer *w)
{
	struct common_observations *c = w->common;
	const bool all = c->count <= COMMON && c->done == c->count && w->restarts < PASSES;

	w->seen.count = 0;
	w->complete = c->complete[w->restarts % PASSES];
	for (uint32_t i = 0; all && i < c->count; i++)
		if (c->at[i].pass == w->restarts)
			LP_PUSH(&w->seen, c->at[i].seen);
	lp_free_pages(c, sizeof *c);
	w->common = NULL;
	return all;
}

void observer_drop(struct observer *w)
{
	lp_calls_close(&w->calls);
	lp_free(w->seen.at);
}

/* ---- covering ---- */

bool has_same_results(const struct observation *r, const struct observation *f, bool without_main)
{
	const uint32_t from = without_main ? 1 : 0;

	return r->stuck == f->stuck && r->ended >> from == f->ended >> from &&
	       !memcmp(r->result[from], f->result[from], sizeof *r->result * (OBSERVED_THREADS - from));
}

bool covers(const struct observation *r, const struct observation *f, bool without_main)
{
	return has_same_results(r, f, without_main) && is_within(&r->happens, &f->happens) && is_within(&f->possible, &r->possible);
}

struct covered {
	const struct observation *o;
	bool without_main;
};

static bool covers_it(void *closure, const struct observation *r)
{
	const struct covered *c = closure;
	return covers(r, c->o, c->without_main);
}

bool is_covered(const struct view *v, const struct observations *by, const struct observation *o, bool without_main)
{
	struct covered c = { o, without_main };

	for (uint32_t i = 0; i < by->count; i++)
		if (covers_it(&c, &by->at[i]) || (v->fold && each_name(v, &by->at[i], covers_it, &c)))
			return true;
	return false;
}

bool is_covered_in_parts(const struct view *v, const struct observations *by, const struct observation *o,
			 bool without_main)
{
	struct observation part = *o;

	if (is_covered(v, by, o, without_main))
		return true;
	part.possible = (struct relation){ 0 };
	if (!is_covered(v, by, &part, without_main))
		return false;
	for (uint32_t a = 0; a < OBSERVED_CALLS; a++)
		for (uint32_t b = 0; b < OBSERVED_CALLS; b++) {
			part.possible = (struct relation){ 0 };
			put(&part.possible, a, b);
			if (relates(&o->possible, a, b) && !is_covered(v, by, &part, without_main))
				return false;
		}
	return true;
}

static void print_relation(FILE *out, const char *name, const struct relation *r)
{
	fprintf(out, "  %s", name);
	for (uint32_t a = 0; a < OBSERVED_CALLS; a++)
		for (uint32_t b = 0; b < OBSERVED_CALLS; b++)
			if (relates(r, a, b))
				fprintf(out, " %u%s-%u%s", a / 2 + 1, a % 2 ? "'" : "", b / 2 + 1, b % 2 ? "'" : "");
}

void print_observation(FILE *out, const struct view *v, const struct observation *o)
{
	for (uint32_t t = 0; t < v->script->blocks.count; t++) {
		if (!(o->ended >> t & 1)) {
			fprintf(out, " %u:stuck", t);
			continue;
		}
		for (uint32_t i = 0; i < v->regs; i++)
			if (names(v->script, t, v->reg[i]))
				fprintf(out, " %u:r%u=%llu", t, v->reg[i],
					(unsigned long long)o->result[t][i]);
	}
	print_relation(out, "happens", &o->happens);
	print_relation(out, "possible", &o->possible);
	fputc('\n', out);
}
