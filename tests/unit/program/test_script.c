/* test_script.c -- the language of scripts, and their contract as programs. */
#include "expect.h"
#include "program/script.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct lp_script *parse(const char *text)
{
	struct lp_error error = { 0 };
	struct lp_script *s = lp_script_parse(text, &error);

	if (!s) {
		printf("does not parse: %s\n%s\n", error.text, text);
		exit(1);
	}
	return s;
}

/* Resumes `tid` with the value read (and written, where that applies). */
static void answer(struct lp_program *p, lp_tid tid, uint64_t value)
{
	const struct lp_op op = *lp_program_pending(p, tid);
	struct lp_response a = { .value = lp_value(value) };

	if (op.kind == LP_OP_RMW) {
		a.failed = !lp_op_holds(&op, a.value);
		if (!a.failed)
			a.wrote = lp_op_result(&op, a.value);
	} else if (op.kind == LP_OP_STORE) {
		a.wrote = op.operand;
	}
	lp_program_resume(p, tid, &a);
}

static void spawn_all(struct lp_program *p)
{
	lp_program_reset(p);
	while (lp_program_pending(p, 0)->kind == LP_OP_SPAWN)
		answer(p, 0, 0);
}

static const char *const everything =
	"init x 3\n"
	"stack q\n"
	"thread\n"
	"  top:\n"
	"  r0 = load.acq x ; store.rel y r0+1\n"
	"  r1 = add.rlx x 1\n"
	"  sub.rel x 1\n"
	"  and.acq x 1; or.sc x 2; xor.acqrel x 3; xchg.rlx x r0*r1\n"
	"  r2 r3 = cas.acqrel.rlx x 0 1\n"
	"  wcas.sc.acq x r0 r1\n"
	"  fence.sc ; lock m ; unlock m ; yield\n"
	"  r11 = trylock m ; wait s ; post s ; r12 = alloc q@ ; free q@r12 ; alloc b ; free b\n"
	"  r4 = await.acq x != 0 ; await.rlx x 1 ; await.rlx x >= 2\n"
	"  require.sc y r1^r2\n"
	"  r5 = choose 3\n"
	"  r6 = r5&1 ; r7 = 9\n"
	"  r8 = pload z ; pstore z r7-r6\n"
	"  store.rel x[4:2] r0 ; pload n@[0:1] ; r10 = load.sc x[0:8]\n"
	"  r9 = me ; store.rlx n@ 2 ; r10 = load.acq n@r9\n"
	"  assume r6 <= r7 ; assert r0 != 12\n"
	"  if r0 < r1 goto top\n"
	"  goto end\n"
	"  end:\n"
	"thread\n"
	"final\n"
	"  r0 = load.rlx x\n"
	"  outcome 0:r0 1:r8\n";

static void printing_and_parsing_are_inverse(void)
{
	struct lp_script *s = parse(everything);
	char *once = lp_script_print(s);
	struct lp_script *again = parse(once);
	char *twice = lp_script_print(again);

	EXPECT(!strcmp(once, twice));
	EXPECT(s->blocks.count == 3 && again->blocks.count == 3);
	EXPECT(s->blocks.at[1].count == 42 && again->blocks.at[1].count == 42);
	for (uint32_t i = 0; i < s->blocks.at[1].count && i < again->blocks.at[1].count; i++) {
		struct lp_script_line a = s->blocks.at[1].at[i], b = again->blocks.at[1].at[i];
		a.source = b.source = 0;
		EXPECT(a.kind == b.kind && a.order == b.order && a.fail_order == b.fail_order &&
		       a.rmw == b.rmw && a.compare == b.compare && a.dest == b.dest &&
		       a.flag == b.flag && a.loc == b.loc && a.target == b.target &&
		       a.whose == b.whose && a.owner == b.owner && a.from == b.from && a.size == b.size &&
		       a.loop == b.loop && a.live == b.live && !strcmp(a.label, b.label));
	}
	free(once);
	free(twice);
	lp_script_drop(s);
	lp_script_drop(again);
}

