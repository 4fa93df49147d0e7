/* shim_iostream.c -- std::cout, std::cerr and std::clog go where printf goes.
 *
 * Their buffers pass everything on to a FILE, whose address they keep behind the
 * fields of std::streambuf.  When <iostream> has initialised them, we put a FILE of
 * ours there: unbuffered, so that nothing of an execution stays behind in it.
 */
#define _GNU_SOURCE
#include "runtime/shim.h"

#include <stdio.h>
#include <string.h>

/* libstdc++: stdio_sync_filebuf, a streambuf of eight words and then its file. */
enum { FILE_OF_BUFFER = 64 };

static ssize_t show(void *cookie, const char *text, size_t size)
{
	(void)cookie;
	if (rt_entered())
		rt_output(text, size);
	return (ssize_t)size;
}

static FILE *capturing_file(void)
{
	static FILE *file;

	if (!file) {
		file = fopencookie(NULL, "w", (cookie_io_functions_t){ .write = show });
		if (file)
			setvbuf(file, NULL, _IONBF, 0);
	}
	return file;
}

/* A std::ostream begins with its virtual table, which says three words below its
 * start how far away the std::ios part is.  False if it is not what we know. */
static bool capture(const char *stream, FILE *expected)
{
	char *const object = shim_libstdcxx(stream);
	void *(*const buffer_of)(const void *) = (void *(*)(const void *))
		shim_libstdcxx("_ZNKSt9basic_iosIcSt11char_traitsIcEE5rdbufEv");
	FILE *const ours = capturing_file();
	FILE *file;

	if (!object || !buffer_of || !ours)
		return false;
	const ptrdiff_t *const virtual = *(const ptrdiff_t **)object;
	char *const buffer = buffer_of(object + virtual[-3]);
	memcpy(&file, buffer + FILE_OF_BUFFER, sizeof file);
	if (file != expected && file != ours)
		return false;
	memcpy(buffer + FILE_OF_BUFFER, &ours, sizeof ours);
	return true;
}

LP_API void lp_shim__ZNSt8ios_base4InitC1Ev(void *init)
{
	void (*const construct)(void *) =
		(void (*)(void *))shim_libstdcxx("_ZNSt8ios_base4InitC1Ev");

	if (construct)
		construct(init);
	/* std::clog has the buffer of std::cerr. */
	if (!construct || !capture("_ZSt4cout", stdout) || !capture("_ZSt4cerr", stderr))
		rt_error("unsupported", RT_PC, NULL, "the <iostream> of this C++ library");
}

/* The streams stay as they are until the process ends. */
LP_API void lp_shim__ZNSt8ios_base4InitD1Ev(void *init)
{
	(void)init;
}
