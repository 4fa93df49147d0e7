/* shim_stdio.c -- output.
 *
 * Output to stdout and stderr is passed to the runtime. Output to other streams is "unsupported",
 * because it would have effects outside the program, once for every execution.
 *
 * Reads through the arguments are reported before memory is allocated or written: a thread that
 * stops there leaves nothing behind.
 */
#define _GNU_SOURCE
#include "runtime/shims/shim.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"

/* Bytes that a call can write into the user's memory at once. */
enum { PRINTED = 4096 };

static void must_be_shown(const struct shim_site *at, FILE *stream)
{
	if (stream != stdout && stream != stderr)
		rt_error(LP_ERROR_UNSUPPORTED, at->pc, stream,
			 "%s() to a stream other than stdout and stderr", at->name);
}

static void must_be_shown_fd(const struct shim_site *at, int fd)
{
	if (fd != STDOUT_FILENO && fd != STDERR_FILENO)
		rt_error(LP_ERROR_UNSUPPORTED, at->pc, NULL, "%s() to file descriptor %d", at->name, fd);
}

/* Formats without an operation in between; `errno` for %m is the user's. */
static int format_to(char *to, size_t room, const char *format, va_list arguments)
{
	va_list args;

	LP_HOLDS(to || !room);
	va_copy(args, arguments);
	errno = *shim_errno();
	const int length = vsnprintf(to, room, format, args);
	va_end(args);
	return length;
}

static int show(const struct shim_site *at, const char *format, va_list args)
{
	char small[256];

	shim_format_accesses(at, format, args);
	const int length = format_to(small, sizeof small, format, args);
	if (length < 0)
		return length;
	if ((size_t)length < sizeof small) {
		rt_output(small, (size_t)length);
	} else {
		char *large = lp_alloc((size_t)length + 1);
		const int again = format_to(large, (size_t)length + 1, format, args);
		LP_HOLDS(again == length);
		rt_output(large, (size_t)length);
		lp_free(large);
	}
	return length;
}

static int show_bytes(const struct shim_site *at, const char *text, size_t size)
{
	if (size) {
		rt_read(text, size, at->pc);
		rt_output(text, size);
	}
	return 1;
}

static int show_string(const struct shim_site *at, const char *text)
{
	const size_t length = shim_string_length(at, text, SIZE_MAX);

	if (length)
		rt_output(text, length);
	return 1;
}

static int show_char(int c)
{
	const char byte = (char)c;

	rt_output(&byte, 1);
	return (unsigned char)c;
}

/* While the text is written, it is on the shim's stack, which is saved with the thread. */
static void put_formatted(const struct shim_site *at, char *to, size_t room, const char *format,
			  va_list args)
{
	if (room > PRINTED)
		rt_error(LP_ERROR_UNSUPPORTED, at->pc, to, "%s() of more than %d bytes", at->name, PRINTED);
	LP_HOLDS(room); /* for the terminator */
	char text[room];
	const int length = format_to(text, room, format, args);
	LP_HOLDS(length >= 0 && (size_t)length + 1 >= room); /* every byte of the text is set */
	rt_write(to, text, room, at->pc);
}

/* Prints into the user's memory: at most `room` bytes with the terminator. The compiler knows that
 * there is room for `known` bytes. */
static int print(const struct shim_site *at, char *to, size_t room, size_t known,
		 const char *format, va_list args)
{
	shim_format_accesses(at, format, args);
	const int length = format_to(NULL, 0, format, args);
	if (length < 0)
		return length;
	const size_t needed = (size_t)length + 1;
	const size_t used = needed < room ? needed : room;
	if (used > known)
		rt_error(LP_ERROR_OUT_OF_BOUNDS, at->pc, to, "%s() of %zu bytes into an object of %zu",
			 at->name, used, known);
	if (used > 0)
		put_formatted(at, to, used, format, args);
	return length;
}

static int print_new(const struct shim_site *at, char **to, const char *format, va_list args)
{
	shim_format_accesses(at, format, args);
	const int length = format_to(NULL, 0, format, args);
	if (length < 0)
		return length;
	char *text = rt_heap_alloc((size_t)length + 1, 16, false, at->pc);
	put_formatted(at, text, (size_t)length + 1, format, args);
	RT_WRITE(to, text, at->pc);
	return length;
}

/* Calls `call`, which uses `args`, in a function with `...` after `format`. */
#define WITH_ARGS(result, format, call)      \
	int result;                          \
	va_list args;                        \
	va_start(args, format);              \
	result = call;                       \
	va_end(args)

LP_API int lp_shim_printf(const char *format, ...)
{
	const struct shim_site *at = SHIM_AT;

	WITH_ARGS(n, format, show(at, format, args));
	return n;
}

