/* site_orders.c -- the memory orders of an object's source. */
#include "verify/orders/site_orders.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/rmw.h"
#include "frontend/system_file.h"
#include "runtime/hooks/sites.h"
#include "verify/task/task.h"

static enum lp_order_use use_of(const struct lp_site *site)
{
	switch ((enum lp_site_kind)site->kind) {
	case LP_SITE_ATOMIC_LOAD:
		return LP_USE_LOAD;
	case LP_SITE_ATOMIC_STORE:
		return LP_USE_STORE;
	case LP_SITE_FENCE:
		return LP_USE_FENCE;
	default:
		return LP_USE_RMW;
	}
}

static const char *operation_of(const struct lp_site *site)
{
	static const char *const rmw[] = {
		[LP_XCHG] = "exchange",   [LP_ADD] = "fetch_add",  [LP_SUB] = "fetch_sub",
		[LP_AND] = "fetch_and",   [LP_OR] = "fetch_or",    [LP_XOR] = "fetch_xor",
		[LP_NAND] = "fetch_nand", [LP_MAX] = "fetch_max",  [LP_MIN] = "fetch_min",
		[LP_UMAX] = "fetch_max",  [LP_UMIN] = "fetch_min", [LP_FADD] = "fetch_add",
		[LP_FSUB] = "fetch_sub",  [LP_FMAX] = "fetch_max", [LP_FMIN] = "fetch_min",
	};

	switch ((enum lp_site_kind)site->kind) {
	case LP_SITE_ATOMIC_LOAD:
		return "load";
	case LP_SITE_ATOMIC_STORE:
		return "store";
	case LP_SITE_FENCE:
		return "fence";
	case LP_SITE_CAS:
		return "compare-exchange";
	default:
		return site->rmw < sizeof rmw / sizeof *rmw && rmw[site->rmw] ? rmw[site->rmw] : "read-modify-write";
	}
}

/* Is it a function of the harness that runs before or after the calls? */
static bool is_around_calls(const char *function)
{
	return !strcmp(function, "lp_setup") || !strcmp(function, "lp_teardown") ||
	       !strcmp(function, "lp_invariant") || !strcmp(function, "lp_invariant_holds") ||
	       !strncmp(function, "lp_proposition_", strlen("lp_proposition_"));
}

static bool is_choice(const struct lp_module *module, const struct lp_site *site)
{
	const struct lp_source *source = lp_site_source(module, site);
	const char *file = lp_module_text(module, source->file);
	const bool atomic = site->kind >= LP_SITE_ATOMIC_LOAD && site->kind <= LP_SITE_FENCE;

	return atomic && site->order != LP_PLAIN && !(site->flags & LP_SITE_INSTRUCTION) && source->line && *file &&
	       !lp_is_system_file(file) && !is_around_calls(lp_module_text(module, source->function));
}

static const char *plain_function(const char *name)
{
	return !strncmp(name, "lp_method_", 10) ? name + 10 : name;
}

/* ---- places ---- */

/* A site, and the line that has its order. */
struct draft {
	uint32_t site;
	const struct lp_source *at;
};

struct drafts {
	LP_VEC(struct draft);
};

static bool is_same_place(const struct lp_source *a, const struct lp_source *b)
{
	return a->line == b->line && a->column == b->column && a->file == b->file;
}

static bool is_same_operation(const struct lp_site *a, const struct lp_site *b)
{
	return a->kind == b->kind && a->rmw == b->rmw && a->variable == b->variable;
}

static bool is_same_order(const struct lp_site *a, const struct lp_site *b)
{
	return a->order == b->order && a->fail_order == b->fail_order;
}

/* Are the two in the same copy of a function? */
static bool is_same_copy(const struct lp_module *module, const struct lp_source *a, const struct lp_source *b)
{
	while (a->inlined_at && b->inlined_at) {
		a = &module->sources[a->inlined_at];
		b = &module->sources[b->inlined_at];
		if (!is_same_place(a, b))
			return false;
	}
	return !a->inlined_at && !b->inlined_at;
}

/* Does the place have another order in another copy of the function?  Then it is a parameter. */
static bool is_parameter(const struct lp_module *module, const struct drafts *all, const struct draft *d)
{
	for (uint32_t i = 0; i < all->count; i++) {
		const struct draft *e = &all->at[i];
		const struct lp_site *a = &module->sites[d->site], *b = &module->sites[e->site];
		if (is_same_place(d->at, e->at) && is_same_operation(a, b) && !is_same_order(a, b) &&
		    !is_same_copy(module, d->at, e->at))
			return true;
	}
	return false;
}

