/* item.c -- work that can be sent to another process.
 *
 * For each frame:
 *
 *     header
 *     lists of operations, locations and live states, which have numbers
 *     events, in which these numbers are positions in the lists
 *     clocks, as wide as there are threads
 *     sequence of operations
 *     marks, also with positions in the lists
 *     choices
 */
#include "explore/parallel/item.h"
#include "base/error.h"
#include "ranks/records.h"
#include "explore/graph/grow.h"

#include <assert.h>
#include <string.h>

struct header {
	double share, visited;
	uint32_t ops, locs, lives, events, threads, seq, marks;
	uint32_t choices;
	lp_eid half, read;
	bool at_choice, more; /* at_choice: the walk continues with the choices; more: another frame
	                       * follows */
};

/* The part of a frame that is written: the numbers of its events, completed operations and marks. */
struct part {
	const struct lp_frame *frame;
	uint32_t events, seq, marks;
	lp_eid half;
	lp_eid read, without_rf; /* the read that was revisited; a read whose rf is not in the item */
	const struct lp_choice *choices;
	uint32_t choice_count;
	double share, visited;
	bool at_choice, more;
};

struct location {
	uintptr_t address;
	uint32_t size;
	uint16_t uninitialised;
	struct lp_value initial;
};

/* Maps numbers of the explorer to positions in a list: number at[i] has position i. */
struct list {
	LP_VEC(uint32_t);
};

struct lists {
	struct list ops, locs, lives;
};

/* Returns the position of a number. Graphs have few numbers, so a linear search is cheaper than a
 * table. */
static uint32_t position(struct list *list, uint32_t number)
{
	for (uint32_t i = list->count; i-- > 0;)
		if (list->at[i] == number)
			return i;
	LP_PUSH(list, number);
	return list->count - 1;
}

/* The event with positions instead of numbers. */
static struct lp_event portable(const struct lp_event *e, struct lists *lists)
{
	struct lp_event p = *e;

	p.op = position(&lists->ops, e->op);
	p.loc = lp_event_is_access(e) ? position(&lists->locs, e->loc) : UINT32_MAX;
	LP_HOLDS(!lp_event_is_access(e) || e->loc != UINT32_MAX);
	return p;
}

static struct lp_note portable_note(const struct lp_note *note, struct lists *lists)
{
	struct lp_note p = *note;

	p.live = note->live ? 1 + position(&lists->lives, note->live) : 0;
	p.uid = 0;
	return p;
}

static void put_lists(struct lp_bytes *to, const struct lp_explorer *x, const struct lp_graph *g,
		      const struct lists *lists)
{
	for (uint32_t i = 0; i < lists->ops.count; i++)
		lp_bytes_put(to, &x->ops.op.at[lists->ops.at[i]].op, sizeof(struct lp_op));
	for (uint32_t i = 0; i < lists->locs.count; i++) {
		const struct lp_known_loc *known = &x->ops.loc.at[lists->locs.at[i]];
		const struct lp_loc *loc = &g->locs.at[lists->locs.at[i]];
		struct location l;
		memset(&l, 0, sizeof l);
		l.address = known->address;
		l.size = known->size;
		l.uninitialised = loc->uninitialised;
		l.initial = loc->initial;
		lp_bytes_put(to, &l, sizeof l);
	}
	for (uint32_t i = 0; i < lists->lives.count; i++)
		lp_bytes_put(to, &x->ops.live.at[2 * (lists->lives.at[i] - 1)], 2 * sizeof(uint64_t));
}

/* One more than the largest id of a thread that occurs in an event. */
static uint32_t count_threads(const struct lp_graph *g, uint32_t events)
{
	uint32_t n = 1;

	for (lp_eid e = 0; e < events; e++) {
		const struct lp_event *ev = lp_graph_event(g, e);
		if (ev->thread >= n)
			n = ev->thread + 1;
		if (ev->kind == LP_EV_SPAWN && ev->target >= n)
			n = ev->target + 1;
	}
	return n;
}

static uint32_t write_events(const struct lp_graph *g, uint32_t events, lp_eid without_rf,
			     struct lists *lists, struct lp_bytes *to)
{
	const uint32_t threads = count_threads(g, events);

	LP_HOLDS(events <= g->ev.count && threads <= g->width);

