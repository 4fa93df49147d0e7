/* test_shims_text.c -- strings, memory functions and printf: results as libc has
 * them, and exactly the bytes reported that were read and written. */
#define _GNU_SOURCE
#include "test_shims.h"
#include "fake_rt.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

SHIM(memcpy); SHIM(memmove); SHIM(mempcpy); SHIM(memset); SHIM(memcmp); SHIM(memccpy);
SHIM(memrchr); SHIM(memmem); SHIM(strlen); SHIM(strnlen); SHIM(strcpy); SHIM(stpcpy);
SHIM(strncpy); SHIM(stpncpy); SHIM(strcat); SHIM(strncat); SHIM(strcmp); SHIM(strncmp);
SHIM(strcasecmp); SHIM(strncasecmp); SHIM(strspn); SHIM(strcspn); SHIM(strtok_r); SHIM(strsep);
SHIM(strtok); SHIM(strdup); SHIM(strndup);
SHIM(printf); SHIM(puts); SHIM(putchar); SHIM(fprintf); SHIM(fputs); SHIM(fwrite); SHIM(perror);
SHIM(snprintf); SHIM(sprintf); SHIM(vsnprintf); SHIM(write); SHIM(qsort); SHIM(bsearch);
SHIM(strtol); SHIM(asprintf); SHIM(free);
char *lp_shim_strchr(const char *, int);
char *lp_shim_strrchr(const char *, int);
char *lp_shim_strchrnul(const char *, int);
char *lp_shim_strstr(const char *, const char *);
char *lp_shim_strpbrk(const char *, const char *);
void *lp_shim_memchr(const void *, int, size_t);
void *lp_shim___memcpy_chk(void *, const void *, size_t, size_t);
char *lp_shim___strcpy_chk(char *, const char *, size_t);
char *lp_shim___strncat_chk(char *, const char *, size_t, size_t);
int lp_shim___printf_chk(int, const char *, ...);
int lp_shim___snprintf_chk(char *, size_t, int, size_t, const char *, ...);
int *lp_shim___errno_location(void);

enum { ROOM = 48 };

static char a[ROOM], b[ROOM], c[ROOM]; /* c: what libc makes of it */

/* Which bytes of [p, p+ROOM) have been reported, as bits. */
static uint64_t reported(const char *p, bool write)
{
	uint64_t bytes = 0;

	for (unsigned i = 0; i < fake.access_count; i++) {
		const struct fake_access *x = &fake.accesses[i];
		for (size_t n = 0; n < x->size; n++)
			if (x->write == write && x->loc + n - (uintptr_t)p < ROOM)
				bytes |= UINT64_C(1) << (x->loc + n - (uintptr_t)p);
	}
	return bytes;
}

static uint64_t range(size_t from, size_t count)
{
	return ((UINT64_C(1) << count) - 1) << from;
}

static bool nothing_but(const char *p, uint64_t reads, uint64_t writes)
{
	return reported(p, false) == reads && reported(p, true) == writes;
}

static int sign(int n)
{
	return (n > 0) - (n < 0);
}

/* Few different letters, so that searches find something. */
static void random_string(char *to, size_t most)
{
	const size_t length = (size_t)rand() % (most + 1);

	for (size_t i = 0; i < ROOM; i++)
		to[i] = "abAB\xe4"[rand() % 5];
	to[length] = '\0';
}

