/* naive_step.c -- what the instructions of abstract programs do.
 *
 * A thread goes on with what only matters to itself, and with plain accesses, directly after
 * its last operation.  That loses nothing: whether two accesses race does not depend on the
 * order in which they take place, and without a race nor does anything else.  But an error that
 * comes early hides others: to know them all, a slow judge has each access by itself.
 */
#include "naive_state.h"

#include <assert.h>

static int get(const struct state *s, int t, struct naive_arg a)
{
	return a.reg ? s->reg[t][a.value] : a.value;
}

static const struct naive_insn *next(const struct judge *j, const struct state *s, int t)
{
	assert(s->pc[t] < j->program->length[t]);
	return &j->program->code[t][s->pc[t]];
}

static bool end_thread(struct judge *j, struct state *s, int t)
{
	for (int b = 0; b < BLOCKS; b++)
		if (s->block[b] == LOCAL && s->owner[b] == t && !give_back(j, s, t, b))
			return false;
	s->status[t] = ENDED;
	return true;
}

/* Does the steps that concern no other thread; false: an error.  Sets `*done` at anything else. */
static bool step_alone(struct judge *j, struct state *s, int t, bool *done)
{
	const struct naive_insn *i = next(j, s, t);
	const struct naive_arg *a = i->arg;
	int8_t *reg = s->reg[t];

	switch (i->op) {
	case OP_read:
		if (!access_place(j, s, t, a[1].value, PLAIN_READ))
			return false;
		reg[a[0].value] = s->plain[a[1].value];
		break;
	case OP_write:
		if (!access_place(j, s, t, a[0].value, PLAIN_WRITE))
			return false;
		s->plain[a[0].value] = (int8_t)get(s, t, a[1]);
		break;
	case OP_alloc:
	case OP_local:
		begin_block(s, t, a[1].value, i->op == OP_alloc ? ALLOCATED : LOCAL);
		reg[a[0].value] = (int8_t)(a[1].value + 1);
		break;
	case OP_pread:
		if (!access_block(j, s, t, get(s, t, a[1]), a[2].value, PLAIN_READ))
			return false;
		reg[a[0].value] = s->plain[place(get(s, t, a[1]) - 1, a[2].value)];
		break;
	case OP_pwrite:
		if (!access_block(j, s, t, get(s, t, a[0]), a[1].value, PLAIN_WRITE))
			return false;
		s->plain[place(get(s, t, a[0]) - 1, a[1].value)] = (int8_t)get(s, t, a[2]);
		break;
	case OP_psignal: /* no thread ever waits there */
		if (!access_block(j, s, t, get(s, t, a[0]), FIELD_COND, ATOMIC_READ))
			return false;
		break;
	case OP_free:
		if (!free_block(j, s, t, get(s, t, a[0])))
			return false;
		break;
	case OP_mov:
		reg[a[0].value] = (int8_t)get(s, t, a[1]);
		break;
	case OP_inc:
		reg[a[0].value] = (int8_t)(reg[a[0].value] + get(s, t, a[1]));
		break;
	case OP_jmp:
		s->pc[t] = (int8_t)a[0].value;
		return true;
	case OP_jeq:
	case OP_jne:
		if ((get(s, t, a[0]) == get(s, t, a[1])) == (i->op == OP_jeq)) {
			s->pc[t] = (int8_t)a[2].value;
			return true;
		}
		break;
	case OP_check:
		if (get(s, t, a[0]) == get(s, t, a[1])) {
			fail(j, ERROR_ASSERTION);
			return false;
		}
		break;
	case OP_assume:
		if (get(s, t, a[0]) != get(s, t, a[1])) {
			s->status[t] = DROPPED;
			*done = true;
			return true;
		}
		break;
	case OP_leave:
		reg[0] = 0;
		*done = true;
		return end_thread(j, s, t);
	case OP_end:
		*done = true;
		return t == 0 || end_thread(j, s, t);
	default:
		*done = true;
		return true;
	}
	s->pc[t]++;
	return true;
}

