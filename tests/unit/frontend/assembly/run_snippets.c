/* run_snippets.c -- runs each snippet as it is and as lowered, from the same random states, and
 * compares what the two leave behind. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "snippets.h"

enum { ROUNDS = 2000 };

static uint64_t seed = 88172645463325252;

static uint64_t random_bits(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

/* Values at the edges are as likely as others. */
static uint64_t random_value(void)
{
	static const uint64_t edges[] = { 0, 1, 2, 3, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff,
					  0x80000000, 0xffffffff, INT64_MAX, (uint64_t)INT64_MIN, UINT64_MAX };

	switch (random_bits() % 4) {
	case 0:
		return edges[random_bits() % (sizeof edges / sizeof *edges)];
	case 1:
		return 0 - edges[random_bits() % (sizeof edges / sizeof *edges)];
	default:
		return random_bits();
	}
}

static void fill(struct state *s)
{
	memset(s, 0, sizeof *s);
	for (int i = 0; i < 4; i++)
		s->in[i] = random_value();
	for (int i = 0; i < 16; i++)
		s->mem[i] = random_value();
	/* So that sums are zero, and comparisons succeed, often enough. */
	if (random_bits() % 4 == 0)
		s->mem[8] = 0 - s->in[0];
	if (random_bits() % 4 == 0)
		s->mem[8] = s->in[1];
}

static void show(const char *which, const struct state *s)
{
	printf("  %s: out", which);
	for (int i = 0; i < 6; i++)
		printf(" %llx", (unsigned long long)s->out[i]);
	printf(", mem");
	for (int i = 0; i < 16; i++)
		printf(" %llx", (unsigned long long)s->mem[i]);
	printf("\n");
}

static int compare(const struct snippet *original, const struct snippet *lowered)
{
	for (int round = 0; round < ROUNDS; round++) {
		struct state first, a, b;
		fill(&first);
		a = b = first;
		original->run(&a);
		lowered->run(&b);
		if (!memcmp(&a, &b, sizeof a))
			continue;
		printf("FAIL: %s: in %llx %llx %llx %llx\n", original->name, (unsigned long long)first.in[0],
		       (unsigned long long)first.in[1], (unsigned long long)first.in[2],
		       (unsigned long long)first.in[3]);
		show("before  ", &first);
		show("original", &a);
		show("lowered ", &b);
		return 1;
	}
	return 0;
}

int main(void)
{
	int count = 0, failures = 0;

	for (; original_snippets[count].name; count++)
		failures += compare(&original_snippets[count], &lowered_snippets[count]);
	printf("%d snippets, %d failures\n", count, failures);
	return failures || !count;
}
