/* weak.c -- parses the names of conditions, and searches for the sources of items that have several possible ones. */
#include "check/weak/weak.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "check/history/search.h"
#include "check/weak/weak_infer.h"
#include "spec/traits.h"

static const struct {
	const char *name;
	struct lp_weak weak;
} conditions[] = {
	{ "causal", { "causally consistent", LP_CAUSALITY, LP_EACH_CALL, false, false, 0 } },
	{ "causal-memory", { "a causal memory", LP_CAUSALITY, LP_EACH_LINE, false, false, 0 } },
	{ "causal-convergence", { "causally convergent", LP_CAUSALITY, LP_ALL_CALLS, false, false, 0 } },
	{ "pram", { "PRAM consistent", LP_CAUSALITY, LP_EACH_LINE, true, false, 0 } },
	{ "session", { "session consistent", LP_CAUSALITY, LP_EACH_SESSION, false, false, 0 } },
	{ "read-your-writes", { "consistent with read-your-writes", LP_RYW, LP_EACH_SESSION, false, false, 0 } },
	{ "monotonic-reads", { "consistent with monotonic reads", LP_MR, LP_EACH_SESSION, false, false, 0 } },
	{ "monotonic-writes", { "consistent with monotonic writes", LP_MW, LP_EACH_SESSION, false, false, 0 } },
	{ "writes-follow-reads", { "consistent with writes-follow-reads", LP_WFR, LP_EACH_SESSION, false, false, 0 } },
	{ "eventual", { "eventually consistent", 0, LP_EACH_CALL, false, true, 0 } },
};

/* "ryw,mr": some of the guarantees. */
static bool parse_guarantees(struct lp_weak *weak, const char *text, struct lp_error *error)
{
	static const char *const names[] = { "ryw", "mr", "mw", "wfr" };
	const char *all = text;

	weak->guarantees = 0;
	weak->claim = "consistent with these session guarantees";
	for (;;) {
		const size_t length = strcspn(text, ",");
		size_t i = 0;
		while (i < 4 && (strlen(names[i]) != length || strncmp(names[i], text, length)))
			i++;
		if (i == 4)
			return lp_fail(error, "cannot understand 'session:%s': it is some of ryw, mr, mw, wfr, "
					      "separated by commas", all);
		weak->guarantees |= 1u << i;
		if (!text[length])
			return true;
		text += length + 1;
	}
}

static bool parse_delay(struct lp_weak *weak, const char *text, struct lp_error *error)
{
	char *end;
	const long long delay = strtoll(text, &end, 10);

	if (*text < '0' || *text > '9' || *end || delay > LP_MAX_TIME)
		return lp_fail(error, "cannot understand 'eventual:%s': it is a time in the unit of the history", text);
	weak->delay = delay;
	return true;
}

/* Is it that word, of `length` letters?  A hyphen may be left out, as everywhere on the command line. */
static bool is_named(const char *name, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		name += *name == '-' && text[i] != '-';
		if (*name++ != text[i])
			return false;
	}
	return !*name;
}

bool lp_weak_parse(struct lp_weak *weak, const char *text, struct lp_error *error)
{
	const size_t length = strcspn(text, ":");

	for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++) {
		if (!is_named(conditions[i].name, text, length))
			continue;
		*weak = conditions[i].weak;
		if (!text[length])
			return true;
		if (!strncmp(text, "session:", 8))
			return parse_guarantees(weak, text + 8, error);
		return weak->settles && parse_delay(weak, text + length + 1, error);
	}
	return false;
}

/* Is there a method that a replica can have, and that has this effect? */
static bool has_effect(const struct lp_kind *kind, enum lp_replica_effect effect)
{
	const struct lp_method_traits *methods = lp_kind_traits(kind)->methods;

	for (uint32_t m = 0; methods && m < kind->method_count; m++)
		if (methods[m].effect == effect && methods[m].look != LP_SAYS_UNKNOWN)
			return true;
	return false;
}

static bool can_be_replicated(const struct lp_kind *kind)
{
	return has_effect(kind, LP_EFFECT_SETS) || has_effect(kind, LP_EFFECT_ADDS);
}

/* "registers, counters, sets and maps" */
static const char *list_kinds(char *text, size_t size)
{
	const struct lp_kind *last = NULL;
	size_t used = 0;

	text[0] = '\0';
	for (uint32_t i = 0; i <= lp_kind_count(); i++) {
		const struct lp_kind *kind = i < lp_kind_count() ? lp_kind_at(i) : NULL;
		if (kind && !can_be_replicated(kind))
			continue;
		if (last && used < size)
			used += (size_t)snprintf(text + used, size - used, "%s%ss", !used ? "" : kind ? ", " : " and ",
						 last->name);
		last = kind;
	}
	return text;
}

