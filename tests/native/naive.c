/* naive.c -- all interleavings of an abstract program, with happens-before.
 *
 * Happens-before has no clocks here: they would make every state of a loop a new one.  Instead,
 * each thread's last access of each kind to each location has the set of those who *know* it,
 * that is, after whose last event it happens.  Threads know; and what threads leave behind for
 * others to acquire knows, as messages do.  An access races with an earlier conflicting one of
 * which its thread does not know.  A thread's last access of a kind is enough: who knows it
 * knows those before it.
 *
 * A thread goes on with what only matters to itself, and with plain accesses, directly after
 * its last operation.  That loses nothing: whether two accesses race does not depend on the
 * order in which they take place, and without a race nor does anything else.  But an error that
 * comes early hides others: to know them all, a slow judge has each access by itself.
 *
 * What can reach no end is stuck: every state from which the program's end is out of reach.
 */
#include "naive.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOCATIONS = GLOBALS + 3 * BLOCKS, FIELD_V = 0, FIELD_NEXT, FIELD_A };
enum { PLAIN_READ, PLAIN_WRITE, ATOMIC_READ, ATOMIC_WRITE, KINDS };

__extension__ typedef unsigned __int128 knowers;

/* Who can know of an access. */
static int thread(int t) { return t; }
static int to_acquire(int t) { return THREADS + t; }     /* read, to be acquired by a fence */
static int released(int t) { return 2 * THREADS + t; }   /* by its last release fence */
static int wake_up(int t) { return 3 * THREADS + t; }    /* what the thread was woken with */
static int message(int o) { return 4 * THREADS + o; }    /* of the object's last write */
static int head(int t, int o) { return 4 * THREADS + OBJECTS + t * ATOMICS + o; }
enum { KNOWERS = 4 * THREADS + OBJECTS + THREADS * ATOMICS };
_Static_assert(KNOWERS <= 128, "they fit into a set");

enum { NOT_BEGUN, RUNNING, DROPPED, ENDED };      /* status of a thread */
enum { NO_BLOCK, ALLOCATED, LOCAL, FREED };       /* of a block */
enum { NOT_WAITING, JOINED, UNLOCKED, WOKEN };    /* phases of a wait */

struct state {
	knowers known[LOCATIONS][THREADS][KINDS];
	int8_t value[ATOMICS];
	int8_t plain[LOCATIONS];
	int8_t block[BLOCKS], owner[BLOCKS];
	int8_t holder[2];          /* of mutexes: thread + 1 */
	uint8_t waiting[2];        /* at condition variables: a set of threads */
	int8_t semaphore[2];
	int8_t writer, readers[THREADS];
	int8_t arrivals, round[THREADS];
	int8_t status[THREADS], phase[THREADS], pc[THREADS];
	int8_t reg[THREADS][REGS];
	int8_t result[THREADS];
	bool over, said;           /* the program has ended; it has told its outcome */
};

struct edge {
	uint32_t from, to;
};

struct judge {
	const struct naive_program *program;
	bool orders, slow;
	uint32_t most;
	struct naive_answer *answer;
	uint64_t (*seen)[2];       /* fingerprints: a hash table */
	uint32_t *number;          /* of the state there, plus one */
	uint32_t slots;
	struct edge *edges;
	uint32_t edge_count, edge_room;
	bool *ends;                /* by number: an end can be reached */
};

/* ---- happens-before ---- */

static bool has(knowers k, int who) { return k >> who & 1; }

static void put(knowers *k, int who, bool value)
{
	*k = (*k & ~((knowers)1 << who)) | (knowers)value << who;
}

/* `to` learns all that `from` knows; with `only` nothing else stays. */
static void learn(struct state *s, int to, int from, bool only)
{
	knowers *k = &s->known[0][0][0];

	for (int i = 0; i < LOCATIONS * THREADS * KINDS; i++)
		if (k[i])
			put(&k[i], to, has(k[i], from) || (!only && has(k[i], to)));
}

static bool acquires(const struct judge *j, int order)
{
	return !j->orders || order == ACQUIRE || order >= ACQ_REL;
}

static bool releases(const struct judge *j, int order)
{
	return !j->orders || order >= RELEASE;
}

static void read_from(const struct judge *j, struct state *s, int t, int o, int order)
{
	learn(s, acquires(j, order) ? thread(t) : to_acquire(t), message(o), false);
}

static void written_to(const struct judge *j, struct state *s, int t, int o, int order, bool rmw)
{
	if (releases(j, order)) {
		learn(s, message(o), thread(t), !rmw);
		if (j->orders && o < ATOMICS)
			learn(s, head(t, o), thread(t), true);
		return;
	}
	learn(s, message(o), released(t), !rmw);
	if (o < ATOMICS)
		learn(s, message(o), head(t, o), false);
}

