/* test_watch_bytes.c -- facts of several machines, put together, are those of one.
 *
 * A walk is cut into items at random (as in test_item.c), and these are walked through by explorers that have different facts, as on
 * different machines:
 *   - if all facts are exchanged after each item, they are at any time those that one machine has recorded, to the byte;
 *   - if they are put together only at the end, either they ask for a restart, or the outcomes are all that there are.
 * Bytes that are damaged are refused, or add something; nothing else happens.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../oracle/generate.h"
#include "base/hash.h"
#include "expect.h"
#include "explore/graph/grow.h"
#include "explore/graph/walk.h"
#include "explore/parallel/item.h"
#include "explore/reduce/facts/answers.h"
#include "explore/restarts.h"
#include "program/script.h"
#include "same.h"

enum { MACHINES = 3, WATCHES = LP_WATCHES_HELPING | LP_WATCHES_OMITTED | LP_WATCHES_ANSWERS };

struct run {
	struct lp_program *program;
	struct lp_explore_options options;
	struct lp_arena arena;
	struct { LP_VEC(struct lp_bytes); } items; /* the last comes first */
	struct { LP_VEC(const char *); } outcomes; /* each once */
	uint64_t random;
	bool failed;
};

static unsigned restarts, agreements, items_walked, refused;

static uint64_t draw(struct run *r, uint64_t n)
{
	r->random = lp_mix(r->random + 1);
	return r->random % n;
}

static bool between(struct lp_explorer *x)
{
	struct run *r = x->walk.between_closure;
	struct lp_frame *frame;
	double share, visited;

	if (draw(r, 4))
		return true;
	struct lp_choice *c = lp_walk_spare(x, &frame, &share, &visited);
	struct lp_bytes bytes = { 0 };
	if (!c)
		return true;
	lp_item_write(x, frame, c, share, visited, &bytes);
	c->given = true;
	LP_PUSH(&r->items, bytes);
	return true;
}

static void note_outcome(struct run *r, const char *text)
{
	for (uint32_t i = 0; i < r->outcomes.count; i++)
		if (!strcmp(r->outcomes.at[i], text))
			return;
	LP_PUSH(&r->outcomes, text);
}

/* Walks through the last item, with these facts. */
static void walk_item(struct run *r, struct lp_watch *watch)
{
	struct lp_bytes item = r->items.at[--r->items.count];
	struct lp_exploration out = { 0 };
	struct lp_explorer x;

	r->options.watch = watch;
	lp_explorer_open(&x, r->program, &r->options, &r->arena, &out);
	x.walk.between = between;
	x.walk.between_closure = r;
	lp_walk(&x, lp_item_read(&x, item.at));
	lp_omitted_finish(&x);
	r->failed |= x.stopped && out.kind;
	lp_explorer_close(&x);
	for (uint32_t i = 0; i < out.outcome_count; i++)
		note_outcome(r, out.outcomes[i].text);
	lp_free(item.at);
	items_walked++;
}

static void begin(struct run *r, uint64_t seed)
{
	struct lp_bytes root = { 0 };

	while (r->items.count)
		lp_free(r->items.at[--r->items.count].at);
	lp_item_write_root(&root);
	LP_PUSH(&r->items, root);
	r->outcomes.count = 0;
	r->random = seed;
	r->failed = false;
}

static struct lp_watch *open_watch(const struct run *r)
{
	return lp_watch_open(&r->options, WATCHES, lp_answers_open(true));
}

static void close_watch(struct lp_watch *w)
{
	lp_answers_close(w->answers);
	lp_watch_close(w);
}

static bool same_bytes(const struct lp_watch *a, const struct lp_watch *b)
{
	struct lp_bytes x = { 0 }, y = { 0 };

	lp_watch_write(a, &x);
	lp_watch_write(b, &y);
	const bool same = x.count == y.count && !memcmp(x.at, y.at, x.count);
	lp_free(x.at);
	lp_free(y.at);
	return same;
}

static void tell(const struct lp_watch *from, struct lp_watch *to)
{
	struct lp_bytes bytes = { 0 };

	lp_watch_write(from, &bytes);
	EXPECT(lp_watch_merge(to, bytes.at, bytes.count));
	lp_free(bytes.at);
}

