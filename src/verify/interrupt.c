/* interrupt.c -- Ctrl-C ends the exploration, not the process.
 *
 * Signal handlers have no context, so this file has static state.
 */
#include "verify/interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t arrived;
static struct sigaction before_int, before_term;

static void note(int signal_number)
{
	const int earlier = arrived;

	arrived = signal_number;
	sigaction(SIGINT, &before_int, NULL);
	sigaction(SIGTERM, &before_term, NULL);
	/* SIGINT and SIGTERM can arrive at the same time. */
	if (earlier)
		raise(signal_number);
}

void lp_interrupt_open(void)
{
	struct sigaction action = { .sa_handler = note, .sa_flags = SA_ONSTACK | SA_RESTART };

	arrived = 0;
	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, NULL, &before_int);
	sigaction(SIGTERM, NULL, &before_term);
	/* If the parent has made us ignore a signal (nohup, a shell's background job), it stays ignored. */
	if (before_int.sa_handler != SIG_IGN)
		sigaction(SIGINT, &action, NULL);
	if (before_term.sa_handler != SIG_IGN)
		sigaction(SIGTERM, &action, NULL);
}

void lp_interrupt_close(void)
{
	sigaction(SIGINT, &before_int, NULL);
	sigaction(SIGTERM, &before_term, NULL);
}

const char *lp_interrupt_reason(void)
{
	switch (arrived) {
	case SIGINT:
		return "interrupted (SIGINT)";
	case SIGTERM:
		return "interrupted (SIGTERM)";
	default:
		return NULL;
	}
}
