/* test_database.c -- compile_commands.json: which flags are taken, and that anything else is refused. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "expect.h"
#include "frontend/compile/database.h"

/* The flags for the file, with blanks between them; "refused" or "absent". */
static const char *flags_of(const char *database, const char *file)
{
	static char out[1024];
	char text[1024];
	struct lp_words flags = { 0 };
	struct lp_error error = { .text = "" };
	bool found;

	snprintf(text, sizeof text, "%s", database);
	const bool good = lp_database_read(text, "x.json", file, &flags, &found, &error);
	EXPECT(good == !error.text[0]);
	snprintf(out, sizeof out, "%s", !good ? "refused" : !found ? "absent" : "");
	for (uint32_t i = 0; good && i < flags.count; i++) {
		const size_t used = strlen(out);
		snprintf(out + used, sizeof out - used, "%s%s", i ? " " : "", flags.at[i]);
	}
	lp_words_drop(&flags);
	return out;
}

static void expect_flags(const char *database, const char *file, const char *want)
{
	const char *got = flags_of(database, file);

	EXPECT(!strcmp(got, want), "%s: '%s' instead of '%s'", database, got, want);
}

static void cases(void)
{
	expect_flags("[]", "/p/a.c", "absent");
	expect_flags("[{\"directory\":\"/p\",\"file\":\"a.c\",\"command\":\"cc -c a.c\"}]", "/p/a.c", "");
	expect_flags("[{\"directory\":\"/p\",\"file\":\"/p/a.c\",\"arguments\":[\"cc\",\"-Ii\",\"-I\",\"/j\",\"-isystem\",\"k\",\"-DX\"]}]",
		     "/p/a.c", "-I/p/i -I/j -isystem /p/k -DX");
	expect_flags("[{\"file\":\"a.c\",\"directory\":\"/p\",\"command\":\"cc -D X='a b' -U Y -std=c11 -o -I -c\"}]", "/p/a.c",
		     "-D X=a b -U Y -std=c11 -I/p/-c");
	expect_flags("[{\"directory\":\"/p\",\"file\":\"a.c\",\"command\":\"cc -Werror -O3 -fno-tree-vrp -MD -MF f -include nowhere.h\"}]",
		     "/p/a.c", "-include nowhere.h");
	expect_flags("[{\"directory\":\"/p\",\"file\":\"\\u0061.c\",\"command\":\"cc -D\\\"A\\tB\\\" -I\"}]", "/p/a.c", "-DA\tB");
	expect_flags("[{\"directory\":\"/q\",\"file\":\"a.c\",\"command\":\"cc -DQ\"},{\"directory\":\"/p\",\"file\":\"a.c\",\"command\":\"cc -DP\"}]",
		     "/p/a.c", "-DP");
	expect_flags("[{\"directory\":\"/p\",\"file\":\"a.c\"} {}]", "/p/b.c", "refused");
	expect_flags("[{\"directory\":\"/p\",\"file\":\"a\\u0000.c\"}]", "/p/b.c", "refused");
}

/* Any change of a byte gives flags, none, or one message. */
static void changed(void)
{
	static const char good[] = "[{\"directory\":\"/p\",\"file\":\"a.c\",\"x\":[1,{\"y\":\"\\u00e4\\n\"}],\"arguments\":[\"cc\",\"-Ii\",\"-D\"]}]";
	static const char bytes[] = "[]{}\",:\\u0a \n-I";
	unsigned refused = 0, all = 0;

	for (size_t at = 0; at < sizeof good - 1; at++) {
		for (size_t b = 0; b < sizeof bytes; b++) { /* the last one ends the text */
			char text[sizeof good];
			memcpy(text, good, sizeof good);
			text[at] = bytes[b];
			refused += !strcmp(flags_of(text, "/p/a.c"), "refused");
			all++;
		}
	}
	EXPECT(refused > all / 4 && refused < all, "%u of %u are refused", refused, all);
}

int main(void)
{
	cases();
	changed();
	return expect_status();
}