bool lp_weak_fits(const struct lp_problem *p, struct lp_error *error)
{
	const char *name = p->spec.kind->name, *method;
	const int k = lp_spec_param(&p->spec, "k");
	char kinds[256], word[32];

	if (!can_be_replicated(p->spec.kind))
		return lp_fail(error, "this property is for %s, not for a %s", list_kinds(kinds, sizeof kinds), name);
	if (k >= 0 && p->spec.param[k] && !has_effect(p->spec.kind, LP_EFFECT_ADDS))
		return lp_fail(error, "this property is not for %ss with a range of values", name);
	if ((method = lp_weak_calls_refuse(p, word)))
		return lp_fail(error, "this property is not for '%s' of a %s, whose effect depends on what is there",
			       method, name);
	return true;
}

struct search {
	struct lp_weak_inference f;
	const struct lp_problem *p;
	const struct lp_search_limits *limits;
	uint64_t *steps;
	const char *limit;
	const char *clash; /* the first one */
	uint32_t depth;
};

/* The open item with the fewest sources; LP_NO_OP if all open items can have the initial value.  They can all have it
 * at the same time: their calls have seen no update on their keys, and nothing more is seen because of this. */
static uint32_t hardest_item(const struct search *s)
{
	uint32_t best = LP_NO_OP, fewest = UINT32_MAX;

	for (uint32_t i = 0; i < s->f.w->items.count && fewest > 2; i++) {
		uint32_t at = 0, count = 0;
		if (s->f.source[i] != LP_OPEN || (s->f.w->items.at[i].initially && !s->f.not_initially[i]))
			continue;
		while (count < fewest && lp_weak_next_source(&s->f, i, &at) != LP_OPEN)
			count++;
		if (count < fewest) {
			fewest = count;
			best = i;
		}
	}
	return best;
}

static enum lp_finding search(struct search *s);

static enum lp_finding try_sources(struct search *s, uint32_t item)
{
	const uint32_t items = s->f.w->items.count;
	uint32_t *source = lp_alloc(sizeof *source * items), at = 0, next;
	bool *not_initially = lp_alloc(sizeof *not_initially * items);
	enum lp_finding finding = LP_WRONG;

	memcpy(source, s->f.source, sizeof *source * items);
	memcpy(not_initially, s->f.not_initially, sizeof *not_initially * items);
	while (finding == LP_WRONG && (next = lp_weak_next_source(&s->f, item, &at)) != LP_OPEN) {
		s->f.source[item] = next;
		finding = search(s);
		memcpy(s->f.source, source, sizeof *source * items);
		memcpy(s->f.not_initially, not_initially, sizeof *not_initially * items);
	}
	lp_free(source);
	lp_free(not_initially);
	return finding;
}

static bool is_excluded(const struct search *s, uint32_t call, uint32_t update)
{
	for (uint32_t i = 0; i < s->f.guesses.count; i++)
		if (s->f.guesses.at[i].call == call && s->f.guesses.at[i].update == update && !s->f.guesses.at[i].seen)
			return true;
	return lp_weak_is_later(s->f.w, update, call) || lp_view_has(&s->f.views, s->f.short_view, update);
}

/* What the call may have seen next: of a clock, only the next of each session. */
static uint32_t list_unseen(const struct search *s, uint32_t call, uint32_t *list)
{
	const struct lp_weak_calls *w = s->f.w;
	uint32_t count = 0;

	if (!s->f.views.clocks) {
		for (uint32_t u = 0; u < w->updates.count; u++)
			if (!is_excluded(s, call, u))
				list[count++] = u;
		return count;
	}
	for (uint32_t t = 0; t < w->sessions; t++) {
		const uint32_t at = w->session_first[t] + s->f.short_view[t];
		if (at < w->session_first[t + 1] && !is_excluded(s, call, w->session_updates[at]))
			list[count++] = w->session_updates[at];
	}
	return count;
}

/* The earliest first: it is the most likely to have been seen. */
static void sort_by_start(const struct search *s, uint32_t *list, uint32_t count)
{
	const struct lp_weak_calls *w = s->f.w;

	for (uint32_t i = 1; i < count; i++)
		for (uint32_t j = i; j; j--) {
			const uint32_t a = w->calls[w->updates.at[list[j - 1]].call].op;
			const uint32_t b = w->calls[w->updates.at[list[j]].call].op;
			if (s->p->ops[a].start <= s->p->ops[b].start)
				break;
			const uint32_t swap = list[j];
			list[j] = list[j - 1];
			list[j - 1] = swap;
		}
}

/* For a counter: the call has seen a further update.  Tries each candidate in turn, assuming that the earlier candidates
 * were not seen. */