	for (lp_eid e = 0; e < events; e++) {
		struct lp_event p = portable(lp_graph_event(g, e), lists);
		if (e == without_rf)
			p.rf = LP_NO_EVENT;
		assert(p.kind != LP_EV_READ || p.rf < events || p.rf >= LP_INIT);
		lp_bytes_put(to, &p, sizeof p);
	}
	for (lp_eid e = 0; e < events; e++) {
		const struct lp_note p = portable_note(lp_graph_note(g, e), lists);
		lp_bytes_put(to, &p, sizeof p);
	}
	for (size_t i = 0; i < 3 * (size_t)events; i++)
		lp_bytes_put(to, g->clocks + i * g->width, sizeof *g->clocks * threads);
	return threads;
}

static struct header header_of(const struct part *p, const struct lists *lists, uint32_t threads)
{
	struct header h;

	memset(&h, 0, sizeof h);
	h.share = p->share;
	h.visited = p->visited;
	h.ops = lists->ops.count;
	h.locs = lists->locs.count;
	h.lives = lists->lives.count;
	h.events = p->events;
	h.threads = threads;
	h.seq = p->seq;
	h.marks = p->marks;
	h.choices = p->choice_count;
	h.half = p->half;
	h.read = p->read;
	h.at_choice = p->at_choice;
	h.more = p->more;
	return h;
}

static void put_part(struct lp_explorer *x, const struct part *p, struct lp_bytes *to)
{
	const struct lp_frame *f = p->frame;
	LP_HOLDS(p->seq <= f->seq.count && p->marks <= f->marks.count && p->choice_count <= f->choices.count);
	struct lists lists = { 0 };
	struct lp_bytes events = { 0 }, rest = { 0 };

	const uint32_t threads = write_events(&f->g, p->events, p->without_rf, &lists, &events);
	lp_bytes_put(&rest, f->seq.at, sizeof *f->seq.at * p->seq);
	for (uint32_t i = 0; i < p->marks; i++) {
		struct lp_mark m = f->marks.at[i];
		m.loc = position(&lists.locs, m.loc);
		m.op = position(&lists.ops, m.op);
		m.live = 0; /* a number of this process */
		lp_bytes_put(&rest, &m, sizeof m);
	}
	for (uint32_t i = 0; i < p->choice_count; i++) {
		struct lp_choice c = p->choices[i];
		c.proto = portable(&p->choices[i].proto, &lists);
		c.note = portable_note(&p->choices[i].note, &lists);
		lp_bytes_put(&rest, &c, sizeof c);
	}
	const struct header h = header_of(p, &lists, threads);
	lp_bytes_put(to, &h, sizeof h);
	put_lists(to, x, &f->g, &lists);
	lp_bytes_put(to, events.at, events.count);
	lp_bytes_put(to, rest.at, rest.count);
	lp_free(events.at);
	lp_free(rest.at);
	lp_free(lists.ops.at);
	lp_free(lists.locs.at);
	lp_free(lists.lives.at);
}

/* The whole frame. */
static struct part whole(const struct lp_frame *f)
{
	return (struct part){ .frame = f, .events = f->g.ev.count, .seq = f->seq.count, .marks = f->marks.count,
			      .half = f->half, .read = LP_NO_EVENT, .without_rf = LP_NO_EVENT, .share = 1 };
}

void lp_item_write(struct lp_explorer *x, const struct lp_frame *f, const struct lp_choice *c,
		   double share, double visited, struct lp_bytes *to)
{
	struct part p = whole(f);

	p.share = share;
	p.visited = visited;
	if (c) {
		LP_HOLDS(c >= f->choices.at && c < f->choices.at + f->choices.count && c->event + c->revisiting <= f->g.ev.count);
		/* The part before the choice. A write that revisits is included, because its
		 * revisits are the alternatives. */
		p.events = c->event + c->revisiting;
		p.seq = c->seq + c->revisiting;
		p.marks = c->marks;
		p.half = LP_NO_EVENT;
		if (c->kind == LP_CHOICE_REVISIT)
			p.read = p.without_rf = f->read;
		p.choices = c;
		p.choice_count = 1;
		p.at_choice = true;
	}
	to->count = 0;
	put_part(x, &p, to);
	LP_AGREES(lp_item_is_whole(to->at, to->count));
}

void lp_item_write_rest(struct lp_explorer *x, struct lp_bytes *to)
{
	LP_HOLDS(x->depth);
	to->count = 0;
	for (uint32_t d = 0; d < x->depth; d++) {
		const struct lp_frame *f = x->frames.at[d];
		struct part p = whole(f);
		p.read = f->read;
		p.choices = f->choices.at;
		p.choice_count = f->choices.count;
		p.share = x->walk.share;
		p.visited = x->walk.visited;
		p.at_choice = true;
		p.more = d + 1 < x->depth;
		put_part(x, &p, to);
	}
	LP_AGREES(lp_item_is_whole(to->at, to->count));
}

