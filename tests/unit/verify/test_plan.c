/* test_plan.c -- clients whose calls share threads, as roles and needs allow.
 *
 * For random harnesses, lp_plan_multiset() must visit exactly the clients that the definition allows,
 * which are found here by trying everything: every order of the calls, every thread for each, and
 * every call that it could need.  The same is done for the most parallel clients, in which calls share a thread only
 * because of a role or a need.  Clients are compared as texts, with their threads sorted, unless the numbers of threads
 * matter.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/vec.h"
#include "expect.h"
#include "spec/spec.h"
#include "spec/traits.h"
#include "verify/plan.h"

enum { METHODS = 3, CALLS = 4, TEXT = 64, ROUNDS = 300 };

struct texts {
	LP_VEC(char *);
};

static uint64_t seed = 20;

static uint32_t below(uint32_t n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(seed >> 33) % n;
}

/* A client: calls in the order in which they are made, if threads take turns. */
struct naive {
	const struct lp_harness *h;
	uint32_t count, method[CALLS], thread[CALLS], needs[CALLS]; /* needs: a place, or CALLS */
	bool truth[CALLS];
	bool shapes;   /* calls share threads in every way */
	bool numbered; /* it matters which thread makes which calls */
	struct texts *out;
};

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Each call: its method, and what it needs, as a place in its thread. */
static void add_text(struct texts *out, const struct naive *n)
{
	char thread[CALLS][TEXT] = { "" }, *sorted[CALLS];
	uint32_t place[CALLS], length[CALLS] = { 0 };

	for (uint32_t i = 0; i < n->count; i++) {
		const uint32_t t = n->thread[i];
		char *at = thread[t] + strlen(thread[t]);
		place[i] = length[t]++;
		*at++ = (char)('a' + n->method[i]);
		if (n->needs[i] < CALLS)
			snprintf(at, 4, "%u%s", place[n->needs[i]], n->truth[i] ? "!" : "");
	}
	for (uint32_t t = 0; t < CALLS; t++)
		sorted[t] = thread[t];
	if (!n->numbered)
		qsort(sorted, CALLS, sizeof *sorted, by_text);
	char *text = calloc(CALLS, TEXT);
	for (uint32_t t = 0; t < CALLS; t++)
		if (*sorted[t])
			strcat(strcat(text, sorted[t]), "|");
	LP_PUSH(out, text);
}

static bool is_needed(const struct naive *n, uint32_t call, uint32_t end)
{
	for (uint32_t i = call + 1; i < end; i++)
		if (n->needs[i] == call)
			return true;
	return false;
}

static unsigned roles(const struct naive *n, uint32_t method)
{
	return n->h->spec->kind->methods[n->h->methods.at[method].spec_method].roles;
}

/* A call that takes, of a method that another one needs, and that was not given back before `end`. */
static bool holds(const struct naive *n, uint32_t call, uint32_t end)
{
	bool by_any = false;

	for (uint32_t m = 0; m < METHODS; m++)
		for (uint32_t k = 0; k < n->h->methods.at[m].needs; k++)
			by_any |= n->h->methods.at[m].need[k].method == n->method[call];
	return by_any && roles(n, n->method[call]) & LP_TAKES && !is_needed(n, call, end);
}

static enum lp_verb verb_of(const struct naive *n, uint32_t i)
{
	return lp_kind_verb(n->h->spec->kind, n->h->methods.at[n->method[i]].spec_method);
}

/* In the thread of a role, each call is one of the role, or needs the last call of a method; and a lock that is held is not locked. In
 * other threads, each call but the first needs the call before it. */
static bool is_most_parallel(const struct naive *n, uint32_t i)
{
	const uint32_t role = n->h->methods.at[n->method[i]].role;
	uint32_t first = i, last = i, last_needed = CALLS;
	bool locked = false;

	for (uint32_t j = i; j-- > 0;)
		first = n->thread[j] == n->thread[i] ? j : first;
	for (uint32_t j = 0; j < i; j++) {
		if (n->thread[j] != n->thread[i])
			continue;
		last = j;
		if (n->needs[i] < CALLS && n->method[j] == n->method[n->needs[i]])
			last_needed = j;
		if (verb_of(n, j) == LP_VERB_LOCK || verb_of(n, j) == LP_VERB_UNLOCK)
			locked = verb_of(n, j) == LP_VERB_LOCK;
	}
	if (first == i)
		return true;
	const uint32_t of_first = n->h->methods.at[n->method[first]].role;
	if (!of_first)
		return !role && n->needs[i] == last;
	if (role && role != of_first)
		return false;
	return n->needs[i] < CALLS ? n->needs[i] == last_needed : role && !(locked && verb_of(n, i) == LP_VERB_LOCK);
}

static bool allows(const struct naive *n, uint32_t i)
{
	const uint32_t role = n->h->methods.at[n->method[i]].role;
	const bool waits = n->shapes && n->needs[i] == CALLS && (roles(n, n->method[i]) & (LP_TAKES | LP_OBSERVES)) == LP_TAKES;

	for (uint32_t j = 0; j < i; j++) {
		const bool together = n->thread[i] == n->thread[j];
		if (role && !together && n->h->methods.at[n->method[j]].role == role)
			return false;
		if (waits && together && holds(n, j, i))
			return false;
	}
	return n->shapes || is_most_parallel(n, i);
}

