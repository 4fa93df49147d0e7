/* team_session.h -- inside explore/parallel: one pass by several machines (team.h), and the messages between them. */
#ifndef LP_EXPLORE_PARALLEL_TEAM_SESSION_H
#define LP_EXPLORE_PARALLEL_TEAM_SESSION_H

#include "explore/parallel/team.h"
#include "explore/parallel/workers.h"
#include "ranks/bytes.h"

/* The messages.  Each comment lists the contents, in brackets if rank 0 sends the message.  All other messages are
 * sent to rank 0.  LP_TEAM_FACTS is sent in both directions. */
enum lp_team_tag {
	LP_TEAM_START = 1, /* [struct lp_team_start] */
	LP_TEAM_ASK,       /* nothing */
	LP_TEAM_WORK,      /* [struct lp_team_work, item] */
	LP_TEAM_WANT,      /* [nothing] */
	LP_TEAM_GIVE,      /* struct lp_team_work, the counts after the piece as a string,
	                    * item */
	LP_TEAM_FAILING,   /* part */
	LP_TEAM_PART,      /* part, failed, result */
	LP_TEAM_CANCEL,    /* [part] */
	LP_TEAM_TELL,      /* struct lp_team_told */
	LP_TEAM_FACTS,     /* what lp_watch_write() has written */
	LP_TEAM_REQUEST,   /* lp_shared_class: a request for a name */
	LP_TEAM_ANSWER,    /* [the answer] */
	LP_TEAM_STOPPED,   /* reason, text: why this machine cannot go on, or why all must stop */
	LP_TEAM_STOP,      /* [reason] */
	LP_TEAM_COPY,      /* [nothing] */
	LP_TEAM_COPIED,    /* whether the copy succeeded, the bytes of lp_pool_copy_parts() as a string, what the program was seen
	                    * to do, facts */
	LP_TEAM_LAST,      /* what the program was seen to do, then facts: no message of this pass
	                    * follows */
	LP_TEAM_CONCLUDE,  /* [struct lp_team_conclusion, what the program was seen to do, facts] */
	LP_TEAM_ERRAND,    /* [options, facts as a string, what is explored]: LP_TEAM_START follows */
	LP_TEAM_LOOKED,    /* [struct lp_team_conclusion, what the program was seen to do]: after an exploration by rank 0
	                    * alone */
};

struct lp_team_start {
	uint64_t sequence, digest;
	uint64_t alone; /* rank 0 has finished without the other machines: LP_TEAM_CONCLUDE follows */
};

struct lp_team_work {
	uint32_t part;
	double visited, end;
};

/* What a machine has counted since the pass began, and the fraction of the exploration that it still has
 * to do. */
struct lp_team_told {
	uint64_t executions, blocked, counted;
	double left;
};

struct lp_team_conclusion {
	uint32_t end, verdict; /* `end`: enum lp_pass_end; in LP_TEAM_LOOKED: `*all` of lp_team_share() */
	uint32_t doubtful;
	uint32_t seen; /* the size in bytes of what the program was seen to do */
};

struct lp_team {
	struct lp_ranks *ranks;
	uint32_t count, self;  /* the number of machines, and the number of this one */
	uint32_t *rank;        /* by machine: the rank of its leader */
	double alone;          /* seconds for which rank 0 explores alone */
	uint64_t sequence;     /* the number of the current pass */
	bool over;             /* rank 0 goes on alone */
	const struct lp_team_errands *errands; /* if not NULL, the machines other than rank 0's serve (lp_team_direct()) */
};

/* What rank 0 knows about a machine. */
struct lp_team_machine {
	struct lp_team_told told;
	bool hungry;      /* the machine has asked for work, and has got none yet */
	double wanted;    /* the time at which the machine was asked to give work away; 0: it was not
	                   * asked */
	bool gone;        /* LP_TEAM_LAST has come */
	bool copied;      /* LP_TEAM_COPIED has come, with `copy` */
	struct lp_bytes copy;
};

/* On rank 0: the state of copying the work that is left on all machines (team_copy.c). */
struct lp_team_copying {
	bool runs;         /* copies have been requested, and some are missing */
	bool good;         /* no copy has failed so far */
	uint32_t missing;  /* machines that have not answered yet */
	double not_before; /* the earliest time of the next copy */
	struct {
		LP_VEC(struct lp_message);
	} later;           /* messages that are held back */
	uint32_t next;     /* the index in `later` of the first message that must still be handled */
};

