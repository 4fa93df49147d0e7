/* naming.c -- names for the memory of an execution. */
#include "explore/naming.h"

#include "base/error.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { ROOM = 256 };

static struct lp_named_block *find_block(struct lp_naming *n, uintptr_t address)
{
	struct lp_named_block found = { .number = 0 };
	uint64_t offset;

	if (!n->memory ||
	    !(n->find ? n->find(n->closure, address, &found.block) : n->memory->block(address, &found.block)))
		return NULL;
	LP_HOLDS(address - found.block.start < found.block.size);
	for (uint32_t i = 0; i < n->count; i++)
		if (n->at[i].block.start == found.block.start)
			return &n->at[i];
	if (found.block.made)
		found.type = n->memory->type(found.block.made, &offset);
	LP_PUSH(n, found);
	return &n->at[n->count - 1];
}

/* The size of an object of the type, which its key contains: "node@12,16", "long/8". */
static uint64_t size_of(const char *key)
{
	const char *at = strrchr(key, '@');
	unsigned long long size = 0;

	if (at)
		sscanf(at, "@%*d,%llu", &size);
	else if ((at = strrchr(key, '/')))
		sscanf(at, "/%llu", &size);
	return size;
}

/* Learns the type if objects of this type fill the block from `shift` to its end. */
void lp_naming_learn(struct lp_naming *n, uintptr_t loc, uintptr_t pc)
{
	struct lp_named_block *b = find_block(n, loc);
	uint64_t offset = 0;

	if (!b || b->type || b->number || !pc)
		return;
	const char *type = n->memory->type(pc, &offset);
	const uint64_t size = type ? size_of(type) : 0, at = loc - b->block.start;
	if (!size || offset > at || at - offset + size > b->block.size || !strchr(type, '@'))
		return;
	b->type = type;
	b->shift = (at - offset) % size;
	LP_HOLDS(b->shift < size && b->shift <= at);
}

static int name_length(const struct lp_named_block *b)
{
	return b->type ? (int)strcspn(b->type, "@/") : (int)strlen("block");
}

static bool is_called_alike(const struct lp_named_block *a, const struct lp_named_block *b)
{
	const int length = name_length(a);

	return length == name_length(b) &&
	       !strncmp(a->type ? a->type : "block", b->type ? b->type : "block", (size_t)length);
}

static uint32_t number_of(struct lp_naming *n, struct lp_named_block *b)
{
	uint32_t most = 0;

	for (uint32_t i = 0; i < n->count; i++)
		if (n->at[i].number > most && is_called_alike(b, &n->at[i]))
			most = n->at[i].number;
	if (!b->number)
		b->number = most + 1;
	LP_HOLDS(b->number <= most + 1);
	return b->number;
}

/* "node#2.next"; `whole`: the object that begins there. */
static void put_name(struct lp_naming *n, struct lp_named_block *b, uintptr_t at, bool whole, char out[static ROOM])
{
	const uint64_t offset = at - b->block.start;
	LP_HOLDS(offset <= b->block.size);
	char part[ROOM / 2] = "";

	if (whole && !offset)
		part[0] = '\0';
	else if (b->type && offset >= b->shift)
		n->memory->part(b->type, b->block.size - b->shift, offset - b->shift, whole, part, sizeof part);
	else if (offset)
		snprintf(part, sizeof part, "+%" PRIu64, offset);
	snprintf(out, ROOM, "%.*s#%u%s", name_length(b), b->type ? b->type : "block", number_of(n, b), part);
}

const char *lp_naming_location(struct lp_naming *n, uintptr_t loc, const char *made)
{
	struct lp_named_block *b = find_block(n, loc);
	char name[ROOM], text[2 * ROOM];

	if (!b)
		return NULL;
	put_name(n, b, loc, false, name);
	snprintf(text, sizeof text, "%s (allocated %s%s)", name, made ? "at " : "by the set-up", made ? made : "");
	return lp_arena_strdup(n->arena, text);
}

const char *lp_naming_block(struct lp_naming *n, uintptr_t loc)
{
	struct lp_named_block *b = find_block(n, loc);
	char name[ROOM];

	if (!b)
		return NULL;
	put_name(n, b, b->block.start, true, name);
	return lp_arena_strdup(n->arena, name);
}

/* The block that ends there: programs also have pointers to the end of an array. */
static struct lp_named_block *find_end(struct lp_naming *n, uintptr_t address)
{
	struct lp_named_block *b = find_block(n, address - 1);

	return b && b->block.start + b->block.size == address ? b : NULL;
}

/* Pointers may have marks in bits that addresses do not use: the lowest three, the highest 16. */
static bool put_address(struct lp_naming *n, uint64_t word, char out[static ROOM])
{
	const uint64_t address = word & UINT64_C(0xfffffffffff8);
	const unsigned low = (unsigned)(word & 7), high = (unsigned)(word >> 48);
	char name[ROOM], mark[16] = "";
	struct lp_named_block *b;

	if (address < 4096)
		return false;
	if ((b = find_block(n, address)) || (b = find_end(n, address)))
		put_name(n, b, address, true, name);
	else if (!n->memory || !n->memory->variable(address, name, sizeof name))
		return false;
	if (low)
		snprintf(mark, sizeof mark, "+%u", low);
	if (high)
		snprintf(out, ROOM, "{&%.200s%s, %u}", name, mark, high);
	else
		snprintf(out, ROOM, "&%.200s%s", name, mark);
	return true;
}

const char *lp_naming_value(struct lp_naming *n, struct lp_value v, unsigned size)
{
	char lo[ROOM], hi[ROOM], both[2 * ROOM + 8];
	bool named;

	if (size < 8)
		return NULL;
	named = put_address(n, v.lo, lo);
	if (size == 8)
		return named ? lp_arena_strdup(n->arena, lo) : NULL;
	if (!named)
		snprintf(lo, sizeof lo, "%" PRIu64, v.lo);
	if (!put_address(n, v.hi, hi)) {
		if (!named)
			return NULL;
		snprintf(hi, sizeof hi, "%" PRIu64, v.hi);
	}
	snprintf(both, sizeof both, "{%s, %s}", lo, hi);
	return lp_arena_strdup(n->arena, both);
}

void lp_naming_forget(struct lp_naming *n, uintptr_t start)
{
	for (uint32_t i = 0; i < n->count; i++)
		if (n->at[i].block.start == start) {
			n->at[i].block.start = 0; /* the block is forgotten, but its number stays
			                           * taken */
			n->at[i].block.size = 0;
		}
}

void lp_naming_restart(struct lp_naming *n)
{
	for (uint32_t i = 0; i < n->count; i++)
		n->at[i].number = 0;
}

void lp_naming_drop(struct lp_naming *n)
{
	lp_free(n->at);
	n->at = NULL;
	n->count = 0;
}
