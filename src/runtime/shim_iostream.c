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

/* What is written to a stream is read here; the rest is the library's. */
typedef void *write_to(void *stream, const char *text, ssize_t size);

static void *write_by(const char *function, void *stream, const char *text, ssize_t size, uintptr_t pc)
{
	write_to *const write = (write_to *)shim_libstdcxx(function);

	if (!write)
		rt_error("unsupported", pc, NULL, "the <iostream> of this C++ library");
	if (size > 0)
		rt_read(text, (size_t)size, pc);
	return write(stream, text, size);
}

#define WRITE(name)                                                                        \
	LP_API void *lp_shim_##name(void *stream, const char *text, ssize_t size)          \
	{                                                                                  \
		return write_by(#name, stream, text, size, RT_PC);                         \
	}

WRITE(_ZNSo5writeEPKcl)
WRITE(_ZSt16__ostream_insertIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_PKS3_l)
