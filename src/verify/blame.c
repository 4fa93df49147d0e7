/* blame.c -- what a harness may have forgotten to say. */
#include "verify/blame.h"

#include <stdio.h>

#include "base/alloc.h"
#include "spec/spec.h"
#include "verify/plan.h"

static const struct lp_method *method_of(const struct lp_harness *h, uint32_t method)
{
	return &h->spec->kind->methods[h->methods.at[method].spec_method];
}

/* Is it what the other gives back: a lock, for readers or for a writer? */
static bool takes_for(const struct lp_method *takes, const struct lp_method *gives)
{
	return takes->roles & LP_TAKES && (takes->roles & LP_SHARES) == (gives->roles & LP_SHARES);
}

static bool has_taken(const struct lp_harness *h, const struct lp_plan_client *client, uint32_t call)
{
	const struct lp_method *gives = method_of(h, client->method[call]);

	for (uint32_t i = 0; i < call; i++)
		if (client->client.call[i].thread == client->client.call[call].thread &&
		    takes_for(method_of(h, client->method[i]), gives))
			return true;
	return false;
}

/* At first nothing is held.  A semaphore may be released by any thread, at any time. */
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

static const char *say_after(const struct lp_harness *h, uint32_t gives, uint32_t takes, struct lp_arena *arena)
{
	const char *name = h->methods.at[gives].name, *first = h->methods.at[takes].name;
	char text[400];

	snprintf(text, sizeof text, "%s() is called by a thread that holds nothing. If no client does that, say so in the harness: "
		 "LP_AFTER%s(\"%s\", \"%s\")", name, method_of(h, takes)->result == LP_TRUTH ? "_TRUE" : "", name, first);
	return lp_arena_strdup(arena, text);
}

const char *lp_blame_after(const struct lp_harness *h, const struct lp_plan_client *client, struct lp_arena *arena)
{
	for (uint32_t i = 0; i < client->client.calls; i++) {
		const uint32_t gives = client->method[i];
		if (!(method_of(h, gives)->roles & LP_GIVES) || h->methods.at[gives].needs || has_taken(h, client, i) ||
		    !is_wrong_at_first(h, gives))
			continue;
		for (uint32_t takes = 0; takes < h->methods.count; takes++)
			if (takes_for(method_of(h, takes), method_of(h, gives)))
				return say_after(h, gives, takes, arena);
	}
	return NULL;
}
