/* listing.h -- an execution, all of it, step by step with its source. */
#ifndef LP_REPORT_TEXT_LISTING_H
#define LP_REPORT_TEXT_LISTING_H

struct lp_result;
struct lp_terminal;

void lp_terminal_listing(const struct lp_terminal *, const struct lp_result *);

#endif