/* What errors come of: a slow judge stops before each of these. */
static bool may_fail(enum naive_op op)
{
	return op == OP_read || op == OP_write || op == OP_alloc || op == OP_local || op == OP_pread ||
	       op == OP_pwrite || op == OP_psignal || op == OP_free || op == OP_check || op == OP_leave || op == OP_end;
}

/* A loop without any operation is too much for us. */
bool run_alone(struct judge *j, struct state *s, int t)
{
	bool good = true;
	int steps = 0;

	for (bool done = s->status[t] != RUNNING; good && !done;) {
		if (j->slow && may_fail(next(j, s, t)->op))
			break;
		j->answer->too_large |= ++steps > 1000;
		good = step_alone(j, s, t, &done) && !j->answer->too_large;
	}
	return good;
}

static int total_readers(const struct state *s)
{
	int total = 0;

	for (int t = 0; t < THREADS; t++)
		total += s->readers[t];
	return total;
}

bool is_enabled(const struct judge *j, const struct state *s, int t)
{
	const struct naive_insn *i = next(j, s, t);
	const int o = i->arg[0].value;

	switch (i->op) {
	case OP_lock:
		return !s->holder[o];
	case OP_plock: {
		const int pointer = get(s, t, i->arg[0]);
		return !pointer || !s->holder[pointer + 1];
	}
	case OP_wait:
		return s->phase[t] == UNLOCKED ? !(s->waiting[o] >> t & 1) :
		       s->phase[t] != WOKEN || !s->holder[i->arg[1].value];
	case OP_semwait:
		return s->semaphore[o] > 0;
	case OP_rdlock:
		return !s->writer;
	case OP_wrlock:
		return !s->writer && !total_readers(s);
	case OP_barrier:
		return !s->phase[t] || s->arrivals >= s->round[t];
	case OP_join:
		return s->status[i->arg[1].value] == ENDED;
	default:
		return true;
	}
}

/* How many ways there are for the operation to go. */
int choices(const struct judge *j, const struct state *s, int t)
{
	const struct naive_insn *i = next(j, s, t);

	if (i->op == OP_cas && i->arg[4].value && s->value[i->arg[1].value] == get(s, t, i->arg[2]))
		return 2;
	if (i->op == OP_choose)
		return i->arg[1].value;
	if (i->op == OP_signal && s->waiting[i->arg[0].value])
		return __builtin_popcount(s->waiting[i->arg[0].value]);
	return 1;
}

static void take(const struct judge *j, struct state *s, int t, int m)
{
	update(j, s, t, MUTEX + m, ACQUIRE);
	s->holder[m] = (int8_t)(t + 1);
}

static bool unlock(struct judge *j, struct state *s, int t, int m)
{
	if (s->holder[m] != t + 1) {
		fail(j, ERROR_MISUSE);
		return false;
	}
	written_to(j, s, t, MUTEX + m, RELEASE, false);
	s->holder[m] = 0;
	return true;
}

static bool step_block_mutex(struct judge *j, struct state *s, int t, bool locks, int pointer)
{
	if (!access_block(j, s, t, pointer, FIELD_MUTEX, ATOMIC_WRITE))
		return false;
	if (!locks)
		return unlock(j, s, t, pointer + 1);
	take(j, s, t, pointer + 1);
	return true;
}

/* A thread joins those that wait, unlocks, is taken out by another one, and locks. */
static bool step_wait(struct judge *j, struct state *s, int t, const struct naive_arg *a)
{
	const int c = a[0].value, m = a[1].value;

	switch (s->phase[t]++) {
	case NOT_WAITING:
		update(j, s, t, COND + c, ACQ_REL);
		s->waiting[c] |= (uint8_t)(1 << t);
		return true;
	case JOINED:
		return unlock(j, s, t, m);
	case UNLOCKED:
		learn(s, thread(t), wake_up(t), false);
		return true;
	default:
		take(j, s, t, m);
		s->phase[t] = 0;
		s->pc[t]++;
		return true;
	}
}