static void copies(void)
{
	const size_t n = (size_t)rand() % 16, m = (size_t)rand() % 16;

	random_string(a, 16);
	random_string(b, 16);
	const size_t la = strlen(a), lb = strlen(b), k = strnlen(b, n);

#define SAME(shim_call, libc_call, reads_a, writes_a, reads_b)                \
	do {                                                                  \
		char before[ROOM];                                            \
		memcpy(before, a, ROOM);                                      \
		memcpy(c, a, ROOM);                                           \
		fake_forget();                                                \
		const char *got = shim_call;                                  \
		const char *want = libc_call;                                 \
		EXPECT((got ? got - a : -1) == (want ? want - c : -1));        \
		EXPECT(!memcmp(a, c, ROOM));                                   \
		EXPECT(nothing_but(a, reads_a, writes_a));                     \
		EXPECT(nothing_but(b, reads_b, 0));                            \
		memcpy(a, before, ROOM);                                      \
	} while (0)

	SAME(lp_shim_memcpy(a, b, n), memcpy(c, b, n), 0, range(0, n), range(0, n));
	SAME(lp_shim_mempcpy(a, b, n), mempcpy(c, b, n), 0, range(0, n), range(0, n));
	SAME(lp_shim_memmove(a + 3, a, n), memmove(c + 3, c, n), range(0, n), range(3, n), 0);
	SAME(lp_shim_memset(a, 'x', n), memset(c, 'x', n), 0, range(0, n), 0);
	SAME(lp_shim_strcpy(a, b), strcpy(c, b), 0, range(0, lb + 1), range(0, lb + 1));
	SAME(lp_shim_stpcpy(a, b), stpcpy(c, b), 0, range(0, lb + 1), range(0, lb + 1));
	const uint64_t read_n = range(0, lb < n ? lb + 1 : n);
	SAME(lp_shim_strncpy(a, b, n), strncpy(c, b, n), 0, range(0, n), read_n);
	SAME(lp_shim_stpncpy(a, b, n), stpncpy(c, b, n), 0, range(0, n), read_n);
	SAME(lp_shim_strcat(a, b), strcat(c, b), range(0, la + 1), range(la, lb + 1), range(0, lb + 1));
	SAME(lp_shim_strncat(a, b, n), strncat(c, b, n), range(0, la + 1), range(la, k + 1), read_n);
	const char *stop = memchr(b, 'A', m);
	const size_t used = stop ? (size_t)(stop - b) + 1 : m;
	SAME(lp_shim_memccpy(a, b, 'A', m), memccpy(c, b, 'A', m), 0, range(0, used), range(0, used));
#undef SAME
}

static void comparisons(void)
{
	const size_t n = (size_t)rand() % 16;

	random_string(a, 16);
	random_string(b, 16);
	if (rand() % 2)
		memcpy(b, a, (size_t)rand() % ROOM);
	b[ROOM - 1] = '\0';

	fake_forget();
	EXPECT(sign(lp_shim_memcmp(a, b, n)) == sign(memcmp(a, b, n)));
	EXPECT(nothing_but(a, range(0, n), 0) && nothing_but(b, range(0, n), 0));

	fake_forget();
	EXPECT(sign(lp_shim_strcmp(a, b)) == sign(strcmp(a, b)));
	size_t common = 0;
	while (a[common] && a[common] == b[common])
		common++;
	EXPECT(nothing_but(a, range(0, common + 1), 0) && nothing_but(b, range(0, common + 1), 0));

	fake_forget();
	EXPECT(sign(lp_shim_strncmp(a, b, n)) == sign(strncmp(a, b, n)));
	EXPECT(nothing_but(a, range(0, common < n ? common + 1 : n), 0));
	EXPECT(sign(lp_shim_strcasecmp(a, b)) == sign(strcasecmp(a, b)));
	EXPECT(sign(lp_shim_strncasecmp(a, b, n)) == sign(strncasecmp(a, b, n)));
}

static void searches(void)
{
	const size_t n = (size_t)rand() % 16;
	const char *found;

	random_string(a, 16);
	random_string(b, 2);
	const size_t la = strlen(a);

	fake_forget();
	EXPECT(lp_shim_strlen(a) == la);
	EXPECT(nothing_but(a, range(0, la + 1), 0));
	fake_forget();
	EXPECT(lp_shim_strnlen(a, n) == strnlen(a, n));
	EXPECT(nothing_but(a, range(0, la < n ? la + 1 : n), 0));
	fake_forget();
	found = strchr(a, 'B');
	EXPECT(lp_shim_strchr(a, 'B') == found);
	EXPECT(nothing_but(a, range(0, (found ? (size_t)(found - a) : la) + 1), 0));
	fake_forget();
	found = memchr(a, 'B', n);
	EXPECT(lp_shim_memchr(a, 'B', n) == found);
	EXPECT(nothing_but(a, range(0, found ? (size_t)(found - a) + 1 : n), 0));

	EXPECT(lp_shim_strchr(a, 0) == a + la);
	EXPECT(lp_shim_strchrnul(a, 'B') == strchrnul(a, 'B'));
	EXPECT(lp_shim_strrchr(a, 'B') == strrchr(a, 'B'));
	EXPECT(lp_shim_strrchr(a, 0) == a + la);
	EXPECT(lp_shim_memrchr(a, 'B', n) == memrchr(a, 'B', n));
	EXPECT(lp_shim_strstr(a, b) == strstr(a, b));
	EXPECT(lp_shim_memmem(a, n, b, 2) == memmem(a, n, b, 2));
	EXPECT(lp_shim_strspn(a, b) == strspn(a, b));
	EXPECT(lp_shim_strcspn(a, b) == strcspn(a, b));
	EXPECT(lp_shim_strpbrk(a, b) == strpbrk(a, b));
}

