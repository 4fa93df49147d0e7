/* decimal.h -- exact decimal numbers, as JSON has them: 3, -3.0 and 3e2 are whole numbers, and 0.25 equals 25e-2.
 *
 * Digits are kept as text, so nothing is rounded to floating point.
 */
#ifndef LP_HISTORY_DECIMAL_H
#define LP_HISTORY_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LP_DECIMAL_DIGITS = 40, LP_DECIMAL_TEXT = 64 };

/* The number is 0.digits * 10^point.  Neither the first nor the last digit is 0; the number 0 has no digits. */
struct lp_decimal {
	bool negative;
	int digits; /* the number of digits */
	int point;
	char digit[LP_DECIMAL_DIGITS];
};

/* Parses the number at `at`.  Returns where parsing stopped; NULL if there is no number, or if it has too many digits. */
const char *lp_decimal_parse(const char *at, const char *end, struct lp_decimal *d);

/* Is it a whole number? */
bool lp_decimal_is_whole(const struct lp_decimal *d);

/* Sets `*value` to the number times 10^`places`, rounded down.  Returns false if this is beyond +-2^62. */
bool lp_decimal_scaled(const struct lp_decimal *d, int places, int64_t *value);

/* Prints the number in its canonical form.  Returns the length of the text. */
size_t lp_decimal_print(const struct lp_decimal *d, char text[LP_DECIMAL_TEXT]);

#endif
