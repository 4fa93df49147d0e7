/* tree.c -- trees of work for simulate.c. */
#include "tree.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/vec.h"
#include "explore/sample/rng.h"

/* What is in the place of a graph: `count` graphs from `first` of the recording on. */
struct part {
	uint64_t before; /* graphs of the tree before it */
	uint32_t first, count;
};

struct tree {
	uint16_t *depth;   /* of the recording */
	uint32_t *least;   /* a heap-shaped tree of minima: the leftmost place of the smallest number */
	uint32_t leaves, count;
	struct part *part; /* NULL: it is the recording */
	uint32_t *near;    /* the part that has graph size / count * i: near to the others, which are found from there */
	uint64_t size;
};

/* ---- the recording ---- */

static uint32_t lower(const struct tree *t, uint32_t a, uint32_t b)
{
	if (a >= t->count || b >= t->count)
		return a < t->count ? a : b;
	return t->depth[b] < t->depth[a] || (t->depth[b] == t->depth[a] && b < a) ? b : a;
}

struct tree *tree_make(const uint16_t *depth, uint64_t count)
{
	struct tree *t = lp_realloc(NULL, sizeof *t);

	*t = (struct tree){ .count = (uint32_t)count, .leaves = 1, .size = count };
	while (t->leaves < count)
		t->leaves *= 2;
	t->depth = lp_realloc(NULL, sizeof *depth * (count + 1));
	memcpy(t->depth, depth, sizeof *depth * count);
	t->least = lp_realloc(NULL, sizeof *t->least * 2 * t->leaves);
	for (uint32_t i = 0; i < t->leaves; i++)
		t->least[t->leaves + i] = i;
	for (uint32_t i = t->leaves; i-- > 1;)
		t->least[i] = lower(t, t->least[2 * i], t->least[2 * i + 1]);
	return t;
}

void tree_close(struct tree *t)
{
	lp_free(t->depth);
	lp_free(t->least);
	lp_free(t->part);
	lp_free(t->near);
	lp_free(t);
}

/* The leftmost place of the smallest number in [from, end); `end` if that is empty. */
static uint32_t least_in(const struct tree *t, uint32_t from, uint32_t end)
{
	uint32_t best = UINT32_MAX;

	if (from >= end)
		return end;
	for (uint32_t a = from + t->leaves, b = end + t->leaves; a < b; a /= 2, b /= 2) {
		if (a % 2)
			best = lower(t, best, t->least[a++]);
		if (b % 2)
			best = lower(t, best, t->least[--b]);
	}
	return best;
}

/* ---- enlarged ---- */

/* The end of the subtree that begins with each graph: the next one that is as near to the root. */
static uint32_t *subtree_ends(const struct tree *t)
{
	uint32_t *end = lp_realloc(NULL, sizeof *end * t->count);

	for (uint32_t i = t->count; i-- > 0;) {
		end[i] = i + 1;
		while (end[i] < t->count && t->depth[end[i]] > t->depth[i])
			end[i] = end[end[i]];
	}
	return end;
}

/* Where graphs are looked for: as many places as there are parts. */
static void note_places(struct tree *t)
{
	t->near = lp_realloc(NULL, sizeof *t->near * (t->count + 2));
	for (uint32_t i = 0, part = 0; i <= t->count + 1; i++) {
		const uint64_t graph = (uint64_t)((double)t->size / t->count * i);
		while (part + 1 < t->count && t->part[part + 1].before <= graph)
			part++;
		t->near[i] = part;
	}
}

struct tree *tree_enlarge(const struct tree *recorded, double graphs, uint64_t seed)
{
	struct tree *t = tree_make(recorded->depth, recorded->count);
	struct lp_rng rng = { seed };
	const double each = graphs / t->count;
	const uint32_t most = each * 50 < t->count ? (uint32_t)(each * 50) + 1 : t->count;
	uint32_t *end = subtree_ends(t);
	uint64_t sum = 0;

	/* Subtrees are as they are met; repeated draws make their average as large as is asked for. */
	t->part = lp_realloc(NULL, sizeof *t->part * (t->count + 1));
	for (uint32_t i = 0; i < t->count; i++) {
		struct part best = { sum, i, 1 };
		for (uint32_t tries = 0; (double)(sum + best.count) < each * (i + 1) && tries < 4096; tries++) {
			const uint32_t first = lp_rng_below(&rng, t->count), whole = end[first] - first, count = whole < most ? whole : most;
			if (count > best.count)
				best = (struct part){ sum, first, count };
		}
		t->part[i] = best;
		sum += best.count;
	}
	t->part[t->count] = (struct part){ sum, 0, 0 };
	t->size = sum;
	lp_free(end);
	note_places(t);
	return t;
}

uint64_t tree_size(const struct tree *t)
{
	return t->size;
}

/* The part that has the graph. */
static uint32_t part_of(const struct tree *t, uint64_t graph)
{
	const double place = (double)graph * t->count / (double)t->size;
	/* One place more on both sides, for what is rounded. */
	uint32_t low = place < 1 ? 0 : t->near[(uint32_t)place - 1], high = t->near[(uint32_t)place + 2 < t->count ? (uint32_t)place + 2 : t->count + 1] + 1;

	while (high - low > 1) {
		const uint32_t middle = low + (high - low) / 2;
		if (t->part[middle].before <= graph)
			low = middle;
		else
			high = middle;
	}
	assert(t->part[low].before <= graph && graph < t->part[low + 1].before);
	return low;
}

uint64_t tree_split(const struct tree *t, uint64_t from, uint64_t end)
{
	if (from + 1 >= end)
		return end;
	if (!t->part)
		return least_in(t, (uint32_t)from + 1, (uint32_t)end);
	const uint32_t a = part_of(t, from), b = part_of(t, end - 1);
	/* A part that begins after `from`, if there is one, is nearer to the root than what is inside of parts. */
	if (a < b)
		return t->part[least_in(t, a + 1, b + 1)].before;
	const struct part *p = &t->part[a];
	const uint32_t at = p->first + (uint32_t)(from - p->before), until = p->first + (uint32_t)(end - p->before);
	return p->before + (least_in(t, at + 1, until) - p->first);
}

/* ---- files ---- */

bool tree_write(const char *file, const uint16_t *depth, uint64_t count)
{
	FILE *out = fopen(file, "wb");
	const bool good = out && fwrite(depth, sizeof *depth, count, out) == count;

	if (!out || fclose(out) || !good) {
		fprintf(stderr, "cannot write '%s': %s\n", file, strerror(errno));
		return false;
	}
	return true;
}

struct tree *tree_read(const char *file)
{
	struct { LP_VEC(uint16_t); } depth = { 0 };
	FILE *in = fopen(file, "rb");
	uint16_t one;

	if (!in) {
		fprintf(stderr, "cannot read '%s': %s\n", file, strerror(errno));
		return NULL;
	}
	while (fread(&one, sizeof one, 1, in) == 1)
		LP_PUSH(&depth, one);
	fclose(in);
	struct tree *t = depth.count ? tree_make(depth.at, depth.count) : NULL;
	if (!t)
		fprintf(stderr, "cannot read '%s': it is empty\n", file);
	lp_free(depth.at);
	return t;
}
