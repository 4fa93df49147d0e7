/* naive_main.c -- judges abstract programs, read as text, one answer a line.
 *
 *     program SEMAPHORE SEMAPHORE BARRIER
 *     thread N
 *     load r1 x0 acquire ...          instructions: naive.h
 *     judge STATES     or:  slowly STATES, to know all errors
 *
 * A register is r0 .. r9, anything else a number; jumps name the instruction's place.  The
 * answer to the last line: either "too large", or three fields with a bar between: errors under sc,
 * errors when memory orders count, outcomes.
 */
#include "naive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const ops[] = {
#define X(name) #name,
	NAIVE_OPS(X)
#undef X
};

static const char *const errors[] = {
#define X(name, text) text,
	NAIVE_ERRORS(X)
#undef X
};

static void die(const char *line)
{
	fprintf(stderr, "naive: not understood: %s\n", line);
	exit(2);
}

static void add_insn(struct naive_program *p, int t, char *line)
{
	const char *word = strtok(line, " \n");
	int op = 0;

	while (op < OPS && strcmp(ops[op], word))
		op++;
	if (op == OPS || p->length[t] == CODE)
		die(word);
	struct naive_insn *i = &p->code[t][p->length[t]++];
	*i = (struct naive_insn){ .op = (enum naive_op)op };
	for (int a = 0; a < ARGS && (word = strtok(NULL, " \n")); a++)
		i->arg[a] = (struct naive_arg){ atoi(word + (*word == 'r')), *word == 'r' };
}

static void print_errors(uint32_t set)
{
	for (int e = 0; e < ERRORS; e++)
		if (set >> e & 1)
			printf("%s;", errors[e]);
}

static void judge(const struct naive_program *p, uint32_t most, bool slow)
{
	static struct naive_answer sc, c11;

	naive_judge(p, false, slow, most, &sc);
	if (!sc.too_large)
		naive_judge(p, true, slow, most, &c11);
	if (sc.too_large || c11.too_large) {
		puts("too large");
		return;
	}
	print_errors(sc.errors);
	putchar('|');
	print_errors(c11.errors);
	putchar('|');
	for (uint32_t i = 0; i < sc.outcomes; i++)
		printf("%s;", sc.outcome[i]);
	putchar('\n');
}

int main(void)
{
	static struct naive_program p;
	char line[256];
	int t = 0;

	while (fgets(line, sizeof line, stdin)) {
		if (!strncmp(line, "program ", 8)) {
			memset(&p, 0, sizeof p);
			if (sscanf(line, "program %d %d %d", &p.semaphores[0], &p.semaphores[1], &p.barrier) != 3)
				die(line);
		} else if (!strncmp(line, "thread ", 7)) {
			t = atoi(line + 7);
			if (t < 0 || t >= THREADS)
				die(line);
		} else if (!strncmp(line, "judge ", 6) || !strncmp(line, "slowly ", 7)) {
			judge(&p, (uint32_t)atoi(strchr(line, ' ')), *line == 's');
			fflush(stdout);
		} else {
			add_insn(&p, t, line);
		}
	}
	return 0;
}
