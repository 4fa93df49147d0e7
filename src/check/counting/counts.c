/* counts.c -- counters for labels and places.
 *
 * Spans contain epochs, so they do not change when places shift.  By a shift, some spans may get
 * the same places.  They are joined when the tables have doubled and are compacted.
 */
#include "check/counting/counts.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

enum { LEAST = 64 };

static uint64_t hash(const struct lp_label *l)
{
	uint64_t h = lp_mix((uint64_t)l->method << 8 | (uint64_t)l->pending << 1 | l->results);

	for (uint32_t i = 0; i < l->args; i++)
		h = lp_mix(h ^ (uint64_t)l->arg[i]);
	return l->results ? lp_mix(h ^ (uint64_t)l->result) : h;
}

/* The number of the label, or UINT32_MAX. */
static uint32_t find_label(const struct lp_counts *c, const struct lp_label *label)
{
	struct lp_hash_probe probe = lp_hash_probe(&c->by_label, hash(label));
	uint32_t i;

	while ((i = lp_hash_next(&c->by_label, &probe)) != LP_HASH_NONE)
		if (lp_label_equal(&c->labels.at[i].label, label))
			return i;
	return UINT32_MAX;
}

/* Rebuilds the index after compaction, which renumbers labels. */
static void rebuild_index(struct lp_counts *c)
{
	lp_hash_clear(&c->by_label);
	for (uint32_t i = 0; i < c->labels.count; i++)
		lp_hash_add(&c->by_label, hash(&c->labels.at[i].label), i);
}

void lp_counts_open(struct lp_counts *c, const struct lp_spec *spec, unsigned k, uint32_t copies)
{
	*c = (struct lp_counts){ .spec = *spec, .k = k, .copies = copies,
				 .free_span = LP_NO_SPAN, .compact_at = LEAST };
}

void lp_counts_close(struct lp_counts *c)
{
	lp_free(c->labels.at);
	lp_free(c->spans.at);
	lp_hash_close(&c->by_label);
	*c = (struct lp_counts){ 0 };
}

uint32_t lp_counts_find(const struct lp_counts *c, const struct lp_label *label)
{
	return find_label(c, label);
}

uint64_t lp_counts_number(const struct lp_counts *c, uint32_t label, uint32_t from, uint32_t to)
{
	uint64_t sum = 0;

	for (uint32_t s = c->labels.at[label].spans; s != LP_NO_SPAN; s = c->spans.at[s].next) {
		const struct lp_span *span = &c->spans.at[s];
		/* Open calls end at the last place. */
		const uint32_t end = span->end == LP_SPAN_OPEN ? lp_counts_top(c) :
								 lp_counts_place(c, span->end);
		if (lp_counts_place(c, span->start) == from && end == to)
			sum += span->count;
	}
	return sum;
}

static void add(struct lp_counts *c, uint32_t label, uint64_t start, uint64_t end, uint64_t count)
{
	struct lp_counted *l = &c->labels.at[label];

	for (uint32_t s = l->spans; s != LP_NO_SPAN; s = c->spans.at[s].next)
		if (c->spans.at[s].start == start && c->spans.at[s].end == end) {
			c->spans.at[s].count += count;
			return;
		}
	const struct lp_span span = { start, end, count, l->spans };
	if (c->free_span != LP_NO_SPAN) {
		l->spans = c->free_span;
		c->free_span = c->spans.at[c->free_span].next;
		c->spans.at[l->spans] = span;
	} else {
		l->spans = c->spans.count;
		LP_PUSH(&c->spans, span);
	}
}

/* Removes one open call from the counter.  A compaction may have moved its `start` up. */
static void take(struct lp_counts *c, uint32_t label, uint64_t start)
{
	uint32_t *at = &c->labels.at[label].spans;

	for (; *at != LP_NO_SPAN; at = &c->spans.at[*at].next) {
		struct lp_span *s = &c->spans.at[*at];
		if (s->end != LP_SPAN_OPEN ||
		    lp_counts_place(c, s->start) != lp_counts_place(c, start))
			continue;
		if (--s->count == 0) {
			const uint32_t gone = *at;
			*at = s->next;
			s->next = c->free_span;
			c->free_span = gone;
		}
		return;
	}
}

/* The labels and places of a removed value, by which values are compared. */
struct gone {
	int64_t value;
	uint32_t in[3], out[3]; /* method, from, to */
	uint32_t in_label, out_label;
};

static int by_value(const void *a, const void *b)
{
	const struct gone *x = a, *y = b;
	return (x->value > y->value) - (x->value < y->value);
}

static int by_looks(const void *a, const void *b)
{
	const struct gone *x = a, *y = b;
	const int in = memcmp(x->in, y->in, sizeof x->in);
	return in ? in : memcmp(x->out, y->out, sizeof x->out);
}

