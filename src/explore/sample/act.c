/* act.c -- inside the explorers that never go back: performs one operation in one of the possible ways. */
#include "explore/sample/act.h"

#include <assert.h>

#include "base/error.h"
#include "explore/reduce/driver.h"
#include "explore/reduce/redundant_attempts.h"
#include "model/axioms.h"

struct lp_move lp_move_of(struct lp_explorer *x, lp_tid t, const struct lp_op *op)
{
	return (struct lp_move){ t, op, lp_ops_intern(&x->ops, op), lp_explorer_live_state(x, t, op) };
}

/* ---- ways ---- */

static bool ways_of_read(struct lp_explorer *x, const struct lp_move *m, bool latest,
			 struct lp_ways *ways)
{
	const struct lp_graph *g = &lp_top(x)->g;
	struct lp_event proto = lp_event_of(x, m->thread, LP_EV_READ, m->op->order, m->id);
	struct lp_note note = { 0 };

	if (!lp_explorer_meet_location(x, m->thread, m->op, proto.loc))
		return false;
	const uint32_t top = g->locs.at[proto.loc].co.count;
	LP_HOLDS(m->op->kind == LP_OP_LOAD || m->op->kind == LP_OP_RMW);
	const uint32_t floor = latest ? proto.keeps ? top : lp_source_pos(g, proto.loc, top, proto.bytes)
				      : lp_model_floor(x->model, g, &proto, false);
	for (uint32_t pos = top + 1; pos-- > floor && !(latest && ways->count);) {
		for (uint32_t way = 2 * pos; way <= 2 * pos + 1; way++) {
			if (!lp_explorer_shape_read(x, &proto, &note, way) || lp_stop_pends(note.stop))
				continue;
			if (proto.rmw &&
			    lp_explorer_rmw_reader(g, proto.loc, proto.rf, LP_NO_EVENT) != LP_NO_EVENT)
				continue;
			LP_PUSH(ways, way);
		}
	}
	return true;
}

static bool ways_of_write(struct lp_explorer *x, const struct lp_move *m, bool latest,
			  struct lp_ways *ways)
{
	const struct lp_graph *g = &lp_top(x)->g;
	const struct lp_event proto = lp_event_of(x, m->thread, LP_EV_WRITE, m->op->order, m->id);

	if (!lp_explorer_meet_location(x, m->thread, m->op, proto.loc))
		return false;
	const uint32_t top = g->locs.at[proto.loc].co.count;
	const uint32_t floor = latest ? top : x->model->floor(g, &proto);
	LP_HOLDS(floor <= top);
	for (uint32_t pos = top + 1; pos > floor; pos--)
		if (!lp_splits_rmw(g, proto.loc, pos))
			LP_PUSH(ways, pos);
	return true;
}

bool lp_ways_of(struct lp_explorer *x, const struct lp_move *m, bool latest,
		struct lp_ways *ways)
{
	ways->count = 0;
	switch ((enum lp_op_kind)m->op->kind) {
	case LP_OP_LOAD:
	case LP_OP_RMW:
		return ways_of_read(x, m, latest, ways);
	case LP_OP_STORE:
		return ways_of_write(x, m, latest, ways);
	case LP_OP_CHOOSE:
	case LP_OP_CALL:
		for (uint32_t number = 0; number < m->op->count; number++)
			LP_PUSH(ways, number);
		return true;
	case LP_OP_FENCE:
	case LP_OP_SPAWN:
	case LP_OP_JOIN:
	case LP_OP_END:
		LP_PUSH(ways, 0);
		return true;
	case LP_OP_BLOCK:
	case LP_OP_YIELD:
	case LP_OP_ERROR:
	/* Of processes. */
	case LP_OP_RETURN: case LP_OP_POINT: case LP_OP_ALLOC: case LP_OP_FREE:
		break;
	}
	LP_BUG("thread %u cannot perform an operation of kind %u", m->thread, m->op->kind);
}

/* ---- moves ---- */

static bool go_read(struct lp_explorer *x, const struct lp_move *m, uint32_t way)
{
	struct lp_graph *g = &lp_top(x)->g;
	struct lp_event read = lp_event_of(x, m->thread, LP_EV_READ, m->op->order, m->id);

	struct lp_note note = { .live = m->live };
	if (!lp_explorer_shape_read(x, &read, &note, way))
		LP_BUG("not a way to read: %u", way);
	const lp_eid r = lp_add_event(x, &read, &note);
	bool accepted = x->model->accepts(g, r);
	if (accepted && read.rmw) {
		struct lp_event write = lp_event_of(x, m->thread, LP_EV_WRITE, m->op->order, m->id);
		write.rmw = true;
		write.value = lp_op_result(m->op, read.value);
		write.pos = way / 2 + 1;
		LP_HOLDS(write.pos == lp_graph_pos(g, read.rf) + 1);
		const lp_eid w = lp_add_event(x, &write, &(struct lp_note){ 0 });
		accepted = x->model->accepts(g, w);
		if (!accepted)
			lp_graph_pop(g);
	}
	if (!accepted) {
		lp_graph_pop(g);
		return false;
	}
	if (!lp_stop_pends(note.stop))
		lp_completed(x, r);
	lp_explorer_check_initialised(x, &read, m->op);
	return true;
}

