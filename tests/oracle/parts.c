/* parts.c -- accesses of different sizes: the explorers against judges that know bytes only.
 *
 *     parts --model tso --count 1000 --seed 1     random programs
 *     parts --model all --file PROGRAM            one program
 *     parts --races ignored ...                   plain accesses are events, and no race is an error
 *
 * For every program: the graph explorer finds an outcome iff the judge does (bytes.h), and a race iff the
 * judge does.  Where it says that not all was explored, it finds nothing that the judge does not;
 * and that it says so at the right times, not too often, is shown by the numbers printed.  Likewise,
 * under sc, the explorer of preemptions; samples are among what the judge allows.
 *
 * Exit status: 0 all agree, 1 some do not, 2 usage.
 */
#include "axioms.h"
#include "bytes.h"
#include "collect.h"
#include "generate.h"
#include "generator.h"

#include "base/error.h"
#include "base/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool races_ignored;

struct tally {
	uint64_t programs, too_large, races, doubts, outcomes, failures;
};

/* ---- programs ---- */

/* The smallest parts of a location in a program.  The judge of ra and rc11 does not know single bytes, and
 * is slow if there are quarters. */
enum least { HALVES, QUARTERS, BYTES };

static const char *any_part(struct generator *g, enum least least)
{
	static const char *const parts[] = { "", "[0:4]", "[4:4]", "[0:2]", "[2:2]", "[4:2]", "[6:2]", "[1:1]" };
	static const unsigned likely[] = { 0, 0, 1, 1, 2, 2, 3, 4, 5, 6, 7, 3 };

	static const unsigned among[] = { [HALVES] = 6, [QUARTERS] = 10, [BYTES] = 12 };

	return parts[likely[below(g, among[least])]];
}

/* A value all of whose bytes are the same, so that every part of it tells. */
static void put_bytes(struct generator *g)
{
	fprintf(g->out, " %llu", (unsigned long long)(UINT64_C(0x0101010101010101) * (1 + below(g, 3))));
}

static void put_access(struct generator *g, enum least least)
{
	const unsigned kind = below(g, g->features ? 14 : 12);
	const char *loc = any_loc(g), *part = any_part(g, least);

	if (kind < 4) {
		const char *order = store_order(g);
		fprintf(g->out, "  store.%s %s%s", order, loc, part);
		put_bytes(g);
	} else if (kind < 8) {
		const char *order = load_order(g);
		const unsigned reg = new_reg(g);
		fprintf(g->out, "  r%u = load.%s %s%s", reg, order, loc, part);
	} else if (kind < 9) {
		const char *order = rmw_order(g);
		const unsigned reg = new_reg(g);
		fprintf(g->out, "  r%u = %s.%s %s%s", reg, one_in(g, 2) ? "xchg" : "add", order, loc, part);
		put_bytes(g);
	} else if (kind < 10) {
		const char *order = rmw_order(g);
		fprintf(g->out, "  r%u = cas.%s.rlx %s%s", new_reg(g), order, loc, part);
		if (one_in(g, 2))
			fputs(" 0", g->out);
		else
			put_bytes(g);
		put_bytes(g);
	} else if (kind < 11) {
		static const char *const orders[] = { "acq", "rel", "sc", "sc" };
		fprintf(g->out, "  fence.%s", orders[below(g, 4)]);
	} else if (one_in(g, 2)) {
		fprintf(g->out, "  r%u = pload %s%s", new_reg(g), one_in(g, 2) ? "p" : loc, part);
	} else {
		fprintf(g->out, "  pstore %s%s", one_in(g, 2) ? "p" : loc, part);
		put_bytes(g);
	}
	fputc('\n', g->out);
}

/* A thread writes plainly, and then to a part; others write to parts as well; one reads a part and, if
 * some byte of that is set, what was written plainly: whether that is a race depends on the byte. */