void lp_item_write_root(struct lp_bytes *to)
{
	struct header h;

	memset(&h, 0, sizeof h);
	h.share = 1;
	h.threads = 1;
	h.half = h.read = LP_NO_EVENT;
	to->count = 0;
	lp_bytes_put(to, &h, sizeof h);
}

static void get(void *to, const uint8_t **from, size_t size)
{
	if (size)
		memcpy(to, *from, size);
	*from += size;
}

/* Gives everything in the lists a number in this explorer. */
static void read_lists(struct lp_explorer *x, struct lp_graph *g, const struct header *h,
		       struct lists *lists, const uint8_t **from)
{
	for (uint32_t i = 0; i < h->ops; i++) {
		struct lp_op op;
		get(&op, from, sizeof op);
		LP_PUSH(&lists->ops, lp_ops_intern(&x->ops, &op));
	}
	for (uint32_t i = 0; i < h->locs; i++) {
		struct location l;
		get(&l, from, sizeof l);
		const uint32_t number = lp_ops_loc(&x->ops, l.address, l.size);
		LP_PUSH(&lists->locs, number);
		lp_graph_need_loc(g, number);
		g->locs.at[number].uninitialised = l.uninitialised;
		g->locs.at[number].initial = l.initial;
		lp_explorer_find_owner(x, &g->locs.at[number], l.address);
		lp_machine_note(&x->machine, l.address, l.size);
	}
	for (uint32_t i = 0; i < h->lives; i++) {
		uint64_t fingerprint[2];
		get(fingerprint, from, sizeof fingerprint);
		LP_PUSH(&lists->lives, lp_ops_live(&x->ops, fingerprint));
	}
}

static struct lp_event local(const struct lp_event *p, const struct lists *lists)
{
	struct lp_event e = *p;

	LP_HOLDS(p->op < lists->ops.count && (!lp_event_is_access(p) || p->loc < lists->locs.count));
	e.op = lists->ops.at[p->op];
	e.loc = lp_event_is_access(p) ? lists->locs.at[p->loc] : UINT32_MAX;
	return e;
}

static struct lp_note local_note(struct lp_explorer *x, const struct lp_note *p, const struct lists *lists)
{
	struct lp_note note = *p;

	LP_HOLDS(p->live <= lists->lives.count);
	note.live = p->live ? lists->lives.at[p->live - 1] : 0;
	note.uid = ++x->uid;
	return note;
}

static void read_events(struct lp_explorer *x, struct lp_graph *g, const struct header *h,
			const struct lists *lists, const uint8_t **from)
{
	const size_t bytes = sizeof *g->clocks * h->threads;

	lp_graph_reserve(g, h->events, h->threads);
	for (lp_eid e = 0; e < h->events; e++) {
		struct lp_event p;
		get(&p, from, sizeof p);
		LP_PUSH(&g->ev, local(&p, lists));
	}
	for (lp_eid e = 0; e < h->events; e++) {
		struct lp_note p;
		get(&p, from, sizeof p);
		g->notes[e] = local_note(x, &p, lists);
	}
	for (size_t i = 0; i < 3 * (size_t)h->events; i++) {
		uint32_t *clock = g->clocks + i * g->width;
		get(clock, from, bytes);
		memset(clock + h->threads, 0, sizeof *clock * (g->width - h->threads));
	}
	LP_HOLDS(g->ev.count == h->events && g->width >= h->threads);
	lp_graph_rebuild(g);
}

/* ---- bytes from elsewhere ---- */

static bool is_event(const struct lp_event *e, const struct header *h)
{
	return e->kind <= LP_EV_END && e->op < h->ops && (!lp_event_is_access(e) || e->loc < h->locs) &&
	       e->thread < h->threads && (e->kind != LP_EV_SPAWN || e->target < h->threads);
}

static bool is_note(const struct lp_note *note, const struct header *h)
{
	return note->live <= h->lives;
}

static bool is_number(uint32_t n, uint32_t count)
{
	return n < count || n == LP_NO_EVENT;
}

/* Fractions of the tree are sums, which may be rounded up. */
static bool is_fraction(double f)
{
	return f >= 0 && f <= 1 + 1e-9;
}

