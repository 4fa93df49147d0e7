/* shim_sort.c -- library functions that call the user's code back, or read the
 * user's strings: sorting, searching, numbers from text and their parts. */
#include "runtime/shims/shim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* Exchanges two elements piece by piece, through a small buffer. */
static void swap(char *a, char *b, size_t size, uintptr_t pc)
{
	char piece[64];

	LP_HOLDS((uintptr_t)b - (uintptr_t)a == size); /* neighbours, which do not overlap */
	for (size_t done = 0; done < size; done += sizeof piece) {
		const size_t n = size - done < sizeof piece ? size - done : sizeof piece;
		rt_read(a + done, n, pc);
		memcpy(piece, a + done, n);
		rt_copy(a + done, b + done, n, pc);
		rt_write(b + done, piece, n, pc);
	}
}

/* Sorts by insertion, which is stable, as glibc's qsort() is. The arrays of tests are short. */
LP_API void lp_shim_qsort(void *base, size_t count, size_t size,
			  int (*compare)(const void *, const void *))
{
	const uintptr_t pc = RT_PC;
	char *array = base;

	for (size_t i = 1; i < count; i++) {
		for (size_t j = i; j > 0; j--) {
			char *left = array + (j - 1) * size, *right = array + j * size;
			if (compare(left, right) <= 0)
				break;
			swap(left, right, size, pc);
		}
	}
}

LP_API void *lp_shim_bsearch(const void *key, const void *base, size_t count, size_t size,
			     int (*compare)(const void *, const void *))
{
	const char *array = base;
	size_t low = 0, high = count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		LP_HOLDS(low <= middle && middle < high && high <= count);
		const int order = compare(key, array + middle * size);
		if (order == 0)
			return (void *)(array + middle * size);
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

/* A string as it was read: before its last byte is read, other threads may write the first ones. */
struct text {
	char begin[128];
};

/* A longer one is not kept. */
static const char *read_text(const struct shim_site *at, const char *from, struct text *text)
{
	size_t n = 0;
	char c;

	do {
		c = (char)shim_byte(at, &from[n]);
		if (n < sizeof text->begin)
			text->begin[n] = c;
		n++;
	} while (c);
	return n <= sizeof text->begin ? text->begin : from;
}

#define NUMBER(type, name)                                                    \
	LP_API type lp_shim_##name(const char *from)                          \
	{                                                                     \
		struct text kept;                                             \
		return name(read_text(SHIM_AT, from, &kept));                 \
	}

#define NUMBER_BASE(type, name)                                               \
	LP_API type lp_shim_##name(const char *from, char **end, int base)    \
	{                                                                     \
		const struct shim_site *at = SHIM_AT;                         \
		struct text kept;                                             \
		char *stop;                                                   \
		const char *text = read_text(at, from, &kept);                \
		const type value = name(text, &stop, base);                   \
		if (end)                                                      \
			RT_WRITE(end, (char *)from + (stop - text), at->pc);  \
		return value;                                                 \
	}

#define REAL(type, name)                                                      \
	LP_API type lp_shim_##name(const char *from, char **end)              \
	{                                                                     \
		const struct shim_site *at = SHIM_AT;                         \
		struct text kept;                                             \
		char *stop;                                                   \
		const char *text = read_text(at, from, &kept);                \
		const type value = name(text, &stop);                         \
		if (end)                                                      \
			RT_WRITE(end, (char *)from + (stop - text), at->pc);  \
		return value;                                                 \
	}

/* A number in two parts, one of which is written. */
#define PARTS(type, name, part_type)                                          \
	LP_API type lp_shim_##name(type number, part_type *part)              \
	{                                                                     \
		part_type made;                                               \
		const type value = name(number, &made);                       \
		rt_write(part, &made, sizeof made, RT_PC);                    \
		return value;                                                 \
	}

REAL(float, strtof)
REAL(double, strtod)
PARTS(float, frexpf, int)
PARTS(double, frexp, int)
PARTS(float, modff, float)
PARTS(double, modf, double)
NUMBER(int, atoi)
NUMBER(long, atol)
NUMBER(long long, atoll)
NUMBER(double, atof)
NUMBER_BASE(long, strtol)
NUMBER_BASE(long long, strtoll)
NUMBER_BASE(unsigned long, strtoul)
NUMBER_BASE(unsigned long long, strtoull)

/* The text selects the NaN, and is read. */
LP_API double lp_shim_nan(const char *text)
{
	shim_string_length(SHIM_AT, text, SIZE_MAX);
	return nan(text);
}

LP_API float lp_shim_nanf(const char *text)
{
	shim_string_length(SHIM_AT, text, SIZE_MAX);
	return nanf(text);
}
