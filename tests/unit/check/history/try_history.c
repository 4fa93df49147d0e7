/* try_history.c -- checks history files, or generated histories, and prints what came out.
 *
 *     try_history --spec KIND [--format F] [--general] [--property P] [--seconds S] FILE...
 *     try_history --spec KIND --generate N [--threads T] [--lost N] [--wrong]
 *                 [--pending] [--distinct] [--print] [--interrupt]
 *
 * A generated history is a simulation: threads call and return at random, and each
 * call takes effect at some moment in between.  --wrong then exchanges two results in
 * the middle; --pending leaves the last call of each thread open; --lost lets about N
 * calls on the way never return, which may have taken effect or not.  In a set, keys are
 * few and used again and again; --distinct inserts and removes each of them once.
 * --interrupt has the check interrupted at each of the moments at which it can be.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/error.h"
#include "check/history/history_check.h"
#include "history/history.h"
#include "random_history.h"

struct simulation {
	struct lp_history *h;
	struct random_source r;
	const char *kind;
	int64_t next_value;
	/* What is in the object: a window of a growing array; a heap for priorities. */
	struct {
		LP_VEC(int64_t);
	} items;
	uint32_t front;
	bool present[4096];
	bool *there;   /* with `distinct`: all keys */
	bool distinct; /* then `items` are the keys that no call is removing yet */
	int64_t cell;
};

static bool is_kind(const struct simulation *s, const char *kind)
{
	return !strncmp(s->kind, kind, strlen(kind));
}

static void heap_push(struct simulation *s, int64_t value)
{
	uint32_t at = s->items.count;

	LP_PUSH(&s->items, value);
	for (; at && s->items.at[(at - 1) / 2] > value; at = (at - 1) / 2)
		s->items.at[at] = s->items.at[(at - 1) / 2];
	s->items.at[at] = value;
}

static int64_t heap_pop(struct simulation *s)
{
	const int64_t top = s->items.at[0], last = s->items.at[--s->items.count];
	uint32_t at = 0;

	for (uint32_t child; (child = 2 * at + 1) < s->items.count; at = child) {
		if (child + 1 < s->items.count && s->items.at[child + 1] < s->items.at[child])
			child++;
		if (s->items.at[child] >= last)
			break;
		s->items.at[at] = s->items.at[child];
	}
	s->items.at[at] = last;
	return top;
}

static void push_front(struct simulation *s, int64_t value)
{
	if (!s->front) {
		const uint32_t count = s->items.count;
		s->front = count + 1;
		LP_RESERVE(&s->items, s->front);
		memmove(s->items.at + s->front, s->items.at, sizeof *s->items.at * count);
		s->items.count += s->front;
	}
	s->items.at[--s->front] = value;
}

static void name_call(struct simulation *s, struct lp_call *c, const char *name)
{
	c->method = lp_history_method(s->h, name, strlen(name));
}

static void call_container(struct simulation *s, struct lp_call *c, bool insert)
{
	static const char *const names[5][2] = { { "enqueue", "dequeue" },
						 { "push", "pop" },
						 { "insert", "remove" },
						 { "push_front", "pop_front" },
						 { "push_back", "pop_back" } };
	const int which = is_kind(s, "queue") ? 0 : is_kind(s, "stack") ? 1 :
			  is_kind(s, "deque") ? 3 + (int)below(&s->r, 2) : 2;

	name_call(s, c, names[which][!insert]);
	if (insert) {
		c->args = 1;
		c->arg[0] = s->next_value++;
		if (which == 2) /* in no particular order, still distinct */
			c->arg[0] = c->arg[0] * 7919 % 10000019;
	}
}

