/* frame.h -- inside the graph explorer: its state.
 *
 * A frame is a graph that grows forward, with the choices made while it grew.  To go
 * back within a frame, events are popped.  A backward revisit opens a new frame on top, with a copy of
 * the graph that lacks some events.  When the new frame has been explored, the frame below it continues.
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
	LP_CHOICE_NUMBER,  /* a number that the program asks for */
	LP_CHOICE_REVISIT, /* the place in co of the write whose revisit opened the frame */
};

struct lp_choice {
	uint8_t kind;
	bool revisiting;       /* WRITE: all places in co have been tried; now the write revisits
	                        * reads */
	bool given;            /* the alternatives of the choice were handed to another process */
	bool in_conflict;      /* WRITE of an RMW: another RMW reads from the write that this RMW reads from */
	lp_eid event;          /* the event of the choice (REVISIT: the write), which has this id whenever it is in the
	                        * graph */
	uint32_t seq;          /* the number of operations completed before the choice */
	uint32_t marks;        /* the number of marks before the choice (park.h) */
	uint32_t mark;         /* READ: the number of the thread's mark, from 1; 0: it has none */
	bool parks;            /* READ: there is one more alternative, tried last: the thread is parked, or remains
	                        * parked, without performing the read */
	uint32_t next;         /* the alternative to try next.
	                        * NUMBER: the number, counting up.
	                        * READ, REVISIT: 2 * position in co + (1 if the read fails spuriously, else 0), counting
	                        * down; READ: UINT32_MAX when there is none left.
	                        * WRITE: position in co, counting down; while `revisiting`: 1 + the id of the next event that the
	                        * write may revisit, counting down */
	uint32_t floor;        /* READ: the least position; WRITE, REVISIT: the position below the least one */
	uint32_t tried, total; /* the number of alternatives tried so far, and of all alternatives; for the
	                        * estimate */
	struct lp_event proto; /* the event, with its rf or its place in co still open */
	struct lp_note note;   /* the event's note */
};

/* The mark of a parked thread (park.h), which waits at its operation after `index` events. */
struct lp_mark {
	lp_tid thread;
	uint32_t index;
	uint32_t loc, op;
	lp_eid at;             /* the place of the mark: directly before the event with this id */
	lp_eid seen;           /* the place of the thread's last turn: it has considered all writes before the event with this id */
	lp_eid because;        /* the write because of which the thread is parked (rule 3 of park.h); LP_NO_EVENT if there is
	                        * none */
	uint32_t live;         /* the thread's live state at its operation; 0: not known */
};

struct lp_frame {
	struct lp_graph g;
	struct lp_sequence seq;
	struct { LP_VEC(struct lp_choice); } choices;
	struct { LP_VEC(struct lp_mark); } marks; /* if a thread has several marks at one operation, the last one
	                                           * counts */
	struct { LP_VEC(uint32_t); } last_mark;   /* by thread: the number of its last mark, from 1; 0: it has none.  An entry is out
	                                           * of date if marks have been removed since it was made */
	lp_eid half;           /* the read of an RMW whose write must be added next; LP_NO_EVENT: there is none */
	lp_tid low;            /* the threads with lower numbers cannot continue, unless events are
	                        * removed */
	bool useless;          /* no complete execution extends the graph; this was found when the
	                        * revisit was made */
	lp_eid read;           /* the read whose revisit opened the frame */
	struct {
		bool known;
		LP_VEC(uint32_t);
	} witnessed;           /* a clock that ways_back.h needs.  It is computed once for each rf of `read`, because it does not
	                        * change while the frame grows */
};

struct lp_answers;
struct lp_bound;
struct lp_explorer;

/* The part of the tree of choices through which the explorer walks. */
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
	struct lp_helping_facts *facts; /* NULL: the reduction of helping.h is not used */
	struct lp_answers *answers; /* NULL: no reduction that relies on them (stale.h) is used */
	struct lp_local_steps local;
	struct lp_reread_facts rereads;
	struct lp_seen fails;  /* live states and answers with which an await fails (park.h) */
	struct lp_parts_facts *parts;
	struct { LP_VEC(struct lp_frame *); } frames; /* `depth` are in use */
	uint32_t depth;
	uint32_t agree;        /* how many of the top frame's first operations the machine has performed; may be LP_UNKNOWN (grow.h) */
	uint64_t uid;          /* the uid that was given to an event last */
	struct lp_arena *arena;
	struct lp_exploration *out;
	struct lp_walk_part walk;
	struct {
		bool *keep;    /* by event, while a graph is copied without some events: is the event copied? */
		lp_eid *renamed; /* by event: its id in the copy */
		uint32_t room; /* how many events `keep` and `renamed` have room for (lp_explorer_need_scratch()) */
		struct { LP_VEC(uint32_t); } recent, same; /* for overwritten_iterations.c */
	} scratch;
	struct { LP_VEC(struct lp_outcome); } outcomes;
	struct {
		uint32_t steps;  /* the most operations of one thread */
		uint64_t ticks;  /* how often lp_within_limits() was asked */
		double reported; /* when the progress was shown last */
	} limits;
	struct {
		uint64_t until; /* if not 0: the pass must be repeated, and goes on only to learn, until it has visited that many
		                 * graphs (learn.h) */
		struct lp_explore_options options; /* the options while the pass goes on to learn */
	} learn;
	bool silent_rmw;       /* silent RMWs are treated as reads */
	bool forward;          /* the explorer only goes forward.  When an iteration is redundant, the explorer removes it from the
	                        * graph */
	bool stopped;
	struct {
		enum lp_brief how; /* set by explorers that can restart */
		bool lengthy;      /* the pass has stopped in order to restart with another value of `how`: it has met a loop that
		                    * may have infinitely many iterations, or the brief look has visited many graphs */
	} brief;
};

static inline struct lp_frame *lp_top(struct lp_explorer *x)
{
	return x->frames.at[x->depth - 1];
}

/* Do the invariants F1 to F5 of frame_validate.c hold for the top frame?  They must hold between two steps of the explorer.  For debug
 * builds. */
bool lp_frame_validate(const struct lp_explorer *);

/* Returns the execution of the top frame as a list of steps, for reports (step_list.c). */
const struct lp_step *lp_step_list_make(struct lp_explorer *, uint32_t *count);
/* Stores the names of memory (naming.h) in the steps of the result, and adds the plain accesses that were noted (trail.h). */
void lp_steps_name(struct lp_explorer *);

#endif