/* Three tokenisers, each against libc's, to the end of the string. */
static void tokens(void)
{
	char *here_a, *here_c, *x, *y;

	random_string(a, 16);
	random_string(b, 2);
	memcpy(c, a, ROOM);
	x = lp_shim_strtok_r(a, b, &here_a);
	y = strtok_r(c, b, &here_c);
	for (; x && y; x = lp_shim_strtok_r(NULL, b, &here_a), y = strtok_r(NULL, b, &here_c))
		EXPECT(x - a == y - c && !strcmp(x, y));
	EXPECT(!x && !y && !memcmp(a, c, ROOM));

	random_string(a, 16);
	memcpy(c, a, ROOM);
	here_a = a;
	here_c = c;
	do {
		x = lp_shim_strsep(&here_a, b);
		y = strsep(&here_c, b);
		EXPECT(x ? y && x - a == y - c : !y);
	} while (x && y);
	EXPECT(!memcmp(a, c, ROOM));

	random_string(a, 16);
	memcpy(c, a, ROOM);
	x = lp_shim_strtok(a, b);
	y = strtok(c, b);
	for (; x && y; x = lp_shim_strtok(NULL, b), y = strtok(NULL, b))
		EXPECT(x - a == y - c);
	EXPECT(!x && !y && !memcmp(a, c, ROOM));
}

static void fortified(void)
{
	strcpy(b, "hello");
	EXPECT(!FAKE_STOPS(lp_shim___memcpy_chk(a, b, 6, 6)));
	EXPECT(!strcmp(FAKE_STOPS(lp_shim___memcpy_chk(a, b, 6, 5)), "out of bounds"));
	EXPECT(!FAKE_STOPS(lp_shim___strcpy_chk(a, b, 6)));
	EXPECT(!strcmp(FAKE_STOPS(lp_shim___strcpy_chk(a, b, 5)), "out of bounds"));
	EXPECT(!FAKE_STOPS(lp_shim___strncat_chk(a, b, 2, 8)) && !strcmp(a, "hellohe"));
	EXPECT(!strcmp(FAKE_STOPS(lp_shim___strncat_chk(a, b, 2, 9)), "out of bounds"));
}

static bool shown(const char *text)
{
	const bool same = fake.output_size == strlen(text) && !memcmp(fake.output, text, fake.output_size);

	if (!same)
		printf("shown: %.*s\n", (int)fake.output_size, fake.output);
	fake_forget();
	return same;
}

static int call_vsnprintf(char *to, size_t room, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	const int n = lp_shim_vsnprintf(to, room, format, args);
	va_end(args);
	return n;
}

