/* utf8.h -- which bytes are well-formed UTF-8.
 *
 * Names of files and what a program prints are bytes; JSON and XML want characters.
 */
#ifndef LP_REPORT_UTF8_H
#define LP_REPORT_UTF8_H

#include <stddef.h>

/* The length of the well-formed UTF-8 sequence at `s` (RFC 3629: no overlong
 * forms, no surrogates, nothing above U+10FFFF), or 0.  `s` is
 * terminated. */
size_t lp_utf8_length(const unsigned char *s);

#endif
