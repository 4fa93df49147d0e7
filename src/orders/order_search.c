/* order_search.c -- the weakest assignments that are correct. */
#include "orders/order_search.h"

#include <assert.h>
#include <string.h>

#include "base/fingerprints.h"

enum { ROOM = 100000 };

struct entry {
	uint64_t price;
	uint32_t number; /* breaks ties of the price: the smallest number comes first */
	uint8_t *orders;
};

/* A heap: at[i] comes before at[2i + 1] and at[2i + 2]. */
struct queue {
	LP_VEC(struct entry);
	uint32_t numbers;
	struct lp_fingerprints seen;
};

bool lp_orders_below(uint32_t count, const uint8_t *a, const uint8_t *b)
{
	for (uint32_t i = 0; i < count; i++)
		if (!lp_order_weaker((enum lp_order)a[i], (enum lp_order)b[i]))
			return false;
	return true;
}

static bool in_range(const struct lp_order_choice *c, enum lp_order o)
{
	return lp_order_fits(c->use, o) && lp_order_weaker(c->low, o) && lp_order_weaker(o, c->high);
}

/* Is there an order of the choice strictly between the two? */
static bool has_between(const struct lp_order_choice *c, enum lp_order a, enum lp_order b)
{
	for (enum lp_order o = LP_RLX; o <= LP_SC; o++)
		if (o != a && o != b && in_range(c, o) && lp_order_weaker(a, o) && lp_order_weaker(o, b))
			return true;
	return false;
}

unsigned lp_orders_next(const struct lp_order_choice *c, enum lp_order from, enum lp_order out[static 2])
{
	unsigned count = 0;

	for (enum lp_order o = LP_RLX; o <= LP_SC; o++)
		if (o != from && in_range(c, o) && lp_order_weaker(o, from) && !has_between(c, o, from))
			out[count++] = o;
	return count;
}

uint64_t lp_orders_price(const struct lp_orders_search *s, const uint8_t *orders)
{
	uint64_t price = 0;

	for (uint32_t i = 0; i < s->count; i++)
		price += s->choices[i].price[orders[i]];
	return price;
}

const struct lp_orders_refutation *lp_orders_refuted(const struct lp_orders_search *s, const uint8_t *orders)
{
	for (uint32_t i = 0; i < s->refutations.count; i++)
		if (lp_orders_below(s->count, orders, s->refutations.at[i].upper))
			return &s->refutations.at[i];
	return NULL;
}

static uint8_t *copy(struct lp_orders_search *s, const uint8_t *orders)
{
	return memcpy(lp_arena_alloc(&s->arena, s->count + 1), orders, s->count);
}

/* ---- the queue ---- */

static bool comes_before(const struct entry *a, const struct entry *b)
{
	return a->price != b->price ? a->price < b->price : a->number < b->number;
}

static void swap(struct entry *a, struct entry *b)
{
	const struct entry kept = *a;

	*a = *b;
	*b = kept;
}

static void push(struct queue *q, struct entry e)
{
	LP_PUSH(q, e);
	for (uint32_t i = q->count - 1; i && comes_before(&q->at[i], &q->at[(i - 1) / 2]); i = (i - 1) / 2)
		swap(&q->at[i], &q->at[(i - 1) / 2]);
}

static struct entry pop(struct queue *q)
{
	const struct entry first = q->at[0];

	q->at[0] = q->at[--q->count];
	for (uint32_t i = 0;;) {
		uint32_t least = i;
		for (uint32_t child = 2 * i + 1; child <= 2 * i + 2 && child < q->count; child++)
			if (comes_before(&q->at[child], &q->at[least]))
				least = child;
		if (least == i)
			return first;
		swap(&q->at[i], &q->at[least]);
		i = least;
	}
}

/* Unless it was there before. */
static void push_new(struct lp_orders_search *s, struct queue *q, const uint8_t *orders)
{
	struct lp_fingerprint f = LP_FINGERPRINT;

	lp_fingerprint_bytes(&f, orders, s->count);
	if (lp_fingerprints_add(&q->seen, f))
		push(q, (struct entry){ lp_orders_price(s, orders), q->numbers++, copy(s, orders) });
}

/* ---- the search ---- */

static bool is_above_answer(const struct lp_orders_search *s, const uint8_t *orders)
{
	for (uint32_t i = 0; i < s->answers.count; i++)
		if (lp_orders_below(s->count, s->answers.at[i], orders))
			return true;
	return false;
}

/* Is `o` a least order of the choice, from `from` on, that is not below `upper`? */
static bool is_least_above(const struct lp_order_choice *c, enum lp_order from, enum lp_order upper, enum lp_order o)
{
	if (!in_range(c, o) || !lp_order_weaker(from, o) || lp_order_weaker(o, upper))
		return false;
	for (enum lp_order less = LP_RLX; less <= LP_SC; less++)
		if (less != o && in_range(c, less) && lp_order_weaker(from, less) && lp_order_weaker(less, o) &&
		    !lp_order_weaker(less, upper))
			return false;
	return true;
}