/* The same cuts with one machine, and with several who tell each other everything after each item. */
static void exchange(struct run *one, uint64_t seed, const char *text)
{
	struct lp_watch *alone = open_watch(one), *w[MACHINES];
	struct run many = *one;

	many.items.at = NULL;
	many.items.count = many.items.room = 0;
	memset(&many.outcomes, 0, sizeof many.outcomes);
	many.arena = (struct lp_arena){ 0 };
	begin(one, seed);
	begin(&many, seed);
	for (unsigned i = 0; i < MACHINES; i++)
		w[i] = open_watch(one);
	for (unsigned n = 0; one->items.count && !one->failed; n++) {
		walk_item(one, alone);
		walk_item(&many, w[n % MACHINES]);
		for (unsigned i = 0; i < MACHINES; i++)
			if (i != n % MACHINES)
				tell(w[n % MACHINES], w[i]);
		for (unsigned i = 0; i < MACHINES; i++)
			EXPECT(same_bytes(alone, w[i]), "machine %u, item %u, seed %llu:\n%s\n", i, n, (unsigned long long)seed, text);
		if (lp_watch_asks_for_restart(alone) || failures)
			break;
	}
	for (unsigned i = 0; i < MACHINES; i++)
		close_watch(w[i]);
	close_watch(alone);
	begin(&many, 0);
	lp_free(many.items.at[0].at);
	lp_free(many.items.at);
	lp_free(many.outcomes.at);
	lp_arena_close(&many.arena);
}

static bool has_outcome(const struct run *r, const char *text)
{
	for (uint32_t i = 0; i < r->outcomes.count; i++)
		if (!strcmp(r->outcomes.at[i], text))
			return true;
	return false;
}

/* Without exchange.  `all` has all outcomes. */
static void unite(struct run *r, uint64_t seed, const struct lp_exploration *all, const char *text)
{
	struct lp_watch *w[MACHINES];

	begin(r, seed);
	for (unsigned i = 0; i < MACHINES; i++)
		w[i] = open_watch(r);
	while (r->items.count && !r->failed)
		walk_item(r, w[draw(r, MACHINES)]);
	for (unsigned i = 1; i < MACHINES; i++)
		tell(w[i], w[0]);
	tell(w[0], w[1]);
	EXPECT(lp_watch_asks_for_restart(w[0]) == lp_watch_asks_for_restart(w[1]));
	if (lp_watch_asks_for_restart(w[0]) || lp_mixed_parts_are_new(&w[0]->parts)) {
		restarts++;
	} else if (r->failed) {
		EXPECT(all->verdict == LP_VIOLATION);
	} else {
		agreements++;
		EXPECT(all->verdict == LP_VERIFIED, "seed %llu:\n%s\n", (unsigned long long)seed, text);
		for (uint32_t i = 0; i < all->outcome_count; i++)
			EXPECT(has_outcome(r, all->outcomes[i].text), "%s is missing, seed %llu:\n%s\n", all->outcomes[i].text,
			       (unsigned long long)seed, text);
	}
	for (unsigned i = 0; i < MACHINES; i++)
		close_watch(w[i]);
}

/* Each length, and some bytes changed. */
static void damage(struct run *r, uint64_t seed)
{
	struct lp_watch *w = open_watch(r), *other = open_watch(r);
	struct lp_bytes bytes = { 0 };

	begin(r, seed);
	while (r->items.count && !r->failed)
		walk_item(r, w);
	lp_watch_write(w, &bytes);
	for (uint32_t size = 0; size < bytes.count; size += 1 + bytes.count / 500)
		EXPECT(!lp_watch_merge(other, bytes.at, size));
	for (unsigned i = 0; i < 300; i++) {
		const uint64_t at = draw(r, bytes.count);
		const uint8_t was = bytes.at[at];
		bytes.at[at] = (uint8_t)draw(r, 256);
		refused += !lp_watch_merge(other, bytes.at, bytes.count);
		bytes.at[at] = was;
	}
	lp_free(bytes.at);
	close_watch(other);
	close_watch(w);
}