static void wake(struct state *s, int t, int c, int sleeper)
{
	s->waiting[c] &= (uint8_t)~(1 << sleeper);
	learn(s, wake_up(sleeper), thread(t), true);
}

static void signal_one(const struct judge *j, struct state *s, int t, int c, int choice)
{
	const uint8_t waiting = s->waiting[c];

	if (!waiting) {
		read_from(j, s, t, COND + c, ACQUIRE);
		return;
	}
	update(j, s, t, COND + c, ACQ_REL);
	for (int u = 0; u < THREADS; u++)
		if (waiting >> u & 1 && choice-- == 0)
			wake(s, t, c, u);
}

static void broadcast(const struct judge *j, struct state *s, int t, int c)
{
	update(j, s, t, COND + c, ACQ_REL);
	for (int u = 0; u < THREADS; u++)
		if (s->waiting[c] >> u & 1)
			wake(s, t, c, u);
}

static void step_barrier(const struct judge *j, struct state *s, int t)
{
	const int total = j->program->barrier;

	if (s->phase[t]) {
		read_from(j, s, t, BARRIER, ACQUIRE);
		s->phase[t] = 0;
		s->pc[t]++;
		return;
	}
	s->round[t] = (int8_t)((s->arrivals / total + 1) * total);
	update(j, s, t, BARRIER, ACQ_REL);
	if (++s->arrivals == s->round[t])
		s->pc[t]++;
	else
		s->phase[t] = 1;
}

static bool step_rwlock(struct judge *j, struct state *s, int t, const struct naive_insn *i)
{
	const bool tries = i->op == OP_tryrd || i->op == OP_trywr;
	const bool writes = i->op == OP_wrlock || i->op == OP_trywr;

	if (i->op == OP_rwunlock) {
		if (s->writer == t + 1) {
			written_to(j, s, t, RWLOCK, RELEASE, false);
			s->writer = 0;
		} else if (s->readers[t]) {
			update(j, s, t, RWLOCK, RELEASE);
			s->readers[t]--;
		} else {
			fail(j, ERROR_MISUSE);
			return false;
		}
		return true;
	}
	const bool taken = s->writer || (writes && total_readers(s));
	if (tries)
		s->reg[t][i->arg[0].value] = !taken;
	if (taken) {
		read_from(j, s, t, RWLOCK, RELAXED);
		return true;
	}
	update(j, s, t, RWLOCK, ACQUIRE);
	if (writes)
		s->writer = (int8_t)(t + 1);
	else
		s->readers[t]++;
	return true;
}

static bool step_atomic(struct judge *j, struct state *s, int t, const struct naive_insn *i, int choice)
{
	const struct naive_arg *a = i->arg;
	int8_t *reg = s->reg[t];

	switch (i->op) {
	case OP_load:
		read_from(j, s, t, a[1].value, a[2].value);
		reg[a[0].value] = s->value[a[1].value];
		break;
	case OP_store:
		written_to(j, s, t, a[0].value, a[2].value, false);
		s->value[a[0].value] = (int8_t)get(s, t, a[1]);
		break;
	case OP_add:
	case OP_xchg: {
		const int8_t old = s->value[a[1].value], operand = (int8_t)get(s, t, a[2]);
		update(j, s, t, a[1].value, a[3].value);
		s->value[a[1].value] = (int8_t)(i->op == OP_add ? old + operand : operand);
		reg[a[0].value] = old;
		break;
	}
	case OP_cas: {
		const bool same = s->value[a[1].value] == get(s, t, a[2]) && !choice;
		if (same) {
			update(j, s, t, a[1].value, a[5].value);
			s->value[a[1].value] = (int8_t)get(s, t, a[3]);
		} else {
			read_from(j, s, t, a[1].value, a[6].value);
		}
		reg[a[0].value] = same;
		break;
	}
	case OP_aload:
		if (!access_block(j, s, t, get(s, t, a[1]), FIELD_A, ATOMIC_READ))
			return false;
		read_from(j, s, t, BLOCK_ATOMIC + get(s, t, a[1]) - 1, a[2].value);
		reg[a[0].value] = s->value[BLOCK_ATOMIC + get(s, t, a[1]) - 1];
		break;
	case OP_astore:
		if (!access_block(j, s, t, get(s, t, a[0]), FIELD_A, ATOMIC_WRITE))
			return false;
		written_to(j, s, t, BLOCK_ATOMIC + get(s, t, a[0]) - 1, a[2].value, false);
		s->value[BLOCK_ATOMIC + get(s, t, a[0]) - 1] = (int8_t)get(s, t, a[1]);
		break;
	default:
		fence(j, s, t, a[0].value);
	}
	return true;
}

