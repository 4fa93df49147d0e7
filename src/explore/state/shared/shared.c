/* shared.c -- a search by several peers, which visit the states of each distance together. */
#include "explore/state/shared/shared.h"

#include <string.h>

#include "base/error.h"

#include "explore/state/visited/spill.h"

/* ---- opening ---- */

struct lp_shared *lp_shared_open(const struct lp_state_options *o, const struct lp_state_monitor *monitor)
{
	const uint32_t count = o->ranks ? 2 : o->jobs;

	if (count < 2)
		return NULL;
	struct lp_shared *sh = lp_alloc_zero(1, sizeof *sh);
	lp_named_sets_open(&sh->sets, monitor);
	return sh;
}

static void forget_peers(struct lp_shared *sh)
{
	for (uint32_t i = 0; sh->out && i < sh->peers.count; i++) {
		lp_free(sh->out[i].at);
		lp_free(sh->in[i].at);
	}
	lp_free(sh->out);
	lp_free(sh->in);
	sh->out = sh->in = NULL;
	lp_telling_close(&sh->telling);
	sh->is_split = false;
	sh->origins.count = 0;
	sh->others = 0;
}

void lp_shared_close(struct lp_shared *sh)
{
	if (!sh)
		return;
	lp_learnt_close(&sh->facts);
	lp_named_sets_close(&sh->sets);
	lp_peers_close(&sh->peers);
	lp_free(sh->seqs.at);
	lp_free(sh->origins.at);
	lp_free(sh);
}

void lp_shared_exchange(struct lp_state_search *s)
{
	struct lp_shared *sh = s->shared;

	if (!sh->is_lost && !lp_peers_exchange(&sh->peers, sh->out, sh->in)) {
		sh->is_lost = s->counts->lost = true;
		lp_peers_kill(&sh->peers);
		lp_search_stop(s, "a process of the search was lost");
	}
	for (uint32_t i = 0; i < sh->peers.count; i++) {
		sh->out[i].count = 0;
		if (sh->is_lost)
			sh->in[i].count = 0;
	}
}

static void put_all(struct lp_shared *sh, const void *bytes, size_t size)
{
	for (uint32_t i = 0; i < sh->peers.count; i++)
		if (i != sh->peers.self)
			lp_bytes_put(&sh->out[i], bytes, size);
}

/* ---- separate ways ---- */

static uint32_t owner_of(const struct lp_shared *sh, struct lp_fingerprint print)
{
	return (uint32_t)(print.b % sh->peers.count);
}

/* Of the waiting states, each peer keeps only its own, in the same order. */
static bool keep_own(struct lp_state_search *s, struct lp_snapshot *n)
{
	struct lp_waiting all = s->waiting;
	uint32_t record;
	bool good = true;

	s->waiting = (struct lp_waiting){ .distance = all.distance, .processes = all.processes, .spill = all.spill };
	const uint32_t now = all.distance;
	for (uint32_t d = 0; d <= LP_PATH_ACCESSES; d++, all.distance++)
		for (uint64_t index = 0; lp_waiting_pop(&all, true, n, &record); index++) {
			const struct lp_arrival a = { .print = lp_search_fingerprint(s, n), .set = n->set, .words = n->words,
						      .record.way = 0, .seq = index };
			if (owner_of(s->shared, a.print) == s->shared->peers.self)
				good &= lp_waiting_push(&s->waiting, &a, n->w, d, record);
		}
	s->waiting.parents = now + 1;
	lp_waiting_close(&all);
	return good;
}

/* Have all peers met the same local states, words and sets, with the same numbers? */
static bool agree(struct lp_state_search *s)
{
	struct lp_shared *sh = s->shared;
	struct lp_fingerprint own = LP_FINGERPRINT;
	bool good = true;

	for (uint32_t i = 0; i < s->a.agreed_words; i++)
		lp_fingerprint_word(&own, s->a.words.at[i].address);
	for (lp_local l = 0; s->a.processes->class->name && l < s->a.agreed_locals; l++)
		lp_fingerprint_word(&own, s->a.processes->class->name(s->a.processes, l).a);
	lp_fingerprint_word(&own, sh->agreed_records);
	lp_fingerprint_word(&own, sh->telling.agreed_sets);
	put_all(sh, &own, sizeof own);
	lp_shared_exchange(s);
	for (uint32_t i = 0; i < sh->peers.count; i++)
		good &= i == sh->peers.self || (sh->in[i].count == sizeof own && !memcmp(sh->in[i].at, &own, sizeof own));
	if (!good)
		lp_search_stop(s, "the ranks do not have the same object at the same addresses");
	return good;
}

