/* error.c -- errors for the user, and our own. */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

bool lp_fail(struct lp_error *error, const char *format, ...)
{
	if (error) {
		va_list args;
		va_start(args, format);
		vsnprintf(error->text, sizeof error->text, format, args);
		va_end(args);
		error->hint[0] = '\0';
	}
	return false;
}

_Noreturn void lp_bug(const char *file, int line, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	fprintf(stderr, "linchpin: internal error at %s:%d: ", file, line);
	vfprintf(stderr, format, args);
	fputs("\nhint: this is a defect of linchpin, not of your code; no verdict was reached\n", stderr);
	va_end(args);
	_Exit(70);
}
