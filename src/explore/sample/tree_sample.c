/* tree_sample.c -- estimates sums over the nodes of a tree that is too large to be visited. */
#include "explore/sample/tree_sample.h"

#include <string.h>

#include "base/error.h"

static const double LEAST = 0.1, MOST = 1e100; /* bounds on the value that is expected of a node */

void lp_tree_sample_open(struct lp_tree_sample *s, const struct lp_bytes *root)
{
	s->root = *root;
	for (uint32_t c = 0; c < LP_TREE_CLASSES; c++)
		s->expected[c] = 1;
}

static void drop_nodes(struct lp_tree_nodes *nodes)
{
	for (uint32_t i = 0; i < nodes->room; i++)
		lp_free(nodes->at[i].bytes.at);
	lp_free(nodes->at);
}

void lp_tree_sample_close(struct lp_tree_sample *s)
{
	drop_nodes(&s->now);
	drop_nodes(&s->next);
}

/* ---- the children that are kept ---- */

static void swap(struct lp_tree_node *a, struct lp_tree_node *b)
{
	const struct lp_tree_node kept = *a;

	*a = *b;
	*b = kept;
}

static uint32_t sink(struct lp_tree_nodes *h, uint32_t i)
{
	for (uint32_t child = 2 * i + 1; child < h->count; child = 2 * i + 1) {
		if (child + 1 < h->count && h->at[child + 1].priority < h->at[child].priority)
			child++;
		if (h->at[i].priority <= h->at[child].priority)
			break;
		swap(&h->at[i], &h->at[child]);
		i = child;
	}
	return i;
}

static uint32_t rise(struct lp_tree_nodes *h, uint32_t i)
{
	for (; i && h->at[i].priority < h->at[(i - 1) / 2].priority; i = (i - 1) / 2)
		swap(&h->at[i], &h->at[(i - 1) / 2]);
	return i;
}

/* Is the heap in order: is no priority below that of its parent in the heap? */
static bool is_heap(const struct lp_tree_nodes *h)
{
	for (uint32_t i = 1; i < h->count; i++)
		if (h->at[i].priority < h->at[(i - 1) / 2].priority)
			return false;
	return true;
}
/* Makes room for `n` nodes; new ones are empty.  A new node uses the bytes of the old node in its place again. */
static void make_room(struct lp_tree_nodes *nodes, uint32_t n)
{
	const uint32_t before = nodes->room;

	if (n <= before)
		return;
	nodes->at = lp_realloc(nodes->at, sizeof *nodes->at * n);
	memset(nodes->at + before, 0, sizeof *nodes->at * (n - before));
	nodes->room = n;
}

/* A random number in (0, 1]. */
static double uniform(struct lp_rng *rng)
{
	return ((double)(lp_rng_word(rng) >> 11) + 1) * 0x1p-53;
}

struct lp_bytes *lp_tree_offer(struct lp_tree_sample *s, uint32_t class)
{
	struct lp_tree_nodes *h = &s->next;
	const struct lp_tree_node *parent = s->parent;
	const uint32_t c = class < LP_TREE_CLASSES ? class : LP_TREE_CLASSES - 1;
	const double priority = parent->weight * s->expected[c] / uniform(&s->rng);
	uint32_t i;

	s->children[parent->class][c]++;
	LP_HOLDS(h->count <= s->width + 1 && h->room > s->width && parent->weight > 0);
	LP_VALID(is_heap(h));
	if (h->count > s->width) { /* the lowest of width + 1 nodes is not kept, but its priority is */
		if (priority <= h->at[0].priority)
			return NULL;
		i = 0;
	} else {
		i = h->count++;
	}
	h->at[i].class = c;
	h->at[i].weight = parent->weight;
	h->at[i].priority = priority;
	return &h->at[i ? rise(h, i) : sink(h, i)].bytes;
}

/* Makes the children the generation to be visited. */
static void advance(struct lp_tree_sample *s)
{
	struct lp_tree_nodes *h = &s->next;

	if (h->count > s->width) {
		const double threshold = h->at[0].priority;
		swap(&h->at[0], &h->at[--h->count]);
		for (uint32_t i = 0; i < h->count; i++) {
			LP_HOLDS(h->at[i].priority >= threshold && s->expected[h->at[i].class] > 0);
			const double least = threshold / s->expected[h->at[i].class];
			if (h->at[i].weight < least)
				h->at[i].weight = least;
		}
	}
	const struct lp_tree_nodes old = s->now;
	s->now = *h;
	*h = old;
	h->count = 0;
}

/* ---- what is expected of children ---- */

/* The expected value of a node of class c, if its children are as on average.  For a class that was never met, it is that of the
 * class before. */
static double expect(const struct lp_tree_sample *s, uint32_t c, double before)
{
	double sum = s->own[c];

	if (s->visits[c] <= 0)
		return before;
	for (uint32_t d = 0; d < LP_TREE_CLASSES; d++)
		sum += s->children[c][d] * s->expected[d];
	sum /= s->visits[c];
	return sum < LEAST ? LEAST : sum > MOST ? MOST : sum;
}

/* Computes the expected values, by summing over as many generations as there were. */
static void learn(struct lp_tree_sample *s)
{
	double after[LP_TREE_CLASSES];

	for (uint32_t c = 0; c < LP_TREE_CLASSES; c++)
		s->expected[c] = 1;
	for (uint32_t g = 0; g < s->generations; g++) {
		for (uint32_t c = 0; c < LP_TREE_CLASSES; c++)
			after[c] = expect(s, c, c ? after[c - 1] : 1);
		memcpy(s->expected, after, sizeof after);
	}
}

/* ---- rounds ---- */

static bool visit_all(struct lp_tree_sample *s, double *sum)
{
	for (uint32_t i = 0; i < s->now.count; i++) {
		double value[LP_TREE_VALUES] = { 0 };
		s->parent = &s->now.at[i];
		s->visits[s->parent->class]++;
		s->visited++;
		if (!s->visit(s, &s->parent->bytes, value))
			return false;
		s->own[s->parent->class] += value[LP_TREE_VALUES - 1];
		for (uint32_t v = 0; v < LP_TREE_VALUES; v++)
			sum[v] += s->parent->weight * value[v];
	}
	return true;
}

bool lp_tree_round(struct lp_tree_sample *s, double *sum)
{
	make_room(&s->now, s->width + 1);
	make_room(&s->next, s->width + 1);
	s->now.count = s->next.count = 0;
	struct lp_bytes *first = &s->now.at[s->now.count++].bytes;
	first->count = 0;
	LP_RESERVE(first, s->root.count);
	memcpy(first->at, s->root.at, s->root.count);
	first->count = s->root.count;
	s->now.at[0].weight = 1;
	s->now.at[0].class = 0;
	memset(sum, 0, sizeof *sum * LP_TREE_VALUES);
	for (uint32_t g = 1; s->now.count; g++, advance(s)) {
		if (!visit_all(s, sum))
			return false;
		s->generations = g > s->generations ? g : s->generations;
	}
	learn(s);
	return true;
}
