/* convert_waits.h -- where threads wait forever, and for what. */
#ifndef LP_VERIFY_VIEW_CONVERT_WAITS_H
#define LP_VERIFY_VIEW_CONVERT_WAITS_H

struct lp_arena;
struct lp_result_violation;

/* Returns a text such as "T1 waits at heap.c:62 for node[2].lock, last written by T2 at heap.c:67; T2 waits at ..."; NULL if no thread
 * waits. */
const char *lp_convert_waits(const struct lp_result_violation *, struct lp_arena *);

#endif
