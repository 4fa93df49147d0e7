/* decimal.c -- exact decimal numbers, stored as strings of digits. */
#include "history/decimal.h"

#include <stdio.h>

#include "history/history.h"

enum { MOST_EXPONENT = 9999 };

static bool is_digit(const char *at, const char *end)
{
	return at < end && *at >= '0' && *at <= '9';
}

/* Copies digits to `d`.  Returns false if there are too many significant ones. */
static bool take_digits(const char **at, const char *end, struct lp_decimal *d, bool fraction)
{
	for (; is_digit(*at, end); (*at)++) {
		const bool leading = !d->digits && **at == '0';
		if (!leading && d->digits == LP_DECIMAL_DIGITS)
			return false;
		if (!leading)
			d->digit[d->digits++] = **at;
		d->point += fraction ? -leading : !leading;
	}
	return true;
}

static const char *parse_exponent(const char *at, const char *end, struct lp_decimal *d)
{
	const bool negative = at < end && *at == '-';
	int exponent = 0;

	if (at < end && (*at == '-' || *at == '+'))
		at++;
	if (!is_digit(at, end))
		return NULL;
	for (; is_digit(at, end); at++)
		exponent = exponent < MOST_EXPONENT ? exponent * 10 + (*at - '0') : exponent;
	d->point += negative ? -exponent : exponent;
	return at;
}

const char *lp_decimal_parse(const char *at, const char *end, struct lp_decimal *d)
{
	*d = (struct lp_decimal){ .negative = at < end && *at == '-' };
	if (at < end && (*at == '-' || *at == '+'))
		at++;
	if (!is_digit(at, end) || !take_digits(&at, end, d, false))
		return NULL;
	if (at < end && *at == '.') {
		at++;
		if (!is_digit(at, end) || !take_digits(&at, end, d, true))
			return NULL;
	}
	if (at < end && (*at == 'e' || *at == 'E') && !(at = parse_exponent(at + 1, end, d)))
		return NULL;
	while (d->digits && d->digit[d->digits - 1] == '0')
		d->digits--;
	if (!d->digits)
		*d = (struct lp_decimal){ 0 };
	return at;
}

bool lp_decimal_is_whole(const struct lp_decimal *d)
{
	return d->point >= d->digits;
}

bool lp_decimal_scaled(const struct lp_decimal *d, int places, int64_t *value)
{
	const int point = d->point + places;
	int64_t sum = 0;

	for (int i = 0; d->digits && i < point; i++) {
		if (sum > LP_MAX_TIME / 10 - 1)
			return false;
		sum = sum * 10 + (i < d->digits ? d->digit[i] - '0' : 0);
	}
	const bool rounded = d->digits > (point > 0 ? point : 0);
	*value = d->negative ? -sum - rounded : sum;
	return true;
}

size_t lp_decimal_print(const struct lp_decimal *d, char text[LP_DECIMAL_TEXT])
{
	const char *sign = d->negative ? "-" : "";
	int wrote;

	if (d->point > 0 && d->point < d->digits)
		wrote = snprintf(text, LP_DECIMAL_TEXT, "%s%.*s.%.*s", sign, d->point, d->digit,
				 d->digits - d->point, d->digit + d->point);
	else if (d->point <= 0 && d->point > -8)
		wrote = snprintf(text, LP_DECIMAL_TEXT, "%s0.%.*s%.*s", sign, -d->point, "00000000",
				 d->digits, d->digit);
	else
		wrote = snprintf(text, LP_DECIMAL_TEXT, "%s0.%.*se%d", sign, d->digits, d->digit, d->point);
	return wrote < 0 ? 0 : (size_t)wrote;
}