static void mistakes_are_named(void)
{
	static const char *const bad[] = {
		"store.rel x 1",                    /* no thread */
		"thread\n goto nowhere",
		"thread\n load.strong x",
		"thread\n load x",
		"thread\n r16 = load.rlx x",
		"thread\n r0 = store.rlx x 1",
		"thread\n r0 r1 = load.rlx x",
		"thread\n store.rlx x",
		"thread\n store.rlx x 1 2",
		"thread\n cas.sc x 0 1",
		"thread\n await.rlx x < 1",
		"thread\n store.rlx x[1:2] 1",
		"thread\n store.rlx x[8:1] 1",
		"thread\n store.rlx x[0:3] 1",
		"thread\n store.rlx x[0:4 1",
		"thread\n r0 = choose r1",
		"thread\n r0 = choose 0",
		"thread\n r0 = r1+",
		"thread\n if r0 = 1 goto a\n a:",
		"thread\n frobnicate",
		"thread\nfinal\n outcome 7:r0",
		"init x r1",
		"init n@r1 1",
		"thread\n load.rlx n@x",
		"thread\n load.rlx @",
		"thread\n store.rlx x me",
		"thread\n r0 = alloc x",            /* not its own: no address */
		"thread\n r0 = free x",
		"thread\n r0 = wait s",
		"thread\n load.rlx n@\nthread\nthread\nthread\nthread\n", /* too many owners */
	};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct lp_error error = { 0 };
		struct lp_script *s = lp_script_parse(bad[i], &error);
		if (s)
			printf("parsed: %s\n", bad[i]);
		EXPECT(!s && error.text[0]);
		lp_script_drop(s);
	}
}

static void operations_are_as_written(void)
{
	struct lp_script *s = parse("thread\n r0 = cas.acqrel.acq x 2 5\n r1 r2 = wcas.sc.rlx y 0 1\n"
				    "thread\n lock m\n await.acq x >= 7\n require.rlx y 1\n");
	struct lp_program *p = lp_script_open(s);
	const struct lp_op *op;

	lp_program_reset(p);
	EXPECT(!lp_program_pending(p, 1) && !lp_program_pending(p, 7));
	spawn_all(p);
	EXPECT(lp_program_threads(p) == 3);
	op = lp_program_pending(p, 1);
	EXPECT(op->kind == LP_OP_RMW && op->order == LP_ACQREL && op->fail_order == LP_ACQ);
	EXPECT(op->when == LP_IF_EQUAL && op->otherwise == LP_ELSE_FAIL && !op->weak);
	EXPECT(lp_op_holds(op, lp_value(2)) && !lp_op_holds(op, lp_value(3)));
	EXPECT(lp_op_result(op, lp_value(2)).lo == 5 && op->loc == lp_script_address(0));
	answer(p, 1, 2);
	op = lp_program_pending(p, 1);
	EXPECT(op->weak && op->order == LP_SC && op->loc == lp_script_address(1));
	answer(p, 1, 1);
	EXPECT(lp_program_pending(p, 1)->kind == LP_OP_END);

	op = lp_program_pending(p, 2);
	EXPECT(op->kind == LP_OP_RMW && op->otherwise == LP_ELSE_WAIT && op->order == LP_ACQ);
	EXPECT(lp_op_holds(op, lp_value(0)) && !lp_op_holds(op, lp_value(1)));
	EXPECT(lp_op_result(op, lp_value(0)).lo == 1 && op->internal);
	answer(p, 2, 0);
	op = lp_program_pending(p, 2);
	EXPECT(op->kind == LP_OP_LOAD && op->otherwise == LP_ELSE_WAIT);
	EXPECT(lp_op_holds(op, lp_value(7)) && !lp_op_holds(op, lp_value(6)));
	answer(p, 2, 7);
	EXPECT(lp_program_pending(p, 2)->otherwise == LP_ELSE_DROP);
	lp_script_close(p);
	lp_script_drop(s);
}

