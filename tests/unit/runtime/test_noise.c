/* test_noise.c -- what the runtime counts as noise between a join and the end of main().
 *
 * explore/reduce/final_joins.h relies on it: local variables end quietly once there is no other thread to notice.
 */
#include "driver.h"

#include <stdio.h>

static struct driver d;

static bool is_at(lp_tid t, enum lp_op_kind kind)
{
	const struct lp_op *op = lp_program_pending(d.program, t);

	return op && op->kind == kind;
}

static uint64_t noise_after_join(void)
{
	driver_reset(&d);
	while (!is_at(0, LP_OP_JOIN))
		driver_step(&d, 0);
	while (!is_at(1, LP_OP_END))
		driver_step(&d, 1);
	const uint64_t before = d.program->class->noise(d.program);
	while (!is_at(0, LP_OP_END))
		driver_step(&d, 0);
	return d.program->class->noise(d.program) - before;
}

int main(void)
{
	static const struct {
		const char *name, *body;
		bool quiet;
	} ends[] = {
		{ "a variable", "pthread_join(thread[0], NULL);", true },
		{ "a write", "pthread_join(thread[0], NULL); y = 1;", false },
		{ "a variable that was used", "lent = &local; pthread_join(thread[0], NULL);", false },
	};
	struct lp_error error = { .text = "" };
	char source[1024];
	unsigned failures = 0;

	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		snprintf(source, sizeof source, "#include <pthread.h>\n"
			 "int y, *_Atomic lent;\n"
			 "void *f(void *u) { int *p = lent; if (p) *p = 1; return u; }\n"
			 "int main(void) { pthread_t thread[2]; int local = 0;\n"
			 "pthread_create(&thread[0], NULL, f, &local); %s return 0; }\n", ends[i].body);
		if (!driver_open(&d, source, ".c", NULL, NULL, &error)) {
			printf("%s: %s\n", ends[i].name, error.text);
			return 1;
		}
		/* The driver asks for leaks, which is one. */
		const uint64_t noise = noise_after_join();
		if ((noise == 1) != ends[i].quiet) {
			printf("FAIL %s: %lu\n", ends[i].name, (unsigned long)noise);
			failures++;
		}
		driver_close(&d);
	}
	return failures != 0;
}
