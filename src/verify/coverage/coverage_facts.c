/* coverage_facts.c -- finds behaviour of operations, loops and methods that no execution has
 * shown. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "orders/lattice.h"
#include "runtime/coverage_flags.h"
#include "runtime/hooks/sites.h"
#include "verify/harness.h"
#include "verify/orders/site_orders.h"
#include "verify/coverage/coverage.h"

struct facts {
	LP_VEC(struct lp_cover_fact);
	struct lp_native *native;
	const struct lp_module *module;
	struct lp_arena *arena;
};

static void add(struct facts *f, const char *file, uint32_t line, const char *where, const char *what, const char *never)
{
	LP_PUSH(f, ((struct lp_cover_fact){ file, line, where, what, never }));
}

/* ---- operations ---- */

/* "compare-exchange q->tail", "load q->head (acquire)". */
static const char *say(struct facts *f, const struct lp_site_choice *c, const char *order)
{
	char text[256];

	snprintf(text, sizeof text, "%s%s%s%s%s%s", c->operation, *c->variable ? " " : "", c->variable, order ? " (" : "",
		 order ? order : "", order ? ")" : "");
	return lp_arena_strdup(f->arena, text);
}

static unsigned seen(const struct facts *f, const struct lp_site_choice *c)
{
	unsigned all = 0;

	for (uint32_t i = 0; i < c->site_count; i++)
		all |= lp_native_reached(f->native, c->sites[i]);
	return all;
}

static void add_exchange(struct facts *f, const struct lp_site_choice *c, bool weak_fails)
{
	const unsigned how = seen(f, c), failed = LP_REACHED_FAILED | LP_REACHED_ALONE_FAILED;
	const bool weak = f->module->sites[c->sites[0]].flags & LP_SITE_WEAK;
	const char *what = say(f, c, NULL);

	if (!how)
		return; /* not reached: its line says so */
	if (!(how & (LP_REACHED | LP_REACHED_ALONE)))
		add(f, c->file, c->line, c->name, what, "succeeded");
	if (!(how & failed))
		add(f, c->file, c->line, c->name, what, "failed");
	else if (weak && weak_fails && !(how & LP_REACHED_SPURIOUS))
		add(f, c->file, c->line, c->name, what, "failed without reason");
}

/* By other threads than the first: that one is alone. */
static void add_order(struct facts *f, const struct lp_site_choice *c)
{
	const unsigned how = seen(f, c);
	const bool fence = c->use == LP_USE_FENCE, reads = c->use != LP_USE_STORE, writes = c->use != LP_USE_LOAD;
	const char *what = say(f, c, lp_order_name(c->use, c->now));

	if (!(how & (LP_REACHED | LP_REACHED_FAILED)))
		return;
	if (reads && lp_order_acquires(c->now) && !(how & LP_REACHED_ACQUIRED))
		add(f, c->file, c->line, c->name, what, "acquired anything from another thread");
	if (writes && lp_order_releases(c->now) && !(how & LP_REACHED_RELEASED))
		add(f, c->file, c->line, c->name, what, fence ? "released anything to another thread" :
							"released anything that another thread acquired");
}

static void add_operations(struct facts *f, bool orders, bool weak_fails)
{
	struct lp_site_choices all;

	lp_site_choices(f->native, f->arena, &all);
	for (uint32_t i = 0; i < all.count; i++) {
		const struct lp_site_choice *c = &all.at[i];
		if (c->use == LP_USE_FAILURE)
			continue;
		if (f->module->sites[c->sites[0]].kind == LP_SITE_CAS)
			add_exchange(f, c, weak_fails);
		if (orders)
			add_order(f, c);
	}
	lp_free(all.at);
}

/* ---- loops ---- */

static bool is_same_loop(const struct lp_covered_loop *a, const struct lp_covered_loop *b)
{
	return a->file == b->file && a->line == b->line && a->column == b->column;
}

/* Copies of a function have the same loops, and one loop may be repeated from several places. */
static void add_loops(struct facts *f)
{
	const struct lp_coverage *c = &f->module->coverage;

	for (uint32_t i = 0; i < c->loop_count; i++) {
		const struct lp_covered_loop *l = &c->loops[i];
		bool entered = false, repeated = false, first = true;
		for (uint32_t k = 0; k < c->loop_count; k++) {
			if (!is_same_loop(l, &c->loops[k]))
				continue;
			first &= k >= i;
			entered |= lp_native_any_flag(f->native, c->loops[k].entered);
			repeated |= lp_native_any_flag(f->native, c->loops[k].repeated);
		}
		if (!first || !entered || repeated)
			continue;
		const char *path = lp_module_text(f->module, l->file), *slash = strrchr(path, '/');
		char where[300];
		snprintf(where, sizeof where, "%s:%u", slash ? slash + 1 : path, l->line);
		add(f, path, l->line, lp_arena_strdup(f->arena, where), "loop", "repeated");
	}
}

