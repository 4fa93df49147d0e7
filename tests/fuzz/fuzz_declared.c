/* fuzz_declared.c -- the list of declarations that `linchpin init` reads: any text, line by line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/init/declared.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool claim)
{
	if (!claim)
		abort();
}

static void print_type(FILE *out, const struct lp_declared_type *t)
{
	fprintf(out, "\t%s\t%c\t%s\t%.1s\t%s%s", t->text, t->sort, t->to ? t->to : "-", &t->to_sort, t->constant ? "const" : "",
		t->reference ? "&" : "");
}

static char *print(const struct lp_declared *d)
{
	char *line = NULL;
	size_t size;
	FILE *out = open_memstream(&line, &size);

	require(out && d->params <= LP_DECLARED_PARAMS);
	fprintf(out, "%s\t%u\t%s\t%s", d->file, d->line, d->owner ? d->owner : "-", d->name);
	print_type(out, &d->result);
	for (uint32_t i = 0; i < d->params; i++) {
		fprintf(out, "\t%s", d->param[i].name ? d->param[i].name : "-");
		print_type(out, &d->param[i].type);
	}
	fclose(out);
	return line;
}

/* What was read, printed as a line, is read as the same. */
static void read_back(const struct lp_declared *d)
{
	struct lp_declarations again = { .count = 0 };
	char *text = print(d), *copy = strdup(text);

	lp_declared_read(&again, copy);
	require(again.count == 1);
	char *printed = print(&again.at[0]);
	require(!strcmp(text, printed));
	free(text);
	free(copy);
	free(printed);
	lp_declarations_close(&again);
}

static bool is_same_function(const struct lp_declared *a, const struct lp_declared *b)
{
	return !strcmp(a->name, b->name) && a->params == b->params && !a->owner == !b->owner &&
	       (!a->owner || !strcmp(a->owner, b->owner));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lp_declarations d = { .count = 0 };
	char *copy = malloc(size + 1), *save;

	memcpy(copy, data, size);
	copy[size] = '\0';
	for (char *line = strtok_r(copy, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		lp_declared_read(&d, line);
	free(copy); /* nothing refers to it */
	for (uint32_t i = 0; i < d.count; i++) {
		read_back(&d.at[i]);
		for (uint32_t k = 0; k < i; k++)
			require(!is_same_function(&d.at[i], &d.at[k]));
	}
	lp_declarations_close(&d);
	return 0;
}
