/* words.h -- numbers and source lines as text. */
#ifndef LP_REPORT_WORDS_H
#define LP_REPORT_WORDS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { LP_WORDS_ROOM = 40 }; /* bytes that `out` holds, below */

void lp_words_count(char *out, uint64_t number);   /* "1,680" */
void lp_words_about(char *out, double number);     /* "1,680", "2.4 million", "3e+21" */
void lp_words_duration(char *out, double seconds); /* "0.04 s", "3 min 20 s", "5 h 2 min" */
void lp_words_memory(char *out, uint64_t kb);      /* "840 kB", "12.3 MB" */

/* Splits "queue.c:31": the line, or 0 if there is none, and the length of the name. */
unsigned long lp_words_line(const char *where, size_t *name_length);

/* Opens the source of that name.  If there is no such file, it is searched for in the folder of
 * `subject` (a file; NULL is fine).  NULL if there is none. */
FILE *lp_words_open(const char *name, size_t length, const char *subject);

/* Reads that line of the file, at most `size` - 1 bytes of it, as below. */
bool lp_words_read(FILE *, unsigned long line, char *out, size_t size);

/* The text of the line that "queue.c:31" names, without surrounding blanks, each tab or
 * control character as one blank.  False if there is no such line. */
bool lp_words_source(const char *where, const char *subject, char *out, size_t size);

/* The path of `to` as seen from `folder`, both being absolute; if they have nothing in common, as it is. */
void lp_words_relative(const char *folder, const char *to, char *out, size_t size);

/* The folder that the file is in, or is to be in, as an absolute path; false if there is none. */
bool lp_words_folder(const char *file, char out[static PATH_MAX]);

/* The word as a shell reads it, in quotes if need be. */
void lp_words_shell(FILE *out, const char *word);

#endif
