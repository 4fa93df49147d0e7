/* telling.c -- sends local states, sets and states to other peers, and receives them. */
#include "explore/state/shared/telling.h"

#include <string.h>

#include "base/error.h"
#include "explore/state/state_heap.h"

void lp_telling_open(struct lp_telling *t, struct lp_named_sets *sets, uint32_t peers)
{
	*t = (struct lp_telling){ .sets = sets, .agreed_sets = sets->origins.count, .count = peers,
				  .peers = lp_alloc_zero(peers, sizeof *t->peers) };
}

void lp_telling_close(struct lp_telling *t)
{
	for (uint32_t i = 0; i < t->count; i++) {
		lp_free(t->peers[i].locals.at);
		lp_free(t->peers[i].sets.at);
		lp_free(t->peers[i].local_here.at);
		lp_free(t->peers[i].set_here.at);
	}
	lp_free(t->peers);
	*t = (struct lp_telling){ .count = 0 };
}

static void put_u32(struct lp_bytes *out, uint32_t n)
{
	lp_bytes_put(out, &n, sizeof n);
}

static void put_u64(struct lp_bytes *out, uint64_t n)
{
	lp_bytes_put(out, &n, sizeof n);
}

static void put_tag(struct lp_bytes *out, enum lp_told_tag tag)
{
	lp_bytes_put(out, &(uint8_t){ (uint8_t)tag }, 1);
}

/* ---- telling ---- */

static bool is_agreed(const struct lp_state_search *s, lp_local local)
{
	return local < s->a.agreed_locals || !s->a.processes->class->name;
}

void lp_telling_local(struct lp_telling *t, const struct lp_state_search *s, uint32_t to, struct lp_bytes *out, lp_local local)
{
	struct lp_told *told = &t->peers[to];

	if (is_agreed(s, local))
		return;
	const uint32_t index = local - s->a.agreed_locals;
	while (told->locals.count <= index)
		LP_PUSH(&told->locals, 0);
	if (told->locals.at[index])
		return;
	told->locals.at[index] = 1;
	LP_HOLDS(index < s->a.origins.count && s->a.origins.at[index].from < local);
	const struct lp_local_origin *o = &s->a.origins.at[index];
	lp_telling_local(t, s, to, out, o->from);
	put_tag(out, LP_TOLD_LOCAL);
	put_u32(out, local);
	put_u32(out, o->from);
	put_u64(out, lp_automaton_local_key(&s->a, local));
	put_u32(out, o->to != NULL);
	if (o->to)
		lp_bytes_put(out, o->to, 256);
	else
		lp_bytes_put(out, &o->answer, sizeof o->answer);
}

void lp_telling_set(struct lp_telling *t, uint32_t to, struct lp_bytes *out, uint32_t set)
{
	struct lp_told *told = &t->peers[to];

	if (set < t->agreed_sets)
		return;
	const uint32_t index = set - t->agreed_sets;
	while (told->sets.count <= index)
		LP_PUSH(&told->sets, 0);
	if (told->sets.at[index])
		return;
	told->sets.at[index] = 1;
	LP_HOLDS(set < t->sets->origins.count);
	const struct lp_set_origin *o = &t->sets->origins.at[set];
	LP_HOLDS(o->step == LP_SET_BEGINS || o->from < set);
	if (o->step != LP_SET_BEGINS)
		lp_telling_set(t, to, out, o->from);
	put_tag(out, LP_TOLD_SET);
	put_u32(out, set);
	lp_bytes_put(out, o, sizeof *o);
}

static uint32_t changed_words(const struct lp_state_search *s, const struct lp_arrival *a, const uint64_t *words)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < a->words; i++)
		count += words[LP_STATE_PROCESSES + i] != s->a.words.at[i].initial;
	return count;
}

void lp_telling_state(struct lp_telling *t, const struct lp_state_search *s, uint32_t to, struct lp_bytes *out,
		   const struct lp_arrival *a, const uint64_t *words)
{
	for (uint32_t i = 0; i < s->options->processes; i++)
		lp_telling_local(t, s, to, out, (lp_local)words[i]);
	lp_telling_set(t, to, out, a->set);
	put_tag(out, LP_TOLD_STATE);
	put_u64(out, a->seq);
	lp_bytes_put(out, a, sizeof *a);
	lp_bytes_put(out, words, sizeof *words * s->options->processes);
	put_u32(out, changed_words(s, a, words));
	for (uint32_t i = 0; i < a->words; i++) {
		if (words[LP_STATE_PROCESSES + i] == s->a.words.at[i].initial)
			continue;
		put_u64(out, s->a.words.at[i].address);
		put_u64(out, words[LP_STATE_PROCESSES + i]);
	}
}

/* ---- hearing ---- */

