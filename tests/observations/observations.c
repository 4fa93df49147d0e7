/* observations.c -- all that clients can see of an object, as text.
 *
 *     observations OBJECT [options of `linchpin check`] [-- COMPILER FLAGS]
 *
 * For each client of --ops N (every multiset of up to N calls), --ops METHOD=N,... or --client, and
 * each way in which its calls can end, a line: the calls with their results, and which orders a client
 * could have put them in, of all strict partial orders on them, as a number in base 16 with a bit for
 * each.  With --client the order is the client's.  Of two objects with the same lines no client can
 * tell which is which by what calls return; if those of the one are among those of the other, no
 * client can tell that it has not the other one.  (compare.py does that.)
 *
 * The specification has no part in it, nor has what calls synchronise for others.  Calls of one method
 * are not taken for alike: say --no-symmetry.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/fingerprints.h"
#include "base/vec.h"
#include "cli/check.h"

/* There are 4,231 strict orders on five calls; of larger clients only results are told. */
enum { MOST = 5, ORDERS = 4231, WORDS = (ORDERS + 63) / 64 };

struct order {
	uint32_t before[MOST]; /* closed: bit b of before[a] */
};

struct ending {
	char *text; /* calls and results */
	uint64_t possible[WORDS];
};

struct observer {
	struct lp_check check;
	uint32_t calls; /* that `orders` are on */
	struct {
		LP_VEC(struct order);
	} orders;
	struct {
		LP_VEC(struct ending);
	} endings; /* of the client that is explored */
	struct lp_fingerprints seen; /* of executions whose relations say everything */
	uint64_t clients, executions;
	bool failed;
};

/* ---- orders ---- */

/* All of them, in some order that is always the same: each call in turn comes between some that are
 * before it and others that are after it. */
static void add_orders(struct observer *o, const struct order *smaller, uint32_t size)
{
	if (size == o->calls) {
		LP_PUSH(&o->orders, *smaller);
		return;
	}
	for (uint32_t down = 0; down < UINT32_C(1) << size; down++) {
		for (uint32_t up = 0; up < UINT32_C(1) << size; up++) {
			bool closed = !(down & up);
			for (uint32_t a = 0; a < size && closed; a++) {
				const uint32_t before = smaller->before[a];
				if (down >> a & 1)
					closed &= !(before & ~down);
				/* Whoever is after one that is after the new one is, too; and all that are
				 * before the new one are before those. */
				if (up >> a & 1)
					closed &= !(down & ~before);
				else
					closed &= !(before & up);
			}
			if (!closed)
				continue;
			struct order larger = *smaller;
			larger.before[size] = down;
			for (uint32_t a = 0; a < size; a++)
				if (up >> a & 1)
					larger.before[a] |= UINT32_C(1) << size;
			add_orders(o, &larger, size + 1);
		}
	}
}

/* reached[b]: all that h ; (influence ; h)* leads to from b. */
static void compose(const struct order *h, const uint32_t *influence, uint32_t n, uint32_t *reached)
{
	bool more = true;

	memset(reached, 0, n * sizeof *reached);
	for (uint32_t b = 0; b < n; b++)
		for (uint32_t a = 0; a < n; a++)
			reached[b] |= (h->before[a] >> b & 1) << a;
	while (more) {
		more = false;
		for (uint32_t b = 0; b < n; b++) {
			uint32_t next = reached[b], touched = 0;
			for (uint32_t a = 0; a < n; a++)
				if (reached[b] >> a & 1)
					touched |= influence[a];
			for (uint32_t a = 0; a < n; a++)
				if (h->before[a] & touched)
					next |= UINT32_C(1) << a;
			more |= next != reached[b];
			reached[b] = next;
		}
	}
}

/* As src/model/calls.h has it: no more is needed where the relations are exact. */
static bool relations_allow(const struct lp_calls *calls, const struct order *h)
{
	uint32_t reached[MOST];

	compose(h, calls->happens, calls->count, reached);
	for (uint32_t b = 0; b < calls->count; b++)
		if (reached[b] & calls->clashes[b])
			return false;
	compose(h, calls->reaches, calls->count, reached);
	for (uint32_t b = 0; b < calls->count; b++)
		for (uint32_t a = 0; a < calls->count; a++)
			if (reached[b] >> a & 1 && calls->reaches[a] >> b & 1)
				return false;
	return true;
}

static bool keeps_clients_order(const struct lp_judge *j, const struct order *h)
{
	const uint32_t pre = j->observation.count - j->calls.count;

	for (uint32_t a = 0; a < j->calls.count; a++)
		if ((j->observation.before[a + pre] >> pre) & ~h->before[a])
			return false;
	return true;
}

/* Another execution with this ending that says the same? */
static bool was_seen(struct observer *o, const struct ending *e)
{
	const struct lp_calls *calls = &o->check.judge.calls;
	struct lp_fingerprint f = LP_FINGERPRINT;

	lp_fingerprint_word(&f, (uint64_t)(e - o->endings.at));
	for (uint32_t a = 0; a < calls->count; a++) {
		lp_fingerprint_word(&f, calls->reaches[a] | (uint64_t)calls->happens[a] << 32);
		lp_fingerprint_word(&f, calls->clashes[a]);
	}
	return calls->exact && !lp_fingerprints_add(&o->seen, f);
}

