/* notice.c -- reports losses and recoveries at once: notice.h. */
#include "monitor/notice.h"

#include <inttypes.h>

#define LONGEST_PAUSE 64.0

static void tell(struct lp_notices *n, enum lp_monitor_event event, const char *why,
		 uint64_t not_checked, double seconds, bool line)
{
	char text[320], more[64] = "";

	if (n->losses > 1)
		snprintf(more, sizeof more, ", for the last of %" PRIu64 " times", n->losses);
	if (event == LP_MONITOR_LOSS)
		snprintf(text, sizeof text, "linchpin monitor: %s: checking pauses%s: %s\n", n->name,
			 more, why);
	else
		snprintf(text, sizeof text,
			 "linchpin monitor: %s: checking goes on after %.3f s%s; %" PRIu64
			 " calls were not checked\n",
			 n->name, seconds, more, not_checked);
	if (line && !n->config->quiet) {
		FILE *to = n->config->report ? n->config->report : stderr;
		fputs(text, to);
		fflush(to);
	}
	const struct lp_monitor_notice notice = {
		.event = event, .why = why, .not_checked = not_checked, .seconds = seconds, .text = text
	};
	if (n->config->notice)
		n->config->notice(&notice, n->config->context);
}

void lp_notices_tell(struct lp_notices *n, const char *why, bool checking, uint64_t not_checked,
		     double now)
{
	const bool line = now >= n->silent_until;

	if (why && !n->pausing) {
		n->pausing = true;
		n->since = now;
		n->not_checked = not_checked;
		n->losses++;
		tell(n, LP_MONITOR_LOSS, why, 0, 0, line);
	}
	if (!n->pausing || !checking)
		return;
	n->pausing = false;
	tell(n, LP_MONITOR_RECOVERY, NULL, not_checked - n->not_checked, now - n->since, line);
	if (!line)
		return;
	n->losses = 0;
	n->pause = n->pause <= 0 ? 1 : n->pause < LONGEST_PAUSE ? 2 * n->pause : LONGEST_PAUSE;
	n->silent_until = now + n->pause;
}