static lp_local local_here(const struct lp_telling *t, const struct lp_state_search *s, uint32_t from, lp_local local)
{
	if (is_agreed(s, local))
		return local;
	LP_HOLDS(local - s->a.agreed_locals < t->peers[from].local_here.count && t->peers[from].local_here.at[local - s->a.agreed_locals]);
	return t->peers[from].local_here.at[local - s->a.agreed_locals] - 1;
}

uint32_t lp_telling_set_here(const struct lp_telling *t, uint32_t from, uint32_t set)
{
	LP_HOLDS(set < t->agreed_sets || set - t->agreed_sets < t->peers[from].set_here.count);
	LP_HOLDS(set < t->agreed_sets || t->peers[from].set_here.at[set - t->agreed_sets]);
	return set < t->agreed_sets ? set : t->peers[from].set_here.at[set - t->agreed_sets] - 1;
}

static void hear_local(struct lp_telling *t, struct lp_state_search *s, uint32_t from, struct lp_cursor *in)
{
	struct lp_told *told = &t->peers[from];
	const lp_local theirs = lp_cursor_u32(in), parent = local_here(t, s, from, lp_cursor_u32(in));
	const uint64_t key = lp_cursor_u64(in);
	struct lp_response answer;
	uint8_t to[256];
	lp_local local;

	if (lp_cursor_u32(in)) {
		lp_cursor_get(in, to, sizeof to);
		lp_automaton_slots(&s->a, parent);
		local = lp_automaton_moved(&s->a, parent, to);
	} else {
		lp_cursor_get(in, &answer, sizeof answer);
		local = lp_automaton_next(&s->a, parent, &answer);
	}
	if (lp_automaton_local_key(&s->a, local) != key)
		LP_BUG("a local state of peer %u is another one here", from);
	while (told->local_here.count <= theirs - s->a.agreed_locals)
		LP_PUSH(&told->local_here, 0);
	told->local_here.at[theirs - s->a.agreed_locals] = local + 1;
}

static void hear_of_set(struct lp_telling *t, uint32_t from, struct lp_cursor *in)
{
	struct lp_told *told = &t->peers[from];
	const uint32_t theirs = lp_cursor_u32(in);
	struct lp_set_origin origin;

	lp_cursor_get(in, &origin, sizeof origin);
	if (origin.step != LP_SET_BEGINS)
		origin.from = lp_telling_set_here(t, from, origin.from);
	const uint32_t set = lp_named_sets_take(t->sets, &origin);
	if (set >= LP_MONITOR_DOUBTS)
		LP_BUG("peer %u has a set that there cannot be", from);
	while (told->set_here.count <= theirs - t->agreed_sets)
		LP_PUSH(&told->set_here, 0);
	told->set_here.at[theirs - t->agreed_sets] = set + 1;
}

bool lp_telling_next(struct lp_telling *t, struct lp_state_search *s, uint32_t from, struct lp_cursor *in, uint64_t *seq)
{
	uint8_t tag;

	while (in->left) {
		lp_cursor_get(in, &tag, 1);
		if (tag == LP_TOLD_LOCAL) {
			hear_local(t, s, from, in);
		} else if (tag == LP_TOLD_SET) {
			hear_of_set(t, from, in);
		} else {
			LP_HOLDS(tag == LP_TOLD_STATE);
			*seq = lp_cursor_u64(in);
			return true;
		}
	}
	return false;
}

/* A word of a block is also entered into the tables of its slot (state_heap.h). */
static uint32_t word_here(struct lp_state_search *s, uintptr_t address)
{
	const uint8_t slot = lp_automaton_slot(&s->a, address);

	if (slot == LP_NO_SLOT)
		return lp_automaton_word(&s->a, address);
	const uintptr_t block = lp_block_at(s, slot);
	return address < block ? lp_head_word(s, slot) : lp_body_word(s, slot, (uint32_t)((address - block) / 8));
}

void lp_telling_hear(struct lp_telling *t, struct lp_state_search *s, uint32_t from, struct lp_cursor *in, struct lp_arrival *a,
		   struct lp_snapshot *n)
{
	lp_cursor_get(in, a, sizeof *a);
	n->set = a->set = lp_telling_set_here(t, from, a->set);
	n->words = 0;
	lp_cursor_get(in, n->w, sizeof *n->w * s->options->processes);
	for (uint32_t i = 0; i < s->options->processes; i++)
		lp_set_local(n, i, local_here(t, s, from, (lp_local)n->w[i]));
	for (uint32_t count = lp_cursor_u32(in); count > 0; count--) {
		const uint32_t word = word_here(s, lp_cursor_u64(in));
		lp_search_put(s, n, word, lp_cursor_u64(in), false);
	}
	a->words = n->words;
	LP_VALID(lp_search_fingerprint(s, n).a == a->print.a);
}
