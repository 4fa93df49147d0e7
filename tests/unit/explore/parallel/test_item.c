/* test_item.c -- a walk that is cut into items is the same walk.
 *
 * Without processes: at random moments the end of what is left is written as an item, or all that is left, and the walk
 * ends there; the items are then walked through, in the order in which one walk would come to them, by an
 * explorer that numbers everything again.  Counts, outcomes and the first error must be
 * those of the uncut walk; and so must be the error when it is met again from its frame.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../oracle/generate.h"
#include "explore/graph/grow.h"
#include "explore/graph/walk.h"
#include "explore/parallel/item.h"
#include "explore/restarts.h"
#include "program/script.h"
#include "same.h"

struct cutter {
	struct { LP_VEC(struct lp_bytes); } items; /* the last comes first */
	uint64_t random;
	unsigned often; /* one in so many executions */
	unsigned cuts;
};

static unsigned draw(struct cutter *k, unsigned n)
{
	k->random = k->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)(k->random >> 33) % n;
}

static bool between(struct lp_explorer *x)
{
	struct cutter *k = x->walk.between_closure;
	struct lp_frame *frame;
	double share, visited;

	while (!draw(k, k->often)) {
		struct lp_choice *c = lp_walk_spare(x, &frame, &share, &visited);
		struct lp_bytes bytes = { 0 };
		if (!c)
			break;
		lp_item_write(x, frame, c, share, visited, &bytes);
		c->given = true;
		LP_PUSH(&k->items, bytes);
		k->cuts++;
	}
	if (draw(k, k->often))
		return true;
	struct lp_bytes rest = { 0 };
	lp_item_write_rest(x, &rest);
	LP_PUSH(&k->items, rest);
	k->cuts++;
	return false;
}

/* Adds what was counted, in one item, to the sum. */
static void add_outcomes(struct lp_explorer *sum, const struct lp_exploration *part)
{
	for (uint32_t i = 0; i < part->outcome_count; i++) {
		uint32_t n = 0;
		while (n < sum->outcomes.count &&
		       strcmp(sum->outcomes.at[n].text, part->outcomes[i].text))
			n++;
		if (n == sum->outcomes.count)
			LP_PUSH(&sum->outcomes, (struct lp_outcome){ part->outcomes[i].text, 0 });
		sum->outcomes.at[n].executions += part->outcomes[i].executions;
	}
}

/* The error of x once more, as another process would meet it. */
static void meet_again(struct lp_program *program, const struct lp_explore_options *options,
		       const struct lp_bytes *frame, struct lp_arena *arena,
		       struct lp_exploration *out)
{
	struct lp_explorer x;

	lp_explorer_open(&x, program, options, arena, out);
	lp_item_read(&x, frame->at);
	lp_walk_into_error(&x);
	lp_explorer_close(&x);
}

static void explore_cut(struct cutter *k, struct lp_program *program,
			const struct lp_explore_options *options, struct lp_arena *arena,
			struct lp_exploration *out)
{
	uint64_t executions = 0, blocked = 0, abandoned = 0;
	struct lp_explorer sum, x;
	struct lp_exploration part;
	double visited = 1;
	struct lp_bytes item = { 0 }, frame = { 0 };
	bool failed = false;

	lp_explorer_open(&sum, program, options, arena, out);
	lp_item_write_root(&item);
	LP_PUSH(&k->items, item);
	while (k->items.count && !failed) {
		item = k->items.at[--k->items.count];
		lp_explorer_open(&x, program, options, arena, &part);
		x.walk.between = between;
		x.walk.between_closure = k;
		lp_walk(&x, lp_item_read(&x, item.at));
		failed = x.stopped;
		if (failed) {
			visited = lp_walk_visited(&x);
			lp_item_write(&x, lp_top(&x), NULL, 1, 0, &frame);
		}
		executions += part.executions;
		blocked += part.blocked;
		abandoned += part.abandoned;
		lp_explorer_close(&x);
		add_outcomes(&sum, &part);
		lp_free(item.at);
	}
	while (k->items.count)
		lp_free(k->items.at[--k->items.count].at);
	lp_explorer_close(&sum);
	const struct lp_outcome *outcomes = out->outcomes;
	const uint32_t count = out->outcome_count;
	if (failed)
		meet_again(program, options, &frame, arena, out);
	out->outcomes = outcomes;
	out->outcome_count = count;
	out->executions = executions;
	out->blocked = blocked;
	out->abandoned = abandoned;
	out->estimate = visited > 0 ? (double)executions / visited : 0;
	lp_free(frame.at);
}

/* Is it the same, however it is cut? */
static bool is_same(const char *text, enum lp_model model, uint64_t seed, unsigned *cuts)
{
	struct lp_explore_options options = { .model = model, .reduce = { .spin = true, .symmetry = true },
					      .weak_fails = true };
	struct lp_script *script = parse_or_die(text);
	struct lp_program *program = lp_script_open(script);
	struct lp_arena arena = { 0 };
	struct lp_exploration whole, cut;
	bool same = true;

	lp_explore_graphs(program, &options, &arena, &whole);
	options.watch = lp_watch_open(&options, 0, NULL);
	/* An item costs more than an execution: about a thousand of them will do. */
	const unsigned least = (unsigned)((whole.executions + whole.blocked) / 500) + 1;
	for (unsigned often = least; often <= 7 * least && same; often += 3 * least) {
		struct cutter k = { .random = seed, .often = often + 1 };
		explore_cut(&k, program, &options, &arena, &cut);
		same = same_exploration(&whole, &cut);
		if (!same)
			printf("model %d, seed %llu, one in %u:\n%s\n", model,
			       (unsigned long long)seed, often + 1, text);
		*cuts += k.cuts;
		lp_free(k.items.at);
	}
	lp_watch_close(options.watch);
	lp_arena_close(&arena);
	lp_script_close(program);
	lp_script_drop(script);
	return same;
}

int main(int argc, char **argv)
{
	const unsigned programs = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 300;
	unsigned cuts = 0, failures = 0;
	char *text;

	for (unsigned i = 0; (text = sample_script(i)); i++) {
		for (unsigned m = LP_MODEL_SC; m <= LP_MODEL_RC11_C20; m++)
			failures += !is_same(text, (enum lp_model)m, i, &cuts);
		free(text);
	}
	for (unsigned i = 0; i < programs && failures < 3; i++) {
		text = generate_script(i, i % 64, 5 + i % 5);
		failures += !is_same(text, (enum lp_model)(i % 4), i, &cuts);
		free(text);
	}
	printf("%u cuts, %u failures\n", cuts, failures);
	return failures || cuts < 10000;
}
