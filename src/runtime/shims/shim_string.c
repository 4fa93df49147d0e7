/* shim_string.c -- memory and string functions.
 *
 * Each function reports exactly the bytes that it reads and writes according to the C standard.  A
 * string is reported byte by byte as it is read: where it ends is known only then, and a byte that
 * is an event gets its value by being reported.  Such a byte keeps this value only until the next event, because
 * other threads may write it then.
 */
#define _GNU_SOURCE
#include "runtime/shims/shim.h"

#include <ctype.h>
#include <string.h>
#include <sys/types.h>

#include "base/error.h"

static void reads(const struct shim_site *at, const void *p, size_t size)
{
	if (size)
		rt_read(p, size, at->pc);
}

static void put_char(const struct shim_site *at, void *p, char c)
{
	rt_write(p, &c, 1, at->pc);
}

unsigned char shim_byte(const struct shim_site *at, const void *p)
{
	rt_read(p, 1, at->pc);
	return *(const unsigned char *)p;
}

size_t shim_string_length(const struct shim_site *at, const char *text, size_t limit)
{
	size_t n = 0;

	while (n < limit && shim_byte(at, text + n))
		n++;
	return n;
}

static void *copy(const struct shim_site *at, void *to, const void *from, size_t size)
{
	if (size)
		rt_copy(to, from, size, at->pc);
	return to;
}

static void *fill(const struct shim_site *at, void *to, int byte, size_t size)
{
	if (size)
		rt_fill(to, (uint8_t)byte, size, at->pc);
	return to;
}

/* Copies a string without its terminator, at most `limit` bytes, and returns the length.  Byte
 * by byte: each byte is written before another thread can change it. */
static size_t copy_chars(const struct shim_site *at, char *to, const char *from, size_t limit)
{
	size_t n = 0;

	for (; n < limit; n++) {
		const char c = (char)shim_byte(at, from + n);
		if (c == '\0')
			break;
		put_char(at, to + n, c);
	}
	return n;
}

/* Returns the address of the terminator. */
static char *copy_string(const struct shim_site *at, char *to, const char *from, size_t limit)
{
	to += copy_chars(at, to, from, limit);
	put_char(at, to, '\0');
	return to;
}

static char *copy_padded(const struct shim_site *at, char *to, const char *from, size_t size)
{
	const size_t length = copy_chars(at, to, from, size);

	LP_HOLDS(length <= size);
	fill(at, to + length, 0, size - length);
	return to + length;
}

static void append(const struct shim_site *at, char *to, const char *from, size_t limit)
{
	copy_string(at, to + shim_string_length(at, to, SIZE_MAX), from, limit);
}

/* Overlapping memcpy() is undefined; it is a copy here, as in most libraries. */
LP_API void *lp_shim_memcpy(void *to, const void *from, size_t size)
{
	return copy(SHIM_AT, to, from, size);
}

LP_API void *lp_shim_memmove(void *to, const void *from, size_t size)
{
	return copy(SHIM_AT, to, from, size);
}

LP_API void *lp_shim_mempcpy(void *to, const void *from, size_t size)
{
	return (char *)copy(SHIM_AT, to, from, size) + size;
}

LP_API void lp_shim_bcopy(const void *from, void *to, size_t size)
{
	copy(SHIM_AT, to, from, size);
}

LP_API void *lp_shim_memset(void *to, int byte, size_t size)
{
	return fill(SHIM_AT, to, byte, size);
}

LP_API void lp_shim_bzero(void *to, size_t size)
{
	fill(SHIM_AT, to, 0, size);
}

LP_API void lp_shim_explicit_bzero(void *to, size_t size)
{
	fill(SHIM_AT, to, 0, size);
}

LP_API void *lp_shim_memccpy(void *to, const void *from, int byte, size_t size)
{
	const struct shim_site *at = SHIM_AT;
	const unsigned char *source = from;
	unsigned char *target = to;

	for (size_t i = 0; i < size; i++) {
		const unsigned char c = shim_byte(at, &source[i]);
		put_char(at, &target[i], (char)c);
		if (c == (unsigned char)byte)
			return &target[i + 1];
	}
	return NULL;
}

static int compare_bytes(const struct shim_site *at, const void *a, const void *b, size_t size)
{
	const unsigned char *x = a, *y = b;
	unsigned char bytes[64];
	int result = 0;

	for (size_t done = 0, n; done < size; done += n) {
		n = size - done < sizeof bytes ? size - done : sizeof bytes;
		reads(at, x + done, n);
		memcpy(bytes, x + done, n);
		reads(at, y + done, n);
		if (!result)
			result = memcmp(bytes, y + done, n);
	}
	return result;
}

