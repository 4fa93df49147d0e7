/* test_live.c -- random histories through the rings, against the offline checker.
 *
 *     test_live [--runs N] [--seed S] [--calls N] [--ak K] [--coarse N] [SPEC...]
 *
 * The calls of a history are made, one event after the other, through the two functions
 * of linchpin/monitor.h, by threads that are played by one; in between there are rounds
 * of the stream.  Then:
 *   - with distinct values and nothing lost, live and offline agree, both ways; so they do
 *     if values are used again after they are gone;
 *   - whatever is lost (rings of two or four records, calls left by a jump, pauses), the
 *     live checker finds nothing in a correct history; and so with values that come twice;
 *   - what has left a queue or a stack is not kept;
 *   - a core that is called confirmed is wrong, and is so by itself.
 *
 * With --coarse, a tick of the clock takes N times as long: calls of a thread that follow
 * each other then have the same time, and come in runs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../check/history/random_history.h"
#include "base/alloc.h"
#include "base/error.h"
#include "check/history/history_check.h"
#include "monitor/live/live_box.h"
#include "monitor/recheck.h"
#include "monitor/report.h"
#include "monitor/stream.h"

enum { THREADS = 4, SCALE = 4096 };

struct play {
	uint64_t clock;
	struct lp_monitor_face face[THREADS]; /* each thread has a slot of its own */
	struct lp_rings rings;
	struct lp_stream stream;
	struct lp_monitor_call going_on[THREADS];
	uint64_t reports, confirmed;
	char text[4096]; /* the last report */
};

struct outcome {
	uint64_t right, wrong, found, confirmed, lost, unchecked, unclear, differing;
};

static void on_violation(struct lp_stream *s, void *context)
{
	struct play *p = context;

	p->reports++;
	lp_report_violation(&s->live, p->reports, true, p->text, sizeof p->text);
	p->confirmed += lp_recheck_confirms(&s->live);
}

static int64_t coarse = 1;
static unsigned ak; /* A_k instead of the exact checkers; then nothing has to be found */

static void play_open(struct play *p, const struct lp_spec *spec, uint32_t ring, uint32_t most,
		      bool unknown)
{
	static uint64_t id;

	*p = (struct play){ .clock = SCALE };
	id++;
	for (uint32_t t = 0; t < THREADS; t++)
		p->face[t] = (struct lp_monitor_face){
			.clock = &p->clock, .id = id, .every = UINT64_MAX, .slot = t,
			.mode = LP_MONITOR_RECORDS | LP_MONITOR_FENCES };
	if (!lp_rings_open(&p->rings, THREADS, ring) ||
	    !lp_stream_open(&p->stream, &p->rings, &p->face[0]) ||
	    !lp_live_open(&p->stream.live, lp_live_kind_of(spec, ak), spec, most, ak)) {
		fprintf(stderr, "out of memory\n");
		exit(1);
	}
	p->stream.has_live = true;
	p->stream.report = on_violation;
	p->stream.context = p;
	lp_stream_begin(&p->stream, unknown);
	for (uint32_t t = 0; t < THREADS; t++)
		lp_rings_enter(&p->rings, id, t);
}

static void play_finish(struct play *p)
{
	for (int i = 0; i < 8; i++)
		lp_stream_round(&p->stream);
	lp_stream_finish(&p->stream);
}

static void play_close(struct play *p)
{
	lp_stream_close(&p->stream);
	for (uint32_t t = 0; t < THREADS; t++)
		lp_monitor_rings[t] = NULL;
	for (uint32_t t = 0; t < THREADS && lp_ring_at(&p->rings, t); t++)
		lp_ring_at(&p->rings, t)->state = LP_RING_LEFT;
	lp_rings_close(&p->rings, false);
}

/* There is one face in real life; here each thread has a copy. */
static void set_mode(struct play *p, uint32_t from)
{
	for (uint32_t t = 0; t < THREADS; t++) {
		p->face[t].mode = p->face[from].mode;
		p->face[t].muted_at = p->face[from].muted_at;
	}
}

/* Now and then a round; and, if wanted, pauses. */
static void between(struct play *p, struct random_source *r, bool pauses)
{
	if (!below(r, 3))
		lp_stream_round(&p->stream);
	if (!below(r, 6))
		lp_stream_look(&p->stream);
	if (pauses && !p->stream.muting.muted && !below(r, 6))
		lp_stream_mute(&p->stream);
	else if (p->stream.muting.muted && !p->stream.muting.unmuting && p->stream.drained &&
		 p->stream.floor >= p->stream.muting.from && !below(r, 3))
		lp_stream_unmute(&p->stream);
	set_mode(p, 0);
}