/* Does exactly one call have this label, and has it returned? */
static bool is_single(const struct lp_counts *c, const struct lp_counted *l, uint32_t at[3])
{
	if (l->label.pending || l->spans == LP_NO_SPAN)
		return false;
	const struct lp_span *s = &c->spans.at[l->spans];
	if (s->next != LP_NO_SPAN || s->count != 1)
		return false;
	at[0] = l->label.method;
	at[1] = lp_counts_place(c, s->start);
	at[2] = lp_counts_place(c, s->end);
	return true;
}

/* Drops the labels of removed values of which there are enough copies. */
static void drop_copies(struct lp_counts *c)
{
	struct gone *g = lp_alloc(sizeof *g * (c->labels.count + 1));
	uint32_t count = 0, whole = 0;

	for (uint32_t i = 0; i < c->labels.count; i++) {
		struct lp_counted *l = &c->labels.at[i];
		struct gone one = { .in_label = UINT32_MAX, .out_label = UINT32_MAX };
		if (l->spans == LP_NO_SPAN || !lp_label_value(c->spec.kind, &l->label, &one.value))
			continue;
		const unsigned roles = c->spec.kind->methods[l->label.method].roles;
		if ((roles & LP_INSERTS) && is_single(c, l, one.in))
			one.in_label = i;
		else if ((roles & LP_REMOVES) && is_single(c, l, one.out))
			one.out_label = i;
		g[count++] = one; /* a value with other calls cannot be dropped */
	}
	qsort(g, count, sizeof *g, by_value);
	for (uint32_t i = 0, next; i < count; i = next) {
		struct gone both = g[i];
		for (next = i + 1; next < count && g[next].value == g[i].value; next++) {
			if (g[next].in_label != UINT32_MAX) {
				both.in_label = g[next].in_label;
				memcpy(both.in, g[next].in, sizeof both.in);
			}
			if (g[next].out_label != UINT32_MAX) {
				both.out_label = g[next].out_label;
				memcpy(both.out, g[next].out, sizeof both.out);
			}
		}
		if (next == i + 2 && both.in_label != UINT32_MAX && both.out_label != UINT32_MAX)
			g[whole++] = both;
	}
	qsort(g, whole, sizeof *g, by_looks);
	for (uint32_t i = 0, alike = 0; i < whole; i++) {
		alike = i && !by_looks(&g[i - 1], &g[i]) ? alike + 1 : 0;
		if (alike < c->copies)
			continue;
		c->labels.at[g[i].in_label].spans = LP_NO_SPAN;
		c->labels.at[g[i].out_label].spans = LP_NO_SPAN;
	}
	lp_free(g);
}

/* Merges old epochs and equal spans, and removes labels without spans. */
static void compact(struct lp_counts *c)
{
	const uint64_t base = c->now > c->k ? c->now - c->k : 0;
	struct lp_counts old = *c;

	if (c->copies)
		drop_copies(c);
	memset(&c->labels, 0, sizeof c->labels);
	memset(&c->spans, 0, sizeof c->spans);
	c->free_span = LP_NO_SPAN;
	for (uint32_t i = 0; i < old.labels.count; i++) {
		struct lp_counted l = old.labels.at[i];
		uint32_t s = l.spans;
		if (s == LP_NO_SPAN)
			continue;
		l.spans = LP_NO_SPAN;
		LP_PUSH(&c->labels, l);
		for (; s != LP_NO_SPAN; s = old.spans.at[s].next) {
			const struct lp_span *span = &old.spans.at[s];
			add(c, c->labels.count - 1, span->start > base ? span->start : base,
			    span->end > base ? span->end : base, span->count);
		}
	}
	lp_free(old.labels.at);
	lp_free(old.spans.at);
	const uint32_t used = c->labels.count > c->spans.count ? c->labels.count : c->spans.count;
	c->compact_at = 2 * used > LEAST ? 2 * used : LEAST;
	rebuild_index(c);
}

static uint32_t label_id(struct lp_counts *c, const struct lp_label *label)
{
	const uint32_t known = find_label(c, label);

	if (known != UINT32_MAX)
		return known;
	lp_hash_add(&c->by_label, hash(label), c->labels.count);
	LP_PUSH(&c->labels, (struct lp_counted){ *label, LP_NO_SPAN });
	return c->labels.count - 1;
}

uint64_t lp_counts_call(struct lp_counts *c, const struct lp_label *call)
{
	struct lp_label label = *call;

	if (c->labels.count >= c->compact_at || c->spans.count >= c->compact_at)
		compact(c);
	c->events++;
	c->now += c->returned;
	c->returned = false;
	label.pending = true;
	label.results = 0;
	add(c, label_id(c, &label), c->now, LP_SPAN_OPEN, 1);
	return c->now;
}

void lp_counts_return(struct lp_counts *c, uint64_t epoch, const struct lp_label *done)
{
	struct lp_label label = *done;

	if (c->labels.count >= c->compact_at || c->spans.count >= c->compact_at)
		compact(c);
	c->events++;
	c->returned = true;
	label.pending = true;
	label.results = 0;
	take(c, label_id(c, &label), epoch);
	label = *done;
	label.pending = false;
	add(c, label_id(c, &label), epoch, c->now, 1);
}
