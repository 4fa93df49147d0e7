/* blame.c -- finds a declaration that a harness lacks. */
#include "verify/blame.h"

#include <stdio.h>

#include "base/alloc.h"
#include "spec/spec.h"
#include "verify/harness.h"

static const struct lp_method *method_of(const struct lp_harness *h, uint32_t method)
{
	return &h->spec->kind->methods[h->methods.at[method].spec_method];
}

/* Does `takes` acquire what `gives` releases: a lock for readers, or for a writer? */
static bool takes_for(const struct lp_method *takes, const struct lp_method *gives)
{
	return takes->roles & LP_TAKES && (takes->roles & LP_SHARES) == (gives->roles & LP_SHARES);
}

/* Does the thread hold what the call releases?  A failed try has acquired nothing. */
static bool is_held(const struct lp_harness *h, const struct lp_blame_call *calls, uint32_t call)
{
	const struct lp_method *gives = method_of(h, calls[call].method);
	int held = 0;

	for (uint32_t i = 0; i < call; i++) {
		const struct lp_method *m = method_of(h, calls[i].method);
		if (calls[i].thread != calls[call].thread)
			continue;
		if (takes_for(m, gives))
			held += m->result != LP_TRUTH || !calls[i].returned || calls[i].result;
		else if (m == gives)
			held--;
	}
	return held > 0;
}

/* Is a release wrong in the initial state, in which nothing is held?  For a semaphore it is not. */
static bool is_wrong_at_first(const struct lp_harness *h, uint32_t gives)
{
	const int64_t arg[LP_MAX_ARGS] = { 0 };
	struct lp_spec_call call = { .arg = arg, .args = method_of(h, gives)->args, .thread = 1 };
	struct lp_state state;

	lp_state_open(&state);
	lp_state_begin(&state, h->spec);
	const bool accepted = lp_spec_step(h->spec, h->methods.at[gives].spec_method, &state, &call) == LP_ACCEPTS;
	lp_state_close(&state);
	return !accepted;
}

/* Does the harness declare that the call follows an acquisition (or, of a try, a successful one)? */
static bool is_said(const struct lp_harness *h, uint32_t gives)
{
	const struct lp_harness_method *m = &h->methods.at[gives];

	for (uint32_t i = 0; i < m->needs; i++)
		if (!takes_for(method_of(h, m->need[i].method), method_of(h, gives)) ||
		    (method_of(h, m->need[i].method)->result == LP_TRUTH && !m->need[i].truth))
			return false;
	return m->needs;
}

static const char *say_after(const struct lp_harness *h, uint32_t gives, uint32_t takes, struct lp_arena *arena)
{
	const char *name = h->methods.at[gives].name, *first = h->methods.at[takes].name;
	const bool tries = method_of(h, takes)->result == LP_TRUTH;
	char text[400];

	snprintf(text, sizeof text, "%s() is called by a thread that holds nothing%s. If no client does that, say so in the harness: "
		 "LP_AFTER%s(\"%s\", \"%s\")%s", name, tries ? ", or after a try that failed" : "", tries ? "_TRUE" : "", name, first,
		 tries && h->methods.at[gives].needs ? ", not LP_AFTER" : "");
	return lp_arena_strdup(arena, text);
}

const char *lp_blame_after(const struct lp_harness *h, const struct lp_blame_call *calls, uint32_t count, struct lp_arena *arena)
{
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t gives = calls[i].method;
		if (!(method_of(h, gives)->roles & LP_GIVES) || is_said(h, gives) || is_held(h, calls, i) || !is_wrong_at_first(h, gives))
			continue;
		for (uint32_t takes = 0; takes < h->methods.count; takes++)
			if (takes_for(method_of(h, takes), method_of(h, gives)))
				return say_after(h, gives, takes, arena);
	}
	return NULL;
}