/* A pass. */
struct lp_team_session {
	struct lp_team *team;
	const struct lp_pass *pass;
	struct lp_workers workers; /* with the pool of parts */
	struct lp_pool *pool;      /* rank 0: the pool of machines */
	struct lp_team_machine *machine;   /* rank 0: by machine */
	uint32_t gone;             /* rank 0: the number of machines that are gone */
	bool asked;                /* this machine has asked for work, and has got none yet */
	enum lp_pool_stop told_stop; /* the reason that was sent with LP_TEAM_STOPPED; LP_POOL_RUNS:
	                              * it was not sent */
	bool stop;                 /* LP_TEAM_STOP has come */
	enum lp_pool_stop why;     /* the reason that came with it */
	bool concluded;
	struct lp_team_conclusion conclusion;
	struct lp_exploration before; /* rank 0: the result of exploring alone, or the counts of the checkpoint
	                               * that is continued */
	struct lp_bytes rest;      /* rank 0: the work that was left after exploring alone */
	struct lp_team_copying copying;
	double hungry_since;       /* the time since which workers have been waiting for work; 0: none waits */
	double last_told, last_progress, last_facts, facts_pause;
	uint64_t facts_known;      /* a hash of the facts that were last sent; on machines other than rank 0's, of those that were last
	                            * sent or received */
	bool facts_dirty;          /* rank 0: other machines have sent facts since the last exchange */
	struct lp_bytes bytes;
};

/* ---- team.c ---- */

/* Waits for the next message. */
void lp_team_await(struct lp_team *, struct lp_message *);
/* Ends the whole job, because this machine cannot explore with the others. */
_Noreturn void lp_team_cannot_follow(const struct lp_team *, const char *why);
/* Sends a message from rank 0 to all other machines. */
void lp_team_send_to_others(const struct lp_team *, enum lp_team_tag, const struct lp_bytes *);
/* lp_team_send() sends a message to the leader of a machine, and lp_team_report() sends one to rank 0.  The receiver
 * may be this process. */
void lp_team_send(const struct lp_team_session *, uint32_t machine, enum lp_team_tag, const struct lp_bytes *);
void lp_team_report(const struct lp_team_session *, enum lp_team_tag, const struct lp_bytes *);

/* ---- team_report.c: what a machine tells rank 0, when there is something to tell ---- */

void lp_team_report_parts(struct lp_team_session *);
void lp_team_give(struct lp_team_session *);
void lp_team_ask(struct lp_team_session *, double now);
void lp_team_tell(struct lp_team_session *, double now);
/* Looks for reasons to stop on this machine, and reports them. */
void lp_team_look_for_reasons(struct lp_team_session *);
void lp_team_exchange_facts(struct lp_team_session *, double now);
void lp_team_ask_for_names(struct lp_team_session *);
/* Tells rank 0 why all machines must stop. */
void lp_team_report_stop(struct lp_team_session *, enum lp_pool_stop, const char *text);
/* Adds the facts of another machine. */
void lp_team_merge_facts(struct lp_team_session *, const uint8_t *bytes, size_t size);

/* ---- team_serve.c ---- */

/* If the other machines serve, rank 0 describes to them what to explore. */
void lp_team_describe(const struct lp_team_session *);

/* ---- team_copy.c ---- */

/* Sends rank 0 what is left of the parts of this machine. */
void lp_team_report_copy(struct lp_team_session *);
/* lp_team_put_known() writes what the program was seen to do on this machine, and the machine's facts;
 * with lp_team_merge_known() rank 0 adds both to its own. */
void lp_team_put_known(struct lp_team_session *);
void lp_team_merge_known(struct lp_team_session *, uint32_t machine, struct lp_cursor *);
/* For rank 0.  lp_team_copy_is_due(): is it time to ask for copies?  lp_team_copy_begin() prepares for them; the caller sends
 * LP_TEAM_COPY or LP_TEAM_STOP.  lp_team_note_copy() stores each copy that arrives.  After the last one, if none has failed, it
 * calls lp_keep_pass(). */
bool lp_team_copy_is_due(const struct lp_team_session *, double now);
void lp_team_copy_begin(struct lp_team_session *);
void lp_team_note_copy(struct lp_team_session *, uint32_t machine, struct lp_cursor *);
/* Must the message wait until all copies have arrived?  If so, lp_team_copy_holds_back() keeps it.  Once they have
 * arrived, lp_team_copy_next() returns these messages one by one. */
bool lp_team_copy_holds_back(struct lp_team_session *, uint32_t machine, const struct lp_message *);
bool lp_team_copy_next(struct lp_team_session *, struct lp_message *);
void lp_team_copy_drop(struct lp_team_session *);

/* ---- team_lead.c: rank 0 ---- */

/* Checks limits, moves work between machines, and tells all machines if there is a reason to stop. */
void lp_team_lead(struct lp_team_session *, double now);
/* Handles a message that only rank 0 gets.  Returns false, without handling the message, if every machine may get such a message. */
bool lp_team_note(struct lp_team_session *, uint32_t machine, enum lp_team_tag, struct lp_cursor *);
/* Adds up what all machines have counted, for the progress line and the estimate. */
void lp_team_progress(struct lp_team_session *, struct lp_progress *out);

#endif