/* If the order is a parameter, goes to the place where it is passed. */
static void find_places(const struct lp_module *module, struct drafts *all)
{
	enum { LEVELS = 8 };
	bool *moves = lp_alloc(all->count + 1);
	bool moved = true;

	for (int level = 0; moved && level < LEVELS; level++) {
		moved = false;
		for (uint32_t i = 0; i < all->count; i++)
			moves[i] = all->at[i].at->inlined_at && is_parameter(module, all, &all->at[i]);
		for (uint32_t i = 0; i < all->count; i++) {
			if (moves[i])
				all->at[i].at = &module->sources[all->at[i].at->inlined_at];
			moved |= moves[i];
		}
	}
	lp_free(moves);
}

/* ---- choices ---- */

static void add_choice(const struct lp_module *module, const struct draft *d, struct lp_arena *arena, uint32_t room,
		       struct lp_site_choices *out)
{
	const struct lp_site *site = &module->sites[d->site];
	struct lp_site_choice c = {
		.sites = lp_arena_alloc(arena, sizeof *c.sites * room), .site_count = 1,
		.use = use_of(site), .now = (enum lp_order)site->order,
		.operation = operation_of(site), .variable = lp_module_text(module, site->variable),
		.function = plain_function(lp_module_text(module, d->at->function)),
		.file = lp_module_text(module, d->at->file), .line = d->at->line, .column = d->at->column,
		.origin = lp_site_source(module, site),
	};

	c.sites[0] = d->site;
	LP_PUSH(out, c);
}

/* Adds the failure orders of compare-exchanges, each after the compare-exchange. */
static void add_failures(const struct lp_module *module, struct lp_site_choices *all)
{
	struct lp_site_choices out = { 0 };

	for (uint32_t i = 0; i < all->count; i++) {
		struct lp_site_choice c = all->at[i];
		const struct lp_site *site = &module->sites[c.sites[0]];
		LP_PUSH(&out, c);
		if (site->kind != LP_SITE_CAS)
			continue;
		c.use = LP_USE_FAILURE;
		c.now = (enum lp_order)site->fail_order;
		LP_PUSH(&out, c);
	}
	lp_free(all->at);
	*all = out;
}

/* Sites in the same place that are the same operation with the same order are one choice. */
static void group(const struct lp_module *module, const struct drafts *drafts, struct lp_arena *arena,
		  struct lp_site_choices *out)
{
	uint32_t *of = lp_alloc(sizeof *of * (drafts->count + 1)); /* by draft: its choice */

	for (uint32_t i = 0; i < drafts->count; i++) {
		const struct draft *d = &drafts->at[i];
		uint32_t k = 0;
		while (k < i && !(is_same_place(d->at, drafts->at[k].at) &&
				  is_same_operation(&module->sites[d->site], &module->sites[drafts->at[k].site]) &&
				  is_same_order(&module->sites[d->site], &module->sites[drafts->at[k].site])))
			k++;
		of[i] = k < i ? of[k] : out->count;
		if (k < i) {
			struct lp_site_choice *c = &out->at[of[k]];
			c->sites[c->site_count++] = d->site;
		} else {
			add_choice(module, d, arena, drafts->count, out);
		}
	}
	lp_free(of);
}

static int by_place(const void *a, const void *b)
{
	const struct lp_site_choice *x = a, *y = b;
	const int files = strcmp(x->file, y->file);

	if (files)
		return files;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	if (x->column != y->column)
		return x->column < y->column ? -1 : 1;
	return x->sites[0] < y->sites[0] ? -1 : 1;
}

static bool is_same_line(const struct lp_site_choice *a, const struct lp_site_choice *b)
{
	return a->line == b->line && !strcmp(a->file, b->file);
}

/* Numbers those in one line, if they are several. */
static void name_line(struct lp_site_choice *first, uint32_t count, struct lp_arena *arena)
{
	const char *slash = strrchr(first->file, '/');
	const bool several = first[count - 1].sites != first->sites;
	uint32_t number = 0;

	for (uint32_t i = 0; i < count; i++) {
		char text[512], which[16] = "";
		number += !i || first[i].sites != first[i - 1].sites;
		if (several)
			snprintf(which, sizeof which, "#%u", number);
		snprintf(text, sizeof text, "%s:%u%s%s", slash ? slash + 1 : first->file, first->line, which,
			 first[i].use == LP_USE_FAILURE ? "/failure" : "");
		first[i].name = lp_arena_strdup(arena, text);
	}
}

