/* explore.c -- explores many programs of one file, each with many options.
 *
 *     explore FILE.c [-- COMPILER FLAGS]
 *
 * Compiling costs more than exploring a small program.  So the file holds many, and its main()
 * asks native_selected() which one it is to be.  Each line of the input is a question:
 *
 *     PROGRAM MODEL OPTIONS EXECUTIONS SECONDS
 *
 * OPTIONS is a list of words with commas between: reductions that are on, jobs=N,
 * preemptions, random=N; or a dash.  The answer has fields with bars between:
 *
 *     VERDICT|KIND|EXECUTIONS|OUTCOMES|TEXT
 *
 * where outcomes end in semicolons, and KIND is "not replayed" if a violation was shown with
 * steps that do not lead to it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "explore/explore.h"
#include "runtime/runtime.h"

static int selected;

/* For the programs. */
__attribute__((visibility("default"))) int native_selected(void);
int native_selected(void)
{
	return selected;
}

static const struct {
	const char *name;
	size_t offset;
} switches[] = {
#define LP_REDUCTION(field, SWITCH, word, answers, watched, unless, help) { #field, offsetof(struct lp_explore_options, reduce.field) },
#include "explore/reduce/reductions.def"
#undef LP_REDUCTION
};

static const char *const models[] = { "sc", "tso", "ra", "rc11" };

static void fail(const char *what, const char *text)
{
	fprintf(stderr, "explore: %s: %s\n", what, text);
	exit(2);
}

static void take_word(struct lp_explore_options *o, const char *word)
{
	if (!strcmp(word, "-"))
		return;
	if (!strncmp(word, "jobs=", 5)) {
		o->jobs = (uint32_t)atoi(word + 5);
		return;
	}
	if (!strncmp(word, "random=", 7)) {
		o->sampling.executions = (uint64_t)atoi(word + 7);
		return;
	}
	if (!strcmp(word, "preemptions")) {
		o->bounds.preemptions = 1001;
		return;
	}
	for (size_t i = 0; i < sizeof switches / sizeof *switches; i++)
		if (!strcmp(word, switches[i].name)) {
			*(bool *)((char *)o + switches[i].offset) = true;
			return;
		}
	fail("unknown option", word);
}

static void take_question(char *line, struct lp_explore_options *o)
{
	char model[8], words[200];
	unsigned long long executions;
	double seconds;

	if (sscanf(line, "%d %7s %199s %llu %lf", &selected, model, words, &executions, &seconds) != 5)
		fail("not understood", line);
	*o = (struct lp_explore_options){
		.model = LP_MODEL_RC11, .weak_fails = true, .jobs = 1, .sampling.seed = 1,
		.limits = { .executions = executions, .seconds = seconds },
	};
	for (size_t i = 0; i < sizeof models / sizeof *models; i++)
		if (!strcmp(model, models[i]))
			o->model = (enum lp_model)i;
	for (char *word = strtok(words, ","); word; word = strtok(NULL, ","))
		take_word(o, word);
}

static void explore(struct lp_native *native, const struct lp_explore_options *o,
		    struct lp_arena *arena, struct lp_exploration *e)
{
	if (o->sampling.executions)
		lp_explore_random(native->program, o, arena, e);
	else if (o->bounds.preemptions)
		lp_explore_bounded(native->program, o, arena, e);
	else
		lp_explore_graphs(native->program, o, arena, e);
}

static void answer(struct lp_native *native, const struct lp_explore_options *o)
{
	static const char *const verdicts[] = { "verified", "violation", "inconclusive" };
	struct lp_arena arena = { 0 };
	struct lp_exploration e = { 0 }, again = { 0 };
	bool replayed = true;

	explore(native, o, &arena, &e);
	if (e.verdict == LP_VIOLATION && !e.doubtful) {
		lp_explore_replay(native->program, o, &(struct lp_replay){ .steps = e.steps, .count = e.step_count }, &arena, &again);
		replayed = again.verdict == LP_VIOLATION && again.kind == e.kind;
	}
	printf("%s|%s|%" PRIu64 "|", verdicts[e.verdict],
	       !replayed ? "not replayed" : e.kind ? lp_error_name(e.kind) : "", e.executions);
	for (uint32_t i = 0; i < e.outcome_count; i++)
		printf("%s;", e.outcomes[i].text);
	printf("|%s\n", e.verdict == LP_INCONCLUSIVE ? e.reason : e.text ? e.text : "");
	fflush(stdout);
	lp_arena_close(&arena);
}

int main(int argc, char **argv)
{
	struct lp_runtime_options options = LP_RUNTIME_DEFAULTS;
	struct lp_explore_options question;
	struct lp_native native;
	struct lp_error error = { .hint = "" };
	char line[300];

	if (argc < 2)
		fail("usage", "explore FILE.c [-- COMPILER FLAGS]");
	options.file = argv[1];
	if (argc > 3)
		options.flags = (const char *const *)argv + 3;
	if (!lp_native_open(&native, &options, &error))
		fail(argv[1], error.text);
	while (fgets(line, sizeof line, stdin)) {
		take_question(line, &question);
		answer(&native, &question);
	}
	lp_native_close(&native);
	return 0;
}
