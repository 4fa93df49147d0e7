/* test_graph.c -- a graph that is built, taken apart, restricted and spoilt by hand (graph/graph.h).
 *
 *     thread 0: W(x)=1  spawn 1  W(x)=2          thread 1: R(x)  W(y)=1
 */
#include "graph/graph.h"

#include "../../expect.h"

enum { X, Y };

static lp_eid add(struct lp_graph *g, struct lp_event e)
{
	return lp_graph_add(g, &e);
}

static lp_eid add_write(struct lp_graph *g, uint32_t thread, uint32_t loc, uint32_t pos, uint64_t value)
{
	return add(g, (struct lp_event){ .kind = LP_EV_WRITE, .order = LP_RLX, .thread = thread, .loc = loc, .pos = pos, .value = lp_value(value) });
}

static lp_eid add_read(struct lp_graph *g, uint32_t thread, uint32_t loc, lp_eid rf)
{
	return add(g, (struct lp_event){ .kind = LP_EV_READ, .order = LP_RLX, .thread = thread, .loc = loc, .rf = rf,
					 .value = lp_graph_event(g, rf)->value });
}

struct built {
	struct lp_graph g;
	lp_eid first, spawn, second, read, other;
};

static struct built build(void)
{
	struct built b;

	lp_graph_open(&b.g);
	lp_graph_need_thread(&b.g, 1);
	lp_graph_need_loc(&b.g, Y);
	b.first = add_write(&b.g, 0, X, 1, 1);
	b.spawn = add(&b.g, (struct lp_event){ .kind = LP_EV_SPAWN, .thread = 0, .target = 1 });
	b.second = add_write(&b.g, 0, X, 2, 2);
	b.read = add_read(&b.g, 1, X, b.first);
	b.other = add_write(&b.g, 1, Y, 1, 1);
	return b;
}

static void test_clocks(void)
{
	struct built b = build();

	EXPECT(lp_graph_validate(&b.g));
	EXPECT(lp_graph_porf(&b.g, b.first, b.read) && lp_graph_porf(&b.g, b.spawn, b.other));
	EXPECT(!lp_graph_porf(&b.g, b.second, b.other), "the spawn comes before the second store");
	EXPECT(!lp_graph_porf(&b.g, b.read, b.second));
	const lp_eid late = add_read(&b.g, 1, X, b.second);
	EXPECT(lp_graph_porf(&b.g, b.second, late), "rf is part of it");
	EXPECT(lp_graph_last(&b.g, 1) == late && lp_graph_before(&b.g, 1, 0) == b.spawn);
	lp_graph_close(&b.g);
}

/* A write in the middle of co moves those behind it; taken out, they come back. */
static void test_coherence(void)
{
	struct built b = build();
	const struct lp_loc *x = &b.g.locs.at[X];

	const lp_eid middle = add_write(&b.g, 1, X, 2, 3);
	x = &b.g.locs.at[X];
	EXPECT(x->co.count == 3 && x->co.at[0] == b.first && x->co.at[1] == middle && x->co.at[2] == b.second);
	EXPECT(lp_graph_pos(&b.g, b.second) == 3 && lp_graph_at(x, 0) == LP_INIT && lp_graph_at(x, 3) == b.second);
	EXPECT(lp_graph_validate(&b.g));
	lp_graph_pop(&b.g);
	x = &b.g.locs.at[X];
	EXPECT(x->co.count == 2 && lp_graph_pos(&b.g, b.second) == 2);
	EXPECT(lp_graph_validate(&b.g));
	lp_graph_close(&b.g);
}

/* Thread 1 without its second event, and thread 0 without its last. */
static void test_restrict(void)
{
	struct built b = build();
	const bool keep[] = { true, true, false, true, false };
	lp_eid renamed[5];
	struct lp_graph part;

	lp_graph_open(&part);
	lp_graph_restrict(&part, &b.g, keep, renamed);
	EXPECT(part.ev.count == 3 && lp_graph_validate(&part));
	EXPECT(lp_graph_event(&part, renamed[b.read])->rf == renamed[b.first]);
	EXPECT(part.locs.at[X].co.count == 1 && !part.locs.at[Y].co.count);
	lp_graph_close(&part);
	lp_graph_close(&b.g);
}

/* Each invariant, violated. */
static void test_validate(void)
{
	struct built b = build();

	b.g.ev.at[b.read].rf = b.spawn;
	EXPECT(!lp_graph_validate(&b.g), "G2: rf from an event that is no write");
	lp_graph_close(&b.g);
	b = build();
	b.g.ev.at[b.read].value = lp_value(2);
	EXPECT(!lp_graph_validate(&b.g), "G2: a value that the write did not write");
	lp_graph_close(&b.g);
	b = build();
	b.g.ev.at[b.other].index = 0;
	EXPECT(!lp_graph_validate(&b.g), "G1: two events at one place of po");
	lp_graph_close(&b.g);
	b = build();
	b.g.ev.at[b.second].pos = 1;
	EXPECT(!lp_graph_validate(&b.g), "G3: two writes at one place of co");
	lp_graph_close(&b.g);
	b = build();
	lp_graph_clock(&b.g, b.other, LP_CLOCK_PORF)[0]--;
	EXPECT(!lp_graph_validate(&b.g), "G4: a clock without an event that the one before it has");
	lp_graph_close(&b.g);
	b = build();
	lp_graph_clock(&b.g, b.other, LP_CLOCK_HB)[0] = 3;
	EXPECT(!lp_graph_validate(&b.g), "G4: happens-before beyond po and rf");
	lp_graph_close(&b.g);
}

int main(void)
{
	test_clocks();
	test_coherence();
	test_restrict();
	test_validate();
	return expect_status();
}