LP_API int lp_shim___printf_chk(int flag, const char *format, ...)
{
	const struct shim_site *at = SHIM_NAMED("printf");

	(void)flag;
	WITH_ARGS(n, format, show(at, format, args));
	return n;
}

LP_API int lp_shim_vprintf(const char *format, va_list args)
{
	return show(SHIM_AT, format, args);
}

LP_API int lp_shim___vprintf_chk(int flag, const char *format, va_list args)
{
	(void)flag;
	return show(SHIM_NAMED("vprintf"), format, args);
}

LP_API int lp_shim_fprintf(FILE *stream, const char *format, ...)
{
	const struct shim_site *at = SHIM_AT;

	must_be_shown(at, stream);
	WITH_ARGS(n, format, show(at, format, args));
	return n;
}

LP_API int lp_shim___fprintf_chk(FILE *stream, int flag, const char *format, ...)
{
	const struct shim_site *at = SHIM_NAMED("fprintf");

	(void)flag;
	must_be_shown(at, stream);
	WITH_ARGS(n, format, show(at, format, args));
	return n;
}

LP_API int lp_shim_vfprintf(FILE *stream, const char *format, va_list args)
{
	const struct shim_site *at = SHIM_AT;

	must_be_shown(at, stream);
	return show(at, format, args);
}

LP_API int lp_shim___vfprintf_chk(FILE *stream, int flag, const char *format, va_list args)
{
	const struct shim_site *at = SHIM_NAMED("vfprintf");

	(void)flag;
	must_be_shown(at, stream);
	return show(at, format, args);
}

LP_API int lp_shim_dprintf(int fd, const char *format, ...)
{
	const struct shim_site *at = SHIM_AT;

	must_be_shown_fd(at, fd);
	WITH_ARGS(n, format, show(at, format, args));
	return n;
}

LP_API int lp_shim___dprintf_chk(int fd, int flag, const char *format, ...)
{
	const struct shim_site *at = SHIM_NAMED("dprintf");

	(void)flag;
	must_be_shown_fd(at, fd);
	WITH_ARGS(n, format, show(at, format, args));
	return n;
}

LP_API int lp_shim_vdprintf(int fd, const char *format, va_list args)
{
	const struct shim_site *at = SHIM_AT;

	must_be_shown_fd(at, fd);
	return show(at, format, args);
}

LP_API int lp_shim___vdprintf_chk(int fd, int flag, const char *format, va_list args)
{
	const struct shim_site *at = SHIM_NAMED("vdprintf");

	(void)flag;
	must_be_shown_fd(at, fd);
	return show(at, format, args);
}

LP_API int lp_shim_snprintf(char *to, size_t room, const char *format, ...)
{
	const struct shim_site *at = SHIM_AT;

	WITH_ARGS(n, format, print(at, to, room, SIZE_MAX, format, args));
	return n;
}

LP_API int lp_shim___snprintf_chk(char *to, size_t room, int flag, size_t known,
				  const char *format, ...)
{
	const struct shim_site *at = SHIM_NAMED("snprintf");

	(void)flag;
	WITH_ARGS(n, format, print(at, to, room, known, format, args));
	return n;
}

LP_API int lp_shim_vsnprintf(char *to, size_t room, const char *format, va_list args)
{
	return print(SHIM_AT, to, room, SIZE_MAX, format, args);
}

LP_API int lp_shim___vsnprintf_chk(char *to, size_t room, int flag, size_t known,
				   const char *format, va_list args)
{
	(void)flag;
	return print(SHIM_NAMED("vsnprintf"), to, room, known, format, args);
}

LP_API int lp_shim_sprintf(char *to, const char *format, ...)
{
	const struct shim_site *at = SHIM_AT;

	WITH_ARGS(n, format, print(at, to, SIZE_MAX, SIZE_MAX, format, args));
	return n;
}

LP_API int lp_shim___sprintf_chk(char *to, int flag, size_t known, const char *format, ...)
{
	const struct shim_site *at = SHIM_NAMED("sprintf");

	(void)flag;
	WITH_ARGS(n, format, print(at, to, SIZE_MAX, known, format, args));
	return n;
}

LP_API int lp_shim_vsprintf(char *to, const char *format, va_list args)
{
	return print(SHIM_AT, to, SIZE_MAX, SIZE_MAX, format, args);
}

LP_API int lp_shim___vsprintf_chk(char *to, int flag, size_t known, const char *format,
				  va_list args)
{
	(void)flag;
	return print(SHIM_NAMED("vsprintf"), to, SIZE_MAX, known, format, args);
}