static void look_at_events(struct lp_cursor *r, const struct header *h)
{
	for (lp_eid i = 0; i < h->events && !r->bad; i++) {
		struct lp_event e;
		lp_cursor_get(r, &e, sizeof e);
		r->bad |= !is_event(&e, h) || (e.kind == LP_EV_READ && e.rf != LP_INIT && !is_number(e.rf, h->events));
	}
	for (lp_eid i = 0; i < h->events && !r->bad; i++) {
		struct lp_note note;
		lp_cursor_get(r, &note, sizeof note);
		r->bad |= !is_note(&note, h);
	}
	for (uint32_t i = 0; i < 3 && !r->bad; i++)
		lp_cursor_take(r, sizeof(uint32_t) * h->events * (size_t)h->threads);
}

static void look_at_choices(struct lp_cursor *r, const struct header *h)
{
	for (uint32_t i = 0; i < h->choices && !r->bad; i++) {
		struct lp_choice c;
		lp_cursor_get(r, &c, sizeof c);
		r->bad |= c.kind > LP_CHOICE_REVISIT || c.event > h->events || c.seq > h->seq || c.marks > h->marks ||
			  !is_event(&c.proto, h) || !is_note(&c.note, h);
	}
}

/* Checks a frame. Returns true if another one follows. */
static bool look_at_part(struct lp_cursor *r)
{
	struct header h;

	lp_cursor_get(r, &h, sizeof h);
	r->bad |= !is_fraction(h.share) || !is_fraction(h.visited) || !h.threads || h.threads > UINT16_MAX || !is_number(h.half, h.events) || !is_number(h.read, h.events);
	lp_cursor_take(r, h.ops * sizeof(struct lp_op));
	lp_cursor_take(r, h.locs * sizeof(struct location));
	lp_cursor_take(r, 2 * h.lives * sizeof(uint64_t));
	look_at_events(r, &h);
	for (uint32_t i = 0; i < h.seq && !r->bad; i++) {
		lp_eid e;
		lp_cursor_get(r, &e, sizeof e);
		r->bad |= e >= h.events;
	}
	for (uint32_t i = 0; i < h.marks && !r->bad; i++) {
		struct lp_mark m;
		lp_cursor_get(r, &m, sizeof m);
		r->bad |= m.thread >= h.threads || m.loc >= h.locs || m.op >= h.ops;
	}
	look_at_choices(r, &h);
	return h.more;
}

bool lp_item_is_whole(const uint8_t *from, size_t size)
{
	struct lp_cursor r = { from, size, false };

	while (look_at_part(&r) && !r.bad)
		;
	return lp_cursor_ended(&r);
}

/* ---- reading ---- */

/* Reads a frame, and pushes it above the others. */
static struct header read_part(struct lp_explorer *x, const uint8_t **from)
{
	struct lists lists = { 0 };
	struct header h;
	struct lp_frame *f = lp_explorer_push_frame(x);

	lp_graph_clear(&f->g);
	get(&h, from, sizeof h);
	read_lists(x, &f->g, &h, &lists, from);
	read_events(x, &f->g, &h, &lists, from);
	for (uint32_t i = 0; i < h.seq; i++) {
		lp_eid e;
		get(&e, from, sizeof e);
		LP_PUSH(&f->seq, e);
	}
	for (uint32_t i = 0; i < h.marks; i++) {
		struct lp_mark m;
		get(&m, from, sizeof m);
		m.loc = lists.locs.at[m.loc];
		m.op = lists.ops.at[m.op];
		lp_park_add_mark(f, &m);
	}
	for (uint32_t i = 0; i < h.choices; i++) {
		struct lp_choice c;
		get(&c, from, sizeof c);
		c.proto = local(&c.proto, &lists);
		c.note = local_note(x, &c.note, &lists);
		LP_PUSH(&f->choices, c);
	}
	LP_HOLDS(is_number(h.half, h.events) && is_number(h.read, h.events) && f->seq.count == h.seq);
	f->half = h.half;
	f->read = h.read;
	/* If there are choices, the graph may be incomplete: a revisited read has no rf, or a write no place in
	 * co. */
	LP_VALID(h.choices || lp_graph_validate(&f->g));
	lp_free(lists.ops.at);
	lp_free(lists.locs.at);
	lp_free(lists.lives.at);
	if (x->options->reduce.shifts)
		lp_shifts_learn(x);
	return h;
}

bool lp_item_read(struct lp_explorer *x, const uint8_t *from)
{
	struct header h;

	x->depth = 0;
	x->agree = LP_UNKNOWN;
	do
		h = read_part(x, &from);
	while (h.more);
	LP_HOLDS(is_fraction(h.share) && is_fraction(h.visited) && x->depth);
	x->walk.share = h.share;
	x->walk.visited = h.visited;
	return h.at_choice;
}
