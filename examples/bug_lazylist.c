/* bug_lazylist.c -- the lazy list that does not look, once it has its locks, whether the
 * nodes were removed meanwhile: an insertion behind a removed node is lost. */
#define IGNORE_MARKS
#include "lazylist.c"
