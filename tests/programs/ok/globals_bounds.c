/* Variables that are accessed in ways that look like beyond their bounds, or must lie next to each other.
 * expect sc,rc11: verified
 * expect rc11 -- -O2: verified
 * expect rc11 -- -fcommon: verified
 */
#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "../parallel.h"

/* A table that the linker makes: one variable behind the other. */
struct entry {
	const char *name;
	int value;
};
#define ENTRY(name, value)                                                                      \
	static const struct entry entry_##name __attribute__((used, section("entries"))) = { #name, value }
ENTRY(one, 1);
ENTRY(two, 2);
ENTRY(three, 3);
extern const struct entry __start_entries[], __stop_entries[];

/* A flexible array with elements. */
static struct {
	int count;
	int at[];
} list = { 3, { 1, 2, 3 } };

/* Declared without a size before it is defined. */
extern int later[];
static int *const end_of_later = &later[4];

static int sum(const int *p, const int *end)
{
	int total = 0;

	while (p < end)
		total += *p++;
	return total;
}

int later[4] = { 1, 2, 3, 4 };
extern int same[4] __attribute__((alias("later")));
int tentative[4];
static struct {
	char c;
	int matrix[2][2];
	_Alignas(64) atomic_int aligned;
} whole;
static union {
	int number;
	char bytes[4];
} mixed;
static _Thread_local int mine[3];
static int empty[0];

static void work(void)
{
	for (int i = 0; i < 3; i++)
		mine[i] = i;
	assert(sum(mine, mine + 3) == 3);
	store(&whole.aligned, 1, relaxed);
}

int main(void)
{
	int total = 0;

	parallel(work, work);
	for (const struct entry *e = __start_entries; e < __stop_entries; e++)
		total += e->value;
	assert(total == 6);
	assert(sum(list.at, list.at + list.count) == 6);
	assert(sum(later, end_of_later) == 10 && sum(same, same + 4) == 10);
	memset(tentative, 1, sizeof tentative);
	memcpy(whole.matrix, tentative, sizeof tentative);
	assert((&whole.matrix[0][0])[3] == 0x01010101);
	mixed.number = 0;
	mixed.bytes[3] = 1;
	assert(strlen("text") + strlen(&"text"[2]) == 6 && sizeof empty == 0);
	assert(offsetof(__typeof__(whole), matrix) == 4 && (size_t)&whole.aligned % 64 == 0);
	return 0;
}
