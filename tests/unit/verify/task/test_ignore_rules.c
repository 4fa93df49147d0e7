/* test_ignore_rules.c -- rules of --only and --ignore: what is understood, and that anything else is refused. */
#include <stdio.h>
#include <string.h>

#include "expect.h"
#include "base/alloc.h"
#include "base/error.h"
#include "verify/task/ignore_rules.h"

static struct lp_finding_rules read_rules(const char *text, bool ignore, struct lp_arena *arena, bool *good)
{
	struct lp_finding_rules rules = { 0 };
	struct lp_error error = { .text = "" };

	*good = lp_ignore_rules_parse(&rules, text, ignore, arena, &error);
	EXPECT(*good == !error.text[0], "'%s': %s", text, error.text);
	return rules;
}

static void good_rules(struct lp_arena *arena)
{
	bool good;
	struct lp_finding_rules r = read_rules("use-after-free@a/b.c:42, use after free@b.c ,*@push,leak", true, arena, &good);

	EXPECT(good && r.count == 4);
	EXPECT(r.at[0].kind == LP_ERROR_USE_AFTER_FREE && !strcmp(r.at[0].file, "a/b.c") && r.at[0].line == 42);
	EXPECT(r.at[1].kind == LP_ERROR_USE_AFTER_FREE && !strcmp(r.at[1].file, "b.c") && !r.at[1].line);
	EXPECT(r.at[2].kind == LP_ERROR_NONE && !r.at[2].file && !strcmp(r.at[2].function, "push"));
	EXPECT(r.at[3].kind == LP_ERROR_LEAK && !r.at[3].file && !r.at[3].function);
	lp_free(r.at);
	r = read_rules("race", false, arena, &good);
	EXPECT(good && r.count == 1 && r.at[0].kind == LP_ERROR_RACE);
	lp_free(r.at);
}

/* Any bytes are rules, or one message. */
static void any_bytes(struct lp_arena *arena)
{
	static const char letters[] = "leakrce*@@:,, .-/19#\n\xff";
	uint64_t state = 41;
	unsigned understood = 0;

	printf("seed 41\n");
	for (int i = 0; i < 20000; i++) {
		char text[32] = "leak";
		size_t length = i % 3 ? 4 : 0;
		bool good;
		for (int k = 0; k < i % 20; k++) {
			state = state * 6364136223846793005u + 1442695040888963407u;
			text[length++] = letters[(state >> 33) % (sizeof letters - 1)];
		}
		text[length] = '\0';
		if (strchr(text, '@') && (text[0] == '@' || strstr(text, ",@") || strstr(text, " @")))
			continue; /* files */
		struct lp_finding_rules r = read_rules(text, i % 2, arena, &good);
		understood += good;
		lp_free(r.at);
	}
	EXPECT(understood > 500, "%u are understood", understood);
}

int main(void)
{
	struct lp_arena arena = { 0 };

	good_rules(&arena);
	any_bytes(&arena);
	lp_arena_close(&arena);
	return expect_status();
}
