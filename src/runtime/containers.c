/* containers.c -- the parts of std::list, std::set and std::map, of hashing and of dynamic_cast that are
 * compiled into libstdc++, where no hook sees what they do.
 *
 * Lists are done here, access by access.  Trees are left to the library; what is
 * reported is the node in question, its neighbours, and the header as a whole: that
 * makes any two uses of one container conflict that the standard says conflict.
 */
#define _GNU_SOURCE
#include <dlfcn.h>

#include "runtime/machine.h"

struct list_node {
	struct list_node *next, *prev;
};

struct tree_node {
	int color;
	struct tree_node *parent, *left, *right;
};

static struct list_node *get(struct list_node *const *field, uintptr_t pc)
{
	rt_read(field, sizeof *field, pc);
	return *field;
}

static void set(struct list_node **field, struct list_node *value, uintptr_t pc)
{
	rt_write(field, &value, sizeof value, pc);
}

LP_API void lp_shim__ZNSt8__detail15_List_node_base7_M_hookEPS0_(struct list_node *self,
								 struct list_node *position)
{
	const uintptr_t pc = RT_PC;
	struct list_node *before = get(&position->prev, pc);

	set(&self->next, position, pc);
	set(&self->prev, before, pc);
	set(&before->next, self, pc);
	set(&position->prev, self, pc);
}

LP_API void lp_shim__ZNSt8__detail15_List_node_base9_M_unhookEv(struct list_node *self)
{
	const uintptr_t pc = RT_PC;
	struct list_node *after = get(&self->next, pc), *before = get(&self->prev, pc);

	set(&before->next, after, pc);
	set(&after->prev, before, pc);
}

/* Moves [first, last) before `self`. */
LP_API void lp_shim__ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_(struct list_node *self,
									 struct list_node *first,
									 struct list_node *last)
{
	const uintptr_t pc = RT_PC;

	if (self == last)
		return;
	struct list_node *end = get(&last->prev, pc), *before = get(&first->prev, pc);
	struct list_node *here = get(&self->prev, pc);
	set(&before->next, last, pc);
	set(&last->prev, before, pc);
	set(&here->next, first, pc);
	set(&first->prev, here, pc);
	set(&end->next, self, pc);
	set(&self->prev, end, pc);
}

/* Gives `to` the nodes between `first` and `last`; none if first is NULL. */
static void adopt(struct list_node *to, struct list_node *first, struct list_node *last,
		  uintptr_t pc)
{
	set(&to->next, first ? first : to, pc);
	set(&to->prev, first ? last : to, pc);
	if (first) {
		set(&first->prev, to, pc);
		set(&last->next, to, pc);
	}
}

LP_API void lp_shim__ZNSt8__detail15_List_node_base4swapERS0_S1_(struct list_node *x,
								 struct list_node *y)
{
	const uintptr_t pc = RT_PC;
	struct list_node *x_first = get(&x->next, pc), *x_last = get(&x->prev, pc);
	struct list_node *y_first = get(&y->next, pc), *y_last = get(&y->prev, pc);

	adopt(x, y_first == y ? NULL : y_first, y_last, pc);
	adopt(y, x_first == x ? NULL : x_first, x_last, pc);
}

/* An index out of range, an empty container: with _GLIBCXX_ASSERTIONS. */
LP_API _Noreturn void lp_shim__ZSt21__glibcxx_assert_failPKciS0_S0_(const char *file, int line,
								    const char *function,
								    const char *condition)
{
	(void)file, (void)line;
	rt_error("assertion", RT_PC, NULL, "in %s: %s",
		 function ? function : "the standard library",
		 condition ? condition : "what must not happen has happened");
}

/* The library's own function; it is loaded if the program refers to it. */
static void *library(const char *name)
{
	void *found = dlsym(rt.object.handle, name);

	if (!found)
		LP_BUG("libstdc++ has no %s", name);
	return found;
}

static void touch(struct tree_node *node, uintptr_t pc)
{
	if (node)
		rt_read(node, sizeof *node, pc);
}

/* Nodes that the library is to change. */
enum { CHANGED = 5 };
struct change {
	struct tree_node *node[CHANGED], before[CHANGED];
};

static void before_change(struct change *c, uintptr_t pc)
{
	for (unsigned i = 0; i < CHANGED; i++)
		if (c->node[i]) {
			rt_live(c->node[i], sizeof c->before[i], pc);
			c->before[i] = *c->node[i];
		}
}

/* What the library has done, the program does. */
static void after_change(const struct change *c, uintptr_t pc)
{
	struct tree_node after[CHANGED];

	for (unsigned i = 0; i < CHANGED; i++)
		if (c->node[i])
			after[i] = *c->node[i];
	for (unsigned i = 0; i < CHANGED; i++)
		if (c->node[i])
			*c->node[i] = c->before[i];
	for (unsigned i = 0; i < CHANGED; i++)
		if (c->node[i])
			rt_write(c->node[i], &after[i], sizeof after[i], pc);
}

LP_API void lp_shim__ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_(
	bool left, struct tree_node *node, struct tree_node *parent, struct tree_node *header)
{
	const uintptr_t pc = RT_PC;
	void (*insert)(bool, struct tree_node *, struct tree_node *, struct tree_node *) =
		library("_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_");
	struct change change = { .node = { parent, header, node } };

	before_change(&change, pc);
	insert(left, node, parent, header);
	after_change(&change, pc);
}

LP_API struct tree_node *lp_shim__ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_(
	struct tree_node *node, struct tree_node *header)
{
	const uintptr_t pc = RT_PC;
	struct tree_node *(*erase)(struct tree_node *, struct tree_node *) =
		library("_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_");

	touch(node, pc);
	struct change change = { .node = { node->left, node->right, node->parent, header, node } };
	before_change(&change, pc);
	struct tree_node *erased = erase(node, header);
	after_change(&change, pc);
	return erased;
}

static struct tree_node *step(const char *name, struct tree_node *node, uintptr_t pc)
{
	struct tree_node *(*move)(struct tree_node *) = library(name);

	touch(node, pc);
	node = move(node);
	touch(node, pc);
	return node;
}

#define STEP(name)                                                     \
	LP_API struct tree_node *lp_shim_##name(struct tree_node *node) \
	{                                                              \
		return step(#name, node, RT_PC);                       \
	}

STEP(_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base)
STEP(_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base)
STEP(_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base)
STEP(_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base)

/* std::hash of strings: the bytes are read. */
LP_API size_t lp_shim__ZSt11_Hash_bytesPKvmm(const void *bytes, size_t size, size_t seed)
{
	size_t (*hash)(const void *, size_t, size_t) =
		(size_t (*)(const void *, size_t, size_t))library("_ZSt11_Hash_bytesPKvmm");

	if (size)
		rt_read(bytes, size, RT_PC);
	return hash(bytes, size, seed);
}

/* The object's class is found by its first word. */
LP_API void *lp_shim___dynamic_cast(const void *object, const void *from, const void *to, ptrdiff_t hint)
{
	void *(*cast)(const void *, const void *, const void *, ptrdiff_t) =
		(void *(*)(const void *, const void *, const void *, ptrdiff_t))library("__dynamic_cast");

	rt_read(object, sizeof(void *), RT_PC);
	return cast(object, from, to, hint);
}
