/* machines.c -- a command that was started by mpirun or srun. */
#define _GNU_SOURCE
#include "cli/machines/machines.h"

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "cli/commands.h"
#include "explore/parallel/team.h"
#include "frontend/load/load_place.h"

enum { AFFINITY = 200 }; /* the tag of a message: the processors of a rank */

/* What the ranks do together. */
enum together {
	NOTHING,
	EXPLORE, /* the leader of each machine explores for all of its ranks (explore/parallel/team.h) */
	SEARCH,  /* every rank has a part of the states (explore/state/shared/) */
	JOBS,    /* every rank takes jobs (ranks/jobs.h) */
};

struct lp_machines {
	struct lp_ranks *ranks; /* NULL: this is the only process */
	enum together together;
	struct lp_team *team; /* NULL: this is the only machine */
	struct lp_load_place place;
};

void lp_cli_settle_addresses(char **argv)
{
	const int now = personality(0xffffffff);

	if (now != -1 && !(now & ADDR_NO_RANDOMIZE) &&
	    personality((unsigned long)now | ADDR_NO_RANDOMIZE) != -1)
		execv("/proc/self/exe", argv);
}

/* Ranks are often bound to processors.  The leader works for all ranks of its machine, on the processors of all. */
static void share_processors(struct lp_ranks *r)
{
	const uint32_t self = lp_ranks_self(r), leader = lp_ranks_leader(r, self);
	struct lp_message m;
	cpu_set_t all, one;

	if (sched_getaffinity(0, sizeof all, &all))
		CPU_ZERO(&all);
	if (self != leader) {
		lp_ranks_send(r, leader, AFFINITY, &all, sizeof all);
		return;
	}
	for (uint32_t left = lp_ranks_group_size(r, leader) - 1; left; left--) {
		while (!lp_ranks_receive(r, &m, -1))
			;
		if (m.tag != AFFINITY || m.size != sizeof one)
			LP_BUG("rank %u does not say where it may run", m.from);
		memcpy(&one, m.bytes, sizeof one);
		CPU_OR(&all, &all, &one);
		lp_message_drop(&m);
	}
	if (CPU_COUNT(&all))
		sched_setaffinity(0, sizeof all, &all); /* if not, it is slower */
}

static enum together together_of(const char *command)
{
	static const struct {
		enum lp_cli_command_id command;
		enum together together;
	} table[] = {
		{ LP_COMMAND_RUN, EXPLORE }, { LP_COMMAND_CHECK, EXPLORE }, { LP_COMMAND_STATES, SEARCH },
		{ LP_COMMAND_STUDY, JOBS }, { LP_COMMAND_HISTORY, JOBS }, { LP_COMMAND_ORDERS, EXPLORE },
	};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (!strcmp(command, lp_cli_commands[table[i].command].name))
			return table[i].together;
	return NOTHING;
}

/* Does every rank work for itself, whether or not it leads a machine? */
static bool is_by_rank(enum together t)
{
	return t == SEARCH || t == JOBS;
}

/* Most explorations take less time than a few messages, so rank 0 begins alone.  Tests need the messages, and do not wait. */
static double seconds_alone(void)
{
	const char *apart = getenv("LINCHPIN_RANKS_APART");

	return apart && !strcmp(apart, "now") ? 0 : 0.03;
}

/* The other ranks do what rank 0 does, but say nothing. */
static void be_silent(void)
{
	if (getenv("LINCHPIN_RANKS_LOUD"))
		return;
	if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
		_exit(LP_EXIT_USAGE);
}

/* Rather than do the same in every rank. */
static bool refuse(const char *command, struct lp_error *error)
{
	lp_fail(error, "'linchpin %s' does not use several ranks", command);
	snprintf(error->hint, sizeof error->hint, "start it without mpirun or srun, or with one rank");
	if (!lp_ranks_is_first())
		error->text[0] = '\0';
	return false;
}

/* Rank 0 alone decides when to stop. */
static void be_patient(void)
{
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
}

bool lp_machines_open(const char *command, bool kept, char **argv, struct lp_machines **out, struct lp_error *error)
{
	const bool several = lp_ranks_are_several();

	*out = NULL;
	if (!several && !(kept && together_of(command) == EXPLORE))
		return true;
	if (together_of(command) == NOTHING)
		return refuse(command, error);
	lp_cli_settle_addresses(argv);
	struct lp_machines *m = *out = lp_alloc_zero(1, sizeof *m);
	m->together = together_of(command);
	if (m->together != JOBS)
		lp_load_place_reserve(&m->place);
	if (!several)
		return true;
	setenv("NO_COLOR", "1", true); /* mpirun gives rank 0 a terminal, even if its own output goes to a file */
	m->ranks = lp_ranks_open(error);
	if (!m->ranks) {
		lp_free(m);
		*out = NULL;
		return false;
	}
	if (lp_ranks_self(m->ranks) && !is_by_rank(m->together))
		be_patient();
	if (!is_by_rank(m->together)) /* where every rank works for itself, messages of others may already arrive */
		share_processors(m->ranks);
	const bool leads = lp_ranks_leads(m->ranks);
	if (lp_ranks_self(m->ranks) && m->together == EXPLORE && !leads)
		lp_ranks_await_end(m->ranks);
	if (m->together == EXPLORE)
		m->team = lp_team_open(m->ranks, seconds_alone());
	if (lp_ranks_self(m->ranks))
		be_silent();
	return true;
}

void lp_machines_give(struct lp_machines *m, struct lp_options *o)
{
	if (!m)
		return;
	o->place = m->place.at ? &m->place : NULL;
	if (!m->ranks)
		return;
	o->ranks_here = lp_ranks_group_size(m->ranks, lp_ranks_self(m->ranks));
	o->searching = m->together == SEARCH ? m->ranks : NULL;
	o->working = m->together == JOBS ? m->ranks : NULL;
	if (o->operand_count > 1) /* each has a process of its own, which cannot talk to other machines */
		lp_team_dismiss(m->team);
	if (!lp_team_is_together(m->team))
		return;
	o->team = m->team;
	o->ranks = m->ranks;
}

bool lp_machines_is_silent(const struct lp_machines *m)
{
	return m && m->ranks && lp_ranks_self(m->ranks);
}

int lp_machines_close(struct lp_machines *m, int status)
{
	if (!m)
		return status;
	fflush(stdout);
	if (lp_machines_is_silent(m))
		lp_ranks_await_end(m->ranks);
	if (m->ranks)
		lp_ranks_dismiss(m->ranks);
	lp_team_close(m->team);
	const bool left = lp_ranks_close(m->ranks);
	lp_free(m);
	if (left)
		return status;
	/* mpirun would make 1 of a 0, since a process has not left MPI; and 1 means a violation. */
	fprintf(stderr, "linchpin: lost the connection to the other ranks after the end: what was reported holds, but the exit status does not show it\n");
	return LP_EXIT_USAGE;
}
