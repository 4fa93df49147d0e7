/* dump.h -- calls as JSON lines, for `linchpin history` (docs/histories.md).
 *
 * The file has the history up to the moment at which the first call is lost.  Calls that are open at that moment are written as
 * pending.
 */
#ifndef LP_MONITOR_DUMP_H
#define LP_MONITOR_DUMP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "monitor/live/live_checker.h"

struct lp_ring;
struct lp_rings;

struct lp_dump {
	FILE *to; /* NULL if no file was asked for, or if dumping has stopped */
	const struct lp_spec *spec;
	uint64_t calls;
	bool stopped;
	bool failed; /* the file could not be written */
};

bool lp_dump_open(struct lp_dump *d, const char *name, const struct lp_spec *spec);
void lp_dump_close(struct lp_dump *d);
/* To be called in a forked child: discards everything that is written later, because the
 * file belongs to the parent. */
void lp_dump_disown(struct lp_dump *d);

/* Writes a call; `i` is the number of its record in the ring. */
void lp_dump_call(struct lp_dump *d, const struct lp_live_call *c, const struct lp_ring *r, uint64_t i);
void lp_dump_stop(struct lp_dump *d, const struct lp_rings *rings);

/* Formats a value as in a history file.  Reports use this function, too. */
const char *lp_dump_value(int64_t value, char text[24]);

#endif
