/* words.c -- numbers and source lines, for people. */
#include "report/words.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void lp_words_count(char *out, uint64_t number)
{
	char digits[24];
	const int length = snprintf(digits, sizeof digits, "%" PRIu64, number);

	for (int i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			*out++ = ',';
		*out++ = digits[i];
	}
	*out = '\0';
}

void lp_words_about(char *out, double number)
{
	if (number < 1e6)
		lp_words_count(out, (uint64_t)(number + 0.5));
	else if (number < 1e9)
		snprintf(out, LP_WORDS_ROOM, "%.3g million", number / 1e6);
	else if (number < 1e12)
		snprintf(out, LP_WORDS_ROOM, "%.3g billion", number / 1e9);
	else
		snprintf(out, LP_WORDS_ROOM, "%.1g", number);
}

void lp_words_duration(char *out, double seconds)
{
	/* Beyond this the number says nothing but "forever". */
	const uint64_t whole = seconds < 1e12 ? (uint64_t)seconds : UINT64_C(1000000000000);

	if (seconds < 10)
		snprintf(out, LP_WORDS_ROOM, "%.2f s", seconds);
	else if (whole < 60)
		snprintf(out, LP_WORDS_ROOM, "%" PRIu64 " s", whole);
	else if (whole < 3600)
		snprintf(out, LP_WORDS_ROOM, "%" PRIu64 " min %" PRIu64 " s", whole / 60, whole % 60);
	else if (whole < 48 * 3600)
		snprintf(out, LP_WORDS_ROOM, "%" PRIu64 " h %" PRIu64 " min", whole / 3600,
			 whole % 3600 / 60);
	else
		snprintf(out, LP_WORDS_ROOM, "%" PRIu64 " days", whole / 86400);
}

void lp_words_memory(char *out, uint64_t kb)
{
	if (kb < 1024)
		snprintf(out, LP_WORDS_ROOM, "%" PRIu64 " kB", kb);
	else
		snprintf(out, LP_WORDS_ROOM, "%.1f MB", (double)kb / 1024);
}

unsigned long lp_words_line(const char *where, size_t *name_length)
{
	const char *colon = strrchr(where, ':');

	if (!colon || colon == where || !colon[1] || colon[1 + strspn(colon + 1, "0123456789")])
		return 0;
	*name_length = (size_t)(colon - where);
	return strtoul(colon + 1, NULL, 10);
}

FILE *lp_words_open(const char *name, size_t length, const char *subject)
{
	char path[4096];
	const char *slash = subject ? strrchr(subject, '/') : NULL;
	FILE *file = NULL;

	if (snprintf(path, sizeof path, "%.*s", (int)length, name) < (int)sizeof path)
		file = fopen(path, "r");
	if (!file && slash && *name != '/' &&
	    snprintf(path, sizeof path, "%.*s/%.*s", (int)(slash - subject), subject,
		     (int)length, name) < (int)sizeof path)
		file = fopen(path, "r");
	return file;
}

bool lp_words_read(FILE *file, unsigned long line, char *out, size_t size)
{
	size_t used = 0;
	int c = 0;

	for (unsigned long at = 1; at < line && c != EOF;)
		if ((c = fgetc(file)) == '\n')
			at++;
	while (c != EOF && (c = fgetc(file)) != EOF && c != '\n') {
		if (c < ' ' || c == 0x7f)
			c = ' ';
		if ((used || c != ' ') && used + 1 < size)
			out[used++] = (char)c;
	}
	while (used && out[used - 1] == ' ')
		used--;
	out[used] = '\0';
	return used > 0;
}

bool lp_words_source(const char *where, const char *subject, char *out, size_t size)
{
	size_t length = 0;
	const unsigned long line = lp_words_line(where, &length);
	FILE *file = line ? lp_words_open(where, length, subject) : NULL;
	bool found = false;

	if (file) {
		found = lp_words_read(file, line, out, size);
		fclose(file);
	}
	return found;
}

void lp_words_shell(FILE *out, const char *word)
{
	const bool plain = *word && !word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
						       "_-./=:,#+")];

	if (plain) {
		fputs(word, out);
		return;
	}
	putc('\'', out);
	for (; *word; word++)
		fputs(*word == '\'' ? "'\\''" : (char[]){ *word, '\0' }, out);
	putc('\'', out);
}

void lp_words_relative(const char *folder, const char *to, char *out, size_t size)
{
	size_t common = 0, used = 0;

	for (size_t i = 0; folder[i] == to[i] || (!folder[i] && to[i] == '/'); i++) {
		if (to[i] == '/')
			common = i;
		if (!folder[i])
			break;
	}
	if (!common) {
		snprintf(out, size, "%s", to);
		return;
	}
	out[0] = '\0';
	for (const char *up = folder + common; *up && used < size; up++)
		if (*up == '/')
			used += (size_t)snprintf(out + used, size - used, "../");
	if (used < size)
		snprintf(out + used, size - used, "%s", to + common + 1);
}

bool lp_words_folder(const char *file, char out[static PATH_MAX])
{
	const char *slash = strrchr(file, '/');
	char folder[PATH_MAX];

	snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - file) + 1 : 1, slash ? file : ".");
	return realpath(folder, out);
}
