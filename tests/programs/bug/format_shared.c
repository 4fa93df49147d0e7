/* A format is a string that printf() reads, wherever it is.  Arguments whose types cannot be told from the format may be
 * strings, too: then nothing is verified.
 * expect sc,rc11: violation race at BUG
 * expect rc11 -- -DNUMBERED: inconclusive, says "snprintf() with numbered arguments"
 * expect rc11 -- -DUNUSUAL: inconclusive, says "snprintf() with %S"
 */
#include <stdio.h>
#include <wchar.h>

#include "../parallel.h"

static char format[] = "%d";
static char name[] = "name";
static wchar_t wide[] = L"name";

static void writes(void)
{
	format[1] = 'x'; /* BUG */
	name[1] = 'o';
	wide[1] = L'o';
}

static void prints(void)
{
	char text[32];

	(void)name;
	(void)wide;
#if defined(NUMBERED)
	snprintf(text, sizeof text, "%1$s", name);
#elif defined(UNUSUAL)
	snprintf(text, sizeof text, "%S", wide);
#else
	snprintf(text, sizeof text, format, 1); /* BUG */
#endif
}

int main(void)
{
	parallel(writes, prints);
	return 0;
}
