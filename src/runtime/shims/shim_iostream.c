/* shim_iostream.c -- sends the output of std::cout, std::cerr and std::clog where that of printf
 * goes.
 *
 * The buffers of these streams pass everything on to a FILE, whose address they keep after the fields
 * of std::streambuf.  When <iostream> has initialised the streams, the shim replaces this address by
 * that of a FILE of linchpin, which is unbuffered, so that no output of an execution stays in it.
 */
#define _GNU_SOURCE
#include "runtime/shims/shim.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"

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
 * start how far away the std::ios part is.  Returns false if it is not what we know. */
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
		rt_error(LP_ERROR_UNSUPPORTED, RT_PC, NULL, "the <iostream> of this C++ library");
}

/* The streams stay as they are until the process ends. */
LP_API void lp_shim__ZNSt8ios_base4InitD1Ev(void *init)
{
	(void)init;
}

/* ---- operations ----
 *
 * The library performs the operations, and takes its memory from the program's heap.  The shims
 * report the accesses: to the stream as a whole, so that two uses of a stream conflict if the
 * standard says so, and to the memory that is read or written.  The standard streams may be used by
 * several threads at once.
 */

enum { STREAM_SIZE = 264, BASE_SIZE = 216, BUFFER_OF_STREAM = 232, STRING_SIZE = 32 };

/* std::streambuf; a std::stringbuf goes on with a mode and a string. */
struct buffer {
	const void *virtual;
	char *in_begin, *in, *in_end, *out_begin, *out, *out_end;
	void *locale;
};

enum { STRING_BUFFER_SIZE = sizeof(struct buffer) + 8 + STRING_SIZE };

typedef uint64_t operation(void *, uint64_t, uint64_t, uint64_t, double);

static void *library(const char *symbol, uintptr_t pc)
{
	void *const found = shim_libstdcxx(symbol);

	if (!found)
		rt_error(LP_ERROR_UNSUPPORTED, pc, NULL, "the <iostream> of this C++ library");
	return found;
}

/* The std::ios part of a std::istream or std::ostream. */
static char *ios_of(char *stream)
{
	return stream + (*(const ptrdiff_t **)stream)[-3];
}

/* One of the standard streams, or the std::ios of one.  Without <iostream> they are not initialised. */
static bool is_standard(const void *stream)
{
	static const char *const names[] = { "_ZSt4cout", "_ZSt4cerr", "_ZSt4clog", "_ZSt3cin" };
	static char *known[sizeof names / sizeof *names];

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (!known[i])
			known[i] = shim_libstdcxx(names[i]);
		if (known[i] && *(void **)known[i] && (known[i] == stream || ios_of(known[i]) == stream))
			return true;
	}
	return false;
}

/* Reports memory that the library has written as written by the program. */
static void wrote(void *p, size_t size, uintptr_t pc)
{
	if (size)
		rt_write(p, p, size, pc);
}

/* The characters of a std::stringbuf, beyond what the string has in use. */
static void wrote_characters(const struct buffer *b, uintptr_t pc)
{
	char *begin = b->in_begin, *end = b->in_end;

	if (b->out_begin) {
		begin = !begin || b->out_begin < begin ? b->out_begin : begin;
		end = b->out_end > end ? b->out_end : end;
	}
	LP_HOLDS(!begin || begin <= end);
	if (begin && !((uintptr_t)begin - (uintptr_t)b < STRING_BUFFER_SIZE))
		wrote(begin, (size_t)(end - begin), pc);
}

static void wrote_stream(char *ios, uintptr_t pc)
{
	const char *const strings = shim_libstdcxx("_ZTVNSt7__cxx1115basic_stringbufIcSt11char_traitsIcESaIcEEE");
	struct buffer *buffer;

	wrote(ios, STREAM_SIZE, pc);
	memcpy(&buffer, ios + BUFFER_OF_STREAM, sizeof buffer);
	if (!buffer || !strings || buffer->virtual != strings + 2 * sizeof(void *))
		return;
	wrote(buffer, STRING_BUFFER_SIZE, pc);
	wrote_characters(buffer, pc);
}

/* A call of the library: what comes after its object is passed on in the registers that it came in, whatever it is. */
struct request {
	const char *symbol;
	uint64_t a, b, c;
	double d;
	uintptr_t pc;
};

#define ARGUMENTS uint64_t a, uint64_t b, uint64_t c, double d
#define REQUEST(name) (&(const struct request){ #name, a, b, c, d, RT_PC })

static uint64_t pass_on(const struct request *q, void *object)
{
	return ((operation *)library(q->symbol, q->pc))(object, q->a, q->b, q->c, q->d);
}

/* `object` is the std::ios, or the stream that it is part of. */
static uint64_t use(const struct request *q, char *ios, void *object)
{
	LP_HOLDS(!is_standard(ios)); /* they may be used by several threads at once */
	rt_write(ios, ios, STREAM_SIZE, q->pc);
	const uint64_t result = pass_on(q, object);
	wrote_stream(ios, q->pc);
	return result;
}