/* Starts first, where times are equal: as the history means it. */
static void play(struct play *p, const struct lp_history *h, const struct lp_spec *spec,
		 struct random_source *r, bool jumps, bool pauses)
{
	int64_t last = 0;

	for (uint32_t i = 0; i < h->count; i++) {
		last = h->at[i].start > last ? h->at[i].start : last;
		if (!lp_call_is_pending(&h->at[i]))
			last = h->at[i].end > last ? h->at[i].end : last;
	}
	for (int64_t time = 0; time <= last; time++) {
		const uint64_t now = (uint64_t)(time / coarse + 2) * SCALE;
		for (int pass = 0; pass < 2; pass++) {
			for (uint32_t i = 0; i < h->count; i++) {
				const struct lp_call *c = &h->at[i];
				const uint32_t t = c->thread;
				const char *name = h->methods.at[c->method];
				const int64_t *results = lp_call_results(h, c);
				if ((pass ? c->end : c->start) != time)
					continue;
				p->clock = now; /* the first return of a thread ticks */
				if (!pass && c->end != time) {
					p->going_on[t] = lp_monitor_call((void *)&p->face[t]);
					continue;
				}
				if (!pass)
					continue;
				if (c->start == time)
					p->going_on[t] = lp_monitor_call((void *)&p->face[t]);
				p->clock = now;
				if (jumps && !below(r, 12))
					continue; /* it never returns */
				const int method = (int)lp_method_named(spec->kind, name, strlen(name));
				if (c->args > 1 || c->results > 1)
					lp_monitor_return_words(p->going_on[t], method, c->arg, c->args, results,
								c->results);
				else
					lp_monitor_return(p->going_on[t], method, c->args ? c->arg[0] : LP_VOID,
							  results && c->results ? results[0] : LP_VOID);
				set_mode(p, t);
			}
		}
		if ((time + 1) % coarse)
			continue;
		p->clock = now + 1; /* what follows is later, and so is the floor */
		between(p, r, pauses);
	}
}

static bool is_right(const struct lp_history *h, const struct lp_spec *spec)
{
	const struct lp_check_options options = { .property = LP_LINEARIZABLE };
	struct lp_check_result result;
	struct lp_error error = { 0 };

	if (!lp_history_check(h, spec, &options, &result, &error)) {
		fprintf(stderr, "%s\n", error.text);
		exit(1);
	}
	const bool right = result.finding == LP_CORRECT;
	lp_check_result_close(&result);
	return right;
}

/* A thread's calls must follow each other: the generator sees to that, but for equal
 * times, where a call may start at the moment at which the one before it ends.  And
 * calls that return must have a known result. */
static bool is_playable(const struct lp_history *h)
{
	for (uint32_t a = 0; a < h->count; a++) {
		if (!lp_call_is_pending(&h->at[a]) && h->at[a].results == LP_RESULT_UNKNOWN)
			return false;
		for (uint32_t b = 0; b < a; b++)
			if (h->at[a].thread == h->at[b].thread && h->at[a].start <= h->at[b].end &&
			    h->at[b].start <= h->at[a].end)
				return false;
	}
	return true;
}

enum way { EXACT, TWICE, SMALL_RINGS, JUMPS, PAUSES, UNKNOWN, TWICE_LOST, AGAIN, WAYS };
static const char *const way_names[] = { "nothing lost", "values twice", "small rings",
					 "jumps",        "pauses",       "unknown begin",
					 "twice, lost",  "values again" };

/* The value of a call on a queue or stack; false if it has none. */
static bool value_of(const struct lp_history *h, const struct lp_call *c, int64_t *value)
{
	const int64_t *results = lp_call_results(h, c);

	if (c->args)
		*value = c->arg[0];
	else if (results && c->results && results[0] > LP_LOWEST)
		*value = results[0];
	return c->args || (results && c->results && results[0] > LP_LOWEST);
}

/* One insertion and one removal of `value` have returned; there are no other calls on it, and
 * those of `other` all start later. */
static bool is_gone_before(const struct lp_history *h, int64_t value, int64_t other)
{
	int64_t last = 0, first = LP_PENDING, v;
	uint32_t in = 0, out = 0;

	for (uint32_t i = 0; i < h->count; i++) {
		const struct lp_call *c = &h->at[i];
		if (!value_of(h, c, &v) || (v != value && v != other))
			continue;
		if (v == other) {
			first = c->start < first ? c->start : first;
			continue;
		}
		*(c->args ? &in : &out) += 1;
		last = c->end > last ? c->end : last;
	}
	return in == 1 && out == 1 && first != LP_PENDING && last / coarse < first / coarse;
}

