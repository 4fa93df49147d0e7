/* questions.h -- what both checkers of all clients are asked of an observation. */
#ifndef LP_TESTS_QUESTIONS_H
#define LP_TESTS_QUESTIONS_H

#include "check/clients/clients.h"

enum { LP_MOST_CALLS = 5 }; /* that the naive one looks at */

struct questions;
struct questions *questions_open(const struct lp_spec *);
void questions_close(struct questions *);

/* Puts all questions to the checker, about `o`, and to the naive one, about `naive`: the same, but
 * perhaps for who says which orders are possible.  For the rest see naive_memo_next() (naive_clients.h).
 * NULL if they agree; else what differs. */
const char *questions_ask(struct questions *, const struct lp_observation *o,
			  const struct lp_observation *naive,
			  bool (*hopeful)(void *closure, const uint32_t *before), bool asks_all);

/* How they were answered, a line each. */
void questions_print(const struct questions *);

#endif
