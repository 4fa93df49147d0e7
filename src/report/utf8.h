/* utf8.h -- recognises well-formed UTF-8.
 *
 * File names and the output of programs are bytes; JSON and XML need characters.
 */
#ifndef LP_REPORT_UTF8_H
#define LP_REPORT_UTF8_H

#include <stddef.h>

/* The length of the well-formed UTF-8 sequence at `s` (RFC 3629: no overlong
 * forms, no surrogates, nothing above U+10FFFF), or 0.  `s` is
 * terminated. */
size_t lp_utf8_length(const unsigned char *s);

#endif