static void try_all(struct naive *n, uint32_t *left, uint32_t i);

static void try_needs(struct naive *n, uint32_t *left, uint32_t i)
{
	const struct lp_harness_method *m = &n->h->methods.at[n->method[i]];

	n->needs[i] = CALLS;
	if (!m->needs && allows(n, i))
		try_all(n, left, i + 1);
	for (uint32_t k = 0; k < m->needs; k++) {
		for (uint32_t j = 0; j < i; j++) {
			if (n->method[j] != m->need[k].method || n->thread[j] != n->thread[i] || is_needed(n, j, i))
				continue;
			n->needs[i] = j;
			n->truth[i] = m->need[k].truth;
			if (allows(n, i))
				try_all(n, left, i + 1);
		}
	}
}

static void try_all(struct naive *n, uint32_t *left, uint32_t i)
{
	if (i == n->count) {
		add_text(n->out, n);
		return;
	}
	for (uint32_t m = 0; m < METHODS; m++) {
		if (!left[m])
			continue;
		left[m]--;
		n->method[i] = m;
		for (n->thread[i] = 0; n->thread[i] < n->count; n->thread[i]++)
			try_needs(n, left, i);
		left[m]++;
	}
}

struct found {
	struct texts texts;
	bool numbered;
};

static bool visit(void *closure, const struct lp_plan_client *c)
{
	struct found *found = closure;
	struct naive n = { .count = c->client.calls, .numbered = found->numbered };

	for (uint32_t i = 0; i < n.count; i++) {
		const struct lp_client_call *call = &c->client.call[i];
		n.method[i] = c->method[i];
		n.thread[i] = call->thread - 1;
		n.needs[i] = call->when ? call->needs : CALLS;
		n.truth[i] = call->when == LP_CALL_AFTER_TRUE;
	}
	add_text(&found->texts, &n);
	return true;
}

static void sort_out(struct texts *t)
{
	uint32_t kept = 0;

	if (t->count)
		qsort(t->at, t->count, sizeof *t->at, by_text);
	for (uint32_t i = 0; i < t->count; i++) {
		if (kept && !strcmp(t->at[kept - 1], t->at[i]))
			free(t->at[i]);
		else
			t->at[kept++] = t->at[i];
	}
	t->count = kept;
}

static void drop(struct texts *t)
{
	for (uint32_t i = 0; i < t->count; i++)
		free(t->at[i]);
	lp_free(t->at);
}

static void compare(const struct lp_harness *h, const uint32_t *count, uint32_t calls, bool shapes, bool numbered)
{
	struct found plans = { .numbered = numbered };
	struct texts expected = { 0 };
	struct naive n = { .h = h, .count = calls, .shapes = shapes, .numbered = numbered, .out = &expected };
	const struct lp_plan plan = { .harness = h, .shapes = shapes, .numbered = numbered, .visit = visit, .closure = &plans };
	uint32_t left[METHODS], i = 0;

	memcpy(left, count, sizeof left);
	try_all(&n, left, 0);
	lp_plan_multiset(&plan, count);
	struct texts found = plans.texts;
	sort_out(&found);
	sort_out(&expected);
	while (i < found.count && i < expected.count && !strcmp(found.at[i], expected.at[i]))
		i++;
	EXPECT(found.count == expected.count && i == found.count, "%u clients instead of %u, the first other: %s, %s",
	       found.count, expected.count, i < found.count ? found.at[i] : "-",
	       i < expected.count ? expected.at[i] : "-");
	drop(&found);
	drop(&expected);
}

/* Smallest first, so that the first failure is a small one. */
static void compare_all(const struct lp_harness *h)
{
	for (uint32_t calls = 1; calls <= CALLS && !failures; calls++)
		for (uint32_t a = 0; a <= calls; a++)
			for (uint32_t b = 0; a + b <= calls; b++)
				for (int way = 0; way < 3; way++)
					compare(h, (uint32_t[METHODS]){ a, b, calls - a - b }, calls, way > 0, way > 1);
}

static void random_harness(struct lp_harness *h)
{
	static struct lp_harness_method methods[METHODS];

	memset(methods, 0, sizeof methods);
	h->roles = 2;
	for (uint32_t m = 0; m < METHODS; m++) {
		methods[m].spec_method = below(3);
		methods[m].role = below(3) ? 0 : 1 + below(2);
		for (uint32_t k = below(3) ? 0 : 1 + below(2); k; k--)
			methods[m].need[methods[m].needs++] =
				(struct lp_harness_need){ below(METHODS), below(2) };
	}
	h->methods.at = methods;
	h->methods.count = METHODS;
}

int main(void)
{
	static const char *const kinds[] = { "lock", "semaphore" };
	struct lp_error error = { .hint = "" };

	printf("seed %" PRIu64 "\n", seed);
	for (uint32_t round = 0; round < ROUNDS && !failures; round++) {
		struct lp_spec spec;
		struct lp_harness h = { .spec = &spec };
		if (!lp_spec_parse(&spec, kinds[round % 2], &error)) {
			printf("%s\n", error.text);
			return 1;
		}
		random_harness(&h);
		compare_all(&h);
	}
	return expect_status();
}