static void update(const struct judge *j, struct state *s, int t, int o, int order)
{
	read_from(j, s, t, o, order == RELEASE ? RELAXED : order);
	written_to(j, s, t, o, order == ACQUIRE ? RELAXED : order, true);
}

static void fence(const struct judge *j, struct state *s, int t, int order)
{
	if (j->orders && acquires(j, order))
		learn(s, thread(t), to_acquire(t), false);
	if (j->orders && releases(j, order))
		learn(s, released(t), thread(t), true);
}

/* ---- memory ---- */

static void fail(struct judge *j, enum naive_error e)
{
	j->answer->errors |= 1U << e;
}

static bool conflict(int a, int b)
{
	const bool plain = a < ATOMIC_READ || b < ATOMIC_READ;
	const bool write = a == PLAIN_WRITE || a == ATOMIC_WRITE || b == PLAIN_WRITE || b == ATOMIC_WRITE;

	return plain && write;
}

/* False: it races. */
static bool is_ordered(struct state *s, int t, int location, int kind)
{
	for (int u = 0; u < THREADS; u++)
		for (int k = 0; k < KINDS; k++)
			if (s->known[location][u][k] && conflict(k, kind) &&
			    !has(s->known[location][u][k], thread(t)))
				return false;
	return true;
}

static void note(struct state *s, int t, int location, int kind)
{
	s->known[location][t][kind] = (knowers)1 << thread(t);
}

static bool access(struct judge *j, struct state *s, int t, int location, int kind)
{
	if (!is_ordered(s, t, location, kind)) {
		fail(j, ERROR_RACE);
		return false;
	}
	note(s, t, location, kind);
	return true;
}

static int place(int block, int field)
{
	return GLOBALS + 3 * block + field;
}

/* An access by a pointer; false: it went wrong. */
static bool access_block(struct judge *j, struct state *s, int t, int pointer, int field, int kind)
{
	if (pointer == 0) {
		fail(j, ERROR_NULL_POINTER);
		return false;
	}
	if (s->block[pointer - 1] == FREED) {
		fail(j, ERROR_USE_AFTER_FREE);
		return false;
	}
	return access(j, s, t, place(pointer - 1, field), kind);
}

/* The block's lifetime ends: as if all of it were written to. */
static bool give_back(struct judge *j, struct state *s, int t, int block)
{
	for (int f = FIELD_V; f <= FIELD_A; f++)
		if (!is_ordered(s, t, place(block, f), PLAIN_WRITE)) {
			fail(j, ERROR_USE_AFTER_FREE);
			return false;
		}
	s->block[block] = FREED;
	memset(s->known[place(block, FIELD_V)], 0, 3 * sizeof s->known[0]);
	return true;
}

static bool free_block(struct judge *j, struct state *s, int t, int pointer)
{
	if (pointer == 0)
		return true;
	if (s->block[pointer - 1] == FREED) {
		fail(j, ERROR_DOUBLE_FREE);
		return false;
	}
	return give_back(j, s, t, pointer - 1);
}

static void begin_block(struct state *s, int t, int block, int kind)
{
	assert(s->block[block] == NO_BLOCK);
	s->block[block] = (int8_t)kind;
	s->owner[block] = (int8_t)t;
	for (int f = FIELD_V; f <= FIELD_A; f++)
		note(s, t, place(block, f), PLAIN_WRITE);
}

/* ---- instructions ---- */

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