static enum lp_finding try_guesses(struct search *s)
{
	const uint32_t call = s->f.short_call, before = s->f.guesses.count;
	uint32_t *list = lp_alloc(sizeof *list * ((size_t)s->f.w->updates.count + s->f.w->sessions + 1));
	const uint32_t count = list_unseen(s, call, list);
	enum lp_finding finding = LP_WRONG;

	sort_by_start(s, list, count);
	for (uint32_t i = 0; i < count && finding == LP_WRONG; i++) {
		const uint32_t mark = s->f.guesses.count;
		LP_PUSH(&s->f.guesses, (struct lp_weak_guess){ call, list[i], true });
		finding = search(s);
		s->f.guesses.count = mark;
		LP_PUSH(&s->f.guesses, (struct lp_weak_guess){ call, list[i], false });
	}
	s->f.guesses.count = before;
	lp_free(list);
	return finding;
}

static enum lp_finding search(struct search *s)
{
	enum { DEEPEST = 10000 };
	enum lp_finding finding = LP_CORRECT;

	++*s->steps;
	s->limit = s->depth > DEEPEST ? "too many choices" : lp_search_late(s->limits, *s->steps);
	if (!s->limit && s->limits->steps && *s->steps > s->limits->steps)
		s->limit = "out of steps";
	if (s->limit)
		return LP_UNDECIDED;
	if (!lp_weak_infer(&s->f)) {
		s->clash = s->clash ? s->clash : s->f.clash;
		return LP_WRONG;
	}
	s->depth++;
	const uint32_t item = hardest_item(s);
	if (item != LP_NO_OP)
		finding = try_sources(s, item);
	else if (s->f.short_call != LP_NO_OP)
		finding = try_guesses(s);
	s->depth--;
	return finding;
}

/* How a finding came about. */
struct decision {
	uint64_t *steps;
	const char *why;
	bool is_ambiguous; /* values come again: a call may have had several sources */
};

/* Decides with the results of one session, or of all. */
static enum lp_finding decide(const struct lp_problem *p, const struct lp_weak *weak, uint32_t only,
			      const struct lp_search_limits *limits, struct decision *d)
{
	struct search s = { .p = p, .limits = limits, .steps = d->steps };
	struct lp_weak_calls w;

	lp_weak_calls_open(&w, p, only);
	if (weak->settles)
		lp_weak_calls_settle(&w, p, weak->delay);
	lp_weak_infer_open(&s.f, &w, weak);
	enum lp_finding finding = search(&s);
	if (finding == LP_CORRECT && w.is_partial) {
		finding = LP_UNDECIDED;
		s.limit = "how many keys there are is not looked at";
	}
	d->why = finding == LP_WRONG ? s.clash : s.limit;
	d->is_ambiguous = w.is_ambiguous;
	lp_weak_infer_close(&s.f);
	lp_weak_calls_close(&w);
	return finding;
}

static uint32_t count_sessions(const struct lp_problem *p)
{
	struct lp_weak_calls w;

	lp_weak_calls_open(&w, p, LP_NO_OP);
	const uint32_t sessions = w.sessions;
	lp_weak_calls_close(&w);
	return sessions;
}

/* Session by session. */
static enum lp_finding decide_apart(const struct lp_problem *p, const struct lp_weak *weak,
				    const struct lp_search_limits *limits, const char **why, uint64_t *steps)
{
	const uint32_t sessions = count_sessions(p);
	enum lp_finding all = LP_CORRECT;

	for (uint32_t s = 0; s < sessions && all != LP_WRONG; s++) {
		struct decision d = { .steps = steps };
		const enum lp_finding one = decide(p, weak, s, limits, &d);
		if (one == LP_CORRECT)
			continue;
		all = one;
		*why = d.why;
	}
	return all;
}

enum lp_finding lp_weak_decide(const struct lp_problem *p, const struct lp_weak *weak,
			       const struct lp_search_limits *limits, const char **why, uint64_t *steps)
{
	struct lp_weak other = *weak;
	struct decision d = { .steps = steps };

	*why = NULL;
	if (weak->apart)
		return decide_apart(p, weak, limits, why, steps);
	const enum lp_finding finding = decide(p, weak, LP_NO_OP, limits, &d);
	*why = d.why;
	if (finding != LP_WRONG || weak->agreement != LP_EACH_LINE || !d.is_ambiguous)
		return finding;
	/* A call may have different sources in its own order and in that of a later call.  So "wrong" is exact only if a
	 * weaker condition is violated. */
	other.agreement = LP_EACH_CALL;
	const bool refuted = decide(p, &other, LP_NO_OP, limits, &d) == LP_WRONG;
	*why = d.why;
	if (refuted)
		return LP_WRONG;
	other = *weak;
	other.apart = true;
	if (decide_apart(p, &other, limits, why, steps) == LP_WRONG)
		return LP_WRONG;
	*why = "values come again, and no choice of sources was found";
	return LP_UNDECIDED;
}