LP_API int lp_shim_memcmp(const void *a, const void *b, size_t size)
{
	return compare_bytes(SHIM_AT, a, b, size);
}

LP_API int lp_shim_bcmp(const void *a, const void *b, size_t size)
{
	return compare_bytes(SHIM_AT, a, b, size);
}

LP_API void *lp_shim_memchr(const void *p, int byte, size_t size)
{
	const struct shim_site *at = SHIM_AT;
	const unsigned char *c = p;

	for (size_t i = 0; i < size; i++) {
		if (shim_byte(at, &c[i]) == (unsigned char)byte)
			return (void *)&c[i];
	}
	return NULL;
}

LP_API void lp_shim_swab(const void *from, void *to, ssize_t size)
{
	const struct shim_site *at = SHIM_AT;
	const unsigned char *a = from;
	unsigned char *b = to;

	for (ssize_t i = 0; i + 1 < size; i += 2) {
		const unsigned char pair[] = { (unsigned char)shim_byte(at, &a[i + 1]), (unsigned char)shim_byte(at, &a[i]) };
		rt_write(&b[i], pair, sizeof pair, at->pc);
	}
}

LP_API void *lp_shim_rawmemchr(const void *p, int byte)
{
	const struct shim_site *at = SHIM_AT;
	const unsigned char *c = p;

	while (shim_byte(at, c) != (unsigned char)byte)
		c++;
	return (void *)c;
}

LP_API void *lp_shim_memrchr(const void *p, int byte, size_t size)
{
	const struct shim_site *at = SHIM_AT;
	const unsigned char *c = p;

	for (size_t i = size; i > 0; i--) {
		if (shim_byte(at, &c[i - 1]) == (unsigned char)byte)
			return (void *)&c[i - 1];
	}
	return NULL;
}

LP_API void *lp_shim_memmem(const void *p, size_t size, const void *wanted, size_t wanted_size)
{
	const struct shim_site *at = SHIM_AT;

	reads(at, p, size);
	reads(at, wanted, wanted_size);
	for (size_t i = 0; wanted_size <= size && i <= size - wanted_size; i++)
		if (!compare_bytes(at, (const char *)p + i, wanted, wanted_size))
			return (char *)p + i;
	return NULL;
}

LP_API size_t lp_shim_strlen(const char *s)
{
	return shim_string_length(SHIM_AT, s, SIZE_MAX);
}

LP_API size_t lp_shim_strnlen(const char *s, size_t limit)
{
	return shim_string_length(SHIM_AT, s, limit);
}

LP_API char *lp_shim_strcpy(char *to, const char *from)
{
	copy_string(SHIM_AT, to, from, SIZE_MAX);
	return to;
}

LP_API char *lp_shim_stpcpy(char *to, const char *from)
{
	return copy_string(SHIM_AT, to, from, SIZE_MAX);
}

LP_API char *lp_shim___stpcpy(char *to, const char *from)
{
	return copy_string(SHIM_NAMED("stpcpy"), to, from, SIZE_MAX);
}

LP_API char *lp_shim_strncpy(char *to, const char *from, size_t size)
{
	copy_padded(SHIM_AT, to, from, size);
	return to;
}

LP_API char *lp_shim_stpncpy(char *to, const char *from, size_t size)
{
	return copy_padded(SHIM_AT, to, from, size);
}

LP_API char *lp_shim_strcat(char *to, const char *from)
{
	append(SHIM_AT, to, from, SIZE_MAX);
	return to;
}

LP_API char *lp_shim_strncat(char *to, const char *from, size_t limit)
{
	append(SHIM_AT, to, from, limit);
	return to;
}

static int plain_char(int c)
{
	return c;
}

static int compare(const struct shim_site *at, const char *a, const char *b, size_t limit,
		   int (*map)(int))
{
	for (size_t i = 0; i < limit; i++) {
		const int x = map(shim_byte(at, a + i)), y = map(shim_byte(at, b + i));
		if (x != y || x == 0)
			return x - y;
	}
	return 0;
}

LP_API int lp_shim_strcmp(const char *a, const char *b)
{
	return compare(SHIM_AT, a, b, SIZE_MAX, plain_char);
}

LP_API int lp_shim_strcoll(const char *a, const char *b)
{
	return compare(SHIM_AT, a, b, SIZE_MAX, plain_char); /* in the C locale */
}