bool lp_shared_split(struct lp_state_search *s, struct lp_snapshot *n)
{
	struct lp_shared *sh = s->shared;

	if (s->options->ranks) {
		lp_peers_of_ranks(&sh->peers, s->options->ranks);
	} else if (!lp_peers_fork(&sh->peers, s->options->jobs)) {
		lp_search_stop(s, "cannot start the processes of the search (-j)");
		return false;
	}
	if (sh->peers.self && !s->options->ranks &&
	    !(lp_pages_own(&s->visited.pages, s->waiting.spill) && lp_pages_own(&s->records.pages, s->waiting.spill) &&
	      lp_waiting_own(&s->waiting)))
		lp_search_stop(s, "cannot spill (--spill)");
	sh->out = lp_alloc_zero(sh->peers.count, sizeof *sh->out);
	sh->in = lp_alloc_zero(sh->peers.count, sizeof *sh->in);
	lp_telling_open(&sh->telling, &sh->sets, sh->peers.count);
	lp_learnt_open(&sh->facts, s);
	if (s->waiting.spill && !s->options->ranks)
		s->waiting.spill->budget /= sh->peers.count;
	sh->agreed_records = s->records.count;
	sh->is_split = true;
	if (sh->peers.self)
		s->counts->states = s->counts->transitions = s->counts->covered = 0;
	return agree(s) && keep_own(s, n);
}

/* ---- the order of a distance ---- */

/* Finds the places of this peer's states among the states of all peers at this distance. */
static void number_states(struct lp_state_search *s)
{
	struct lp_shared *sh = s->shared;
	struct lp_waiting_key key;

	sh->seqs.count = 0;
	uint64_t own = 0;
	for (uint64_t at = 0; lp_waiting_look(&s->waiting, &at, &key); own++) {
		put_all(sh, &key, sizeof key);
		LP_PUSH(&sh->seqs, own);
	}
	lp_shared_exchange(s);
	for (uint32_t p = 0; p < sh->peers.count; p++) {
		const struct lp_waiting_key *theirs = (const void *)sh->in[p].at;
		const uint32_t count = sh->in[p].count / (uint32_t)sizeof key;
		LP_HOLDS(sh->in[p].count % sizeof key == 0);
		uint32_t before = 0, i = 0;
		for (uint64_t at = 0; lp_waiting_look(&s->waiting, &at, &key); i++) {
			while (before < count && (theirs[before].distance < key.distance ||
						  (theirs[before].distance == key.distance && theirs[before].order < key.order)))
				before++;
			sh->seqs.at[i] += before;
		}
	}
}

/* ---- visits ---- */

static bool seqs_increase(const struct lp_shared *sh)
{
	for (uint32_t i = 1; i < sh->seqs.count; i++)
		if (sh->seqs.at[i - 1] >= sh->seqs.at[i])
			return false;
	return true;
}
static void visit_own(struct lp_state_search *s, struct lp_snapshot *n, uint64_t first)
{
	struct lp_shared *sh = s->shared;

	LP_VALID(seqs_increase(sh));
	lp_waiting_rewind(&s->waiting);
	for (uint32_t i = 0; !s->again && lp_search_within_limits(s) &&
	     lp_waiting_pop(&s->waiting, true, n, &s->step.record); i++) {
		LP_HOLDS(i < sh->seqs.count);
		if (sh->seqs.at[i] < first)
			continue;
		sh->seq = sh->seqs.at[i];
		if (!lp_search_leaves_out(s, s->step.record))
			lp_search_visit(s, n);
		if (s->step.learnt)
			lp_learnt_look(&sh->facts, s, sh->seq, sh->peers.self);
		s->step.learnt = false;
	}
}

/* ---- what happened ---- */

