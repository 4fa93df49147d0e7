/* small.h -- small histories of transactions: what the tests generate, judge by definition, and shrink. */
#ifndef LP_TESTS_TXN_SMALL_H
#define LP_TESTS_TXN_SMALL_H

#include <stdbool.h>
#include <stdint.h>

#include "history/history.h"
#include "history/txns.h"

enum { MOST_TXNS = 7, MOST_OPS = 5, MOST_KEYS = 3, MOST_ELEMENTS = 24 };

struct small_op {
	enum lp_txn_action action;
	int key;
	int64_t value;                   /* registers: 0 is the initial one */
	int length;                      /* of a list that was read */
	int64_t list[MOST_ELEMENTS];
};

struct small_txn {
	enum lp_txn_outcome outcome;
	int thread, start, end;          /* no end if the outcome is unknown */
	int count;
	struct small_op ops[MOST_OPS];
};

struct small {
	bool is_list[MOST_KEYS];         /* else the key is a register */
	int count;
	struct small_txn at[MOST_TXNS];
};

struct small_random {
	uint64_t state;
};

uint32_t small_below(struct small_random *r, uint32_t n);

/* A history that is a bit wrong, or not: simulated under one of several disciplines, then perhaps spoilt. */
enum small_keys { SMALL_LISTS, SMALL_REGISTERS, SMALL_MIXED };
void small_generate(struct small *s, struct small_random *r, enum small_keys keys, bool distinct, int most_txns);

/* As the checker wants it. */
void small_convert(const struct small *s, struct lp_history *h);

/* By definition: all orders, all version orders. */
struct lp_txn_level;
bool small_has(const struct small *s, const struct lp_txn_level *level);

#endif
