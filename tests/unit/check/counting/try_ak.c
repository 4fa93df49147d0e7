/* try_ak.c -- A_k of history files, and how quickly a monitor follows.
 *
 *     try_ak --spec KIND --k K [--complete] [--formulae FILE | --bundled] [--grammar FILE]
 *            [--every N] FILE...
 *     try_ak --spec queue|stack --k K [--complete] --speed N [--threads T] [--lose N]
 *
 * --speed feeds N operations of a correct object, called by T threads that are
 * simulated: each takes effect at its call or at its return.  Nothing may be reported,
 * and the values kept are those that are there.  With --lose, from the N-th removal
 * on each hundredth gives a wrong value, which must be reported soon.
 * Exit status: 0 nothing found, 1 violation, 2 trouble.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../history/random_history.h"
#include "base/error.h"
#include "check/counting/ak.h"
#include "check/counting/languages/formula.h"
#include "check/counting/languages/kernel.h"
#include "check/history/search.h"
#include "history/history.h"
#include "spec/traits.h"

struct options {
	const char *spec, *formulae, *grammar;
	bool bundled;
	uint64_t speed, lose;
	uint32_t threads;
	struct lp_ak_options ak;
};

static char *read_file(const char *name, size_t *length)
{
	FILE *f = fopen(name, "r");
	char *text = lp_alloc(1 << 20);

	if (!f) {
		fprintf(stderr, "cannot open '%s'\n", name);
		exit(2);
	}
	*length = fread(text, 1, 1 << 20, f);
	fclose(f);
	return text;
}

/* Ring of what is there; as a queue or as a stack. */
struct object {
	int64_t at[256];
	uint32_t first, count;
	bool is_stack;
};

static int64_t take(struct object *o, bool wrong)
{
	if (!o->count)
		return LP_EMPTY;
	if (o->is_stack != wrong)
		return o->at[(o->first + --o->count) % 256];
	const int64_t value = o->at[o->first];
	o->first = (o->first + 1) % 256;
	o->count--;
	return value;
}

struct thread {
	bool open, takes, done;
	int64_t value;
};

struct event {
	int64_t value; /* argument or result */
	uint8_t thread;
	bool takes, returns;
};

/* Made beforehand, so that only the monitor is measured. */
static struct event *simulate(const struct options *options, const struct lp_spec *spec)
{
	struct event *events = lp_alloc(sizeof *events * 2 * options->speed), *e = events;
	struct object o = { .is_stack = !strcmp(spec->kind->name, "stack") };
	struct random_source r = { 1 };
	struct thread t[64] = { 0 };
	int64_t next = 0;
	uint64_t removals = 0, started = 0;

	while (e < events + 2 * options->speed) {
		struct thread *c = &t[below(&r, options->threads)];
		if (!c->open) {
			if (started == options->speed)
				continue;
			started++;
			*c = (struct thread){ .open = true, .takes = o.count > 200 || below(&r, 2) };
			if (!c->takes)
				c->value = ++next;
			*e++ = (struct event){ c->value, (uint8_t)(c - t), c->takes, false };
		}
		if (!c->done && below(&r, 2)) {
			removals += c->takes;
			const bool wrong = options->lose && removals >= options->lose &&
					   removals % 100 == 0;
			if (c->takes)
				c->value = take(&o, wrong);
			else
				o.at[(o.first + o.count++) % 256] = c->value;
			c->done = true;
		} else if (c->done) {
			*e++ = (struct event){ c->value, (uint8_t)(c - t), c->takes, true };
			c->open = false;
		}
	}
	return events;
}

static int measure(const struct options *options, const struct lp_spec *spec)
{
	struct lp_error error;
	struct lp_ak *m = lp_ak_open(spec, options->ak.k, options->ak.mode, &error);
	uint64_t epoch[64], most = 0;
	bool found = false;

	if (!m) {
		fprintf(stderr, "%s\n", error.text);
		return 2;
	}
	struct event *events = simulate(options, spec);
	const double begin = lp_search_now();
	for (uint64_t i = 0; i < 2 * options->speed && !found; i++) {
		const struct event *e = &events[i];
		if (!e->returns)
			epoch[e->thread] = lp_ak_call(m, e->takes, e->value);
		else
			found = lp_ak_return(m, epoch[e->thread], e->takes, e->takes ? 0 : e->value,
					     e->takes ? e->value : 1);
		if (lp_ak_live(m) > most)
			most = lp_ak_live(m);
	}
	const double seconds = lp_search_now() - begin;
	printf("%s, k = %u: %.1f million events a second, %llu values kept at most\n", options->spec,
	       options->ak.k, (double)lp_ak_events(m) / seconds / 1e6, (unsigned long long)most);
	if (found) {
		char text[256];
		lp_ak_describe(lp_ak_violation(m), spec, text, sizeof text);
		printf("event %llu: %s\n", (unsigned long long)lp_ak_events(m), text);
	}
	const bool bounded = most <= 256 + options->threads;
	lp_free(events);
	lp_ak_close(m);
	return !bounded ? 2 : found;
}