struct happening {
	uint64_t seq;
	uint32_t peer, event;
	uint64_t states;          /* the number of states of the peer so far */
	struct lp_record last;    /* the record that leads to the violation */
	struct lp_set_origin learnt; /* with the peer's own numbers */
	char reason[256];
};

static struct happening own_happening(const struct lp_state_search *s)
{
	const struct lp_shared *sh = s->shared;
	struct happening h;

	memset(&h, 0, sizeof h);
	h.seq = UINT64_MAX;
	h.peer = sh->peers.self;
	h.states = s->counts->states;
	if (!s->again && !s->stopped)
		return h;
	h.seq = sh->seq;
	h.event = s->again ? (sh->sets.has_learnt ? LP_LEARNT_RESULT : LP_STARTS_AGAIN) : s->wrong ? LP_WENT_WRONG : LP_STOPPED;
	h.last = s->way.last;
	h.learnt = sh->sets.learnt;
	if (s->out->reason)
		strncpy(h.reason, s->out->reason, sizeof h.reason - 1);
	return h;
}

/* Restores the search to the state before the event. */
static void undo_happening(struct lp_state_search *s)
{
	struct lp_shared *sh = s->shared;

	if (sh->sets.has_learnt)
		sh->sets.monitor.unlearn(&sh->sets);
	if (sh->is_lost)
		return;
	s->again = s->stopped = s->wrong = s->way.quiet = false;
	s->out->verdict = LP_VERIFIED;
	s->out->reason = s->out->text = s->out->where = NULL;
	s->out->kind = LP_ERROR_NONE;
}

/* Receives the facts of all peers, one after the other, and returns the first event of all. */
static struct happening hear_all(struct lp_state_search *s, struct lp_bytes *facts)
{
	struct lp_shared *sh = s->shared;
	const struct happening own = own_happening(s);
	struct happening first = own;

	sh->others = 0;
	for (uint32_t i = 0; i < sh->peers.count; i++) {
		if (i == sh->peers.self)
			continue;
		if (own.event == LP_LEARNT_RESULT)
			lp_telling_set(&sh->telling, i, &sh->out[i], own.learnt.from);
		lp_bytes_put(&sh->out[i], &(uint8_t){ LP_TOLD_STATE }, 1);
		lp_bytes_put(&sh->out[i], &own.seq, sizeof own.seq);
		lp_bytes_put(&sh->out[i], &own, sizeof own);
		lp_bytes_put(&sh->out[i], sh->facts.log.at, sizeof *sh->facts.log.at * sh->facts.log.count);
	}
	lp_shared_exchange(s);
	lp_bytes_put(facts, sh->facts.log.at, sizeof *sh->facts.log.at * sh->facts.log.count);
	for (uint32_t i = 0; i < sh->peers.count; i++) {
		struct lp_cursor in = { sh->in[i].at, sh->in[i].count, false };
		struct happening h;
		uint64_t seq;
		if (!lp_telling_next(&sh->telling, s, i, &in, &seq))
			continue;
		lp_cursor_get(&in, &h, sizeof h);
		LP_HOLDS(h.peer == i && in.left % sizeof(struct lp_learnt_bit) == 0);
		sh->others += h.states;
		if (h.seq < first.seq || (h.seq == first.seq && h.peer < first.peer))
			first = h;
		lp_bytes_put(facts, in.at, in.left);
	}
	if (first.event == LP_LEARNT_RESULT && first.peer != sh->peers.self)
		first.learnt.from = lp_telling_set_here(&sh->telling, first.peer, first.learnt.from);
	return first;
}

/* Takes back what was learnt and reached from visits of states from `seq` on.  All peers get the facts from
 * visits before. */
static void take_back(struct lp_state_search *s, const struct lp_bytes *facts, uint64_t seq)
{
	const struct lp_learnt_bit *all = (const void *)facts->at;
	struct lp_arrivals *a = &s->arrivals;
	struct lp_shared *sh = s->shared;

	lp_learnt_take_back(&sh->facts, s, seq);
	for (uint32_t i = 0; i < facts->count / sizeof *all; i++)
		if (all[i].seq < seq && all[i].peer != sh->peers.self)
			lp_learnt_apply(&sh->facts, s, &all[i]);
	sh->facts.log.count = 0;
	while (a->heads.count && LP_LAST(&a->heads).seq >= seq) {
		a->words.count = LP_LAST(&a->heads).first;
		a->heads.count--;
		LP_HOLDS(s->counts->transitions);
		s->counts->transitions--;
	}
}

