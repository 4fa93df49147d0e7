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

/* Splits "queue.c:31": returns the line, or 0 if there is none, and sets the length of the name. */
unsigned long lp_words_line(const char *where, size_t *name_length);

/* Opens the source file of that name.  If there is no such file, looks for it in the folder of the file
 * `subject`, which may be NULL.  Returns NULL if the file is not found. */
FILE *lp_words_open(const char *name, size_t length, const char *subject);

/* Reads a line of the file, at most `size` - 1 bytes of it, and writes it in the form that
 * lp_words_source() describes.  Returns false if there is no such line, or if it is blank. */
bool lp_words_read(FILE *, unsigned long line, char *out, size_t size);

/* Reads the line that "queue.c:31" names, without surrounding blanks; each tab or control character becomes
 * one blank.  Returns false if there is no such line, or if it is blank. */
bool lp_words_source(const char *where, const char *subject, char *out, size_t size);

/* Writes the path of `to` relative to `folder`; both are absolute.  If the two paths have no folder in
 * common, writes `to` itself. */
void lp_words_relative(const char *folder, const char *to, char *out, size_t size);

/* Finds the folder of a file, which need not exist, as an absolute path.  Returns false if there is no such
 * folder. */
bool lp_words_folder(const char *file, char out[static PATH_MAX]);

/* Writes the word as a shell reads it, in quotes if necessary. */
void lp_words_shell(FILE *out, const char *word);

#endif
