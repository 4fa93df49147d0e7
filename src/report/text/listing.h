/* listing.h -- prints a whole execution step by step, with the source lines. */
#ifndef LP_REPORT_TEXT_LISTING_H
#define LP_REPORT_TEXT_LISTING_H

struct lp_result;
struct lp_terminal;

void lp_terminal_listing(const struct lp_terminal *, const struct lp_result *);

#endif