void lp_site_choices(struct lp_native *native, struct lp_arena *arena, struct lp_site_choices *out)
{
	const struct lp_module *module = lp_native_module(native);
	struct drafts drafts = { 0 };

	*out = (struct lp_site_choices){ 0 };
	for (uint32_t i = 0; i < module->site_count; i++)
		if (is_choice(module, &module->sites[i]))
			LP_PUSH(&drafts, ((struct draft){ i, lp_site_source(module, &module->sites[i]) }));
	find_places(module, &drafts);
	group(module, &drafts, arena, out);
	lp_free(drafts.at);
	if (out->count)
		qsort(out->at, out->count, sizeof *out->at, by_place);
	add_failures(module, out);
	for (uint32_t i = 0, end; i < out->count; i = end) {
		for (end = i + 1; end < out->count && is_same_line(&out->at[i], &out->at[end]);)
			end++;
		name_line(&out->at[i], end - i, arena);
	}
}

unsigned lp_site_choice_reached(struct lp_native *native, const struct lp_site_choice *c)
{
	unsigned reached = 0;

	for (uint32_t i = 0; i < c->site_count; i++)
		reached |= lp_native_reached(native, c->sites[i]);
	return c->use == LP_USE_FAILURE ? reached >> 1 & (LP_REACHED_ALONE | LP_REACHED) :
					  reached & (LP_REACHED_ALONE | LP_REACHED);
}

void lp_site_choices_set(struct lp_native *native, const struct lp_site_choices *choices, const uint8_t *orders,
			 bool visible)
{
	for (uint32_t i = 0; i < choices->count; i++) {
		const struct lp_site_choice *c = &choices->at[i];
		const bool pair = i + 1 < choices->count && choices->at[i + 1].sites == c->sites;
		const bool hidden = c->use == LP_USE_FENCE && orders[i] == LP_RLX && visible;
		for (uint32_t k = 0; k < c->site_count; k++)
			lp_native_set_order(native, c->sites[k], hidden ? LP_PLAIN : (enum lp_order)orders[i],
					    pair ? (enum lp_order)orders[i + 1] : LP_PLAIN);
		i += pair;
	}
}

/* ---- --order ---- */

/* The choice of that name; `base` is the file of those that are lines only. */
static uint32_t choice_named(const struct lp_site_choices *all, const char *name, const char *base,
			     struct lp_error *error)
{
	const bool has_file = strchr(name, ':');
	const char *several = NULL;
	char full[512];

	snprintf(full, sizeof full, "%s%s%s", has_file ? "" : base, has_file ? "" : ":", name);
	const size_t length = strlen(full);
	for (uint32_t i = 0; i < all->count; i++) {
		if (!strcmp(all->at[i].name, full))
			return i;
		if (!strncmp(all->at[i].name, full, length) && all->at[i].name[length] == '#')
			several = all->at[i].name;
	}
	if (several)
		lp_fail(error, "--order %s: there are several in that line, up to %s", name, several);
	else
		lp_fail(error, "--order %s: no atomic access or fence of the object has that name; `linchpin orders` "
			"lists them", name);
	return UINT32_MAX;
}

static bool override_one(const struct lp_site_choices *all, char *word, const char *base, uint8_t *orders,
			 struct lp_error *error)
{
	char *sign = strchr(word, '=');

	if (!sign)
		return lp_fail(error, "--order %s: LINE=ORDER is expected, such as 44=relaxed", word);
	*sign = '\0';
	const uint32_t i = choice_named(all, word, base, error);
	if (i == UINT32_MAX)
		return false;
	const enum lp_order o = lp_order_named(all->at[i].use, sign + 1);
	if (o == LP_PLAIN)
		return lp_fail(error, "--order %s=%s: a %s cannot have that order", word, sign + 1,
			       all->at[i].operation);
	orders[i] = (uint8_t)o;
	return true;
}

bool lp_sites_override(struct lp_task *task, const char *text, struct lp_error *error)
{
	struct lp_site_choices all;
	const char *slash = strrchr(task->file, '/');
	char *words = lp_arena_strdup(&task->arena, text), *rest = NULL;
	bool good = true;

	lp_site_choices(&task->native, &task->arena, &all);
	uint8_t *orders = lp_arena_alloc(&task->arena, all.count + 1);
	for (uint32_t i = 0; i < all.count; i++)
		orders[i] = (uint8_t)all.at[i].now;
	for (char *word = strtok_r(words, ",", &rest); word && good; word = strtok_r(NULL, ",", &rest))
		good = override_one(&all, word, slash ? slash + 1 : task->file, orders, error);
	if (good)
		lp_site_choices_set(&task->native, &all, orders, false);
	lp_free(all.at);
	return good;
}