LP_API int lp_shim_strncmp(const char *a, const char *b, size_t limit)
{
	return compare(SHIM_AT, a, b, limit, plain_char);
}

LP_API int lp_shim_strcasecmp(const char *a, const char *b)
{
	return compare(SHIM_AT, a, b, SIZE_MAX, tolower);
}

LP_API int lp_shim_strncasecmp(const char *a, const char *b, size_t limit)
{
	return compare(SHIM_AT, a, b, limit, tolower);
}

/* The first `wanted` in `s`, or its terminator. */
static const char *find_char(const struct shim_site *at, const char *s, char wanted)
{
	for (;; s++) {
		const char c = (char)shim_byte(at, s);
		if (c == wanted || c == '\0')
			return s;
	}
}

static char *first_char(const struct shim_site *at, const char *s, int wanted)
{
	s = find_char(at, s, (char)wanted);
	return *s == (char)wanted ? (char *)s : NULL;
}

static char *last_char(const struct shim_site *at, const char *s, int wanted)
{
	const char *last = NULL;

	for (;; s++) {
		const char c = (char)shim_byte(at, s);
		if (c == (char)wanted)
			last = s;
		if (c == '\0')
			return (char *)last;
	}
}

LP_API char *lp_shim_strchr(const char *s, int wanted)
{
	return first_char(SHIM_AT, s, wanted);
}

LP_API char *lp_shim_index(const char *s, int wanted)
{
	return first_char(SHIM_AT, s, wanted);
}

LP_API char *lp_shim_strchrnul(const char *s, int wanted)
{
	return (char *)find_char(SHIM_AT, s, (char)wanted);
}

LP_API char *lp_shim_strrchr(const char *s, int wanted)
{
	return last_char(SHIM_AT, s, wanted);
}

LP_API char *lp_shim_rindex(const char *s, int wanted)
{
	return last_char(SHIM_AT, s, wanted);
}

static bool begins_with(const struct shim_site *at, const char *s, const char *wanted)
{
	for (;; s++, wanted++) {
		const char c = (char)shim_byte(at, wanted);
		if (c == '\0')
			return true;
		if ((char)shim_byte(at, s) != c)
			return false;
	}
}

LP_API char *lp_shim_strstr(const char *s, const char *wanted)
{
	const struct shim_site *at = SHIM_AT;

	shim_string_length(at, s, SIZE_MAX);
	shim_string_length(at, wanted, SIZE_MAX);
	do
		if (begins_with(at, s, wanted))
			return (char *)s;
	while (shim_byte(at, s++));
	return NULL;
}

/* Length of the prefix of `s` whose characters are in `set` (or are not). */
static size_t span(const struct shim_site *at, const char *s, const char *set, bool in)
{
	size_t n = 0;

	shim_string_length(at, set, SIZE_MAX);
	for (;; n++) {
		const char c = (char)shim_byte(at, s + n);
		if (c == '\0' || (first_char(at, set, c) != NULL) != in)
			return n;
	}
}

LP_API size_t lp_shim_strspn(const char *s, const char *set)
{
	return span(SHIM_AT, s, set, true);
}

LP_API size_t lp_shim_strcspn(const char *s, const char *set)
{
	return span(SHIM_AT, s, set, false);
}

LP_API char *lp_shim_strpbrk(const char *s, const char *set)
{
	const struct shim_site *at = SHIM_AT;

	s += span(at, s, set, false);
	return shim_byte(at, s) ? (char *)s : NULL;
}

/* Cuts a token off `*rest`; the user's pointer has been read by the caller. */
static char *token(const struct shim_site *at, char *s, const char *set, char **rest)
{
	char *end;

	*rest = s;
	if (!s)
		return NULL;
	s += span(at, s, set, true);
	*rest = s;
	if (shim_byte(at, s) == '\0')
		return NULL;
	end = s + span(at, s, set, false);
	*rest = end;
	if (shim_byte(at, end)) {
		put_char(at, end, '\0');
		*rest = end + 1;
	}
	return s;
}

static char *token_at(const struct shim_site *at, char *s, const char *set, char **place)
{
	char *rest;

	if (!s) {
		reads(at, place, sizeof *place);
		s = *place;
	}
	s = token(at, s, set, &rest);
	RT_WRITE(place, rest, at->pc);
	return s;
}

LP_API char *lp_shim_strtok_r(char *s, const char *set, char **place)
{
	return token_at(SHIM_AT, s, set, place);
}