/* A removal takes a key that is there for it alone: it will find it. */
static void call_distinct_set(struct simulation *s, struct lp_call *c)
{
	const uint32_t what = below(&s->r, 3);

	c->args = 1;
	if (what == 1 && s->items.count) {
		const uint32_t i = below(&s->r, s->items.count);
		name_call(s, c, "remove");
		c->arg[0] = s->items.at[i];
		s->items.at[i] = s->items.at[--s->items.count];
	} else if (what == 2 && s->next_value > 1) {
		name_call(s, c, "contains");
		c->arg[0] = 1 + below(&s->r, (uint32_t)s->next_value - 1);
	} else {
		name_call(s, c, "insert");
		c->arg[0] = s->next_value++;
	}
}

static void begin_call(struct simulation *s, struct lp_call *c)
{
	if (s->distinct && is_kind(s, "set")) {
		call_distinct_set(s, c);
		return;
	}
	if (is_kind(s, "register")) {
		const bool write = below(&s->r, 4) == 0;
		name_call(s, c, write ? "write" : "read");
		c->args = write;
		c->arg[0] = write ? s->next_value++ : 0;
	} else if (is_kind(s, "set")) {
		static const char *const names[] = { "insert", "remove", "contains" };
		name_call(s, c, names[below(&s->r, 3)]);
		c->args = 1;
		c->arg[0] = below(&s->r, 4096);
	} else {
		call_container(s, c, below(&s->r, 2));
	}
}

static int64_t remove_item(struct simulation *s, const char *name)
{
	if (s->items.count == s->front)
		return LP_EMPTY;
	if (is_kind(s, "deque") && !strcmp(name, "pop_front"))
		return s->items.at[s->front++];
	if (is_kind(s, "stack") || is_kind(s, "deque"))
		return s->items.at[--s->items.count];
	return is_kind(s, "queue") ? s->items.at[s->front++] : heap_pop(s);
}

static void take_effect(struct simulation *s, struct lp_call *c)
{
	const char *name = s->h->methods.at[c->method];

	c->results = 1;
	if (s->distinct && is_kind(s, "set")) {
		bool *key = &s->there[c->arg[0]];
		c->result = name[0] == 'i' ? true : *key;
		if (name[0] == 'i')
			LP_PUSH(&s->items, c->arg[0]);
		*key = name[0] == 'i' || (*key && name[0] == 'c');
	} else if (is_kind(s, "register")) {
		if (c->args)
			s->cell = c->arg[0];
		c->results = !c->args;
		c->result = s->cell;
	} else if (is_kind(s, "set")) {
		bool *key = &s->present[c->arg[0]];
		c->result = name[0] == 'i' ? !*key : *key;
		*key = name[0] == 'i' ? true : name[0] == 'r' ? false : *key;
	} else if (!c->args) {
		c->result = remove_item(s, name);
	} else {
		c->results = 0;
		if (!strcmp(name, "push_front"))
			push_front(s, c->arg[0]);
		else if (is_kind(s, "stack") || is_kind(s, "queue") || is_kind(s, "deque"))
			LP_PUSH(&s->items, c->arg[0]);
		else
			heap_push(s, c->arg[0]);
	}
}

static void generate(struct lp_history *h, const char *kind, uint32_t calls, uint32_t threads,
		     uint32_t lost, bool pending, bool distinct)
{
	struct simulation s = { .h = h, .kind = kind, .r = { 7 }, .next_value = 1,
				.distinct = distinct,
				.there = lp_alloc_zero((size_t)calls + 1, sizeof *s.there) };
	struct {
		uint32_t call;
		int stage;     /* 0 idle, 1 called, 2 took effect */
		uint32_t name; /* another one after a call that was lost */
	} thread[256] = { 0 };
	uint32_t returned = 0, names = threads;

	for (uint32_t t = 0; t < threads; t++)
		thread[t].name = t;

	for (int64_t now = 0; returned < calls; now++) {
		const uint32_t t = below(&s.r, threads);
		if (thread[t].stage && below(&s.r, 2 * calls) < lost) {
			thread[t].name = names++;
			thread[t].stage = 0;
			returned++;
			continue;
		}
		if (thread[t].stage == 0) {
			if (h->count == calls)
				continue;
			struct lp_call c = { .start = now, .end = LP_PENDING, 
					     .thread = thread[t].name,
					     .line = h->count + 1, .results = LP_RESULT_UNKNOWN };
			begin_call(&s, &c);
			thread[t].call = h->count;
			LP_PUSH(h, c);
		} else if (thread[t].stage == 1) {
			take_effect(&s, &h->at[thread[t].call]);
		} else {
			h->at[thread[t].call].end = now;
			returned++;
		}
		thread[t].stage = (thread[t].stage + 1) % 3;
		if (pending && h->count == calls)
			break;
	}
	for (uint32_t i = 0; i < h->count; i++)
		if (lp_call_is_pending(&h->at[i]))
			h->at[i].results = LP_RESULT_UNKNOWN;
	lp_free(s.items.at);
	lp_free(s.there);
}