static void threads_own_locations(void)
{
	static const char body[] = "thread\n r0 = me\n store.rlx n@ 1\n r1 = load.rlx n@r2\n"
				   " load.rlx n@r0\n";
	char text[sizeof body * 2 + 40];
	snprintf(text, sizeof text, "init x 0\ninit n@ 4\n%s%s", body, body);
	struct lp_script *s = parse(text);
	struct lp_program *p = lp_script_open(s);
	struct lp_value value;
	uintptr_t place[3], loc;
	lp_tid owner;

	EXPECT(lp_script_alike(s, 1, 2));
	spawn_all(p);
	for (lp_tid t = 1; t < 3; t++) {
		loc = lp_program_pending(p, t)->loc;
		EXPECT(p->class->owner(p, loc, &owner, &place[t]) && owner == t);
		EXPECT(p->class->initial(p, loc, 8, &value) && value.lo == 4);
		answer(p, t, 0);
		/* No address: thread 0's. */
		EXPECT(p->class->owner(p, lp_program_pending(p, t)->loc, &owner, &place[0]) && !owner);
		EXPECT(place[0] == place[t]);
		answer(p, t, 0);
		EXPECT(lp_program_pending(p, t)->loc == loc);
	}
	EXPECT(place[1] == place[2] && !p->class->owner(p, lp_script_address(0), &owner, &place[0]));
	lp_script_close(p);
	lp_script_drop(s);
}

static void outcomes_and_errors(void)
{
	struct lp_script *s = parse("init x 4\nthread\n r0 = load.rlx x\n assert r0 != 2\n assume r0 != 3\n"
				    "final\n r1 = load.rlx x\n outcome 1:r0 0:r1\n");
	struct lp_program *p = lp_script_open(s);
	struct lp_value v;

	spawn_all(p);
	EXPECT(p->class->initial(p, lp_script_address(0), 8, &v) && v.lo == 4);
	EXPECT(!p->class->initial(p, lp_script_address(1), 8, &v));
	EXPECT(p->class->initial(p, lp_script_address(0), 4, &v) && v.lo == 4);
	EXPECT(p->class->initial(p, lp_script_address(0) + 4, 4, &v) && v.lo == 0);
	EXPECT(!p->class->initial(p, lp_script_address(0) + 4, 8, &v));

	const uint32_t mark = p->class->save(p);
	answer(p, 1, 2);
	EXPECT(lp_program_pending(p, 1)->kind == LP_OP_ERROR);
	EXPECT(lp_program_pending(p, 1)->error->kind == LP_ERROR_ASSERTION);
	p->class->restore(p, mark);
	EXPECT(lp_program_pending(p, 1)->kind == LP_OP_LOAD);
	answer(p, 1, 3);
	EXPECT(lp_program_pending(p, 1)->kind == LP_OP_BLOCK);
	p->class->restore(p, mark);
	answer(p, 1, 9);
	EXPECT(lp_program_pending(p, 1)->kind == LP_OP_END);
	EXPECT(lp_program_pending(p, 0)->kind == LP_OP_JOIN && !p->class->outcome(p));
	answer(p, 0, 0);
	answer(p, 0, 5);
	EXPECT(p->class->outcome(p) && !strcmp(p->class->outcome(p), "1:r0=9 0:r1=5"));
	p->class->forget(p, mark);
	lp_script_close(p);
	lp_script_drop(s);
}

/* A CAS loop comes back to its head with the same live state, although the value
 * read differs; a counting loop does not. */
