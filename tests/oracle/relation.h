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
#define MAX_EVENTS 48 /* up to 128, or 256, or 512 */
#endif

/* Of events.  Operators are &, | and ~; what else there is to be done with a set has a function. */
#if MAX_EVENTS <= 64
typedef uint64_t set;
#define SET_NONE ((set)0)
#elif MAX_EVENTS <= 128
typedef unsigned __int128 set;
#define SET_NONE ((set)0)
#else
enum { SET_WORDS = MAX_EVENTS / 64 };
typedef uint64_t set __attribute__((vector_size(8 * SET_WORDS)));
#define SET_NONE ((set){ 0 })
#endif

struct rel {
	set row[MAX_EVENTS]; /* row[a] = { b | (a, b) in the relation } */
};

#define REL_NONE ((struct rel){ { SET_NONE } })

#if MAX_EVENTS <= 128

static inline set set_of(unsigned e)
{
	return (set)1 << e;
}

static inline bool set_any(set s)
{
	return s != 0;
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

/* Without its first element. */
static inline set set_rest(set s)
{
	return s & (s - 1);
}

static inline bool in(set s, unsigned e)
{
	return s >> e & 1;
}

#else

static inline set set_of(unsigned e)
{
	set s = SET_NONE;
	s[e / 64] = UINT64_C(1) << e % 64;
	return s;
}

static inline bool set_any(set s)
{
	uint64_t all = 0;
	for (unsigned i = 0; i < SET_WORDS; i++)
		all |= s[i];
	return all;
}

static inline unsigned set_first(set s)
{
	unsigned i = 0;
	while (!s[i])
		i++;
	return 64 * i + (unsigned)__builtin_ctzll(s[i]);
}

static inline set set_rest(set s)
{
	return s & ~set_of(set_first(s));
}

static inline bool in(set s, unsigned e)
{
	return s[e / 64] >> e % 64 & 1;
}

#endif

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
	struct rel r = REL_NONE;
	for (unsigned i = 0; i < MAX_EVENTS; i++)
		for (set rest = a->row[i]; set_any(rest); rest = set_rest(rest))
			r.row[i] |= b->row[set_first(rest)];
	return r;
}

static inline struct rel rel_inverse(const struct rel *a)
{
	struct rel r = REL_NONE;
	for (unsigned i = 0; i < MAX_EVENTS; i++)
		for (set rest = a->row[i]; set_any(rest); rest = set_rest(rest))
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
		r.row[i] = in(from, i) ? a->row[i] & to : SET_NONE;
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
	set left = SET_NONE;

	for (unsigned i = 0; i < MAX_EVENTS; i++)
		left |= set_any(a->row[i]) ? set_of(i) : SET_NONE;
	*r = REL_NONE;
	for (bool more = true; set_any(left) && more;) {
		more = false;
		for (unsigned i = MAX_EVENTS; i-- > 0;) {
			if (!in(left, i) || set_any(a->row[i] & left))
				continue;
			for (set rest = a->row[i]; set_any(rest); rest &= ~r->row[i])
				r->row[i] |= set_of(set_first(rest)) | r->row[set_first(rest)];
			left &= ~set_of(i);
			more = true;
		}
	}
	return !set_any(left);
}

/* a+ */
static inline struct rel rel_plus(const struct rel *a)
{
	struct rel r;
	if (rel_plus_acyclic(a, &r))
		return r;
	r = *a;
	for (unsigned k = 0; k < MAX_EVENTS; k++)
		for (unsigned i = 0; set_any(r.row[k]) && i < MAX_EVENTS; i++)
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
