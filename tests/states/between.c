/* A stack that counts its nodes, with a specification of its own, an invariant, and a
 * tear-down that frees what is left.
 *
 *     -DMISCOUNTS     pop forgets to count if it finds the stack empty but for one
 *     -DTWICE         the tear-down frees the first node twice
 *     -DLOCKED        the tear-down takes a lock that calls do not give back
 *     -DDESTROYS      the tear-down destroys a mutex, which states have no words for
 *     -DWRONG         what is popped is not what was pushed
 */
#include <linchpin.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

void __VERIFIER_assume(int);

struct node {
	struct node *next;
	int64_t value;
};

static _Atomic(struct node *) top;
static _Atomic int size;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static enum lp_answer step_push(struct lp_state *s, const struct lp_spec_call *c)
{
	if (s->count == s->room)
		s->grow(s, s->count + 1);
	s->at[s->count++] = c->arg[0];
	return LP_ACCEPTS;
}

static enum lp_answer step_pop(struct lp_state *s, const struct lp_spec_call *c)
{
	const int64_t value = s->count ? s->at[s->count - 1] : LP_EMPTY;

	s->count -= s->count > 0;
	return !c->result || *c->result == value ? LP_ACCEPTS : LP_REJECTS;
}

static const struct lp_method methods[] = {
	{ "push", 1, LP_NOTHING, LP_INSERTS, step_push },
	{ "pop", 0, LP_VALUE_OR_EMPTY, LP_REMOVES, step_pop },
};
static const struct lp_kind pile = { .name = "pile", .about = "a stack",
				     .data = LP_DATA_EQUALITY, .methods = methods,
				     .method_count = 2 };

LP_SPEC_OWN(pile)

LP_METHOD(push, v)
{
	struct node *n = malloc(sizeof *n);

	__VERIFIER_assume(atomic_fetch_add(&size, 1) < 2);
	n->value = v;
	n->next = top;
	while (!atomic_compare_exchange_strong(&top, &n->next, n))
		;
	return LP_VOID;
}

LP_METHOD(pop)
{
	struct node *n = top;

	while (n && !atomic_compare_exchange_strong(&top, &n, n->next))
		;
	if (!n)
		return LP_EMPTY;
#ifdef LOCKED
	pthread_mutex_lock(&lock);
#endif
#ifdef MISCOUNTS
	if (n->next)
#endif
		atomic_fetch_sub(&size, 1);
#ifdef WRONG
	return 1;
#else
	return n->value;
#endif
}

LP_INVARIANT
{
	int count = 0;

	for (struct node *n = top; n; n = n->next)
		count++;
	return count == size;
}

LP_TEARDOWN
{
#ifdef LOCKED
	pthread_mutex_lock(&lock);
#endif
#ifdef DESTROYS
	pthread_mutex_destroy(&lock);
#endif
	for (struct node *n = top, *next; n; n = next) {
		next = n->next;
		free(n);
	}
#ifdef TWICE
	free(top);
#endif
}