static void only_live_registers_count(void)
{
	struct lp_script *s = parse("thread\n top:\n r0 = load.rlx x\n r1 = cas.rlx.rlx x r0 r0+1\n"
				    " if r1 != r0 goto top\n"
				    "thread\n top:\n r0 = load.rlx x\n r1 = r1+1\n if r1 < 5 goto top\n"
				    "thread\n r0 = load.rlx x\n r0 = load.rlx x\nfinal\n outcome 3:r0");
	struct lp_program *p = lp_script_open(s);
	uint64_t before[2], middle[2], after[2];

	spawn_all(p);
	EXPECT(lp_program_pending(p, 1)->loop && !lp_program_pending(p, 3)->loop);
	EXPECT(p->class->live_state(p, 1, before));
	answer(p, 1, 3);
	EXPECT(p->class->live_state(p, 1, middle));
	EXPECT(lp_program_pending(p, 1)->value.lo == 3);
	answer(p, 1, 4);
	EXPECT(p->class->live_state(p, 1, after));
	EXPECT(!memcmp(before, after, sizeof before) && memcmp(before, middle, sizeof before));

	EXPECT(p->class->live_state(p, 2, before));
	answer(p, 2, 0);
	EXPECT(p->class->live_state(p, 2, after));
	EXPECT(memcmp(before, after, sizeof before));

	answer(p, 3, 1);
	answer(p, 3, 2);
	EXPECT(p->class->live_state(p, 3, before));
	spawn_all(p);
	answer(p, 3, 7);
	answer(p, 3, 2);
	EXPECT(p->class->live_state(p, 3, after));
	EXPECT(!memcmp(before, after, sizeof before));
	lp_script_close(p);
	lp_script_drop(s);
}

static void endless_loops_end(void)
{
	struct lp_script *s = parse("thread\n top:\n goto top\n");
	struct lp_program *p = lp_script_open(s);

	spawn_all(p);
	EXPECT(lp_program_pending(p, 1)->kind == LP_OP_ERROR);
	EXPECT(lp_program_pending(p, 1)->error->kind == LP_ERROR_ENDLESS);
	lp_script_close(p);
	lp_script_drop(s);
}

/* ---- plain accesses ---- */

struct listener {
	struct lp_observer base;
	enum lp_plain say;
	int asked;
};

static enum lp_plain listen(struct lp_observer *base, const struct lp_plain_range *range, struct lp_plain_piece *piece,
			    struct lp_program_error *error)
{
	struct listener *l = (struct listener *)base;

	l->asked++;
	EXPECT(range->thread == 1 && range->loc == lp_script_address(0) && range->size == 8 && range->pc);
	*piece = (struct lp_plain_piece){ 8, true };
	error->kind = LP_ERROR_RACE;
	return l->say;
}

static void plain_accesses_are_observed(void)
{
	struct lp_script *s = parse("thread\n pstore x 5\n r0 = pload x\nfinal\n outcome 1:r0\n");
	struct lp_program *p = lp_script_open(s);
	struct listener l = { .base = { .access = listen }, .say = LP_PLAIN_OK };
	struct lp_value v;

	p->observer = &l.base;
	spawn_all(p);
	EXPECT(l.asked == 0); /* a spawned thread begins when it is asked */
	EXPECT(lp_program_pending(p, 1)->kind == LP_OP_END && l.asked == 2);
	EXPECT(p->class->initial(p, lp_script_address(0), 8, &v) && v.lo == 5);

	l.say = LP_PLAIN_EVENT;
	spawn_all(p);
	EXPECT(p->class->initial(p, lp_script_address(0), 8, &v) && v.lo == 0);
	EXPECT(lp_program_pending(p, 1)->kind == LP_OP_STORE);
	EXPECT(lp_program_pending(p, 1)->order == LP_PLAIN);
	EXPECT(lp_program_pending(p, 1)->operand.lo == 5);
	answer(p, 1, 0);
	EXPECT(lp_program_pending(p, 1)->kind == LP_OP_LOAD);
	EXPECT(lp_program_pending(p, 1)->order == LP_PLAIN);
	answer(p, 1, 6);
	answer(p, 0, 0);
	EXPECT(p->class->outcome(p) && !strcmp(p->class->outcome(p), "1:r0=6"));

	l.say = LP_PLAIN_RACE;
	spawn_all(p);
	EXPECT(lp_program_pending(p, 1)->kind == LP_OP_ERROR);
	EXPECT(lp_program_pending(p, 1)->error->kind == LP_ERROR_RACE);
	lp_script_close(p);
	lp_script_drop(s);
}

