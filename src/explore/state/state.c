/* state.c -- the state explorer (state.h).
 *
 * After Liu, Chen, Liu, Sun, Zhang and Dong, "Verifying Linearizability via Optimized
 * Refinement Checking", TSE 2013: the product of the object with its determinised
 * specification is built on the fly.  We add antichains (De Wulf, Doyen, Henzinger and
 * Raskin, CAV 2006), keep fingerprints instead of states, and reduce differently.
 *
 * Transitions.  In a transition one process makes one access to shared memory that another
 * process can observe, or several of them (state_paths.c).  Steps whose time no other process can
 * observe are merged into the transition:
 *   - before the access: the call, if the process was idle.  A later call orders more calls.  So
 *     if the history with the later call is linearizable, the one with the earlier call is, too;
 *   - after the access: the return, for the same reason, as soon as the call has nothing else to do;
 *   - before or after it: fences, yields, choices, and reads of words that no process ever writes.
 *     A word is assumed to be such a word until a process writes it; then the search restarts without
 *     this assumption.
 * If races are errors, a plain access has its own transition even when it is the first of a
 * call.  A race is found when two processes are both about to access the same word, and one of the
 * two accesses is plain and one is a write.  Every race appears in this form in some interleaving.
 *
 * Symmetry.  Processes of a role are sorted by local state, and by what the monitor's set
 * says about them; the set is renamed accordingly.
 */
#include "explore/state/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "explore/clock.h"
#include "explore/state/shared/shared.h"
#include "explore/state/state_heap.h"

/* ---- states ---- */

/* The fingerprint of everything except the set.  Words with their initial value do not contribute,
 * because they may not have been met yet. */
struct lp_fingerprint lp_search_fingerprint(const struct lp_state_search *s, const struct lp_snapshot *n)
{
	struct lp_fingerprint print = LP_FINGERPRINT;

	if (s->exact)
		return lp_exact_name(s->exact, s, n);
	LP_HOLDS(n->words <= s->a.words.count);
	for (uint32_t i = 0; i < n->words; i++) {
		const uint64_t value = n->w[LP_STATE_PROCESSES + i];
		if (value != s->a.words.at[i].initial)
			lp_fingerprint_place(&print, lp_automaton_word_key(&s->a, i), value);
	}
	for (uint32_t i = 0; i < s->options->processes; i++) {
		const uint64_t key = lp_automaton_local_key(&s->a, lp_local_of(n, i));
		lp_fingerprint_word(&print, n->w[i] >> 32 << 32 | (uint32_t)key);
		if (key > UINT32_MAX)
			lp_fingerprint_word(&print, key);
	}
	return lp_fingerprint_end(print);
}

/* Does process `a` come after `b` in an order that is the same in all OS processes that search
 * together? */
static bool comes_after(const struct lp_state_search *s, uint64_t a, uint64_t b)
{
	if (a >> 32 != b >> 32)
		return a > b;
	return lp_automaton_comes_after(&s->a, (lp_local)a, (lp_local)b);
}

/* Sorts processes; `to` gives the new number of each.  Returns false if none has moved. */
static bool sort_processes(struct lp_state_search *s, struct lp_snapshot *n, uint8_t *to)
{
	const struct lp_state_options *o = s->options;
	const struct lp_state_monitor *m = s->monitor;
	uint8_t from[LP_STATE_PROCESSES];
	uint64_t look[LP_STATE_PROCESSES];
	bool looked = false, moved = false;

	for (uint32_t i = 0; i < o->processes; i++)
		from[i] = (uint8_t)i;
	for (uint32_t i = 1; i < o->processes; i++)
		for (uint32_t j = i; j > 0 && o->role[j] == o->role[j - 1]; j--) {
			const uint64_t a = n->w[from[j - 1]], b = n->w[from[j]];
			if (a == b && !lp_process_is_idle(s, n, from[j])) {
				for (uint32_t t = 0; !looked && t < o->processes; t++)
					look[t] = m->look(m->closure, n->set, t);
				looked = true;
				if (look[from[j - 1]] <= look[from[j]])
					break;
			} else if (!comes_after(s, a, b)) {
				break;
			}
			const uint8_t other = from[j];
			from[j] = from[j - 1];
			from[j - 1] = other;
			moved = true;
		}
	if (!moved)
		return false;
	uint64_t w[LP_STATE_PROCESSES];
	for (uint32_t i = 0; i < o->processes; i++) {
		w[i] = n->w[from[i]];
		to[from[i]] = (uint8_t)i;
	}
	memcpy(n->w, w, sizeof *w * o->processes);
	return true;
}

struct lp_fingerprint lp_search_normal(struct lp_state_search *s, struct lp_snapshot *n)
{
	uint8_t to[LP_STATE_PROCESSES];