LP_API int lp_shim_asprintf(char **to, const char *format, ...)
{
	const struct shim_site *at = SHIM_AT;

	WITH_ARGS(n, format, print_new(at, to, format, args));
	return n;
}

LP_API int lp_shim___asprintf_chk(char **to, int flag, const char *format, ...)
{
	const struct shim_site *at = SHIM_NAMED("asprintf");

	(void)flag;
	WITH_ARGS(n, format, print_new(at, to, format, args));
	return n;
}

LP_API int lp_shim_vasprintf(char **to, const char *format, va_list args)
{
	return print_new(SHIM_AT, to, format, args);
}

LP_API int lp_shim___vasprintf_chk(char **to, int flag, const char *format, va_list args)
{
	(void)flag;
	return print_new(SHIM_NAMED("vasprintf"), to, format, args);
}

LP_API int lp_shim_puts(const char *text)
{
	show_string(SHIM_AT, text);
	rt_output("\n", 1);
	return 1;
}

/* The unlocked variants do the same here. */
#define STREAM_STRING(name)                                       \
	LP_API int lp_shim_##name(const char *text, FILE *stream) \
	{                                                         \
		const struct shim_site *at = SHIM_AT;             \
		must_be_shown(at, stream);                        \
		return show_string(at, text);                     \
	}

#define STREAM_CHAR(name)                                         \
	LP_API int lp_shim_##name(int c, FILE *stream)            \
	{                                                         \
		must_be_shown(SHIM_AT, stream);                   \
		return show_char(c);                              \
	}

#define STREAM_BYTES(name)                                                                 \
	LP_API size_t lp_shim_##name(const void *p, size_t size, size_t count, FILE *stream) \
	{                                                                                  \
		const struct shim_site *at = SHIM_AT;                                      \
		must_be_shown(at, stream);                                                 \
		show_bytes(at, p, size * count);                                           \
		return size ? count : 0;                                                   \
	}

#define STREAM_FLUSH(name)                                        \
	LP_API int lp_shim_##name(FILE *stream)                   \
	{                                                         \
		(void)stream;                                     \
		return 0;                                         \
	}

STREAM_STRING(fputs)
STREAM_STRING(fputs_unlocked)
STREAM_CHAR(fputc)
STREAM_CHAR(fputc_unlocked)
STREAM_CHAR(putc)
STREAM_CHAR(putc_unlocked)
STREAM_CHAR(_IO_putc)
STREAM_BYTES(fwrite)
STREAM_BYTES(fwrite_unlocked)
STREAM_FLUSH(fflush)
STREAM_FLUSH(fflush_unlocked)

LP_API int lp_shim_putchar(int c)
{
	return show_char(c);
}

LP_API int lp_shim_putchar_unlocked(int c)
{
	return show_char(c);
}

LP_API void lp_shim_perror(const char *text)
{
	const struct shim_site *at = SHIM_AT;
	const char *message = strerrordesc_np(*shim_errno());

	if (text && shim_byte(at, text)) {
		show_string(at, text);
		rt_output(": ", 2);
	}
	if (!message)
		message = "Unknown error";
	rt_output(message, strlen(message));
	rt_output("\n", 1);
}

LP_API ssize_t lp_shim_write(int fd, const void *bytes, size_t size)
{
	const struct shim_site *at = SHIM_AT;

	must_be_shown_fd(at, fd);
	show_bytes(at, bytes, size);
	return (ssize_t)size;
}

/* The runtime buffers output, so this has no effect. */
LP_API void lp_shim_setbuf(FILE *stream, char *buffer)
{
	(void)stream, (void)buffer;
}

LP_API void lp_shim_setlinebuf(FILE *stream)
{
	(void)stream;
}

LP_API int lp_shim_setvbuf(FILE *stream, char *buffer, int mode, size_t size)
{
	(void)stream, (void)buffer, (void)mode, (void)size;
	return 0;
}

/* Only one thread runs at a time, and a line is written at once, so locking has no effect. */
LP_API void lp_shim_flockfile(FILE *stream)
{
	(void)stream;
}

LP_API void lp_shim_funlockfile(FILE *stream)
{
	(void)stream;
}

LP_API int *lp_shim___errno_location(void)
{
	return shim_errno();
}

/* The only locale is "C": a program may ask for another one, and does not get it. */
LP_API char *lp_shim_setlocale(int category, const char *name)
{
	static char only[] = "C";
	const struct shim_site *at = SHIM_AT;

	(void)category;
	if (!name)
		return only;
	shim_string_length(at, name, SIZE_MAX);
	return !*name || !strcmp(name, "C") || !strcmp(name, "POSIX") ? only : NULL;
}