LP_API char *lp_shim___strtok_r(char *s, const char *set, char **place)
{
	return token_at(SHIM_NAMED("strtok_r"), s, set, place);
}

const char rt_strtok_owner[] = "the place of strtok()";

/* All threads share the place where strtok() goes on: calls that are not ordered are a race (C17 7.24.5.8p6). */
LP_API char *lp_shim_strtok(char *s, const char *set)
{
	return token_at(SHIM_AT, s, set, rt_state(rt_strtok_owner, sizeof(char *)));
}

LP_API char *lp_shim_strsep(char **place, const char *set)
{
	const struct shim_site *at = SHIM_AT;
	char *begin, *end;

	reads(at, place, sizeof *place);
	begin = *place;
	if (!begin)
		return NULL;
	end = begin + span(at, begin, set, false);
	if (shim_byte(at, end)) {
		put_char(at, end++, '\0');
	} else {
		end = NULL;
	}
	RT_WRITE(place, end, at->pc);
	return begin;
}

/* The fortified variants, which -D_FORTIFY_SOURCE calls when the compiler knows
 * the room there is. */
static void fits(const struct shim_site *at, const void *to, size_t size, size_t room)
{
	if (size > room)
		rt_error(LP_ERROR_OUT_OF_BOUNDS, at->pc, to, "%s() of %zu bytes into an object of %zu",
			 at->name, size, room);
}

static size_t string_size(const struct shim_site *at, const char *s, size_t limit)
{
	return shim_string_length(at, s, limit) + 1;
}

LP_API void *lp_shim___memcpy_chk(void *to, const void *from, size_t size, size_t room)
{
	const struct shim_site *at = SHIM_NAMED("memcpy");

	fits(at, to, size, room);
	return copy(at, to, from, size);
}

LP_API void *lp_shim___memmove_chk(void *to, const void *from, size_t size, size_t room)
{
	const struct shim_site *at = SHIM_NAMED("memmove");

	fits(at, to, size, room);
	return copy(at, to, from, size);
}

LP_API void *lp_shim___mempcpy_chk(void *to, const void *from, size_t size, size_t room)
{
	const struct shim_site *at = SHIM_NAMED("mempcpy");

	fits(at, to, size, room);
	return (char *)copy(at, to, from, size) + size;
}

LP_API void *lp_shim___memset_chk(void *to, int byte, size_t size, size_t room)
{
	const struct shim_site *at = SHIM_NAMED("memset");

	fits(at, to, size, room);
	return fill(at, to, byte, size);
}

LP_API void lp_shim___explicit_bzero_chk(void *to, size_t size, size_t room)
{
	const struct shim_site *at = SHIM_NAMED("explicit_bzero");

	fits(at, to, size, room);
	fill(at, to, 0, size);
}

LP_API char *lp_shim___strcpy_chk(char *to, const char *from, size_t room)
{
	const struct shim_site *at = SHIM_NAMED("strcpy");

	fits(at, to, string_size(at, from, SIZE_MAX), room);
	copy_string(at, to, from, SIZE_MAX);
	return to;
}

LP_API char *lp_shim___stpcpy_chk(char *to, const char *from, size_t room)
{
	const struct shim_site *at = SHIM_NAMED("stpcpy");

	fits(at, to, string_size(at, from, SIZE_MAX), room);
	return copy_string(at, to, from, SIZE_MAX);
}

LP_API char *lp_shim___strncpy_chk(char *to, const char *from, size_t size, size_t room)
{
	const struct shim_site *at = SHIM_NAMED("strncpy");

	fits(at, to, size, room);
	copy_padded(at, to, from, size);
	return to;
}

LP_API char *lp_shim___stpncpy_chk(char *to, const char *from, size_t size, size_t room)
{
	const struct shim_site *at = SHIM_NAMED("stpncpy");

	fits(at, to, size, room);
	return copy_padded(at, to, from, size);
}

LP_API char *lp_shim___strcat_chk(char *to, const char *from, size_t room)
{
	const struct shim_site *at = SHIM_NAMED("strcat");

	fits(at, to, string_size(at, to, SIZE_MAX) - 1 + string_size(at, from, SIZE_MAX), room);
	append(at, to, from, SIZE_MAX);
	return to;
}

LP_API char *lp_shim___strncat_chk(char *to, const char *from, size_t limit, size_t room)
{
	const struct shim_site *at = SHIM_NAMED("strncat");

	fits(at, to, string_size(at, to, SIZE_MAX) - 1 + string_size(at, from, limit), room);
	append(at, to, from, limit);
	return to;
}
