/* Local variables that are used up to their bounds, in many ways.
 * expect sc,rc11: verified
 * expect rc11 -- -O0: verified
 * expect rc11 -- -O2: verified
 */
#include <alloca.h>
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../parallel.h"

static volatile int four = 4;
static int *shared;

static __attribute__((noinline)) void put(int *p, int i)
{
	p[i] = 1;
}

static int sum(const int *p, int count)
{
	int total = 0;

	for (const int *end = p + count; p < end; p++)
		total += *p;
	return total;
}

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static void arrays(int i)
{
	int a[4] = { 3, 1, 2, 0 }, b[4], matrix[2][2] = { { 1, 2 }, { 3, 4 } }, vla[i], *heap = malloc(sizeof a);
	volatile int slow[2];
	atomic_int atomics[4];

	assert(sum(a, i) == 6);
	qsort(a, 4, sizeof *a, compare);
	assert(a[i - 1] == 3);
	memcpy(b, a, sizeof a);
	memcpy(heap, b, sizeof b);
	memmove(&b[1], &b[0], sizeof *b * (size_t)(i - 1));
	assert(b[i - 1] == 2 && heap[i - 1] == 3);
	assert((&matrix[0][0])[i - 1] == 4 && matrix[i - 3][i - 4] == 3);
	for (int k = 0; k < i; k++) {
		put(vla, k);
		atomic_init(&atomics[k], k);
	}
	slow[i - 4] = slow[i - 3] = 1;
	assert(sum(vla, i) == 4 && load(&atomics[i - 1], relaxed) == 3 && slow[i - 3] == 1);
	fetch_add(&atomics[i - 1], 1, relaxed);
	assert(load(&atomics[i - 1], relaxed) == 4);
	free(heap);
}

static void texts(int i)
{
	char text[8], *more = alloca((size_t)i), number[4];
	struct {
		int length;
		char at[8];
	} s = { 3, "abc" };
	const char *const names[] = { "zero", "one", "two", "three" };

	strcpy(text, "1234567");
	memset(more, 'x', (size_t)i);
	snprintf(number, sizeof number, "%d", 1234);
	assert(text[i + 3] == '\0' && more[i - 1] == 'x' && number[i - 1] == '\0');
	s.at[s.length] = 'd';
	s.at[i] = '\0';
	assert(strlen(s.at) == 4 && !strcmp(names[i - 1], "three"));
	assert("text"[i] == '\0');
}

static int total(int count, ...)
{
	va_list list;
	int all[8], sum_of_all = 0;

	va_start(list, count);
	for (int k = 0; k < count; k++)
		all[k] = va_arg(list, int);
	va_end(list);
	for (int k = 0; k < count; k++)
		sum_of_all += all[k];
	return sum_of_all;
}

static int down(int n)
{
	int here[3];

	for (int k = 0; k < 3; k++)
		here[k] = n;
	return n ? down(n - 1) + here[n % 3] : sum(here, 3);
}

static void other(void)
{
	put(shared, four - 1);
}

int main(void)
{
	int mine[4] = { 0 };

	arrays(four);
	texts(four);
	assert(total(8, 1, 2, 3, 4, 5, 6, 7, 8) == 36);
	assert(down(5) == 15);
	shared = mine;
	pthread_t thread;
	pthread_create(&thread, NULL, (void *(*)(void *))other, NULL);
	pthread_join(thread, NULL);
	assert(sum(mine, four) == 1);
	return 0;
}