static bool step_try(struct judge *j, struct state *s, int t, const struct naive_insn *i)
{
	const int o = i->arg[1].value;
	const bool free = i->op == OP_try ? !s->holder[o] : s->semaphore[o] > 0;

	s->reg[t][i->arg[0].value] = free;
	if (!free) {
		read_from(j, s, t, (i->op == OP_try ? MUTEX : SEMAPHORE) + o, RELAXED);
	} else if (i->op == OP_try) {
		take(j, s, t, o);
	} else {
		update(j, s, t, SEMAPHORE + o, ACQUIRE);
		s->semaphore[o]--;
	}
	return true;
}

bool step(struct judge *j, struct state *s, int t, int choice)
{
	const struct naive_insn *i = next(j, s, t);
	const struct naive_arg *a = i->arg;
	bool done;

	if (may_fail(i->op) && (i->op != OP_end || t))
		return step_alone(j, s, t, &done);
	switch (i->op) {
	case OP_wait:
		return step_wait(j, s, t, a);
	case OP_barrier:
		step_barrier(j, s, t);
		return true;
	case OP_exit:
	case OP_end:
		s->over = true;
		return true;
	default:
		break;
	}
	s->pc[t]++;
	switch (i->op) {
	case OP_plock:
	case OP_punlock:
		return step_block_mutex(j, s, t, i->op == OP_plock, get(s, t, a[0]));
	case OP_lock:
		take(j, s, t, a[0].value);
		return true;
	case OP_unlock:
		return unlock(j, s, t, a[0].value);
	case OP_try:
	case OP_semtry:
		return step_try(j, s, t, i);
	case OP_signal:
		signal_one(j, s, t, a[0].value, choice);
		return true;
	case OP_broadcast:
		broadcast(j, s, t, a[0].value);
		return true;
	case OP_semwait:
		update(j, s, t, SEMAPHORE + a[0].value, ACQUIRE);
		s->semaphore[a[0].value]--;
		return true;
	case OP_sempost:
		update(j, s, t, SEMAPHORE + a[0].value, RELEASE);
		s->semaphore[a[0].value]++;
		return true;
	case OP_rdlock:
	case OP_wrlock:
	case OP_rwunlock:
	case OP_tryrd:
	case OP_trywr:
		return step_rwlock(j, s, t, i);
	case OP_create:
		s->status[a[0].value] = RUNNING;
		learn(s, thread(a[0].value), thread(t), false);
		return run_alone(j, s, a[0].value);
	case OP_join:
		learn(s, thread(t), thread(a[1].value), false);
		s->reg[t][a[0].value] = s->reg[a[1].value][0];
		return true;
	case OP_outcome:
		for (int r = 0; r < THREADS; r++)
			s->result[r] = s->reg[t][r];
		s->said = true;
		return true;
	case OP_choose:
		s->reg[t][a[0].value] = (int8_t)choice;
		return true;
	default:
		return step_atomic(j, s, t, i, choice);
	}
}
