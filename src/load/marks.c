/* marks.c -- records of what is not understood, as assembly. */
#include "load/marks.h"

#include <string.h>

void lp_mark_set(FILE *assembly, uint32_t number)
{
	fprintf(assembly, "\tmovb\t$1, .Llp_mark%u(%%rip)\n", number);
}

static void put_text(FILE *assembly, const char *text, size_t room)
{
	fputs("\t.ascii\t\"", assembly);
	for (const char *s = text; *s; s++)
		fprintf(assembly, *s == '"' || *s == '\\' || *s < ' ' ? "\\%03o" : "%c", *s & 0xff);
	fprintf(assembly, "\"\n\t.zero\t%zu\n", room - strlen(text));
}

void lp_marks_put(FILE *assembly, const struct lp_marks *marks)
{
	fprintf(assembly, "\t.section\t" LP_MARKS_SECTION ",\"aw\",@progbits\n\t.balign\t%d\n", LP_MARKS_ALIGN);
	for (uint32_t i = 0; i < marks->count; i++) {
		const struct lp_mark *mark = &marks->at[i];
		fprintf(assembly, ".Llp_mark%u:\n\t.byte\t%u, %u\n", i, mark->executed, mark->kind);
		put_text(assembly, mark->place, sizeof mark->place);
		put_text(assembly, mark->what, sizeof mark->what);
	}
	fprintf(assembly, "\t.balign\t%d\n", LP_MARKS_ALIGN);
}