static void put_messages(struct generator *g, enum least least)
{
	const char *order = store_order(g), *part = any_part(g, least);

	fprintf(g->out, "thread\n  pstore p 1\n  store.%s x%s", order, part);
	put_bytes(g);
	for (unsigned n = 1 + one_in(g, 3); n; n--) {
		fputs("\nthread\n", g->out);
		g->reg = 1;
		if (one_in(g, 2)) {
			put_access(g, least);
			continue;
		}
		order = store_order(g);
		part = any_part(g, least);
		fprintf(g->out, "  store.%s x%s", order, part);
		put_bytes(g);
	}
	order = load_order(g);
	part = any_part(g, least);
	fprintf(g->out, "\nthread\n  r0 = load.%s x%s\n", order, part);
	if (one_in(g, 4))
		fputs("  fence.acq\n", g->out);
	fprintf(g->out, "  r1 = r0&%llu\n  if r1 == 0 goto out\n  r2 = pload p\n  out:\n",
		255ULL << 8 * (one_in(g, 2) ? 0 : below(g, 8)));
}

static void put_threads(struct generator *g, enum least least)
{
	g->features = one_in(g, 3);
	for (unsigned t = 0; t < g->threads; t++) {
		fputs("thread\n", g->out);
		g->reg = 0;
		/* What the first thread does before it says so happens before what the second one does. */
		if (g->features && t == 1)
			fputs("  require.acq f 1\n", g->out);
		const unsigned most = (g->threads == 2 ? 4 : 3) - (least == QUARTERS);
		for (unsigned n = 1 + below(g, most); n; n--) {
			put_access(g, least);
			if (g->features && !t && (n == 1 || one_in(g, 2)))
				fputs("  store.rel f 1\n", g->out);
		}
	}
}

static enum least least_for(enum lp_model model, uint64_t seed)
{
	return model < LP_MODEL_RA ? BYTES : seed % 4 ? HALVES : QUARTERS;
}

static char *make_program(uint64_t seed, enum least least)
{
	struct generator g = { .state = lp_mix(seed + 1) };
	char *text = NULL;
	size_t size;

	g.out = open_memstream(&text, &size);
	if (!g.out)
		LP_BUG("cannot generate a script");
	g.locs = 1 + one_in(&g, 3);
	g.threads = 2 + one_in(&g, least == HALVES ? 4 : 3);
	g.relaxed = 30 * below(&g, 4);
	if (one_in(&g, 3)) {
		g.threads = 3;
		put_messages(&g, least);
	} else {
		put_threads(&g, least);
	}
	fputs("final\n  r0 = load.rlx x\n", g.out);
	if (g.locs > 1)
		fputs("  r1 = load.rlx y\n", g.out);
	fputs("outcome 0:r0 0:r1", g.out);
	for (unsigned t = 1; t <= g.threads; t++)
		for (unsigned r = 0; r < (g.threads == 2 ? 4 : 2); r++)
			fprintf(g.out, " %u:r%u", t, r);
	fputc('\n', g.out);
	fclose(g.out);
	return text;
}

/* ---- judging ---- */

typedef void explorer(struct lp_program *, const struct lp_explore_options *, struct lp_arena *,
		      struct lp_exploration *);

static void explore(explorer *with, const struct lp_script *script, enum lp_model model,
		    struct lp_arena *arena, struct lp_exploration *out)
{
	struct lp_program *program = lp_script_open(script);
	const struct lp_explore_options options = {
		.sampling = { .executions = 20, .seed = 1 }, .model = model, .reduce = { .spin = true, .helping = true, .attempts = true },
		.races_ignored = races_ignored,
	};

	with(program, &options, arena, out);
	lp_script_close(program);
}

static void judge(const struct lp_script *script, enum lp_model model, bool early, struct bytes_result *out)
{
	if (model == LP_MODEL_SC || model == LP_MODEL_TSO)
		bytes_run(script, model, out);
	else
		bytes_enumerate(script, model, early, out);
}

static bool agree(const struct bytes_result *want, const struct lp_exploration *e, bool loud)
{
	const bool may_race = want->race && !races_ignored;
	const bool doubt = e->verdict == LP_INCONCLUSIVE, race = e->verdict == LP_VIOLATION;
	struct graph_set got = { 0 };

	if (race && e->kind != LP_ERROR_RACE) {
		say(loud, "violation: ", e->text);
		return false;
	}
	if (doubt && !strstr(e->reason, "not all that") && !strstr(e->reason, "sampled")) {
		say(loud, "inconclusive: ", e->reason);
		return false;
	}
	if (race != may_race && !(doubt && may_race)) {
		say(loud, "", race ? "a false race" : "a race is missed");
		return false;
	}
	if (race || may_race)
		return true;
	for (uint32_t i = 0; i < e->outcome_count; i++)
		LP_PUSH(&got, strdup(e->outcomes[i].text));
	graph_set_sort(&got);
	const bool same = compare_sets(&want->outcomes, &got, doubt, loud);
	graph_set_drop(&got);
	return same;
}