static void printing(void)
{
	char wide[600];

	fake_forget();
	EXPECT(lp_shim_printf("%d %s %c|%5.2f\n", 7, "seven", 'x', 2.5) == 16);
	EXPECT(shown("7 seven x| 2.50\n"));
	lp_shim_puts("line");
	EXPECT(shown("line\n"));
	EXPECT(lp_shim_putchar('z') == 'z');
	lp_shim_fputs("err", stderr);
	EXPECT(lp_shim_fwrite("abcd", 2, 2, stdout) == 2);
	EXPECT(lp_shim_write(1, "xy", 2) == 2);
	EXPECT(lp_shim_fprintf(stdout, "%%%lld", 1LL << 40) == 14);
	EXPECT(shown("zerrabcdxy%1099511627776"));
	EXPECT(lp_shim___printf_chk(1, "%x", 255) == 2);
	EXPECT(shown("ff"));
	*lp_shim___errno_location() = EAGAIN;
	lp_shim_perror("oops");
	EXPECT(shown("oops: Resource temporarily unavailable\n"));
	EXPECT(lp_shim_printf("%599d", 1) == 599 && fake.output_size == 599 && fake.output[598] == '1');
	EXPECT(!strcmp(FAKE_STOPS(lp_shim_fputs("x", stdin)), "unsupported"));
	EXPECT(!strcmp(FAKE_STOPS(lp_shim_write(7, "x", 1)), "unsupported"));

	/* What is read and written. */
	strcpy(b, "string");
	fake_forget();
	EXPECT(lp_shim_snprintf(a, 10, "<%s>%d", b, 12345) == 13);
	EXPECT(!strcmp(a, "<string>1"));
	EXPECT(nothing_but(a, 0, range(0, 10)) && nothing_but(b, range(0, 7), 0));
	fake_forget();
	EXPECT(lp_shim_sprintf(a, "%*d%-.*s%ld%Lf", 3, 1, 2, b, 5L, 1.0L) > 0);
	EXPECT(!strncmp(a, "  1st5", 6) && nothing_but(b, range(0, 2), 0));
	EXPECT(nothing_but(a, 0, range(0, strlen(a) + 1)));
	fake_forget();
	EXPECT(call_vsnprintf(a, ROOM, "%hhd %zu %s", 1, (size_t)9, b) == 10);
	EXPECT(!strcmp(a, "1 9 string") && nothing_but(b, range(0, 7), 0));
	fake_forget();
	EXPECT(lp_shim_snprintf(NULL, 0, "%s", b) == 6 && nothing_but(b, range(0, 7), 0));
	EXPECT(lp_shim___snprintf_chk(wide, sizeof wide, 1, sizeof wide, "%300s|", b) == 301);
	EXPECT(strlen(wide) == 301 && wide[300] == '|');
	EXPECT(!strcmp(FAKE_STOPS(lp_shim___snprintf_chk(a, 20, 1, 4, "%s", b)), "out of bounds"));

	char *text;
	EXPECT(lp_shim_asprintf(&text, "%s!", b) == 7 && !strcmp(text, "string!") && rt_heap_live(text));
	lp_shim_free(text);
}

static int by_letter(const void *x, const void *y)
{
	return *(const char *)x - *(const char *)y;
}

static void sorting(void)
{
	struct pair {
		char key;
		char pad[70];
		int number;
	} pairs[] = { { 'c', "", 1 }, { 'a', "", 2 }, { 'b', "", 3 }, { 'a', "", 4 } };
	char *end;

	lp_shim_qsort(pairs, 4, sizeof *pairs, by_letter);
	EXPECT(pairs[0].number == 2 && pairs[1].number == 4 && pairs[2].number == 3 && pairs[3].number == 1);
	EXPECT(lp_shim_bsearch("b", pairs, 4, sizeof *pairs, by_letter) == &pairs[2]);
	EXPECT(!lp_shim_bsearch("d", pairs, 4, sizeof *pairs, by_letter));
	strcpy(b, "12abc");
	EXPECT(lp_shim_strtol(b, &end, 10) == 12 && end == b + 2);
}

static void duplicates(void)
{
	strcpy(b, "text");
	fake_forget();
	char *x = lp_shim_strdup(b), *y = lp_shim_strndup(b, 2);
	EXPECT(!strcmp(x, "text") && !strcmp(y, "te"));
	EXPECT(rt_heap_size(x) == 5 && rt_heap_size(y) == 3);
	EXPECT(nothing_but(b, range(0, 5), 0));
}

int test_text(void)
{
	srand(1);
	for (int i = 0; i < 2000; i++) {
		copies();
		comparisons();
		searches();
		tokens();
	}
	fortified();
	printing();
	sorting();
	duplicates();
	return expect_status();
}