/* What a thread is told of allocations and frees, in order: a, f. */
struct lives {
	struct lp_observer base;
	char told[8];
	bool raced;
};

static void hear_allocated(struct lp_observer *base, lp_tid thread, uintptr_t loc, size_t size,
			   uintptr_t pc)
{
	struct lives *l = (struct lives *)base;

	(void)pc;
	EXPECT(thread && loc == lp_script_address(0) && size == 8);
	strcat(l->told, "a");
}

static bool hear_freed(struct lp_observer *base, lp_tid thread, uintptr_t loc, size_t size,
		       uintptr_t pc, struct lp_program_error *error)
{
	struct lives *l = (struct lives *)base;

	EXPECT(thread && loc == lp_script_address(0) && size == 8 && pc && error);
	strcat(l->told, "f");
	return !l->raced;
}

static enum lp_plain hear_access(struct lp_observer *base, const struct lp_plain_range *range, struct lp_plain_piece *piece,
				 struct lp_program_error *error)
{
	struct lives *l = (struct lives *)base;

	(void)piece, (void)error;
	strcat(l->told, range->write ? "w" : "r");
	return LP_PLAIN_OWN;
}

static const char *error_of(struct lp_program *p, lp_tid tid)
{
	const struct lp_op *op = lp_program_pending(p, tid);

	return op->kind == LP_OP_ERROR ? lp_error_name(op->error->kind) : "";
}

static void lifetimes_begin_and_end(void)
{
	struct lp_script *s = parse("init b 4\n"
				    "thread\n alloc b\n yield\n r0 = pload b\n free b\n yield\n load.rlx b\n"
				    "thread\n yield\n free b\n"
				    "thread\n alloc n@\n load.rlx n@r0\n");
	struct lp_program *p = lp_script_open(s);
	struct lives l = { .base = { hear_access, hear_allocated, hear_freed } };
	uint64_t before[2], after[2];

	p->observer = &l.base;
	spawn_all(p);
	EXPECT(lp_program_pending(p, 1)->kind == LP_OP_YIELD && !strcmp(l.told, "aw"));
	EXPECT(p->class->live_state(p, 1, before));
	answer(p, 2, 0);
	EXPECT(lp_program_pending(p, 2)->kind == LP_OP_END && !strcmp(l.told, "awf"));
	answer(p, 1, 0);
	EXPECT(!strcmp(error_of(p, 1), "use after free"));

	l.told[0] = 0;
	spawn_all(p);
	lp_program_pending(p, 1);
	answer(p, 1, 0);
	EXPECT(lp_program_pending(p, 1)->kind == LP_OP_YIELD && !strcmp(l.told, "awrf"));
	EXPECT(p->class->live_state(p, 1, after) && memcmp(before, after, sizeof before));
	answer(p, 2, 0);
	EXPECT(!strcmp(error_of(p, 2), "double free"));
	answer(p, 1, 0);
	EXPECT(!strcmp(error_of(p, 1), "use after free"));

	l.told[0] = 0;
	l.raced = true;
	spawn_all(p);
	lp_program_pending(p, 1);
	answer(p, 1, 0);
	EXPECT(!strcmp(error_of(p, 1), "use after free") && !strcmp(l.told, "awrf"));

	spawn_all(p);
	answer(p, 2, 0);
	EXPECT(!strcmp(error_of(p, 2), "unsupported")); /* not yet allocated */
	p->observer = NULL;
	spawn_all(p);
	EXPECT(!strcmp(error_of(p, 3), "out of bounds"));
	lp_script_close(p);
	lp_script_drop(s);
}

