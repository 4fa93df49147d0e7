/* shim_format.c -- reports the memory that a printf-like call accesses through its arguments.
 *
 * Walks the format as printf does, taking each argument with its type: %s reads a
 * string, %n writes a number, everything else is passed by value.  What cannot be walked
 * (numbered arguments, unusual conversions) is not supported: the rest of the arguments is unknown.
 */
#include "runtime/shims/shim.h"

#include <limits.h>
#include <wchar.h>

#include "base/error.h"

enum length { LENGTH_NONE, LENGTH_HH, LENGTH_H, LENGTH_L, LENGTH_LL, LENGTH_BIG };

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static enum length parse_length(const char **f)
{
	switch (*(*f)++) {
	case 'h':
		if (**f != 'h')
			return LENGTH_H;
		(*f)++;
		return LENGTH_HH;
	case 'l':
		if (**f != 'l')
			return LENGTH_L;
		(*f)++;
		return LENGTH_LL;
	case 'q':
		return LENGTH_LL;
	case 'j':
	case 'z':
	case 'Z':
	case 't':
		return LENGTH_L;
	case 'L':
		return LENGTH_BIG;
	default:
		(*f)--;
		return LENGTH_NONE;
	}
}

/* A width or precision: digits, or `*` for an argument. */
static int parse_number(const char **f, va_list *args)
{
	int n = 0;

	if (**f == '*') {
		(*f)++;
		return va_arg(*args, int);
	}
	for (; is_digit(**f); (*f)++)
		n = n > INT_MAX / 10 - 1 ? n : 10 * n + (**f - '0');
	LP_HOLDS(n >= 0); /* a negative precision counts as none */
	return n;
}

static void wide_string(const struct shim_site *at, const wchar_t *text)
{
	do
		rt_read(text, sizeof *text, at->pc);
	while (*text++);
}

/* Takes the argument of one conversion; false if there is no such conversion. */
static bool convert(const struct shim_site *at, char conversion, enum length length,
		    int precision, va_list *args)
{
	const void *p;

	switch (conversion) {
	case '%':
	case 'm':
		return true;
	case 'd': case 'i': case 'o': case 'u': case 'x': case 'X': case 'c':
		if (length == LENGTH_L || length == LENGTH_LL || length == LENGTH_BIG)
			(void)va_arg(*args, long long);
		else
			(void)va_arg(*args, int);
		return true;
	case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': case 'a': case 'A':
		if (length == LENGTH_BIG)
			(void)va_arg(*args, long double);
		else
			(void)va_arg(*args, double);
		return true;
	case 'p':
		(void)va_arg(*args, void *);
		return true;
	case 's':
		p = va_arg(*args, const void *);
		if (!p)
			return true; /* glibc prints (null) */
		if (length == LENGTH_L)
			wide_string(at, p);
		else
			shim_string_length(at, p, precision < 0 ? SIZE_MAX : (size_t)precision);
		return true;
	case 'n':
		rt_error(LP_ERROR_UNSUPPORTED, at->pc, NULL, "%s() with %%n", at->name);
	default:
		return false;
	}
}

void shim_format_accesses(const struct shim_site *at, const char *format, va_list arguments)
{
	const char *f = format;
	va_list args;

	if (!rt_is_constant((uintptr_t)format)) /* otherwise it is a literal */
		shim_string_length(at, format, SIZE_MAX);
	va_copy(args, arguments);
	while (*f) {
		int precision = -1;

		if (*f++ != '%')
			continue;
		while (*f == '-' || *f == '+' || *f == ' ' || *f == '#' || *f == '0' ||
		       *f == '\'' || *f == 'I')
			f++;
		parse_number(&f, &args);
		if (*f == '$')
			rt_error(LP_ERROR_UNSUPPORTED, at->pc, NULL, "%s() with numbered arguments", at->name);
		if (*f == '.') {
			f++;
			precision = parse_number(&f, &args);
		}
		const enum length length = parse_length(&f);
		if (!*f)
			break;
		if (!convert(at, *f++, length, precision, &args))
			rt_error(LP_ERROR_UNSUPPORTED, at->pc, NULL, "%s() with %%%c", at->name, f[-1]);
	}
	va_end(args);
}