/* ---- states that were reached ---- */

static void tell_all(struct lp_state_search *s, struct lp_arrivals *kept)
{
	struct lp_shared *sh = s->shared;

	for (uint32_t i = 0; i < s->arrivals.heads.count; i++) {
		struct lp_arrival a = s->arrivals.heads.at[i];
		const uint64_t *words = s->arrivals.words.at + a.first;
		const uint32_t owner = owner_of(sh, a.print);
		a.peer = sh->peers.self;
		a.depth = lp_shared_depth(s, a.record.from) + 1;
		if (owner == sh->peers.self)
			lp_arrivals_push(kept, &a, words);
		else
			lp_telling_state(&sh->telling, s, owner, &sh->out[owner], &a, words);
		if (sh->out[owner].count > UINT32_C(1) << 30)
			lp_search_stop(s, "too many states at one distance for the processes of the search");
	}
	s->arrivals.heads.count = s->arrivals.words.count = 0;
}

/* Merges the states that all peers have reached, in the order in which one process would have
 * reached them. */
static void merge(struct lp_state_search *s, struct lp_snapshot *n, const struct lp_arrivals *kept)
{
	struct lp_shared *sh = s->shared;
	const uint32_t count = sh->peers.count;
	struct lp_cursor *in = lp_alloc_zero(count, sizeof *in);
	uint64_t *next = lp_alloc(sizeof *next * count);
	uint32_t own = 0;

	for (uint32_t i = 0; i < count; i++) {
		in[i] = (struct lp_cursor){ sh->in[i].at, sh->in[i].count, false };
		if (!lp_telling_next(&sh->telling, s, i, &in[i], &next[i]))
			next[i] = UINT64_MAX;
	}
	for (;;) {
		struct lp_arrival a;
		uint32_t first = sh->peers.self;
		next[first] = own < kept->heads.count ? kept->heads.at[own].seq : UINT64_MAX;
		for (uint32_t i = 0; i < count; i++)
			first = next[i] < next[first] ? i : first;
		if (next[first] == UINT64_MAX)
			break;
		if (first == sh->peers.self) {
			lp_arrivals_push(&s->arrivals, &kept->heads.at[own], kept->words.at + kept->heads.at[own].first);
			own++;
			continue;
		}
		lp_telling_hear(&sh->telling, s, first, &in[first], &a, n);
		LP_HOLDS(owner_of(sh, a.print) == sh->peers.self);
		LP_HOLDS(!s->arrivals.heads.count || LP_LAST(&s->arrivals.heads).seq <= a.seq);
		lp_arrivals_push(&s->arrivals, &a, n->w);
		if (!lp_telling_next(&sh->telling, s, first, &in[first], &next[first]))
			next[first] = UINT64_MAX;
	}
	lp_free(in);
	lp_free(next);
}

static void deliver(struct lp_state_search *s, struct lp_snapshot *n)
{
	struct lp_arrivals kept = { .heads = { .count = 0 } };

	tell_all(s, &kept);
	lp_shared_exchange(s);
	merge(s, n, &kept);
	lp_arrivals_take(s, true);
	lp_search_leave_out(s);
	lp_free(kept.heads.at);
	lp_free(kept.words.at);
}

/* ---- the whole ---- */

static void obey(struct lp_state_search *s, struct lp_snapshot *n, const struct happening *h)
{
	struct lp_shared *sh = s->shared;

	switch ((enum lp_shared_event)h->event) {
	case LP_NOTHING_HAPPENED:
		break;
	case LP_LEARNT_RESULT:
		lp_named_sets_take(&sh->sets, &h->learnt);
		s->again = true;
		break;
	case LP_STARTS_AGAIN:
		s->again = true;
		break;
	case LP_WENT_WRONG:
		lp_shared_find_wrong(s, n, h->peer, h->last);
		break;
	case LP_STOPPED:
		lp_search_stop(s, lp_arena_strdup(s->arena, h->reason));
		break;
	}
}