static void locks_that_are_tried_and_semaphores(void)
{
	struct lp_script *s = parse("init s 2\nthread\n r0 = trylock m\n wait s\n post s\n");
	struct lp_program *p = lp_script_open(s);
	const struct lp_op *op;

	spawn_all(p);
	op = lp_program_pending(p, 1);
	EXPECT(op->kind == LP_OP_RMW && op->otherwise == LP_ELSE_FAIL && !op->lock && op->internal);
	EXPECT(lp_op_holds(op, lp_value(0)) && !lp_op_holds(op, lp_value(1)));
	answer(p, 1, 1);
	op = lp_program_pending(p, 1);
	EXPECT(op->kind == LP_OP_RMW && op->otherwise == LP_ELSE_WAIT && op->order == LP_ACQ);
	EXPECT(lp_op_holds(op, lp_value(2)) && !lp_op_holds(op, lp_value(0)));
	EXPECT(lp_op_result(op, lp_value(2)).lo == 1);
	answer(p, 1, 2);
	op = lp_program_pending(p, 1);
	EXPECT(lp_op_result(op, lp_value(1)).lo == 2 && op->order == LP_REL);
	lp_script_close(p);
	lp_script_drop(s);
}

static void loops_can_be_bounded(void)
{
	struct lp_script *s = parse("thread\n A:\n r0 = load.rlx x\n if r0 == 0 goto A\n r1 = choose 1\n");
	struct lp_program *p = lp_script_open(s);

	lp_script_bound(p, 2);
	for (int times = 0; times < 2; times++) { /* a reset begins from none */
		spawn_all(p);
		for (int i = 0; i < 3; i++) {
			EXPECT(lp_program_pending(p, 1)->kind == LP_OP_LOAD && lp_script_rounds(p, 1) == (uint32_t)i);
			answer(p, 1, 0);
		}
		EXPECT(lp_program_pending(p, 1)->kind == LP_OP_BLOCK);
	}
	lp_script_bound(p, 0);
	spawn_all(p);
	for (int i = 0; i < 9; i++) {
		lp_program_pending(p, 1);
		answer(p, 1, 0);
	}
	answer(p, 1, 7);
	EXPECT(lp_script_rounds(p, 1) == 9 && lp_script_register(p, 1, 0) == 7);
	EXPECT(lp_program_pending(p, 1)->kind == LP_OP_CALL);
	lp_script_close(p);
	lp_script_drop(s);
}

static bool was_allocated;

static void note_allocated(struct lp_observer *o, lp_tid thread, uintptr_t loc, size_t size, uintptr_t pc)
{
	(void)o, (void)thread, (void)loc, (void)size, (void)pc;
	was_allocated = true;
}

static enum lp_plain allow_access(struct lp_observer *o, const struct lp_plain_range *range, struct lp_plain_piece *piece,
				  struct lp_program_error *error)
{
	(void)o, (void)range, (void)piece, (void)error;
	return LP_PLAIN_OK;
}

static void locations_can_be_on_stacks(void)
{
	struct lp_script *s = parse("init x 0\nstack n\nthread\n alloc n@\n load.rlx x\n");
	struct lp_program *p = lp_script_open(s);
	struct lp_observer observer = { allow_access, note_allocated, NULL };
	lp_tid owner = 0;

	p->observer = &observer;
	spawn_all(p);
	EXPECT(lp_program_pending(p, 1)->kind == LP_OP_LOAD && !was_allocated);
	EXPECT(lp_program_in_stack(p, lp_script_address(s->stack - 1 + 1), &owner) && owner == 1);
	EXPECT(!lp_program_in_stack(p, lp_script_address(0), &owner));
	lp_script_close(p);
	lp_script_drop(s);
}

int main(void)
{
	printing_and_parsing_are_inverse();
	mistakes_are_named();
	operations_are_as_written();
	threads_own_locations();
	outcomes_and_errors();
	only_live_registers_count();
	endless_loops_end();
	plain_accesses_are_observed();
	lifetimes_begin_and_end();
	locks_that_are_tried_and_semaphores();
	loops_can_be_bounded();
	locations_can_be_on_stacks();
	return expect_status();
}