static void spoil(struct lp_history *h)
{
	for (uint32_t i = h->count / 2; i + 400 < h->count; i++)
		for (uint32_t j = i + 300; j < i + 400; j++)
			if (h->at[i].method == h->at[j].method && h->at[i].results == 1 &&
			    h->at[j].results == 1 && h->at[i].result != h->at[j].result) {
				const int64_t swap = h->at[i].result;
				h->at[i].result = h->at[j].result;
				h->at[j].result = swap;
				return;
			}
}

static void show(const struct lp_history *h, const uint32_t *ids, const bool *open, uint32_t count)
{
	char text[256];

	for (uint32_t i = 0; i < count && i < 20; i++)
		printf("    line %-8u thread %-3u %s%s\n", h->at[ids[i]].line, h->at[ids[i]].thread,
		       lp_call_describe(h, ids[i], text, sizeof text),
		       open && open[i] ? " (as pending)" : "");
	if (count > 20)
		printf("    ... %u in all\n", count);
}

static int report(const struct lp_history *h, const struct lp_spec *spec, const char *name,
		  const struct lp_check_options *options, double reading)
{
	static const char *const findings[] = { "right", "wrong", "undecided" };
	struct lp_check_result r;
	struct lp_error error = { 0 };
	struct rusage usage;
	const clock_t before = clock();

	if (!lp_history_check(h, spec, options, &r, &error)) {
		fprintf(stderr, "%s: %s\n", name, error.text);
		return 2;
	}
	getrusage(RUSAGE_SELF, &usage);
	printf("%s: %s; %u calls, %u part%s, %s; read %.3f s, checked %.3f s (CPU), %llu steps, %ld MB\n",
	       name, findings[r.finding], h->count, r.parts, r.parts == 1 ? "" : "s", r.method,
	       reading, (double)(clock() - before) / CLOCKS_PER_SEC, (unsigned long long)r.steps, usage.ru_maxrss / 1024);
	if (r.reason[0])
		printf("  %s\n", r.reason);
	if (r.core_count) {
		printf("  %s core:\n", r.core_is_minimal ? "minimal" : "a");
		show(h, r.core, r.core_open, r.core_count);
		printf("  as far as one gets:\n");
		show(h, r.partial, NULL, r.partial_count);
	}
	const int status = r.finding == LP_CORRECT ? 0 : r.finding == LP_WRONG ? 1 : 3;
	lp_check_result_close(&r);
	return status;
}

/* Says no when asked for the `left`-th time. */
static bool go_on(void *closure, uint64_t steps)
{
	uint32_t *left = closure;

	(void)steps;
	*left -= *left > 0;
	return *left;
}

/* However early it is interrupted: what it says is correct, or it says that it was. */
static int interrupt(const struct lp_history *h, const struct lp_spec *spec,
		     struct lp_check_options options, enum lp_finding expected)
{
	uint32_t undecided = 0, left = 0;