/* Does what concerns nobody else; false: it went wrong.  Sets `*done` at anything else. */
static bool step_alone(struct judge *j, struct state *s, int t, bool *done)
{
	const struct naive_insn *i = next(j, s, t);
	const struct naive_arg *a = i->arg;
	int8_t *reg = s->reg[t];

	switch (i->op) {
	case OP_read:
		if (!access(j, s, t, a[1].value, PLAIN_READ))
			return false;
		reg[a[0].value] = s->plain[a[1].value];
		break;
	case OP_write:
		if (!access(j, s, t, a[0].value, PLAIN_WRITE))
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
	       op == OP_pwrite || op == OP_free || op == OP_check || op == OP_leave || op == OP_end;
}

/* A loop without any operation is too much for us. */
static bool run_alone(struct judge *j, struct state *s, int t)
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

static bool is_enabled(const struct judge *j, const struct state *s, int t)
{
	const struct naive_insn *i = next(j, s, t);
	const int o = i->arg[0].value;

	switch (i->op) {
	case OP_lock:
		return !s->holder[o];
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
static int choices(const struct judge *j, const struct state *s, int t)
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

static void say(struct judge *j, const struct state *s)
{
	struct naive_answer *a = j->answer;
	char text[OUTCOME_LENGTH] = "";

	for (int t = 0; t < THREADS; t++) {
		text[2 * t] = (char)('a' + (s->result[t] >> 4 & 15));
		text[2 * t + 1] = (char)('a' + (s->result[t] & 15));
	}
	for (uint32_t i = 0; i < a->outcomes; i++)
		if (!strcmp(a->outcome[i], text))
			return;
	if (a->outcomes == OUTCOMES)
		a->too_large = true;
	else
		memcpy(a->outcome[a->outcomes++], text, sizeof text);
}

/* Performs the thread's operation; false: it went wrong. */
static bool step(struct judge *j, struct state *s, int t, int choice)
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
		update(j, s, t, SEMAPHORE + a[0].value, ACQ_REL);
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

/* ---- states ---- */

static uint64_t mix(uint64_t h, uint64_t word)
{
	h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	return h ^ h >> 29;
}

/* The number of the state; `*new` if it was not known. */
static uint32_t number_of(struct judge *j, const struct state *s, bool *new)
{
	uint64_t words[sizeof *s / 8], h[2] = { 1, 2 };

	_Static_assert(sizeof *s % 8 == 0, "whole words");
	memcpy(words, s, sizeof *s);
	for (size_t i = 0; i < sizeof *s / 8; i++) {
		h[0] = mix(h[0], words[i]);
		h[1] = mix(h[1], words[i] + 0x55);
	}
	h[0] |= 1; /* 0 is an empty slot */
	uint32_t slot = (uint32_t)h[0] & (j->slots - 1);
	while (j->seen[slot][0] && (j->seen[slot][0] != h[0] || j->seen[slot][1] != h[1]))
		slot = (slot + 1) & (j->slots - 1);
	*new = !j->seen[slot][0];
	if (*new) {
		j->seen[slot][0] = h[0];
		j->seen[slot][1] = h[1];
		j->number[slot] = j->answer->states++;
	}
	return j->number[slot];
}

static void add_edge(struct judge *j, uint32_t from, uint32_t to)
{
	if (j->edge_count == j->edge_room) {
		j->edge_room = 2 * j->edge_room + 1024;
		j->edges = realloc(j->edges, j->edge_room * sizeof *j->edges);
		if (!j->edges)
			abort();
	}
	j->edges[j->edge_count++] = (struct edge){ from, to };
}

static uint32_t visit(struct judge *j, const struct state *s);

/* All that can come next; true if an end, or an error, can. */
static bool visit_next(struct judge *j, const struct state *s, uint32_t number)
{
	bool dropped = false, good = false;

	for (int t = 0; t < THREADS; t++) {
		dropped |= s->status[t] == DROPPED;
		if (s->status[t] != RUNNING || !is_enabled(j, s, t))
			continue;
		for (int c = choices(j, s, t); c-- > 0;) {
			struct state after = *s;
			if (step(j, &after, t, c) && run_alone(j, &after, t)) {
				const uint32_t to = visit(j, &after);
				if (to != UINT32_MAX)
					add_edge(j, number, to);
			} else {
				good = true; /* at least not stuck */
			}
		}
	}
	return good || dropped;
}

static uint32_t visit(struct judge *j, const struct state *s)
{
	bool new;

	if (j->answer->states >= j->most) {
		j->answer->too_large = true;
		return UINT32_MAX;
	}
	const uint32_t number = number_of(j, s, &new);
	if (!new)
		return number;
	if (s->over) {
		j->ends[number] = true;
		if (s->said)
			say(j, s);
	} else {
		j->ends[number] = visit_next(j, s, number);
	}
	return number;
}

/* Is there a state from which no end can be reached? */
static bool is_stuck(struct judge *j)
{
	for (bool more = true; more;) {
		more = false;
		for (uint32_t i = 0; i < j->edge_count; i++) {
			const struct edge e = j->edges[i];
			if (j->ends[e.to] && !j->ends[e.from])
				j->ends[e.from] = more = true;
		}
	}
	for (uint32_t i = 0; i < j->answer->states; i++)
		if (!j->ends[i])
			return true;
	return false;
}

void naive_judge(const struct naive_program *p, bool orders, bool slow, uint32_t most, struct naive_answer *out)
{
	struct judge j = { .program = p, .orders = orders, .slow = slow, .most = most, .answer = out, .slots = 1 };
	struct state s;

	memset(out, 0, sizeof *out);
	memset(&s, 0, sizeof s);
	while (j.slots < 2 * most)
		j.slots *= 2;
	j.seen = calloc(j.slots, sizeof *j.seen);
	j.number = calloc(j.slots, sizeof *j.number);
	j.ends = calloc(most, sizeof *j.ends);
	if (!j.seen || !j.number || !j.ends)
		abort();
	for (int i = 0; i < 2; i++)
		s.semaphore[i] = (int8_t)p->semaphores[i];
	s.status[0] = RUNNING;
	if (run_alone(&j, &s, 0)) {
		visit(&j, &s);
		if (!out->too_large && is_stuck(&j))
			fail(&j, ERROR_STUCK);
	}
	free(j.seen);
	free(j.number);
	free(j.ends);
	free(j.edges);
}