static void expand(struct lp_orders_search *s, struct queue *q, uint8_t *orders, const uint8_t *upper)
{
	for (uint32_t i = 0; i < s->count; i++) {
		const enum lp_order from = (enum lp_order)orders[i];
		for (enum lp_order o = LP_RLX; o <= LP_SC; o++) {
			if (!is_least_above(&s->choices[i], from, (enum lp_order)upper[i], o))
				continue;
			orders[i] = (uint8_t)o;
			if (!is_above_answer(s, orders))
				push_new(s, q, orders);
		}
		orders[i] = (uint8_t)from;
	}
}

/* Asks about an assignment that is not ruled out; remembers the answer. */
static enum lp_orders_answer ask(struct lp_orders_search *s, const uint8_t *orders)
{
	uint8_t *upper = copy(s, orders);
	uint32_t why = 0;
	const enum lp_orders_answer answer = s->ask(s->closure, orders, upper, &why);

	s->asked++;
	if (answer == LP_ORDERS_RIGHT) {
		LP_PUSH(&s->answers, copy(s, orders));
	} else if (answer == LP_ORDERS_STOP) {
		s->stopped = true;
	} else {
		assert(lp_orders_below(s->count, orders, upper));
		if (answer == LP_ORDERS_UNDECIDED)
			memcpy(upper, orders, s->count);
		LP_PUSH(&s->refutations, (struct lp_orders_refutation){ upper, why,
									   answer == LP_ORDERS_UNDECIDED });
	}
	return answer;
}

static bool has_enough(const struct lp_orders_search *s, const struct queue *q)
{
	return s->answers.count && ((s->enough && s->answers.count >= s->enough) ||
				    q->numbers >= (s->room ? s->room : ROOM));
}

/* All of them, cheapest first.  False if the queue is too long before there is any. */
static bool search_all(struct lp_orders_search *s, struct queue *q)
{
	while (q->count && !has_enough(s, q)) {
		const struct entry e = pop(q);
		if (s->most && s->answers.count && e.price > s->most)
			break;
		if (is_above_answer(s, e.orders))
			continue;
		const struct lp_orders_refutation *no = lp_orders_refuted(s, e.orders);
		if (no)
			expand(s, q, e.orders, no->upper);
		else if (ask(s, e.orders) == LP_ORDERS_STOP)
			return true;
		else if (!is_above_answer(s, e.orders))
			push(q, e);
		if (!s->answers.count && q->numbers >= (s->room ? s->room : ROOM))
			return false;
	}
	s->complete = !q->count || (s->most && !has_enough(s, q));
	return true;
}

/* The choice whose order costs most, of those that have not been looked at; `count` if there is none. */
static uint32_t dearest(const struct lp_orders_search *s, const uint8_t *orders, const bool *done)
{
	uint32_t best = s->count;
	uint64_t most = 0;

	for (uint32_t i = 0; i < s->count; i++) {
		const uint64_t price = s->choices[i].price[orders[i]] - s->choices[i].price[s->choices[i].low];
		if (!done[i] && (best == s->count || price > most)) {
			best = i;
			most = price;
		}
	}
	return best;
}

/* Lowers the choice as far as no refutation rules it out. */
static void lower(const struct lp_orders_search *s, uint8_t *orders, uint32_t choice)
{
	enum lp_order next[2];

	for (bool lowered = true; lowered;) {
		const enum lp_order from = (enum lp_order)orders[choice];
		const unsigned count = lp_orders_next(&s->choices[choice], from, next);
		lowered = false;
		for (unsigned n = 0; n < count && !lowered; n++) {
			orders[choice] = (uint8_t)next[n];
			lowered = !lp_orders_refuted(s, orders);
			if (!lowered)
				orders[choice] = (uint8_t)from;
		}
	}
}

/* One that is minimal among those that are not ruled out. */
static void search_one(struct lp_orders_search *s)
{
	uint8_t *orders = lp_arena_alloc(&s->arena, s->count + 1);
	bool *done = lp_arena_alloc(&s->arena, s->count + 1);
	uint32_t choice;

	while (!s->stopped && !s->answers.count) {
		for (uint32_t i = 0; i < s->count; i++)
			orders[i] = (uint8_t)s->choices[i].high;
		if (lp_orders_refuted(s, orders))
			return; /* even the highest is wrong */
		memset(done, 0, s->count);
		while ((choice = dearest(s, orders, done)) < s->count) {
			lower(s, orders, choice);
			done[choice] = true;
		}
		ask(s, orders);
	}
}

void lp_orders_search(struct lp_orders_search *s)
{
	struct queue q = { 0 };
	uint8_t *lowest = lp_arena_alloc(&s->arena, s->count + 1);

	for (uint32_t i = 0; i < s->count; i++)
		lowest[i] = (uint8_t)s->choices[i].low;
	push_new(s, &q, lowest);
	if (!search_all(s, &q))
		search_one(s);
	lp_fingerprints_close(&q.seen);
	lp_free(q.at);
}

void lp_orders_search_close(struct lp_orders_search *s)
{
	lp_free(s->answers.at);
	lp_free(s->refutations.at);
	lp_arena_close(&s->arena);
}
