/* exhaust.c -- asks about all assignments, one by one. */
#include <string.h>

#include "orders/order_search.h"

struct verdicts {
	LP_VEC(uint8_t *);
};

/* The next assignment, choices counting like digits; false after the last. */
static bool step(const struct lp_orders_search *s, uint8_t *orders)
{
	for (uint32_t i = 0; i < s->count; i++) {
		const struct lp_order_choice *c = &s->choices[i];
		for (enum lp_order o = (enum lp_order)(orders[i] + 1); o <= c->high; o++) {
			if (lp_order_fits(c->use, o) && lp_order_weaker(c->low, o) && lp_order_weaker(o, c->high)) {
				orders[i] = (uint8_t)o;
				return true;
			}
		}
		orders[i] = (uint8_t)c->low;
	}
	return false;
}

static void remember(struct lp_orders_search *s, struct verdicts *to, const uint8_t *orders)
{
	LP_PUSH(to, memcpy(lp_arena_alloc(&s->arena, s->count + 1), orders, s->count));
}

static void ask_all(struct lp_orders_search *s, struct verdicts *right, struct verdicts *wrong)
{
	uint8_t *orders = lp_arena_alloc(&s->arena, s->count + 1), *upper = lp_arena_alloc(&s->arena, s->count + 1);
	uint32_t why;

	s->complete = true;
	for (uint32_t i = 0; i < s->count; i++)
		orders[i] = (uint8_t)s->choices[i].low;
	do {
		switch (s->ask(s->closure, orders, upper, &why)) {
		case LP_ORDERS_RIGHT:
			remember(s, right, orders);
			break;
		case LP_ORDERS_WRONG:
			remember(s, wrong, orders);
			break;
		case LP_ORDERS_STOP:
			s->stopped = true;
			/* fall through */
		case LP_ORDERS_UNDECIDED:
			s->complete = false;
			break;
		}
		s->asked++;
	} while (!s->stopped && step(s, orders));
}

static bool is_minimal(const struct lp_orders_search *s, const struct verdicts *right, uint32_t which)
{
	for (uint32_t i = 0; i < right->count; i++)
		if (i != which && lp_orders_below(s->count, right->at[i], right->at[which]))
			return false;
	return true;
}

static bool is_monotone(const struct lp_orders_search *s, const struct verdicts *wrong)
{
	for (uint32_t i = 0; i < wrong->count; i++)
		for (uint32_t k = 0; k < s->answers.count; k++)
			if (lp_orders_below(s->count, s->answers.at[k], wrong->at[i]))
				return false;
	return true;
}

static void sort_by_price(struct lp_orders_search *s)
{
	for (uint32_t i = 1; i < s->answers.count; i++) {
		for (uint32_t k = i; k && lp_orders_price(s, s->answers.at[k]) < lp_orders_price(s, s->answers.at[k - 1]); k--) {
			uint8_t *kept = s->answers.at[k];
			s->answers.at[k] = s->answers.at[k - 1];
			s->answers.at[k - 1] = kept;
		}
	}
}

void lp_orders_exhaust(struct lp_orders_search *s)
{
	struct verdicts right = { 0 }, wrong = { 0 };

	ask_all(s, &right, &wrong);
	for (uint32_t i = 0; i < right.count; i++)
		if (is_minimal(s, &right, i))
			LP_PUSH(&s->answers, right.at[i]);
	s->monotone = is_monotone(s, &wrong);
	sort_by_price(s);
	lp_free(right.at);
	lp_free(wrong.at);
}