static void note_orders(struct observer *o, struct ending *e)
{
	const struct lp_judge *j = &o->check.judge;
	const struct lp_calls *calls = &j->calls;

	if (was_seen(o, e))
		return;
	if (o->calls != calls->count) {
		o->calls = calls->count;
		o->orders.count = 0;
		add_orders(o, &(struct order){ .before = { 0 } }, 0);
	}
	for (uint32_t i = 0; i < o->orders.count; i++) {
		const struct order *h = &o->orders.at[i];
		uint32_t before[LP_CALLS] = { 0 };
		if (e->possible[i / 64] >> i % 64 & 1 || !keeps_clients_order(j, h) || !relations_allow(calls, h))
			continue;
		memcpy(before, h->before, sizeof h->before);
		if (calls->exact || lp_calls_possible(calls, j->graph, j->model, before))
			e->possible[i / 64] |= UINT64_C(1) << i % 64;
	}
}

/* ---- executions ---- */

static void say(struct observer *o, char *out, size_t size)
{
	const struct lp_judge *j = &o->check.judge;
	size_t used = 0;

	out[0] = '\0';
	for (uint32_t a = 0; a < j->observation.count && used < size; a++) {
		const struct lp_observed *call = &j->observation.call[a];
		const uint32_t m = o->check.client.method[j->call[a]];
		char made[128], result[128] = "stuck";
		if (!call->stuck)
			lp_harness_say_result(&o->check.harness, m, call->result, result, sizeof result);
		used += (size_t)snprintf(out + used, size - used, "%s%" PRIu32 ":%s=%s", a ? " " : "", call->thread,
					 lp_harness_say_call(&o->check.harness, m, call->arg, made, sizeof made), result);
	}
}

static struct ending *ending_of(struct observer *o)
{
	char text[2048];

	say(o, text, sizeof text);
	for (uint32_t i = 0; i < o->endings.count; i++)
		if (!strcmp(o->endings.at[i].text, text))
			return &o->endings.at[i];
	LP_PUSH(&o->endings, (struct ending){ .text = lp_arena_strdup(&o->check.task.arena, text) });
	return &LP_LAST(&o->endings);
}

static enum lp_judgement observe(void *closure, const struct lp_graph *g, bool stuck,
				 struct lp_program_error *error)
{
	struct observer *o = closure;

	lp_judge_execution(&o->check.judge, g, stuck, error); /* for what it sees, not for what it thinks of it */
	o->executions++;
	struct ending *e = ending_of(o);
	if (o->check.judge.calls.count <= MOST && !lp_task_given(&o->check.task, LP_OPT_CLIENT))
		note_orders(o, e);
	return LP_JUDGED_RIGHT;
}

static void print_endings(const struct observer *o)
{
	for (uint32_t i = 0; i < o->endings.count; i++) {
		uint32_t w = WORDS;
		while (w > 1 && !o->endings.at[i].possible[w - 1])
			w--;
		printf("%s\t%" PRIx64, o->endings.at[i].text, o->endings.at[i].possible[w - 1]);
		while (--w > 0)
			printf("%016" PRIx64, o->endings.at[i].possible[w - 1]);
		putchar('\n');
	}
}

static bool visit(void *closure, const struct lp_plan_client *client)
{
	struct observer *o = closure;
	struct lp_exploration e = { 0 };

	o->endings.count = 0;
	lp_fingerprints_clear(&o->seen);
	lp_check_client(&o->check, client);
	lp_task_explore(&o->check.task, &e);
	o->clients++;
	if (e.verdict != LP_VERIFIED) {
		fprintf(stderr, "%s: %s\n", e.kind ? e.kind : "inconclusive", e.reason ? e.reason : e.text ? e.text : "");
		o->failed = true;
	}
	print_endings(o);
	return !o->failed;
}

static bool explore(struct observer *o, const struct lp_options *options, struct lp_error *error)
{
	const struct lp_plan plan = {
		.harness = &o->check.harness, .visit = visit, .closure = o,
		.pre = (uint32_t)lp_task_count(&o->check.task, LP_OPT_PRE),
		.shapes = o->check.task.native.findings.identity,
	};
	const struct lp_option_value *ops = &options->at[LP_OPT_OPS], *client = &options->at[LP_OPT_CLIENT];
	uint32_t count[64];
	struct lp_harness_calls calls = { 0 };
	bool good = true;

	lp_task_begin(&o->check.task);
	if (client->given) {
		good = lp_harness_calls(&o->check.harness, client->text, &calls, error);
		if (good)
			lp_plan_one(&plan, &calls);
		lp_free(calls.at);
	} else if (ops->given && strchr(ops->text, '=')) {
		good = lp_plan_parse(&o->check.harness, ops->text, count, error);
		if (good)
			lp_plan_multiset(&plan, count);
	} else {
		lp_plan_sizes(&plan, ops->given ? (uint32_t)strtoul(ops->text, NULL, 10) : 4);
	}
	lp_task_end(&o->check.task);
	return good;
}

int main(int argc, char **argv)
{
	static struct observer o;
	struct lp_options options;
	struct lp_error error = { .hint = "" };

	if (!lp_options_parse(LP_COMMAND_CHECK, argc - 1, (const char **)argv + 1, &options, &error) ||
	    !lp_check_open(&o.check, &options, &error)) {
		fprintf(stderr, "%s\n", error.text);
		return 2;
	}
	/* All that can be seen, and not what is enough for a verdict. */
	o.check.task.explore.idle = false;
	o.check.task.explore.vain = false;
	o.check.task.explore.judge = observe;
	o.check.task.explore.judge_closure = &o;
	if (!explore(&o, &options, &error)) {
		fprintf(stderr, "%s\n", error.text);
		o.failed = true;
	}
	fprintf(stderr, "%" PRIu64 " clients, %" PRIu64 " executions\n", o.clients, o.executions);
	const bool failed = o.failed || !o.clients;
	lp_free(o.orders.at);
	lp_free(o.endings.at);
	lp_fingerprints_close(&o.seen);
	lp_check_close(&o.check);
	lp_options_close(&options);
	return failed;
}