static bool go_write(struct lp_explorer *x, const struct lp_move *m, uint32_t way)
{
	struct lp_graph *g = &lp_top(x)->g;
	struct lp_event write = lp_event_of(x, m->thread, LP_EV_WRITE, m->op->order, m->id);

	write.value = m->op->operand;
	write.pos = way;
	LP_HOLDS(way && way <= g->locs.at[write.loc].co.count + 1 && !lp_splits_rmw(g, write.loc, way));
	const lp_eid w = lp_add_event(x, &write, &(struct lp_note){ 0 });
	if (!x->model->accepts(g, w)) {
		lp_graph_pop(g);
		return false;
	}
	lp_completed(x, w);
	return true;
}

static bool go_other(struct lp_explorer *x, const struct lp_move *m, uint32_t way)
{
	struct lp_graph *g = &lp_top(x)->g;
	const enum lp_event_kind kind = lp_event_kind_of(m->op);
	struct lp_event proto = lp_event_of(x, m->thread, kind,
					    kind == LP_EV_FENCE ? m->op->order : LP_PLAIN, m->id);

	proto.locked = false;
	if (lp_event_chooses(&proto))
		proto.value = lp_value(way);
	LP_HOLDS(!lp_event_chooses(&proto) || way < m->op->count || !way);
	const lp_eid e = lp_add_event(x, &proto, &(struct lp_note){ 0 });
	if (kind == LP_EV_FENCE && !x->model->accepts(g, e)) {
		lp_graph_pop(g);
		return false;
	}
	if (kind != LP_EV_END)
		lp_completed(x, e);
	return true;
}

bool lp_act_go(struct lp_explorer *x, const struct lp_move *m, uint32_t way)
{
	const bool access = m->op->kind == LP_OP_LOAD || m->op->kind == LP_OP_RMW;
	const bool went = access ? go_read(x, m, way) : m->op->kind == LP_OP_STORE ? go_write(x, m, way) : go_other(x, m, way);

	LP_VALID(lp_graph_validate(&lp_top(x)->g));
	LP_AGREES(lp_axioms_judge(x->model, &lp_top(x)->g) != LP_AXIOMS_BROKEN);
	return went;
}

void lp_act_wait(struct lp_explorer *x, const struct lp_move *m)
{
	const uint32_t loc = x->ops.op.at[m->id].loc;

	/* In a replay this may be the first access to the location. */
	if (lp_explorer_meet_location(x, m->thread, m->op, loc))
		go_read(x, m, 2 * lp_top(x)->g.locs.at[loc].co.count);
}

/* ---- the end ---- */

/* Lets a thread make one more iteration.  Returns false if the thread does not complete it. */
static bool spin_once(struct lp_explorer *x, lp_tid t, uint32_t choices)
{
	struct lp_graph *g = &lp_top(x)->g;
	struct lp_ways ways = { 0 };
	bool round = false;

	while (lp_catch_up(x)) {
		const struct lp_op *op;
		if (lp_stop_of(x, t, &op) != LP_STOP_NONE || op->kind == LP_OP_ERROR ||
		    !lp_endless_check_steps(x, t, op))
			break;
		const struct lp_move move = lp_move_of(x, t, op);
		round = lp_reduce_before(x, t, &op, move.live).kind == LP_TURN_OMITS;
		if (round || !lp_ways_of(x, &move, true, &ways) || !ways.count)
			break;
		uint32_t way = ways.at[0];
		if (lp_op_chooses(op->kind) && op->count) {
			way = choices % op->count;
			choices /= op->count;
		}
		if (!lp_act_go(x, &move, way) || x->stopped)
			break;
		if (!lp_may_be_attempt(x, t, g->threads.at[t].count - 1))
			break;
	}
	lp_free(ways.at);
	return round;
}

bool lp_act_settle(struct lp_explorer *x, const bool *spinning, const uint32_t *choices,
	       enum lp_conclusion *how)
{
	const struct lp_graph *g = &lp_top(x)->g;

	LP_HOLDS(x->forward);
	*how = LP_CONCLUDES_ERROR; /* if the exploration has stopped */
	for (lp_tid t = 0; t < g->threads.count; t++)
		if (spinning[t] && !spin_once(x, t, choices[t]))
			return x->stopped;
	for (lp_tid t = 0; t < g->threads.count; t++) {
		const struct lp_op *op;
		if (!g->threads.at[t].exists || lp_stop_of(x, t, &op) != LP_STOP_NONE)
			continue;
		const struct lp_move move = lp_move_of(x, t, op);
		assert((op->kind == LP_OP_LOAD || op->kind == LP_OP_RMW) &&
		       op->otherwise != LP_ELSE_FAIL);
		lp_act_wait(x, &move);
		if (x->stopped)
			return true;
	}
	*how = lp_explorer_conclude(x);
	return true;
}
