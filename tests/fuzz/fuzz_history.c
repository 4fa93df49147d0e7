/* fuzz_history.c -- readers of histories.  The first byte chooses the format. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "history/history.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fail(const char *what, const char *text)
{
	fprintf(stderr, "%s: %s\n", what, text);
	abort();
}

static void reads_back(const struct lp_history *h)
{
	char *json = NULL;
	size_t size;
	FILE *to = open_memstream(&json, &size);
	struct lp_history again = { 0 };
	struct lp_error error = { 0 };

	lp_history_print_json(h, to);
	fclose(to);
	if (!lp_history_parse(&again, "again", LP_FORMAT_JSON, json, size, &error))
		fail("not read back", error.text);
	if (again.count != h->count)
		fail("another number of calls", json);
	free(json);
	lp_history_close(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const names[] = { "name", "name.tab", "name.json", "name.edn", "name.gz" };
	struct lp_history h = { 0 };
	struct lp_error error = { 0 };
	char text[64];

	if (!size)
		return 0;
	const char *name = names[data[0] % 5];
	const enum lp_format format = data[0] / 5 % 2 ? LP_FORMAT_AUTO :
							(enum lp_format)(data[0] / 10 % 5);
	if (lp_history_parse(&h, name, format, (const char *)data + 1, size - 1, &error)) {
		for (uint32_t i = 0; i < h.count; i++)
			lp_call_describe(&h, i, text, sizeof text);
		reads_back(&h);
	} else if (strncmp(error.text, name, strlen(name)) || error.text[strlen(name)] != ':' ||
		   strchr(error.text, '\n')) {
		fail("not a message", error.text);
	}
	lp_history_close(&h);
	return 0;
}
