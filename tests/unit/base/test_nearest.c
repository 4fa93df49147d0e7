/* test_nearest.c -- misspelt words: distances against the definition, and which words are suggested. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../expect.h"
#include "base/error.h"

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* By the definition: the last letters agree, or one of them is inserted, removed or replaced, or the last two are
 * exchanged. */
static size_t naive(const char *a, size_t m, const char *b, size_t n)
{
	if (!m || !n)
		return m + n;
	size_t d = naive(a, m - 1, b, n - 1) + (a[m - 1] != b[n - 1]);
	d = least(d, naive(a, m - 1, b, n) + 1);
	d = least(d, naive(a, m, b, n - 1) + 1);
	if (m > 1 && n > 1 && a[m - 1] == b[n - 2] && a[m - 2] == b[n - 1])
		d = least(d, naive(a, m - 2, b, n - 2) + 1);
	return d;
}

static uint64_t next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static size_t random_word(uint64_t *state, char *out)
{
	const size_t length = 1 + next(state) % 6;

	for (size_t i = 0; i < length; i++)
		out[i] = (char)('a' + next(state) % 3);
	out[length] = '\0';
	return length;
}

/* A word is suggested if, and only if, it is near, and none that came before is as near. */
static void compare(uint64_t seed)
{
	uint64_t state = seed;
	unsigned near = 0;

	printf("seed %llu\n", (unsigned long long)seed);
	for (int i = 0; i < 2000; i++) {
		char word[8], known[2][8];
		struct lp_nearest n = { .word = word, .length = random_word(&state, word) };
		const char *want = "";
		size_t best = SIZE_MAX;

		for (int k = 0; k < 2; k++) {
			const size_t length = random_word(&state, known[k]);
			const size_t d = naive(word, n.length, known[k], length);
			lp_nearest_offer(&n, known[k], length);
			if (d <= (length + 2) / 3 && d < length && d < best) {
				best = d;
				want = known[k];
			}
		}
		near += *want != '\0';
		EXPECT(!strcmp(n.best, want), "'%s' of '%s', '%s': '%s' instead of '%s'", word, known[0], known[1], n.best, want);
		EXPECT(!*want || n.distance == best, "'%s', '%s': %zu instead of %zu", word, want, n.distance, best);
	}
	EXPECT(near > 100 && near < 1900, "%u are near", near);
}

static const char *hint_for(const char *word, const char *before, struct lp_error *error)
{
	static const char *const known[] = { "queue", "stack", "set", "priority_queue", "rwlock" };
	struct lp_nearest n = { .word = word, .length = strlen(word) };

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		lp_nearest_offer(&n, known[i], strlen(known[i]));
	lp_fail(error, "no");
	snprintf(error->hint, sizeof error->hint, "%s", before);
	EXPECT(!lp_nearest_hint(&n, error));
	return error->hint;
}

int main(void)
{
	struct lp_error error;
	char longest[200];

	compare(41);
	EXPECT(!strcmp(hint_for("quue", "", &error), "did you mean 'queue'?"));
	EXPECT(!strcmp(hint_for("qeueu", "", &error), "did you mean 'queue'?"));
	EXPECT(!strcmp(hint_for("prioritqueue", "a list", &error), "did you mean 'priority_queue'? a list"));
	EXPECT(!strcmp(hint_for("xyz", "a list", &error), "a list"));
	EXPECT(!strcmp(hint_for("", "a list", &error), "a list"));
	memset(longest, 'q', sizeof longest - 1);
	longest[sizeof longest - 1] = '\0';
	EXPECT(!strcmp(hint_for(longest, "", &error), ""));
	EXPECT(!lp_nearest_hint(&(struct lp_nearest){ .best = "x" }, NULL));
	return expect_status();
}