static int check(const char *name, const struct options *options, const struct lp_spec *spec)
{
	struct lp_ak_options ak = options->ak;
	struct lp_history h = { 0 };
	struct lp_ak_result r;
	struct lp_error error = { 0 };
	struct lp_formulae *f = NULL;
	struct lp_kernel *g = NULL;
	size_t length;
	int status = 2;

	if (options->formulae) {
		char *text = read_file(options->formulae, &length);
		f = lp_formulae_parse(options->formulae, text, length, spec->kind, &error);
		lp_free(text);
	} else if (options->bundled && lp_kind_traits(spec->kind)->formulae) {
		const char *text = lp_kind_traits(spec->kind)->formulae;
		f = lp_formulae_parse("bundled", text, strlen(text), spec->kind, &error);
	} else if (options->grammar) {
		char *text = read_file(options->grammar, &length);
		g = lp_kernel_parse(options->grammar, text, length, spec->kind, &error);
		lp_free(text);
	}
	ak.formulae = f;
	ak.kernel = g;
	if (!error.text[0] && lp_history_read(&h, name, LP_FORMAT_AUTO, &error) &&
	    lp_ak_check(&h, spec, &ak, &r, &error)) {
		printf("%s: A_%u by %s, %llu events: %s%s%s\n", name, ak.k, r.method,
		       (unsigned long long)r.events, r.violated ? "violation" : "nothing found",
		       r.reason[0] ? ": " : "", r.reason);
		if (r.violated && r.violation.rule != LP_AK_ANY)
			printf("%s: seen at line %u, whose call spans the places %u to %u\n",
			       lp_ak_rule_name(r.violation.rule), h.at[r.call].line, r.violation.from,
			       r.violation.to);
		status = r.violated;
	} else {
		fprintf(stderr, "%s\n", error.text);
	}
	lp_formulae_close(f);
	lp_kernel_close(g);
	lp_history_close(&h);
	return status;
}

int main(int argc, char **argv)
{
	struct options o = { .spec = "queue", .threads = 4, .ak = { .k = 2 } };
	struct lp_spec spec;
	struct lp_error error;
	int at = 1, status = 0;

	for (; at < argc && argv[at][0] == '-'; at++) {
		const char *value = at + 1 < argc ? argv[at + 1] : "";
		if (!strcmp(argv[at], "--complete"))
			o.ak.mode = LP_AK_COMPLETE;
		else if (!strcmp(argv[at], "--bundled"))
			o.bundled = true;
		else if (!strcmp(argv[at], "--spec"))
			o.spec = value, at++;
		else if (!strcmp(argv[at], "--k"))
			o.ak.k = (unsigned)atoi(value), at++;
		else if (!strcmp(argv[at], "--every"))
			o.ak.every = (uint32_t)atoi(value), at++;
		else if (!strcmp(argv[at], "--formulae"))
			o.formulae = value, at++;
		else if (!strcmp(argv[at], "--grammar"))
			o.grammar = value, at++;
		else if (!strcmp(argv[at], "--speed"))
			o.speed = strtoull(value, NULL, 10), at++;
		else if (!strcmp(argv[at], "--lose"))
			o.lose = strtoull(value, NULL, 10), at++;
		else if (!strcmp(argv[at], "--threads"))
			o.threads = (uint32_t)atoi(value), at++;
	}
	if (!lp_spec_parse(&spec, o.spec, &error)) {
		fprintf(stderr, "%s\n", error.text);
		return 2;
	}
	if (o.speed)
		return measure(&o, &spec);
	for (; at < argc; at++) {
		const int one = check(argv[at], &o, &spec);
		status = one > status ? one : status;
	}
	return status;
}
