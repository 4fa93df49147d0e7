/* mutant_results.c -- the results that clients of an object see, compared with those of a mutant. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/mutants/mutants.h"

bool lp_mutants_observe(struct lp_check *c, struct lp_sightings *o)
{
	const struct lp_explore_options kept = c->task.explore;
	struct lp_error error;

	lp_sightings_open(o, c);
	const bool all = lp_check_explore(c, &error) && c->total.verdict == LP_VERIFIED;
	c->task.explore = kept;
	return all;
}

static bool has_more_orders(const struct lp_ending *a, const struct lp_ending *b)
{
	for (uint32_t w = 0; w < LP_ENDING_WORDS; w++)
		if (a->possible[w] & ~b->possible[w])
			return true;
	return false;
}

/* "put(1) | put(2) | take() -> 1", from the text of an ending: "1:put(1)= 2:put(2)= 3:take()=1". */
static void say(const char *text, char *out, size_t size)
{
	long thread = 0;
	size_t used = 0;

	for (const char *at = text; *at && used < size; at += *at == ' ') {
		char *call;
		const long own = strtol(at, &call, 10);
		const size_t length = strcspn(call + 1, "="), result = strcspn(call + 1 + length, " ");
		used += (size_t)snprintf(out + used, size - used, "%s%.*s%s%.*s", at == text ? "" : own == thread ? "; " : " | ",
					 (int)length, call + 1, result > 1 ? " -> " : "", result > 1 ? (int)result - 1 : 0,
					 call + 2 + length);
		thread = own;
		at = call + 1 + length + result;
	}
}

enum lp_mutant_likeness lp_mutants_compare(const struct lp_sightings *one, const struct lp_sightings *other, char *first,
					   size_t size)
{
	enum lp_mutant_likeness found = LP_LIKENESS_SAME;

	for (uint32_t i = 0; i < one->endings.count; i++) {
		const struct lp_ending *e = &one->endings.at[i], *like = lp_sightings_find(other, e->text);
		const enum lp_mutant_likeness here = !like		     ? LP_LIKENESS_MORE :
						     has_more_orders(e, like) ? LP_LIKENESS_ORDERS :
						     has_more_orders(like, e) ? LP_LIKENESS_FEWER : LP_LIKENESS_SAME;
		if (here > found) {
			found = here;
			say(e->text, first, size);
		}
	}
	return found == LP_LIKENESS_SAME && one->endings.count < other->endings.count ? LP_LIKENESS_FEWER : found;
}