	options.go_on = go_on;
	options.closure = &left;
	for (uint32_t asks = 1; !left; asks++) {
		struct lp_check_result r;
		struct lp_error error = { 0 };
		left = asks;
		if (!lp_history_check(h, spec, &options, &r, &error))
			return 2;
		const bool gave_up = r.finding == LP_UNDECIDED && strstr(r.reason, "interrupted") && !left;
		undecided += gave_up;
		if (!gave_up && r.finding != expected) {
			printf("asked %u times: %s\n", asks, r.reason);
			return 1;
		}
		lp_check_result_close(&r);
	}
	printf("interrupted %u times before there was an answer\n", undecided);
	return undecided < 2;
}

struct arguments {
	struct lp_spec spec;
	const char *kind;
	enum lp_format format;
	struct lp_check_options options;
	uint32_t generate, threads, lost;
	bool wrong, pending, print, distinct, interrupt;
	int first; /* file */
};

static bool parse(struct arguments *a, int argc, char **argv)
{
	static const char *const properties[] = { "linearizable", "sequential", "quiescent" };
	struct lp_error error = { 0 };

	*a = (struct arguments){ .threads = 8, .options.explain = true,
				  .options.explain_seconds = 60 };
	for (a->first = 1; a->first < argc && !strncmp(argv[a->first], "--", 2); a->first++) {
		const char *name = argv[a->first] + 2;
		if (!strcmp(name, "general")) {
			a->options.general = true;
		} else if (!strcmp(name, "wrong")) {
			a->wrong = true;
		} else if (!strcmp(name, "pending")) {
			a->pending = true;
		} else if (!strcmp(name, "distinct")) {
			a->distinct = true;
		} else if (!strcmp(name, "print")) {
			a->print = true;
		} else if (!strcmp(name, "interrupt")) {
			a->interrupt = true;
		} else if (a->first + 1 < argc) {
			const char *value = argv[++a->first];
			if (!strcmp(name, "spec"))
				a->kind = value;
			else if (!strcmp(name, "format") && !lp_format_named(value, &a->format))
				return false;
			else if (!strcmp(name, "seconds"))
				a->options.seconds = atof(value);
			else if (!strcmp(name, "generate"))
				a->generate = (uint32_t)atoi(value);
			else if (!strcmp(name, "lost"))
				a->lost = (uint32_t)atoi(value);
			else if (!strcmp(name, "threads"))
				a->threads = (uint32_t)atoi(value);
			for (int i = 0; !strcmp(name, "property") && i < 3; i++)
				if (!strcmp(properties[i], value))
					a->options.property = (enum lp_property)i;
		}
	}
	if (!a->kind || !lp_spec_parse(&a->spec, a->kind, &error)) {
		fprintf(stderr, "%s\n", a->kind ? error.text : "--spec is missing");
		return false;
	}
	return a->threads > 0 && a->threads <= 256;
}

int main(int argc, char **argv)
{
	struct arguments a;
	int status = 0;

	if (!parse(&a, argc, argv))
		return 2;
	if (a.generate) {
		struct lp_history h = { 0 };
		generate(&h, a.spec.kind->name, a.generate, a.threads, a.lost, a.pending,
			 a.distinct);
		if (a.wrong)
			spoil(&h);
		if (a.print)
			lp_history_print_table(&h, stdout);
		else if (a.interrupt)
			status = interrupt(&h, &a.spec, a.options, a.wrong ? LP_WRONG : LP_CORRECT);
		else
			status = report(&h, &a.spec, "generated", &a.options, 0);
		lp_history_close(&h);
	}
	for (int i = a.first; i < argc; i++) {
		struct lp_history h = { 0 };
		struct lp_error error = { 0 };
		const clock_t begin = clock();
		int here = 2;
		if (lp_history_read(&h, argv[i], a.format, &error))
			here = report(&h, &a.spec, argv[i], &a.options,
				      (double)(clock() - begin) / CLOCKS_PER_SEC);
		else
			fprintf(stderr, "%s\n", error.text);
		status = here > status ? here : status;
		lp_history_close(&h);
	}
	return status;
}