	if (s->heap.used)
		lp_state_tidy_heap(s, n);
	if (s->options->symmetry)
		sort_processes(s, n, to);
	return lp_search_fingerprint(s, n);
}

/* A transition has been made, to `n`. */
void lp_search_arrive(struct lp_state_search *s, struct lp_snapshot *n, uint32_t accesses)
{
	uint8_t to[LP_STATE_PROCESSES];

	if (s->step.ahead)
		return;
	const uint32_t branch = s->step.branch++;
	LP_HOLDS(s->step.process < s->options->processes && branch < UINT32_C(1) << 24); /* a record has both in one word */
	for (uint32_t i = 0; i < LP_STATE_PROCESSES; i++)
		to[i] = (uint8_t)i;
	if (s->heap.used)
		lp_state_tidy_heap(s, n);
	if (s->options->symmetry && sort_processes(s, n, to))
		n->set = s->monitor->rename(s->monitor->closure, n->set, to);
	LP_VALID(lp_is_permutation(to, s->options->processes));
	if (s->way.wanted) {
		if (branch == s->way.wanted_branch)
			lp_search_found(s, n, to);
		return;
	}
	LP_HOLDS(n->set < LP_MONITOR_DOUBTS);
	s->counts->transitions++;
	const struct lp_fingerprint print = lp_search_fingerprint(s, n);
	const struct lp_arrival arrival = { .print = print, .set = n->set, .words = n->words,
					    .record = { s->step.record, s->step.process << 24 | branch },
					    .accesses = accesses, .seq = s->shared ? s->shared->seq : 0 };
	if (s->graph) {
		if (lp_search_edge(s, n, print, to))
			lp_search_add(s, &arrival, n->w);
		else
			s->counts->covered++;
	} else {
		lp_arrivals_push(&s->arrivals, &arrival, n->w);
		lp_antichains_fetch(&s->visited, print);
	}
}

/* ---- visiting ---- */

/* Are the two processes in the same situation, so that each can do what the other can? */
static bool are_alike(struct lp_state_search *s, const struct lp_snapshot *n, uint32_t a, uint32_t b)
{
	uint8_t to[LP_STATE_PROCESSES];

	if (n->w[a] != n->w[b] || s->options->role[a] != s->options->role[b])
		return false;
	if (lp_process_is_idle(s, n, a))
		return true;
	for (uint32_t i = 0; i < s->options->processes; i++)
		to[i] = (uint8_t)(i == a ? b : i == b ? a : i);
	return s->monitor->rename(s->monitor->closure, n->set, to) == n->set;
}

/* Does every transition have an access, and do transitions of processes in the same situation have the
 * same number of accesses? */
static bool lengths_are_fine(const struct lp_state_search *s)
{
	for (uint32_t i = 0; i < s->options->processes; i++)
		if (!s->step.length[i] || s->step.length[i] > LP_PATH_ACCESSES ||
		    (i && s->step.alike[i] && s->step.length[i] != s->step.length[i - 1]))
			return false;
	return true;
}

void lp_search_look(struct lp_state_search *s, const struct lp_snapshot *n)
{
	for (uint32_t i = 0; i < s->options->processes; i++)
		/* In a search for cycles it matters which process goes on, so none represents another. */
		s->step.alike[i] = s->options->symmetry && !s->graph && i && are_alike(s, n, i - 1, i);
	if (s->options->por && s->options->paths && !s->graph)
		lp_paths_find(s, n);
	else
		memset(s->step.length, 1, sizeof s->step.length);
	LP_VALID(lengths_are_fine(s));
}

/* No process can go on.  Reports a process that the specification does not allow to wait.  An idle process
 * could make a call, but this call would wait at once. */
static void find_stuck(struct lp_state_search *s, const struct lp_snapshot *n)
{
	const struct lp_state_monitor *m = s->monitor;

	for (uint32_t i = 0; i < s->options->processes && !s->stopped; i++) {
		if (!lp_process_is_idle(s, n, i)) {
			if (!m->may_wait(m->closure, n->set, i))
				lp_search_stuck(s, i);
			continue;
		}
		for (uint32_t c = 0; c < s->options->call_count && !s->stopped; c++) {
			if (!lp_state_may_call(s, n, i, &s->options->calls[c]))
				continue;
			const uint32_t set = m->calls(m->closure, n->set, i, c);
			if (set != LP_MONITOR_BARRED && !m->may_wait(m->closure, set, i))
				lp_search_stuck(s, i);
		}
	}
}

