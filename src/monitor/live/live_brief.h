/* live_brief.h -- brief values: values that are inserted into a queue or stack and removed from it within one tick of the monitor's
 * clock.
 *
 * At full speed, a tick has dozens of calls; so if the object is nearly empty, most values are brief.  The insertion and the
 * removal of a brief value have the same time, so the value is never certain (live_box.h).  It leads to one condition only: in a
 * queue, no other value may have been certain throughout the tick.  So a brief value does not get an item.  Instead, its calls are
 * noted in a small table (lp_box.briefs), which the next tick clears:
 *
 *     starts of a tick:    insert(v)       remove(v)      remove(w)      insert(x)
 *     noted:               v in            v in, out      w out          x in
 *     ends of the tick:    v needs no item                w and x get items, as if they had had
 *                                                         them since the starts
 *
 * If there is a third call on v, or a call on v that takes longer than the tick, v gets an item, too.  The calls of a value that
 * already has an item are not noted here.
 *
 * All starts of a tick come before all its ends (stream.h).  If both calls of a value are noted, the second has the handle 0, so
 * that its end is ignored: the end of the first call stands for both.
 */
#ifndef LP_MONITOR_LIVE_LIVE_BRIEF_H
#define LP_MONITOR_LIVE_LIVE_BRIEF_H

#include "monitor/live/live_box.h"

#define LP_BRIEF (UINT64_C(1) << 62) /* set in the handle of a noted call */

/* The functions `starts` and `ends` of the checkers (live_checker.h).  They process the calls of a run up to the first one that is
 * not a call on a brief value. */
uint64_t lp_brief_starts(struct lp_live *live, const struct lp_live_run *run);
uint64_t lp_brief_ends(struct lp_live *live, const struct lp_live_run *run);

/* Gives the value of the entry an item.  Returns false if there is no room for one. */
bool lp_brief_expand(struct lp_live *live, struct lp_box_brief *f);

/* To be called before a call that cannot be noted.  If other calls of its value are noted, gives the value an item. */
void lp_brief_forestall(struct lp_live *live, int64_t value);

/* Are both calls of the value noted, without an item? */
static inline bool lp_brief_is_whole(const struct lp_box_brief *f)
{
	return f->item == LP_NO_ITEM && f->flags == (LP_BOX_IN | LP_BOX_OUT);
}

#endif
