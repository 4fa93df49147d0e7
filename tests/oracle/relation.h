/* relation.h -- relations on few events, as dense bit matrices.
 *
 * For the naive enumerator: every operator of a .cat file is one function that
 * follows its definition, and no function is clever.
 */
#ifndef LP_ORACLE_RELATION_H
#define LP_ORACLE_RELATION_H

#include <stdbool.h>
#include <stdint.h>

#ifndef MAX_EVENTS
#define MAX_EVENTS 48 /* up to 127 */
#endif

/* Of events. */
#if MAX_EVENTS > 64
typedef unsigned __int128 set;
#else
typedef uint64_t set;
#endif

struct rel {
	set row[MAX_EVENTS]; /* row[a] = { b | (a, b) in the relation } */
};

static inline set set_of(unsigned e)
{
	return (set)1 << e;
}

/* Its first element; there is one. */
static inline unsigned set_first(set s)
{
#if MAX_EVENTS > 64
	return (uint64_t)s ? (unsigned)__builtin_ctzll((uint64_t)s) :
			     64 + (unsigned)__builtin_ctzll((uint64_t)(s >> 64));
#else
	return (unsigned)__builtin_ctzll(s);
#endif
}

static inline bool in(set s, unsigned e)
{
	return s >> e & 1;
}

static inline void rel_add(struct rel *r, unsigned a, unsigned b)
{
	r->row[a] |= set_of(b);
}

static inline struct rel rel_union(const struct rel *a, const struct rel *b)
{
	struct rel r;
	for (unsigned i = 0; i < MAX_EVENTS; i++)
		r.row[i] = a->row[i] | b->row[i];
	return r;
}

static inline struct rel rel_meet(const struct rel *a, const struct rel *b)
{
	struct rel r;
	for (unsigned i = 0; i < MAX_EVENTS; i++)
		r.row[i] = a->row[i] & b->row[i];
	return r;
}

static inline struct rel rel_minus(const struct rel *a, const struct rel *b)
{
	struct rel r;
	for (unsigned i = 0; i < MAX_EVENTS; i++)
		r.row[i] = a->row[i] & ~b->row[i];
	return r;
}

/* a ; b */
static inline struct rel rel_then(const struct rel *a, const struct rel *b)
{
	struct rel r = { { 0 } };
	for (unsigned i = 0; i < MAX_EVENTS; i++)
		for (set rest = a->row[i]; rest; rest &= rest - 1)
			r.row[i] |= b->row[set_first(rest)];
	return r;
}

static inline struct rel rel_inverse(const struct rel *a)
{
	struct rel r = { { 0 } };
	for (unsigned i = 0; i < MAX_EVENTS; i++)
		for (set rest = a->row[i]; rest; rest &= rest - 1)
			r.row[set_first(rest)] |= set_of(i);
	return r;
}

/* [s] */
static inline struct rel rel_id(set s)
{
	struct rel r;
	for (unsigned i = 0; i < MAX_EVENTS; i++)
		r.row[i] = s & set_of(i);
	return r;
}

/* [from] ; a ; [to] */
static inline struct rel rel_within(set from, const struct rel *a, set to)
{
	struct rel r;
	for (unsigned i = 0; i < MAX_EVENTS; i++)
		r.row[i] = in(from, i) ? a->row[i] & to : 0;
	return r;
}

/* a? on the events `all` */
static inline struct rel rel_maybe(const struct rel *a, set all)
{
	const struct rel id = rel_id(all);
	return rel_union(a, &id);
}

/* a+, from the events without successors backwards: each has its successors, and what they have.
 * False if that does not get everywhere, which is if there is a cycle. */
static inline bool rel_plus_acyclic(const struct rel *a, struct rel *r)
{
	set left = 0;

	for (unsigned i = 0; i < MAX_EVENTS; i++)
		left |= a->row[i] ? set_of(i) : 0;
	*r = (struct rel){ { 0 } };
	for (bool more = true; left && more;) {
		more = false;
		for (unsigned i = MAX_EVENTS; i-- > 0;) {
			if (!in(left, i) || a->row[i] & left)
				continue;
			for (set rest = a->row[i]; rest; rest &= ~r->row[i])
				r->row[i] |= set_of(set_first(rest)) | r->row[set_first(rest)];
			left &= ~set_of(i);
			more = true;
		}
	}
	return !left;
}

/* a+ */
static inline struct rel rel_plus(const struct rel *a)
{
	struct rel r;
	if (rel_plus_acyclic(a, &r))
		return r;
	r = *a;
	for (unsigned k = 0; k < MAX_EVENTS; k++)
		for (unsigned i = 0; r.row[k] && i < MAX_EVENTS; i++)
			if (in(r.row[i], k))
				r.row[i] |= r.row[k];
	return r;
}

static inline bool rel_irreflexive(const struct rel *a)
{
	for (unsigned i = 0; i < MAX_EVENTS; i++)
		if (in(a->row[i], i))
			return false;
	return true;
}

static inline bool rel_acyclic(const struct rel *a)
{
	struct rel closure;
	return rel_plus_acyclic(a, &closure);
}

#endif
