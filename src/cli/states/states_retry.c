/* states_retry.c -- starts the command again, by the words of its command line. */
#include "cli/states/states_retry.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/vec.h"
#include "verify/usage.h"

enum { MOST = 10 }; /* attempts: a machine without memory would kill a process each time */
static const char VARIABLE[] = "LINCHPIN_STATES_LOST";

struct attempts {
	unsigned count; /* that have ended */
	double begun;   /* the time of the first one, of lp_usage_seconds() */
};

static bool get_attempts(struct attempts *a)
{
	const char *text = getenv(VARIABLE);

	return text && sscanf(text, "%u %lf", &a->count, &a->begun) == 2;
}

double lp_states_retry_left(double seconds)
{
	struct attempts a;

	if (!(seconds > 0) || !get_attempts(&a))
		return seconds;
	const double left = a.begun + seconds - lp_usage_seconds();
	return left > 0 ? left : 1e-3;
}

void lp_states_retry(const struct lp_options *o, double start)
{
	struct attempts a = { .begun = start };
	struct { LP_VEC(const char *); } line = { .count = 0 };
	char text[64];

	get_attempts(&a);
	if (++a.count >= MOST)
		return;
	snprintf(text, sizeof text, "%u %.3f", a.count, a.begun);
	LP_PUSH(&line, "linchpin");
	LP_PUSH(&line, lp_options_command(o));
	for (int i = 0; i < o->word_count; i++)
		LP_PUSH(&line, o->words[i]);
	LP_PUSH(&line, NULL);
	setenv(VARIABLE, text, true);
	execv("/proc/self/exe", (char *const *)line.at);
	lp_free(line.at);
}