static void try(const char *text, enum lp_model model, uint64_t seed)
{
	const struct lp_explore_options plain = { .model = model, .weak_fails = true, .jobs = 1 };
	struct lp_script *script = parse_or_die(text);
	struct run r = { .program = lp_script_open(script), .options = plain };
	struct lp_exploration all;

#define LP_REDUCTION(field, SWITCH, word, answers, watched, unless, help) r.options.reduce.field = true;
#include "explore/reduce/reductions.def"
#undef LP_REDUCTION
	lp_reductions_limit(&r.options.reduce, 0);
	lp_explore_graphs(r.program, &r.options, &r.arena, &all);
	exchange(&r, seed, text);
	for (unsigned i = 0; i < 3 && !failures; i++)
		unite(&r, seed + i, &all, text);
	if (seed % 16 == 0)
		damage(&r, seed);
	begin(&r, 0);
	lp_free(r.items.at[0].at);
	lp_free(r.items.at);
	lp_free(r.outcomes.at);
	lp_arena_close(&r.arena);
	lp_script_close(r.program);
	lp_script_drop(script);
}

/* In which something is relied upon in one part of the tree, and seen to be false in another (test_restarts.c, and one for each table). */
static const char *const broken[] = {
	"thread; top:; r0 = load.rlx x; if r0 == 0 goto top; if r0 == 2 goto out; pload d; goto top; out:; "
	"store.rlx y 1\n"
	"thread; store.rlx x 1; store.rlx x 2; await.rlx y 1; pstore d 5\n",
	"thread; store.rel y 1; store.rel x 2\n"
	"thread; r1 = load.acq y; if r1 == 0 goto out; store.rel x 2; out:; r2 = load.rlx x\n"
	"thread; cas.rlx.rlx x 2 1\n",
	"thread; store.rlx x[0:1] 1\n"
	"thread; store.rlx x[0:2] 1\n"
	"thread; r0 = load.rlx x\n",
};

/* A value is offered and taken back: the pair is known from the second pass on. */
static const char offers[] = "thread; r0 = load.acq x; if r0 != 1 goto out; r3 = cas.acqrel.rlx x 1 2; if r3 != 1 goto out; "
			     "store.rel x 0; xchg.acqrel f 1; out:\n"
			     "thread; again:; r3 = cas.rel.rlx x 0 1; if r3 != 0 goto out; r3 = cas.acqrel.acq x 1 0; "
			     "if r3 == 1 goto again; await.acq f 1; out:\n";

/* What a pass that goes on elsewhere knew from its beginning is no reason to restart there, if nothing was explored without it; what was
 * a reason where it began is one. */
static void go_on_elsewhere(void)
{
	struct lp_script *script = parse_or_die(offers);
	struct run r = { .program = lp_script_open(script),
			 .options = { .model = LP_MODEL_RC11, .jobs = 1, .reduce = { .spin = true, .undone = true } } };
	struct lp_watch *w = open_watch(&r);

	lp_script_bound(r.program, 2);
	for (unsigned pass = 0; pass < 2; pass++) {
		struct lp_watch *late = open_watch(&r), *other = open_watch(&r);
		struct lp_bytes bytes = { 0 };
		if (!pass) {
			begin(&r, 1);
			walk_item(&r, w); /* as far as the restart */
		}
		lp_watch_write(w, &bytes);
		EXPECT(lp_watch_merge(late, bytes.at, bytes.count) && lp_watch_asks_for_restart(late));
		EXPECT(lp_watch_begin_with(other, bytes.at, bytes.count));
		EXPECT(lp_watch_asks_for_restart(w) == !pass && lp_watch_asks_for_restart(other) == !pass);
		lp_answers_restart(w->answers);
		lp_free(bytes.at);
		close_watch(late);
		close_watch(other);
	}
	close_watch(w);
	begin(&r, 0);
	lp_free(r.items.at[0].at);
	lp_free(r.items.at);
	lp_free(r.outcomes.at);
	lp_arena_close(&r.arena);
	lp_script_close(r.program);
	lp_script_drop(script);
}

int main(int argc, char **argv)
{
	const unsigned programs = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 250;
	char *text;

	go_on_elsewhere();
	for (unsigned i = 0; (text = sample_script(i)) && !failures; i++) {
		try(text, LP_MODEL_RC11, i);
		free(text);
	}
	for (unsigned i = 0; i < 3 * 20 && !failures; i++)
		try(broken[i % 3], LP_MODEL_RC11, 1000 + i);
	for (unsigned i = 0; i < programs && !failures; i++) {
		text = generate_script(i, i * 7 % 512, 4 + i % 4);
		try(text, (enum lp_model)(i % 4), i);
		free(text);
	}
	printf("%u items, %u restarts, %u without, %u damaged ones refused\n", items_walked, restarts, agreements, refused);
	EXPECT(restarts > 10 && agreements > 100 && refused > 20);
	return expect_status();
}