/* False if they do not agree. */
static bool compare(const char *text, enum lp_model model, bool loud, struct tally *tally)
{
	struct lp_error error;
	struct lp_script *script = lp_script_parse(text, &error);
	struct lp_arena arena = { 0 };
	struct lp_exploration e;
	struct bytes_result want;

	if (!script)
		LP_BUG("a generated script does not parse: %s", error.text);
	judge(script, model, true, &want);
	bool same = true;
	if (!want.too_large) {
		explore(lp_explore_graphs, script, model, &arena, &e);
		if (e.verdict == LP_INCONCLUSIVE) { /* then no more than the strictest reading allows */
			bytes_drop(&want);
			judge(script, model, false, &want);
		}
		same = agree(&want, &e, loud);
		const bool doubt = e.verdict == LP_INCONCLUSIVE;
		explore(lp_explore_random, script, model, &arena, &e);
		same &= agree(&want, &e, loud);
		if (model == LP_MODEL_SC) {
			explore(lp_explore_bounded, script, model, &arena, &e);
			same &= agree(&want, &e, loud);
		}
		tally->races += want.race;
		tally->doubts += doubt;
		tally->outcomes += want.outcomes.count;
	}
	tally->programs++;
	tally->too_large += want.too_large;
	tally->failures += !same;
	bytes_drop(&want);
	lp_arena_close(&arena);
	lp_script_drop(script);
	return same;
}

static void compare_loudly(const char *text, enum lp_model model, struct tally *tally)
{
	if (compare(text, model, false, tally))
		return;
	struct tally again = { 0 };
	printf("%s:\n%s", axiom_model_names[model], text);
	compare(text, model, true, &again);
}

static char *read_text(const char *path)
{
	FILE *file = fopen(path, "r");
	char *text = NULL;
	size_t size = 0;

	if (!file || getdelim(&text, &size, 0, file) < 0)
		LP_BUG("cannot read '%s'", path);
	fclose(file);
	return text;
}

int main(int argc, char **argv)
{
	uint64_t count = 100, seed = 1, failures = 0;
	const char *file = NULL, *name = "all";

	for (int i = 1; i + 1 < argc; i += 2) {
		if (!strcmp(argv[i], "--model"))
			name = argv[i + 1];
		else if (!strcmp(argv[i], "--count"))
			count = strtoull(argv[i + 1], NULL, 10);
		else if (!strcmp(argv[i], "--seed"))
			seed = strtoull(argv[i + 1], NULL, 10);
		else if (!strcmp(argv[i], "--file"))
			file = argv[i + 1];
		else if (!strcmp(argv[i], "--races"))
			races_ignored = !strcmp(argv[i + 1], "ignored");
		else
			return 2;
	}
	for (enum lp_model model = LP_MODEL_SC; model <= LP_MODEL_RC11_C20; model++) {
		struct tally tally = { 0 };
		if (strcmp(name, "all") && strcmp(name, axiom_model_names[model]))
			continue;
		for (uint64_t i = 0; i < (file ? 1 : count); i++) {
			char *text = file ? read_text(file) : make_program(seed + i, least_for(model, seed + i));
			if (!file && model == LP_MODEL_RC11_C20)
				text = generate_again(text, seed + i);
			compare_loudly(text, model, &tally);
			free(text);
		}
		printf("%s: %llu programs, %llu outcomes, %llu with races, %llu not explored whole, %llu too large, "
		       "%llu failures\n", axiom_model_names[model], (unsigned long long)tally.programs,
		       (unsigned long long)tally.outcomes, (unsigned long long)tally.races,
		       (unsigned long long)tally.doubts, (unsigned long long)tally.too_large,
		       (unsigned long long)tally.failures);
		failures += tally.failures;
	}
	return failures > 0;
}