/* Values that come when others are gone get the names of those. */
static void use_again(struct lp_history *h)
{
	int64_t a, b, v;

	for (uint32_t i = 0; i < h->count; i++) {
		for (uint32_t j = 0; j < h->count; j++) {
			if (!value_of(h, &h->at[i], &a) || !value_of(h, &h->at[j], &b) || a == b ||
			    !is_gone_before(h, a, b))
				continue;
			for (uint32_t k = 0; k < h->count; k++)
				if (value_of(h, &h->at[k], &v) && v == b)
					*(h->at[k].args ? &h->at[k].arg[0] : &h->at[k].result) = a;
		}
	}
}

/* Is more kept than what is in the queue, or anything of a stack in which nothing is left? */
static bool leaks(const struct lp_history *h, const struct lp_stream *s)
{
	const struct lp_box *b = s->live.self;
	uint32_t left = 0;
	int64_t value, v;

	for (uint32_t i = 0; i < h->count; i++) {
		int32_t balance = 0;
		bool is_first = true;
		if (!value_of(h, &h->at[i], &value))
			continue;
		for (uint32_t j = 0; j < h->count; j++) {
			if (!value_of(h, &h->at[j], &v) || v != value)
				continue;
			balance += h->at[j].args ? 1 : -1;
			is_first &= j >= i;
		}
		left += is_first && balance > 0;
	}
	return b->knots ? !left && b->items.count : b->items.count > left;
}

/* Leaves out what was before the first moment from the middle on at which no call was going
 * on: the monitor comes later than the object. */
static void come_late(struct lp_history *h)
{
	int64_t from = h->count ? h->at[h->count / 2].start : 0;
	uint32_t kept = 0;

	for (bool moved = true; moved;) {
		moved = false;
		for (uint32_t i = 0; i < h->count; i++) {
			if (h->at[i].start >= from || h->at[i].end / coarse < from / coarse)
				continue;
			if (lp_call_is_pending(&h->at[i]))
				return;
			from = (h->at[i].end / coarse + 1) * coarse;
			moved = true;
		}
	}
	for (uint32_t i = 0; i < h->count; i++)
		if (h->at[i].start >= from)
			h->at[kept++] = h->at[i];
	h->count = kept;
}

static void run_one(const struct lp_spec *spec, enum way way, uint64_t seed, uint32_t calls,
		    struct outcome *o, bool loud)
{
	struct random_source r = { seed * UINT64_C(0x2545f4914f6cdd1d) + way };
	struct lp_history h = { 0 };
	struct play p;
	const struct shape_of_history shape = {
		.calls = 1 + below(&r, calls),
		.threads = 1 + below(&r, THREADS),
		.distinct_in_16 = way == TWICE || way == TWICE_LOST ? 4 : 16,
		.few_methods = lp_live_kind_of(spec, ak)->wants_ticks	   ? below(&r, 4) :
			       way == EXACT || way == AGAIN || below(&r, 4) ? 1 :
									      0,
		.pending_in_16 = way == JUMPS ? 1 : 0,
	};

