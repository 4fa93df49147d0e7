/* unseen_calls.c -- finds calls that may follow a history. */
#include "check/quasi/unseen_calls.h"

#include "check/sort.h"

struct values {
	LP_VEC(int64_t);
};

/* Do results depend only on which values were inserted and removed? */
static bool is_container(const struct lp_kind *kind)
{
	bool removes = false;

	for (uint32_t m = 0; m < kind->method_count; m++)
		removes |= (kind->methods[m].roles & LP_REMOVES) != 0;
	return removes && !kind->by_key;
}

static bool gives_value(const struct lp_kind *kind, const struct lp_relax_event *e)
{
	const enum lp_shape shape = kind->methods[e->method].result;

	return (shape == LP_VALUE || shape == LP_VALUE_OR_EMPTY) && e->call.result &&
	       e->call.results == 1 && lp_relax_is_value(&e->call, *e->call.result);
}

/* The values that a cell has at the beginning. */
static void gather_initial(const struct lp_spec *spec, struct values *all, struct values *taken)
{
	const int init = lp_spec_param(spec, "init");
	struct lp_state s;

	lp_state_open(&s);
	lp_state_begin(&s, spec);
	if (init >= 0) /* a map does not have the value of missing keys in its state */
		lp_state_push(&s, spec->param[init]);
	for (uint32_t i = 0; i < s.count; i++) {
		LP_PUSH(all, s.at[i]);
		LP_PUSH(taken, 0);
	}
	lp_state_close(&s);
}

/* All values that occur, and for each time how often more they are taken out by that: 1, 0
 * or -1.  Returns how many calls may have taken out anything. */
static int64_t gather(const struct lp_spec *spec, const struct lp_relax_event *calls, uint32_t count,
		   struct values *all, struct values *taken)
{
	const struct lp_kind *kind = spec->kind;
	int64_t unknown = 0;

	gather_initial(spec, all, taken);
	for (uint32_t i = 0; i < count; i++) {
		const struct lp_spec_call *c = &calls[i].call;
		unknown += !c->result && kind->methods[calls[i].method].roles & LP_REMOVES;
		for (uint32_t a = 0; a < c->args; a++) {
			LP_PUSH(all, c->arg[a]);
			LP_PUSH(taken, c->result ? -1 : 0);
		}
		if (gives_value(kind, &calls[i])) {
			LP_PUSH(all, *c->result);
			LP_PUSH(taken, 1);
		}
	}
	return unknown;
}

/* Those that matter, and one below and one above all numbers. */
static void choose_values(const struct lp_spec *spec, const struct lp_relax_event *calls,
			  uint32_t count, struct values *chosen)
{
	const bool any = !is_container(spec->kind);
	struct values all = { 0 }, taken = { 0 };
	int64_t least = 1, most = 0;

	const int64_t unknown = gather(spec, calls, count, &all, &taken);
	uint32_t *number = lp_alloc(sizeof *number * all.count);
	const uint32_t different = lp_sort_number_values(all.at, all.count, number);
	int64_t *balance = lp_alloc_zero(different, sizeof *balance);
	for (uint32_t i = 0; i < all.count; i++)
		balance[number[i]] += taken.at[i];
	for (uint32_t i = 0, next = 0; i < all.count; i++) {
		least = all.at[i] < least && all.at[i] >= LP_LOWEST ? all.at[i] : least;
		most = all.at[i] > most ? all.at[i] : most;
		if (number[i] == next) { /* the first time */
			next++;
			if (any || balance[number[i]] + unknown > 0)
				LP_PUSH(chosen, all.at[i]);
		}
	}
	LP_PUSH(chosen, least - 1);
	if (most < INT64_MAX)
		LP_PUSH(chosen, most + 1);
	lp_free(all.at);
	lp_free(taken.at);
	lp_free(number);
	lp_free(balance);
}

static void add_calls(struct lp_unseen_calls *s, uint32_t method, uint32_t args,
		      const struct values *chosen)
{
	struct lp_unseen_call new = { .method = method };
	uint64_t all = 1;

	for (uint32_t a = 0; a < args; a++)
		all *= chosen->count;
	for (uint64_t i = 0; i < all; i++) {
		uint64_t rest = i;
		for (uint32_t a = 0; a < args; a++, rest /= chosen->count)
			new.arg[a] = chosen->at[rest % chosen->count];
		LP_PUSH(s, new);
	}
}

void lp_unseen_calls_find(struct lp_unseen_calls *s, const struct lp_relax *q,
			  const struct lp_relax_event *calls, uint32_t count)
{
	const struct lp_kind *kind = q->spec->kind;
	struct values chosen = { 0 };

	s->count = 0;
	choose_values(q->spec, calls, count, &chosen);
	for (uint32_t m = 0; m < kind->method_count; m++) {
		const struct lp_relax_event e = { .method = m };
		if (lp_relax_moves(q, &e))
			add_calls(s, m, kind->methods[m].args, &chosen);
	}
	lp_free(chosen.at);
}

bool lp_unseen_calls_nth(const struct lp_unseen_calls *s, const struct lp_relax *q, uint32_t i,
			 struct lp_relax_event *e)
{
	if (i >= s->count)
		return false;
	const uint32_t method = s->at[i].method;
	*e = (struct lp_relax_event){
		LP_RELAX_UNSEEN + method, method,
		{ .arg = s->at[i].arg, .args = q->spec->kind->methods[method].args },
	};
	return true;
}