static uint64_t use_stream(const struct request *q, void *stream)
{
	if (is_standard(stream))
		return pass_on(q, stream);
	rt_read(stream, sizeof(void *), q->pc);
	return use(q, ios_of(stream), stream);
}

#define OUTPUT(name)                                                                       \
	LP_API uint64_t lp_shim_##name(void *stream, ARGUMENTS);                           \
	LP_API uint64_t lp_shim_##name(void *stream, ARGUMENTS)                            \
	{                                                                                  \
		return use_stream(REQUEST(name), stream);                                  \
	}

OUTPUT(_ZNSolsEb)
OUTPUT(_ZNSolsEs)
OUTPUT(_ZNSolsEt)
OUTPUT(_ZNSolsEi)
OUTPUT(_ZNSolsEj)
OUTPUT(_ZNSolsEl)
OUTPUT(_ZNSolsEm)
OUTPUT(_ZNSolsEx)
OUTPUT(_ZNSolsEy)
OUTPUT(_ZNSolsEf)
OUTPUT(_ZNSolsEd)
OUTPUT(_ZNSolsEPKv)
OUTPUT(_ZNSolsEDn)
OUTPUT(_ZNSo9_M_insertIbEERSoT_)
OUTPUT(_ZNSo9_M_insertIlEERSoT_)
OUTPUT(_ZNSo9_M_insertImEERSoT_)
OUTPUT(_ZNSo9_M_insertIxEERSoT_)
OUTPUT(_ZNSo9_M_insertIyEERSoT_)
OUTPUT(_ZNSo9_M_insertIdEERSoT_)
OUTPUT(_ZNSo9_M_insertIPKvEERSoT_)
OUTPUT(_ZNSo3putEc)
OUTPUT(_ZNSo5flushEv)
OUTPUT(_ZSt4endlIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_)
OUTPUT(_ZSt4endsIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_)
OUTPUT(_ZSt5flushIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_)

/* A long double may be passed in memory. */
LP_API void *lp_shim__ZNSo9_M_insertIeEERSoT_(void *stream, long double value)
{
	const uintptr_t pc = RT_PC;
	void *(*const insert)(void *, long double) =
		(void *(*)(void *, long double))library("_ZNSo9_M_insertIeEERSoT_", pc);
	char *const ios = is_standard(stream) ? NULL : ios_of(stream);

	if (ios)
		rt_write(ios, ios, STREAM_SIZE, pc);
	insert(stream, value);
	if (ios)
		wrote_stream(ios, pc);
	return stream;
}

/* A std::ios. */
static uint64_t change(const struct request *q, char *ios)
{
	return is_standard(ios) ? pass_on(q, ios) : use(q, ios, ios);
}

#define CHANGE(name)                                                                       \
	LP_API uint64_t lp_shim_##name(void *ios, ARGUMENTS);                              \
	LP_API uint64_t lp_shim_##name(void *ios, ARGUMENTS)                               \
	{                                                                                  \
		return change(REQUEST(name), ios);                                         \
	}

CHANGE(_ZNSt9basic_iosIcSt11char_traitsIcEE4initEPSt15basic_streambufIcS1_E)
CHANGE(_ZNSt9basic_iosIcSt11char_traitsIcEE5clearESt12_Ios_Iostate)
CHANGE(_ZNSt9basic_iosIcSt11char_traitsIcEE10exceptionsESt12_Ios_Iostate)
CHANGE(_ZNSt9basic_iosIcSt11char_traitsIcEE4fillEc)
CHANGE(_ZNKSt9basic_iosIcSt11char_traitsIcEE4fillEv)
CHANGE(_ZNKSt9basic_iosIcSt11char_traitsIcEE5widenEc)
CHANGE(_ZNKSt9basic_iosIcSt11char_traitsIcEE6narrowEcc)
CHANGE(_ZNSt9basic_iosIcSt11char_traitsIcEE7copyfmtERKS2_)