	random_history(&h, spec, &shape, &r);
	if (!is_playable(&h)) {
		lp_history_close(&h);
		return;
	}
	if (way == AGAIN)
		use_again(&h);
	struct lp_history seen = h; /* as the clock has it */
	seen.at = lp_alloc(sizeof *h.at * (h.count + 1));
	for (uint32_t i = 0; i < h.count; i++) {
		seen.at[i] = h.at[i];
		seen.at[i].start /= coarse;
		if (!lp_call_is_pending(&h.at[i]))
			seen.at[i].end /= coarse;
	}
	const bool right = is_right(&seen, spec);
	const bool is_box = !strcmp(spec->kind->name, "queue") || !strcmp(spec->kind->name, "stack");
	const bool forgets = way == TWICE && seed % 4 == 3; /* there is room for two values only */
	const bool unknown = way == UNKNOWN || (way == TWICE_LOST && seed % 4 == 1);
	play_open(&p, spec, way == SMALL_RINGS || way == TWICE_LOST ? 1u << (1 + below(&r, 2)) : 256,
		  forgets ? 2 : 64, unknown);
	p.stream.live.repeats = way == TWICE_LOST || forgets;
	if (unknown && seed % 2)
		come_late(&h);
	if (coarse > 1)
		p.stream.few = (uint32_t)(seed % 3);
	play(&p, &h, spec, &r, way == JUMPS || (way == TWICE_LOST && seed % 8 == 3),
	     way == PAUSES || (way == TWICE_LOST && seed % 4 == 2));
	for (uint32_t i = 0; i < THREADS; i++)
		o->lost += lp_ring_at(&p.rings, i)->face.lost;
	play_finish(&p);
	o->unchecked += p.stream.unchecked;
	o->unclear += p.stream.live.unclear;
	o->found += p.reports > 0;
	o->confirmed += p.confirmed > 0;
	*(right ? &o->right : &o->wrong) += 1;
	/* Reads of a whole map are left out: then not everything is found. */
	const bool all = !p.stream.live.ignored || strcmp(spec->kind->name, "map");
	if ((right && p.reports) || ((way == EXACT || way == AGAIN) && all && !ak && !right && !p.reports)) {
		o->differing++;
		if (loud) {
			printf("%s, %s, seed %llu: %s\n", spec->kind->name, way_names[way],
			       (unsigned long long)seed,
			       right ? "found wrong, but it is right" : "not found wrong");
			lp_history_print_table(&seen, stdout);
			fputs(p.text, stdout);
		}
	}
	if (is_box && (way == TWICE || way == EXACT || way == UNKNOWN) && right && !ak && !p.stream.gap.forgotten &&
	    shape.few_methods == 1 && leaks(&h, &p.stream)) {
		o->differing++;
		printf("%s, seed %llu: values that have left are kept\n", spec->kind->name,
		       (unsigned long long)seed);
		lp_history_print_table(&seen, stdout);
	}
	play_close(&p);
	lp_free(seen.at);
	lp_history_close(&h);
}

static bool run(const char *text, uint32_t runs, uint64_t seed, uint32_t calls)
{
	struct lp_spec spec;
	struct lp_error error;
	bool good = true;

	if (!lp_spec_parse(&spec, text, &error)) {
		fprintf(stderr, "%s\n", error.text);
		return false;
	}
	for (int way = 0; way < WAYS; way++) {
		struct outcome o = { 0 };
		if (way == AGAIN && (ak || (strcmp(text, "queue") && strcmp(text, "stack"))))
			continue;
		for (uint32_t i = 0; i < runs && !o.differing; i++)
			run_one(&spec, (enum way)way, seed + i, 2 + (uint32_t)(seed + i) / 64 % (calls - 1), &o, true);
		printf("%-10s %-14s %llu right, %llu wrong, %llu found, %llu confirmed; "
		       "%llu lost, %llu unchecked, %llu unclear\n",
		       text, way_names[way], (unsigned long long)o.right,
		       (unsigned long long)o.wrong, (unsigned long long)o.found,
		       (unsigned long long)o.confirmed, (unsigned long long)o.lost,
		       (unsigned long long)o.unchecked, (unsigned long long)o.unclear);
		/* A test that cannot fail is none: each way must have had its chance. */
		good &= !o.differing && o.right && o.wrong && (o.found || (ak && way == TWICE_LOST));
		good &= (way != SMALL_RINGS && way != JUMPS && way != TWICE_LOST) || o.lost;
		good &= way != PAUSES || o.unchecked;
		good &= way != EXACT || ak || o.confirmed * 10 > o.found * 9;
	}
	return good;
}

int main(int argc, char **argv)
{
	static const char *const all[] = { "queue", "stack", "set", "register" };
	uint32_t runs = 20000, calls = 24;
	uint64_t seed = 1;
	bool good = true;
	int at = 1;

	for (; at + 1 < argc && argv[at][0] == '-'; at += 2) {
		if (!strcmp(argv[at], "--runs"))
			runs = (uint32_t)atol(argv[at + 1]);
		else if (!strcmp(argv[at], "--seed"))
			seed = (uint64_t)atoll(argv[at + 1]);
		else if (!strcmp(argv[at], "--calls"))
			calls = (uint32_t)atol(argv[at + 1]);
		else if (!strcmp(argv[at], "--ak"))
			ak = (unsigned)atol(argv[at + 1]);
		else if (!strcmp(argv[at], "--coarse"))
			coarse = atol(argv[at + 1]);
	}
	if (at < argc) {
		for (; at < argc; at++)
			good &= run(argv[at], runs, seed, calls);
	} else {
		for (size_t i = 0; i < sizeof all / sizeof *all; i++)
			good &= run(all[i], runs, seed, calls);
	}
	return good ? 0 : 1;
}
