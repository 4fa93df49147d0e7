/* frame.h -- inside the graph explorer: its state.
 *
 * A frame is a graph that grows forward, with the choices made while it grew.  Going
 * back within a frame pops events.  A backward revisit opens a new frame with a restricted
 * copy of the graph; when that has been explored, the frame below continues.
 */
#ifndef LP_EXPLORE_GRAPH_FRAME_H
#define LP_EXPLORE_GRAPH_FRAME_H

#include "explore/explore.h"
#include "explore/graph/lockstep.h"
#include "explore/graph/mixed_sizes.h"
#include "explore/graph/seen.h"
#include "explore/ops.h"
#include "explore/reduce/helping.h"
#include "explore/reduce/redundant_rereads.h"
#include "explore/reduce/stale/local_steps.h"
#include "graph/graph.h"
#include "graph/note.h"
#include "model/model.h"

enum lp_choice_kind {
	LP_CHOICE_READ,    /* where a read takes its value from */
	LP_CHOICE_WRITE,   /* a write's place in co, then the reads that it revisits */
	LP_CHOICE_NUMBER,  /* a number */
	LP_CHOICE_REVISIT, /* the place in co of the write that opened the frame */
};

struct lp_choice {
	uint8_t kind;
	bool revisiting;       /* WRITE: all places in co have been tried; now the write revisits
	                        * reads */
	bool given;            /* the alternatives of the choice were handed to another process */
	bool in_conflict;      /* WRITE of an RMW: another RMW reads from the same write */
	lp_eid event;          /* READ, WRITE, NUMBER: the event, while it is in the graph */
	uint32_t seq;          /* operations performed before the choice */
	uint32_t marks;        /* the number of marks before the choice (park.h) */
	uint32_t mark;         /* READ: the number of the thread's mark, from 1; 0: it has none */
	bool parks;            /* READ: there is one more alternative, tried last: the thread remains
	                        * parked */
	uint32_t next;         /* the alternative to try next.  NUMBER: the number, counting up.  Otherwise it counts down: READ,
	                        * REVISIT: 2 * position in co + spurious failure (READ: UINT32_MAX when exhausted); WRITE:
	                        * position in co, then, while `revisiting`, 1 + the next event that the write may revisit */
	uint32_t floor;        /* READ: the least position; WRITE, REVISIT: the position below the least one */
	uint32_t tried, total; /* the numbers of alternatives: tried so far, and all; for the
	                        * estimate */
	struct lp_event proto; /* the event, without rf or a place in co */
	struct lp_note note;   /* the event's note */
};

/* The mark of a parked thread (park.h), which waits at its operation after `index` events. */
struct lp_mark {
	lp_tid thread;
	uint32_t index;
	uint32_t loc, op;
	lp_eid at;             /* its place: before that event */
	lp_eid seen;           /* the thread has considered the writes before that event: the place of its last turn */
	lp_eid because;        /* the write because of which the thread is parked (park.h, 3); LP_NO_EVENT if there is
	                        * none */
	uint32_t live;         /* the thread's live state there; 0: not known */
};

struct lp_frame {
	struct lp_graph g;
	struct lp_sequence seq;
	struct { LP_VEC(struct lp_choice); } choices;
	struct { LP_VEC(struct lp_mark); } marks; /* if a thread has several marks at one operation, the last one
	                                           * counts */
	struct { LP_VEC(uint32_t); } last_mark;   /* by thread: the number of its last mark, from 1; 0: it has none.  Out of
	                                           * date if marks were removed since */
	lp_eid half;           /* the read of an RMW whose write comes next; LP_NO_EVENT */
	lp_tid low;            /* the threads with lower numbers cannot continue, unless events are
	                        * removed */
	bool useless;          /* no complete execution extends the graph; this was known when the
	                        * revisit was made */
	lp_eid read;           /* the read whose revisit opened the frame */
	struct {
		bool known;
		LP_VEC(uint32_t);
	} witnessed;           /* a clock (ways_back.h); the same for all graphs of the frame while `read` is the same */
};

struct lp_answers;
struct lp_bound;
struct lp_explorer;

/* The part of the tree of choices that is walked through. */
struct lp_walk_part {
	double share, visited; /* `share`: the size of the part, as a fraction of the tree; `visited`: the
	                        * fraction of the tree that comes before the part */
	/* Called after every execution, unless it is NULL; if it returns false, the walk ends. */
	bool (*between)(struct lp_explorer *);
	void *between_closure;
	struct lp_bound *bound; /* the bound on the executions to visit; NULL: all are visited */
};

struct lp_explorer {
	const struct lp_explore_options *options;
	const struct lp_model_class *model;
	struct lp_machine machine;
	struct lp_ops ops;
	struct lp_helping_facts *facts; /* NULL: helping makes no difference */
	struct lp_answers *answers; /* NULL: stale attempts are kept (stale.h) */
	struct lp_local_steps local;
	struct lp_reread_facts rereads;
	struct lp_seen fails;  /* live states and answers with which an await fails (park.h) */
	struct lp_parts_facts *parts;
	struct { LP_VEC(struct lp_frame *); } frames; /* `depth` are in use */
	uint32_t depth;
	uint32_t agree;        /* operations of the top frame that the machine has performed */
	uint64_t uid;
	struct lp_arena *arena;
	struct lp_exploration *out;
	struct lp_walk_part walk;
	struct {
		bool *keep;    /* by event, while some are removed: lp_explorer_need_scratch() */
		lp_eid *renamed;
		uint32_t room;
		struct { LP_VEC(uint32_t); } recent, same; /* overwritten_iterations.c */
	} scratch;
	struct { LP_VEC(struct lp_outcome); } outcomes;
	struct {
		uint32_t steps;  /* the most operations of one thread */
		uint64_t ticks;  /* how often lp_within_limits() was asked */
		double reported; /* when the progress was shown last */
	} limits;
	struct {
		uint64_t until; /* the pass only goes on to learn, until it has visited that many graphs (learn.h); 0: it does not */
		struct lp_explore_options options; /* the options in this case */
	} learn;
	bool silent_rmw;       /* silent RMWs are treated as reads */
	bool forward;          /* the explorer only goes forward, and removes redundant iterations from the graph
	                        * itself */
	bool stopped;
	struct {
		enum lp_brief how; /* set by explorers that can restart */
		bool lengthy;      /* the pass stopped in order to restart with another value of
		                    * `how` */
	} brief;
};

static inline struct lp_frame *lp_top(struct lp_explorer *x)
{
	return x->frames.at[x->depth - 1];
}

/* Is the top frame as it must be between two steps?  F1 to F5 of frame_validate.c; for debug builds. */
bool lp_frame_validate(const struct lp_explorer *);

/* Returns the execution of the top frame as a list of steps, for reports (step_list.c). */
const struct lp_step *lp_step_list_make(struct lp_explorer *, uint32_t *count);
/* Names the memory of the result's steps (naming.h), and adds the plain accesses that were noted. */
void lp_steps_name(struct lp_explorer *);

#endif
