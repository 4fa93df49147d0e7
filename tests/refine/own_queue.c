/* own_queue.c -- the object OBJECT, with a specification that says pair by pair what --sync r, ri, rid (SYNC 1, 2, 3) ask for. */
#include <linchpin.h>
#undef LP_SPEC
#define LP_SPEC(text)
#include OBJECT

static enum lp_answer enqueues(struct lp_state *s, const struct lp_spec_call *c)
{
	lp_state_push(s, c->arg[0]);
	return LP_ACCEPTS;
}

static enum lp_answer dequeues(struct lp_state *s, const struct lp_spec_call *c)
{
	if (!s->count)
		return lp_answers(c, LP_EMPTY);
	const int64_t first = s->at[0];
	lp_state_remove(s, 0);
	return lp_answers(c, first);
}

static const struct lp_method queue_methods[] = {
	{ "enqueue", 1, LP_NOTHING, LP_INSERTS, enqueues },
	{ "dequeue", 0, LP_VALUE_OR_EMPTY, LP_REMOVES, dequeues },
};

enum { ENQUEUE, DEQUEUE };

static bool is_ordered(uint32_t first_method, const struct lp_spec_call *first, uint32_t then_method,
		       const struct lp_spec_call *then)
{
	if (first_method == ENQUEUE && then_method == ENQUEUE)
		return SYNC >= 2;
	if (first_method == DEQUEUE && then_method == DEQUEUE)
		return SYNC >= 3 && first->result[0] != LP_EMPTY && then->result[0] != LP_EMPTY;
	return first_method == ENQUEUE && then->result[0] == first->arg[0];
}

static const struct lp_kind pairwise = {
	.name = "queue of pairs", .about = "a queue", .data = LP_DATA_EQUALITY,
	.methods = queue_methods, .method_count = 2, .orders = is_ordered,
};
LP_SPEC_OWN(pairwise)