void lp_shared_distance(struct lp_state_search *s, struct lp_snapshot *n)
{
	struct lp_shared *sh = s->shared;
	struct lp_bytes facts = { .count = 0 };
	struct happening first;
	uint64_t from = 0, conflict;

	number_states(s);
	sh->seq = 0;
	do {
		visit_own(s, n, from);
		facts.count = 0;
		first = hear_all(s, &facts);
		conflict = lp_learnt_conflict((const void *)facts.at, facts.count / (uint32_t)sizeof(struct lp_learnt_bit));
		if (conflict > first.seq)
			conflict = UINT64_MAX;
		undo_happening(s);
		/* States that were reached from the state with the violation, before the violation,
		 * count, too. */
		from = conflict != UINT64_MAX ? conflict : first.seq == UINT64_MAX ? first.seq : first.seq + 1;
		take_back(s, &facts, from);
	} while (conflict != UINT64_MAX && !s->stopped);
	lp_free(facts.at);
	deliver(s, n);
	obey(s, n, &first);
}

bool lp_shared_advance(struct lp_state_search *s)
{
	struct lp_shared *sh = s->shared;
	uint64_t nearest = lp_waiting_nearest(&s->waiting);

	put_all(sh, &nearest, sizeof nearest);
	lp_shared_exchange(s);
	for (uint32_t i = 0; i < sh->peers.count; i++) {
		struct lp_cursor in = { sh->in[i].at, sh->in[i].count, false };
		const uint64_t theirs = in.left ? lp_cursor_u64(&in) : UINT64_MAX;
		nearest = theirs < nearest ? theirs : nearest;
	}
	if (nearest == UINT64_MAX || sh->is_lost)
		return false;
	LP_HOLDS(nearest > s->waiting.distance);
	lp_waiting_go_to(&s->waiting, (uint32_t)nearest);
	return true;
}

/* ---- the end ---- */

static void sum_counts(struct lp_state_search *s)
{
	struct lp_shared *sh = s->shared;
	struct lp_state_counts *c = s->counts;
	uint64_t own[4] = { c->states, c->transitions, c->covered, s->doubted };

	put_all(sh, own, sizeof own);
	lp_shared_exchange(s);
	for (uint32_t i = 0; i < sh->peers.count; i++) {
		struct lp_cursor in = { sh->in[i].at, sh->in[i].count, false };
		if (!in.left)
			continue;
		c->states += lp_cursor_u64(&in);
		c->transitions += lp_cursor_u64(&in);
		c->covered += lp_cursor_u64(&in);
		s->doubted |= lp_cursor_u64(&in) != 0;
	}
}

/* Adds up the numbers of states by their distance in transitions. */
static void sum_levels(struct lp_state_search *s)
{
	struct lp_shared *sh = s->shared;
	struct lp_state_counts *c = s->counts;

	lp_search_levels(s);
	put_all(sh, c->levels, sizeof *c->levels * c->level_count);
	lp_shared_exchange(s);
	for (uint32_t i = 0; i < sh->peers.count; i++) {
		const uint64_t *theirs = (const void *)sh->in[i].at;
		const uint32_t count = sh->in[i].count / (uint32_t)sizeof *theirs, most = count > c->level_count ? count : c->level_count;
		uint64_t *levels = lp_arena_alloc(s->arena, sizeof *levels * (most + 1));
		for (uint32_t k = 0; k < most; k++)
			levels[k] = (k < count ? theirs[k] : 0) + (k < c->level_count ? c->levels[k] : 0);
		c->levels = levels;
		c->level_count = most;
	}
}

void lp_shared_join(struct lp_state_search *s)
{
	struct lp_shared *sh = s->shared;

	if (!lp_shared_is_split(sh))
		return;
	sum_counts(s);
	if (s->options->levels && !s->again)
		sum_levels(s);
	if (s->waiting.spill && !s->options->ranks)
		s->waiting.spill->budget *= sh->peers.count;
	forget_peers(sh);
	lp_peers_leave(&sh->peers);
}