bool lp_search_is_stuck(struct lp_state_search *s, const struct lp_snapshot *n)
{
	const struct lp_exploration out = *s->out; /* the functions called here must not change the
	                                            * result */
	uint32_t went = 0;

	s->way.wanted = true;
	s->way.wanted_branch = UINT32_MAX; /* no branch is wanted */
	s->stopped = s->dropped = s->wrong = false;
	lp_search_look(s, n);
	for (uint32_t i = 0; i < s->options->processes; i++) {
		lp_search_process(s, n, i);
		went += s->step.branch;
	}
	s->way.wanted = false;
	if (!went && !s->dropped)
		find_stuck(s, n);
	*s->out = out;
	return s->wrong;
}

void lp_search_visit(struct lp_state_search *s, const struct lp_snapshot *n)
{
	uint32_t went = 0;

	if (s->options->invariants + s->options->teardowns)
		lp_search_quiet(s, n);
	LP_HOLDS(!s->step.ahead && n->set < LP_MONITOR_DOUBTS);
	lp_search_look(s, n);
	s->dropped = false;
	for (uint32_t i = 0; i < s->options->processes && !s->stopped && !s->again; i++) {
		if (s->step.alike[i])
			continue;
		s->dropped &= !s->options->runs;
		lp_search_process(s, n, i);
		went += s->step.branch;
		if (s->options->runs)
			lp_search_able(s, i, s->step.branch, s->dropped);
	}
	if (s->options->runs && !s->stopped && !s->again)
		lp_search_stays(s);
	lp_arrivals_take(s, false);
	if (!went && !s->graph && !s->dropped && !s->stopped && !s->again)
		find_stuck(s, n);
}

void lp_search_begin(struct lp_state_search *s, struct lp_snapshot *n)
{
	n->set = s->monitor->begin(s->monitor->closure);
	n->words = 0;
	memset(n->w, 0, sizeof *n->w * LP_STATE_PROCESSES);
	for (uint32_t i = 0; i < s->options->processes; i++)
		n->w[i] = s->a.processes->idle;
	if (s->heap.used)
		lp_state_tidy_heap(s, n);
}

/* ---- the whole ---- */

/* Reductions that the property does not allow are switched off. */
static void restrict_reductions(struct lp_state_options *own)
{
	own->symmetry &= !lp_freedom_is_fair(own->freedom);
	if (!own->runs)
		return;
	own->symmetry &= own->runs->anonymous && own->runs->fairness == LP_UNFAIR;
	own->por &= !lp_ltl_has_next(own->runs->ltl, own->runs->formula);
}

bool lp_search_within_limits(struct lp_state_search *s)
{
	const struct lp_state_options *o = s->options;

	if ((s->time.visits++ % 1024 && !lp_memory_is_full()) || s->stopped)
		return !s->stopped;
	const double now = lp_clock_seconds();
	if (o->limits.seconds > 0 && now - s->time.start > o->limits.seconds)
		lp_search_stop(s, "time limit reached");
	bool goes_on = true;
	if (o->progress && now - s->time.shown > 0.1) {
		const struct lp_progress progress = { .executions = s->counts->states + (s->shared ? s->shared->others : 0) };
		s->time.shown = now;
		goes_on = o->progress(o->closure, &progress);
	}
	/* The callback may have found that the limit on memory is exceeded. */
	if (lp_memory_is_full())
		lp_search_stop(s, lp_memory_reason());
	if (!goes_on)
		lp_search_stop(s, "stopped");
	return !s->stopped;
}

/* Adds the initial state. */
static void add_first(struct lp_state_search *s, struct lp_snapshot *n)
{
	lp_search_begin(s, n);
	const struct lp_arrival first = { .print = lp_search_fingerprint(s, n), .set = n->set, .words = n->words,
					  .record = { UINT32_MAX, 0 } };

	LP_HOLDS(!s->records.count && !s->arrivals.heads.count && !s->waiting.distance);
	s->counts->states = 0;
	if (s->graph) {
		lp_search_edge(s, n, first.print, NULL);
		lp_search_add(s, &first, n->w);
	} else {
		lp_arrivals_push(&s->arrivals, &first, n->w);
		lp_arrivals_take(s, true);
	}
}

/* Visits the states of a distance; depth first, all states. */
static void visit_distance(struct lp_state_search *s, struct lp_snapshot *n)
{
	while (!s->again && lp_search_within_limits(s) &&
	       lp_waiting_pop(&s->waiting, s->options->shortest, n, &s->step.record)) {
		if (s->graph) {
			lp_search_freedom_early(s);
			lp_state_graph_from(s->graph, s->step.record);
		}
		if (!lp_search_leaves_out(s, s->step.record))
			lp_search_visit(s, n);
		if (!s->options->shortest)
			lp_search_leave_out(s);
	}
	lp_arrivals_take(s, true);
	lp_search_leave_out(s);
}

/* The number of states of a distance from which on several processes are worth while.  Tests can set
 * it. */
