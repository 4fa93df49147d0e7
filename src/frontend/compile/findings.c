/* findings.c -- lists parts of the program that linchpin cannot see into. */
#include "frontend/compile/compile.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void lp_findings_add(struct lp_findings *findings, const char *format, ...)
{
	char text[512];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	for (uint32_t i = 0; i < findings->count; i++)
		if (!strcmp(findings->at[i], text))
			return;
	LP_PUSH(findings, lp_strdup(text));
}

void lp_findings_drop(struct lp_findings *findings)
{
	for (uint32_t i = 0; i < findings->count; i++)
		lp_free(findings->at[i]);
	lp_free(findings->at);
	*findings = (struct lp_findings){ 0 };
}