/* Constructors and destructors of parts. */
#define PART(name, size)                                                                   \
	LP_API void lp_shim_##name(void *part, uint64_t from);                             \
	LP_API void lp_shim_##name(void *part, uint64_t from)                              \
	{                                                                                  \
		const uintptr_t pc = RT_PC;                                                \
		rt_live(part, size, pc);                                                   \
		((operation *)library(#name, pc))(part, from, 0, 0, 0);                    \
		wrote(part, size, pc);                                                     \
	}

PART(_ZNSt8ios_baseC1Ev, BASE_SIZE)
PART(_ZNSt8ios_baseC2Ev, BASE_SIZE)
PART(_ZNSt8ios_baseD1Ev, BASE_SIZE)
PART(_ZNSt8ios_baseD2Ev, BASE_SIZE)
PART(_ZNSt6localeC1Ev, sizeof(void *))
PART(_ZNSt6localeD1Ev, sizeof(void *))

/* ---- input ---- */

/* Input from outside cannot be explored. */
static uint64_t extract(const struct request *q, void *stream, size_t size)
{
	if (is_standard(stream))
		rt_error(LP_ERROR_UNSUPPORTED, q->pc, NULL, "input from std::cin");
	void *const to = (void *)(uintptr_t)q->a;
	if (size)
		rt_live(to, size, q->pc);
	const uint64_t result = use_stream(q, stream);
	wrote(to, size, q->pc);
	return result;
}

#define INPUT(name, size)                                                                  \
	LP_API uint64_t lp_shim_##name(void *stream, ARGUMENTS);                           \
	LP_API uint64_t lp_shim_##name(void *stream, ARGUMENTS)                            \
	{                                                                                  \
		return extract(REQUEST(name), stream, size);                               \
	}

INPUT(_ZNSirsERs, sizeof(short))
INPUT(_ZNSirsERi, sizeof(int))
INPUT(_ZNSi10_M_extractIbEERSiRT_, sizeof(bool))
INPUT(_ZNSi10_M_extractItEERSiRT_, sizeof(short))
INPUT(_ZNSi10_M_extractIjEERSiRT_, sizeof(int))
INPUT(_ZNSi10_M_extractIlEERSiRT_, sizeof(long))
INPUT(_ZNSi10_M_extractImEERSiRT_, sizeof(long))
INPUT(_ZNSi10_M_extractIxEERSiRT_, sizeof(long long))
INPUT(_ZNSi10_M_extractIyEERSiRT_, sizeof(long long))
INPUT(_ZNSi10_M_extractIfEERSiRT_, sizeof(float))
INPUT(_ZNSi10_M_extractIdEERSiRT_, sizeof(double))
INPUT(_ZNSi10_M_extractIPvEERSiRT_, sizeof(void *))
INPUT(_ZNSi3getERc, 1)
INPUT(_ZNSi3getEv, 0)
INPUT(_ZNSi4peekEv, 0)
INPUT(_ZNSi5ungetEv, 0)
INPUT(_ZNSi6ignoreEv, 0)
INPUT(_ZNSi6ignoreEl, 0)
INPUT(_ZNSi6ignoreEli, 0)
INPUT(_ZSt2wsIcSt11char_traitsIcEERSt13basic_istreamIT_T0_ES6_, 0)
INPUT(_ZStrsIcSt11char_traitsIcEERSt13basic_istreamIT_T0_ES6_RS3_, 1)
INPUT(_ZNSi4readEPcl, b)

/* A std::string begins with the address and the number of its characters. */
static uint64_t extract_string(const struct request *q, void *stream)
{
	struct {
		char *at;
		size_t size;
	} const *const string = (const void *)(uintptr_t)q->a;

	rt_write((void *)string, string, STRING_SIZE, q->pc);
	const uint64_t result = extract(q, stream, STRING_SIZE);
	wrote(string->at, string->size + 1, q->pc);
	return result;
}

#define INPUT_STRING(name)                                                                 \
	LP_API uint64_t lp_shim_##name(void *stream, ARGUMENTS);                           \
	LP_API uint64_t lp_shim_##name(void *stream, ARGUMENTS)                            \
	{                                                                                  \
		return extract_string(REQUEST(name), stream);                              \
	}

INPUT_STRING(_ZStrsIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EE)
INPUT_STRING(_ZSt7getlineIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EE)
INPUT_STRING(_ZSt7getlineIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EES4_)

/* ---- memory that is written to a stream ---- */

static uint64_t write_by(const char *symbol, void *stream, const char *text, int64_t size, uintptr_t pc)
{
	if (size > 0)
		rt_read(text, (size_t)size, pc);
	return use_stream(&(const struct request){ .symbol = symbol, .a = (uintptr_t)text, .b = (uint64_t)size, .pc = pc }, stream);
}

#define WRITE(name)                                                                        \
	LP_API uint64_t lp_shim_##name(void *stream, const char *text, int64_t size);      \
	LP_API uint64_t lp_shim_##name(void *stream, const char *text, int64_t size)       \
	{                                                                                  \
		return write_by(#name, stream, text, size, RT_PC);                         \
	}

WRITE(_ZNSo5writeEPKcl)
WRITE(_ZSt16__ostream_insertIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_PKS3_l)

/* The string buffer takes over its string. */
LP_API void lp_shim__ZNSt7__cxx1115basic_stringbufIcSt11char_traitsIcESaIcEE7_M_syncEPcmm(void *buffer, char *base,
											  uint64_t in, uint64_t out)
{
	const uintptr_t pc = RT_PC;
	operation *const sync =
		(operation *)library("_ZNSt7__cxx1115basic_stringbufIcSt11char_traitsIcESaIcEE7_M_syncEPcmm", pc);

	rt_write(buffer, buffer, STRING_BUFFER_SIZE, pc);
	sync(buffer, (uintptr_t)base, in, out, 0);
	wrote(buffer, STRING_BUFFER_SIZE, pc);
}
