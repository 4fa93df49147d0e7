/* queue.c -- a queue.  Its state lists the values from front to back.
 *
 * In a synchronous queue, an insertion and a removal take effect together.  Between them the state holds the value
 * that the insertion offers, and no other call can come next.  So all other calls find an empty queue.
 */
#include "spec/kinds/shared_laws.h"
#include "spec/kinds/shared_steps.h"

enum { SYNCHRONOUS = LP_SEQUENCE_PARAMS };

/* Is a value offered, so that only the removal that takes it can come next? */
static bool is_meeting(const struct lp_state *s, const struct lp_spec_call *c)
{
	return c->param[SYNCHRONOUS] && s->count;
}

static bool settled(const struct lp_state *s, const int64_t *param)
{
	return !param[SYNCHRONOUS] || !s->count;
}

static enum lp_answer enqueue(struct lp_state *s, const struct lp_spec_call *c)
{
	return is_meeting(s, c) ? LP_BLOCKS : lp_list_push(s, c, s->count);
}

static enum lp_answer dequeue(struct lp_state *s, const struct lp_spec_call *c)
{
	return c->param[SYNCHRONOUS] && !s->count ? LP_BLOCKS : lp_list_pop(s, c, false);
}

static enum lp_answer front(struct lp_state *s, const struct lp_spec_call *c)
{
	return is_meeting(s, c) ? LP_REJECTS : lp_list_peek(s, c, false);
}

static enum lp_answer is_empty(struct lp_state *s, const struct lp_spec_call *c)
{
	return is_meeting(s, c) ? LP_REJECTS : lp_list_may_be_empty(s, c, false);
}

enum { ENQUEUE, DEQUEUE, FRONT, IS_EMPTY };

static const struct lp_method methods[] = {
	[ENQUEUE] = { "enqueue enq push insert add put offer", 1, LP_SUCCESS, LP_INSERTS, enqueue },
	[DEQUEUE] = { "dequeue deq pop remove take get poll", 0, LP_VALUE_OR_EMPTY, LP_REMOVES | LP_OBSERVES, dequeue },
	[FRONT] = { "front peek", 0, LP_VALUE_OR_EMPTY, LP_READS, front },
	[IS_EMPTY] = { "is_empty empty", 0, LP_TRUTH, LP_READS, is_empty },
};

static const struct lp_method_traits method_traits[LP_COUNT(methods)] = {
	[ENQUEUE] = { .verb = LP_VERB_INSERT },
	[DEQUEUE] = { .verb = LP_VERB_TAKE },
	[FRONT] = { .verb = LP_VERB_PEEK },
	[IS_EMPTY] = { .verb = LP_VERB_IS_EMPTY },
};

static const struct lp_param params[] = {
	LP_ROOM_PARAMS,
	[SYNCHRONOUS] = { "synchronous", 0, "1: an insertion and the removal of its value meet; neither returns alone" },
};

static const char laws[] = LP_CONTAINER_LAWS
	"violation fv = exists x1, x2, y2: match(x2, y2) and Inserts(x1) and before(x1, x2)\n"
	"    and (stays(x1) or (exists y1: match(x1, y1) and before(y2, y1)));\n";

const struct lp_builtin lp_kind_queue = {
	.kind = { .name = "queue", .about = "first in, first out", .data = LP_DATA_EQUALITY, .settled = settled,
		  .methods = methods, .method_count = LP_COUNT(methods),
		  .params = params, .param_count = LP_COUNT(params) },
	.traits = { .methods = method_traits, .overlap_params = LP_OVERLAP_PARAMS(LP_LENIENT),
		    .leaves = LP_LEAVES_FIRST_IN, .formulae = laws },
};
