/* test_keep.c -- an exploration that is kept, and continued, is the same exploration.
 *
 * It is ended after a number of executions that is drawn at random, and what was kept is continued by another explorer, in one process or in
 * several, until it comes to its end.  Counts, outcomes and the first error must be those of the exploration that was not
 * interrupted.  What was kept is also changed at random: it is refused, or has the right form, and nothing is read past its end.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../oracle/generate.h"
#include "explore/keep.h"
#include "explore/parallel/open_work.h"
#include "program/script.h"
#include "same.h"

struct keeper {
	struct lp_bytes kept;
	struct lp_keep keep;
	uint64_t random;
	unsigned interruptions, changed, refused;
};

static unsigned draw(struct keeper *k, unsigned n)
{
	k->random = k->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)(k->random >> 33) % n;
}

static void take(void *closure, const struct lp_bytes *bytes)
{
	struct keeper *k = closure;

	k->kept.count = 0;
	lp_bytes_put(&k->kept, bytes->at, bytes->count);
}

/* In memory of its own, so that a sanitizer sees what is read past the end. */
static bool is_whole(const struct lp_explore_options *o, const uint8_t *at, size_t size)
{
	uint8_t *own = malloc(size ? size : 1);

	memcpy(own, at, size);
	const bool whole = lp_keep_is_whole(o, (struct lp_cursor){ own, size, false });
	free(own);
	return whole;
}

static void change(struct keeper *k, const struct lp_explore_options *o)
{
	struct lp_bytes *b = &k->kept;
	uint8_t before[4];
	uint32_t at[4];

	k->changed += 2;
	k->refused += !is_whole(o, b->at, draw(k, b->count));
	for (unsigned i = 0; i < 4; i++) {
		at[i] = draw(k, b->count);
		before[i] = b->at[at[i]];
		b->at[at[i]] = (uint8_t)(draw(k, 3) ? b->at[at[i]] ^ 1u << draw(k, 8) : draw(k, 256));
	}
	k->refused += !is_whole(o, b->at, b->count);
	for (unsigned i = 4; i-- > 0;)
		b->at[at[i]] = before[i];
}

static bool was_interrupted(const struct lp_exploration *e)
{
	return e->verdict == LP_INCONCLUSIVE && e->reason && !strcmp(e->reason, "limit of executions reached");
}

/* The exploration in parts.  True if the last one found an error in several processes, and had as many executions as it
 * may have: then it need not be the first error. */
static bool explore(struct keeper *k, struct lp_program *program, struct lp_explore_options options, uint64_t all,
		    struct lp_arena *arena, struct lp_exploration *out)
{
	k->kept.count = 0;
	k->keep = (struct lp_keep){ .every = 1e9, .next = 1e18, .take = take, .closure = k };
	options.limits.keep = &k->keep;
	options.limits.executions = 0;
	do {
		options.limits.executions += 1 + draw(k, 2 + (unsigned)(all / 3));
		options.jobs = 1 + (draw(k, 4) ? 0 : draw(k, 3));
		if (k->kept.count)
			k->keep.from = (struct lp_cursor){ k->kept.at, k->kept.count, false };
		struct lp_bytes from = k->kept; /* it is read while another one is taken */
		k->kept = (struct lp_bytes){ 0 };
		lp_explore_graphs(program, &options, arena, out);
		if (!k->kept.count)
			lp_bytes_put(&k->kept, from.at, from.count);
		lp_free(from.at);
		if (was_interrupted(out)) {
			k->interruptions++;
			change(k, &options);
		}
	} while (was_interrupted(out));
	return options.jobs > 1 && out->verdict == LP_VIOLATION && out->executions >= options.limits.executions;
}

static bool is_same(const char *text, enum lp_model model, struct keeper *k)
{
	const struct lp_explore_options options = { .model = model, .reduce = { .spin = true, .symmetry = true, .helping = true, .park = true,
							       .stale = true, .rereads = true, .attempts = true },
						    .weak_fails = true };
	struct lp_script *script = parse_or_die(text);
	struct lp_program *program = lp_script_open(script);
	struct lp_arena arena = { 0 };
	struct lp_exploration whole, parts;

	lp_explore_graphs(program, &options, &arena, &whole);
	const bool limited = explore(k, program, options, whole.executions, &arena, &parts);
	/* Which executions are given up early depends on what a process has seen before, with -j, too. */
	parts.abandoned = whole.abandoned;
	const bool same = limited ? whole.verdict == parts.verdict : same_exploration(&whole, &parts);
	if (!same)
		printf("model %d:\n%s\n", model, text);
	lp_arena_close(&arena);
	lp_script_close(program);
	lp_script_drop(script);
	return same;
}

int main(int argc, char **argv)
{
	const unsigned programs = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 250;
	struct keeper k = { .random = 1 };
	unsigned failures = 0;
	char *text;

	for (unsigned i = 0; (text = sample_script(i)); i++) {
		failures += !is_same(text, (enum lp_model)(i % 4), &k);
		free(text);
	}
	for (unsigned i = 0; i < programs && failures < 3; i++) {
		text = generate_script(i, i % 64, 5 + i % 5);
		failures += !is_same(text, (enum lp_model)(i % 4), &k);
		free(text);
	}
	lp_free(k.kept.at);
	printf("seed 1: %u interruptions, %u failures; %u of %u changes refused\n", k.interruptions, failures, k.refused, k.changed);
	return failures || k.interruptions < 500 || k.refused < k.changed / 2;
}