static uint64_t states_to_share(void)
{
	enum { WORTH_IT = 4096 };
	const char *text = getenv("LINCHPIN_STATES_SHARED");

	return text ? strtoull(text, NULL, 10) : WORTH_IT;
}

/* Goes on to the next distance that has states, if there is one.  When a distance has many states, local states and
 * words are no longer identified by their numbers.  This also holds for a search by one process, so that its result is
 * that of several. */
static bool advance(struct lp_state_search *s, struct lp_snapshot *n)
{
	if (s->again || s->stopped)
		return false;
	if (lp_shared_is_split(s->shared))
		return lp_shared_advance(s);
	if (!lp_waiting_advance(&s->waiting))
		return false;
	if (!s->options->shortest || s->graph || lp_waiting_states(&s->waiting) < states_to_share())
		return true;
	lp_automaton_agree(&s->a);
	return !s->shared || lp_shared_split(s, n);
}

static void search_once(struct lp_state_search *s, struct lp_snapshot *n)
{
	add_first(s, n);
	do
		if (lp_shared_is_split(s->shared))
			lp_shared_distance(s, n);
		else
			visit_distance(s, n);
	while (advance(s, n));
	lp_shared_join(s);
	/* The monitor has now learnt everything that can be learnt. */
	if (s->doubted && !s->again && !s->stopped) {
		s->monitor->settle(s->monitor->closure);
		s->again = true;
	}
}

static void forget(struct lp_state_search *s)
{
	s->again = s->doubted = false;
	s->records.count = s->looked = s->records.left_out.count = 0;
	s->arrivals.heads.count = s->arrivals.words.count = 0;
	lp_antichains_clear(&s->visited);
	if (s->graph)
		lp_state_graph_clear(s->graph);
	if (s->exact)
		lp_exact_clear(s->exact);
	lp_waiting_clear(&s->waiting);
	s->monitor->again(s->monitor->closure);
	s->counts->transitions = s->counts->covered = 0;
}

static void search(struct lp_state_search *s, struct lp_snapshot *n)
{
	do {
		s->counts->begun++;
		search_once(s, n);
		if (s->again)
			forget(s);
		else
			break;
	} while (!s->stopped);
	if (s->graph)
		lp_search_freedom(s);
	lp_search_explain(s, n);
}

static void close_search(struct lp_state_search *s)
{
	lp_antichains_close(&s->visited);
	lp_waiting_close(&s->waiting);
	lp_automaton_close(&s->a);
	for (uint32_t i = 0; i < s->rows.count; i++)
		lp_free(s->rows.at[i]);
	lp_free(s->rows.at);
	lp_pages_close(&s->records.pages, s->options->spill);
	lp_free(s->records.left_out.at);
	lp_free(s->heap.outside.at);
	lp_free(s->arrivals.heads.at);
	lp_free(s->arrivals.words.at);
	lp_free(s->way.log.at);
	lp_free(s->way.path.at);
	lp_free(s->way.alone);
}

void lp_explore_states(struct lp_processes *processes, const struct lp_state_monitor *monitor,
		       const struct lp_state_options *options, struct lp_arena *arena,
		       struct lp_exploration *out, struct lp_state_counts *counts)
{
	struct lp_state_options own = *options;
	struct lp_state_search s = { .options = &own, .monitor = monitor, .arena = arena, .out = out,
			       .counts = counts, .time.start = lp_clock_seconds() };
	struct lp_snapshot *n = lp_alloc_zero(1, sizeof *n);
	struct lp_state_graph graph = { .from = 0 };
	struct lp_exact exact = { .used = 0 };

	s.exact = options->exact && !options->given ? &exact : NULL;
	s.graph = (options->freedom == LP_ANY && !options->runs) || options->given ? NULL : &graph;
	restrict_reductions(&own);
	*out = (struct lp_exploration){ .verdict = LP_VERIFIED };
	*counts = (struct lp_state_counts){ 0 };
	s.waiting.processes = options->processes;
	s.waiting.spill = s.visited.spill = options->spill;
	lp_automaton_open(&s.a, processes);
	if (!s.graph && !s.exact && options->shortest)
		s.shared = lp_shared_open(options, monitor);
	if (s.shared)
		s.monitor = &s.shared->sets.monitor;
	lp_heap_open(&s);
	if (options->given)
		lp_search_follow(&s);
	else
		search(&s, n);
	if (options->levels && !counts->levels)
		lp_search_levels(&s);
	counts->bytes = lp_state_graph_bytes(&graph) + lp_exact_bytes(&exact) +
			s.visited.pages.size + s.records.pages.size;
	counts->locations = s.a.words.count;
	lp_shared_close(s.shared);
	lp_state_graph_close(&graph);
	lp_exact_close(&exact);
	close_search(&s);
	lp_free(n);
}