static int by_place(const void *a, const void *b)
{
	const struct lp_cover_fact *x = a, *y = b;
	const int files = strcmp(x->file, y->file);

	if (files || x->line != y->line)
		return files ? files : x->line < y->line ? -1 : 1;
	return strcmp(x->where, y->where) ? strcmp(x->where, y->where) : strcmp(x->never, y->never);
}

void lp_coverage_facts(struct lp_native *native, struct lp_arena *arena, bool orders, bool weak_fails, struct lp_cover *out)
{
	struct facts f = { .native = native, .module = lp_native_module(native), .arena = arena };

	add_operations(&f, orders, weak_fails);
	add_loops(&f);
	struct lp_cover_fact *facts = lp_arena_alloc(arena, sizeof *facts * (f.count + 1));
	if (f.count) {
		memcpy(facts, f.at, sizeof *facts * f.count);
		qsort(facts, f.count, sizeof *facts, by_place);
	}
	out->facts = facts;
	out->fact_count = f.count;
	lp_free(f.at);
}

/* ---- methods ---- */

struct values {
	LP_VEC(int64_t);
};

struct calls {
	const struct lp_harness *harness;
	const struct lp_module *module;
	struct values *values; /* by method: its arguments, then its results */
};

enum { LISTS = LP_CLIENT_ARGS + 1 };

/* A call that ends in lp_thread_NAME is one of the method NAME. */
static uint32_t method_of(const struct calls *c, const struct lp_value_seen *s)
{
	static const char thread[] = "lp_thread_";
	const struct lp_site *site = lp_site_of_module(c->module, s->pc);

	for (uint32_t m = 0; s->method && m < c->harness->methods.count; m++)
		if (c->harness->methods.at[m].body == s->method)
			return m;
	const char *function = site ? lp_site_function(c->module, site) : "";
	if (s->method || strncmp(function, thread, strlen(thread)))
		return UINT32_MAX;
	return lp_harness_method(c->harness, function + strlen(thread), strlen(function) - strlen(thread));
}

static void take(void *closure, const struct lp_value_seen *s)
{
	struct calls *c = closure;
	const uint32_t m = method_of(c, s), list = s->which == LP_SEEN_RESULT ? LP_CLIENT_ARGS : s->which;

	if (m != UINT32_MAX && list < LISTS)
		LP_PUSH(&c->values[m * LISTS + list], s->value);
}

static int by_value(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* "empty, 1, 2": up to SHOWN values, and how many others there are. */
static const char *list(const struct calls *c, uint32_t method, bool results, struct values *v, struct lp_arena *arena)
{
	enum { SHOWN = 16 };
	char text[1024] = "", one[256];
	size_t used = 0;

	if (v->count)
		qsort(v->at, v->count, sizeof *v->at, by_value);
	for (uint32_t i = 0; i < v->count && i < SHOWN; i++) {
		if (results)
			lp_harness_say_result(c->harness, method, v->at[i], one, sizeof one);
		else
			snprintf(one, sizeof one, "%" PRId64, v->at[i]);
		if (*one && used < sizeof text)
			used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", used ? ", " : "", one);
	}
	if (v->count > SHOWN && used < sizeof text)
		snprintf(text + used, sizeof text - used, " and %u others", v->count - SHOWN);
	return lp_arena_strdup(arena, text);
}

void lp_coverage_methods(struct lp_native *native, const struct lp_harness *h, struct lp_arena *arena, struct lp_cover *out)
{
	const uint32_t count = h->methods.count;
	struct calls c = { .harness = h, .module = lp_native_module(native),
			   .values = lp_alloc_zero(count * LISTS + 1, sizeof *c.values) };
	struct lp_cover_method *methods = lp_arena_alloc(arena, sizeof *methods * (count + 1));

	if (!lp_native_seen(native, take, &c))
		out->unknown = "there were too many values of arguments and results to keep them all";
	for (uint32_t m = 0; m < count; m++) {
		const char **arguments = lp_arena_alloc(arena, sizeof *arguments * LISTS);
		struct values *v = &c.values[m * LISTS];
		for (uint32_t a = 0; a < h->methods.at[m].args; a++)
			arguments[a] = list(&c, m, false, &v[a], arena);
		struct values *results = &v[LP_CLIENT_ARGS];
		methods[m] = (struct lp_cover_method){ h->methods.at[m].name, arguments, h->methods.at[m].args,
						       results->count ? list(&c, m, true, results, arena) : NULL };
	}
	for (uint32_t i = 0; i < count * LISTS; i++)
		lp_free(c.values[i].at);
	lp_free(c.values);
	out->methods = methods;
	out->method_count = count;
}
