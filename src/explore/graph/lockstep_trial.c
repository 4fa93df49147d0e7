/* lockstep_trial.c -- tries how a thread would go on with other answers. */
#include "explore/graph/lockstep.h"

#include "base/error.h"
#include "base/hash.h"

/* Performs the thread's fences, and returns its next operation that gets an answer. */
static const struct lp_op *pass_fences(struct lp_machine *m, lp_tid thread, uint64_t *resumed, uint64_t *fences)
{
	const struct lp_response none = { 0 };
	const struct lp_op *op = lp_machine_pending(m, thread);

	*fences = 0;
	for (; op->kind == LP_OP_FENCE; op = lp_machine_pending(m, thread)) {
		*fences = lp_mix(*fences ^ op->order);
		lp_program_resume(m->program, thread, &none);
		LP_PUSH(&m->performed, 0);
		++*resumed;
	}
	return op;
}

static const struct lp_op *go_on(struct lp_machine *m, const struct lp_to_try *to, struct lp_tried *trial)
{
	const lp_tid thread = to->thread;
	const uint32_t count = to->count;
	const struct lp_op *op = lp_program_pending(m->program, thread);
	uint64_t noise = m->program->class->noise(m->program), observed = m->observed.all, resumed = 0, fences = 0;

	if (!op || op->kind == LP_OP_END || op->kind == LP_OP_ERROR)
		return NULL; /* the program is not deterministic: it should read here */
	for (uint32_t i = 0; i < count; i++) {
		if (i && op->kind != LP_OP_LOAD && op->kind != LP_OP_RMW)
			return NULL;
		if (trial && i == count - 1) {
			if (m->program->class->noise(m->program) != noise + resumed)
				return NULL;
			LP_PUSH(&m->plains, (struct lp_plain_access){ .thread = LP_NO_THREAD }); /* an entry of no thread, so
			                                                                          * that the accesses after
			                                                                          * it are logged separately */
			trial->plains = m->plains.count;
			observed = m->observed.all;
		}
		if (to->done) {
			while (m->done.count <= thread)
				LP_PUSH(&m->done, 0);
			m->done.at[thread] = to->done;
		}
		lp_program_resume(m->program, thread, &to->answers[i]);
		LP_PUSH(&m->performed, 0); /* not an event: the trial will be undone */
		resumed++;
		op = trial ? pass_fences(m, thread, &resumed, &fences) : lp_machine_pending(m, thread);
	}
	noise = m->program->class->noise(m->program) - noise - resumed;
	observed = m->observed.all - observed;
	if (!trial)
		return noise || observed ? NULL : op;
	trial->noise = noise;
	trial->observed = observed;
	trial->fences = fences;
	return op;
}

const struct lp_op *lp_machine_try(struct lp_machine *m, const struct lp_graph *g, const struct lp_sequence *seq,
				   const struct lp_to_try *to, struct lp_tried *trial)
{
	struct lp_sequence before = *seq;

	LP_HOLDS(to->at <= seq->count && to->count && g->threads.at[to->thread].exists);
	before.count = to->at;
	if (!lp_machine_follow(m, g, &before, lp_machine_agree(m, g, &before)))
		return NULL;
	const bool hidden = m->program->class->trial && !to->reached;
	if (hidden)
		m->program->class->trial(m->program, true);
	const struct lp_op *op = go_on(m, to, trial);
	if (hidden)
		m->program->class->trial(m->program, false);
	return op;
}
