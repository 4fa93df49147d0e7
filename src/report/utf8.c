/* utf8.c -- which bytes are well-formed UTF-8. */
#include "report/utf8.h"

size_t lp_utf8_length(const unsigned char *s)
{
	unsigned char low = 0x80, high = 0xbf; /* bounds of the second byte */
	size_t length;

	if (s[0] < 0x80)
		return 1;
	if (s[0] >= 0xc2 && s[0] <= 0xdf)
		length = 2;
	else if (s[0] >= 0xe0 && s[0] <= 0xef)
		length = 3;
	else if (s[0] >= 0xf0 && s[0] <= 0xf4)
		length = 4;
	else
		return 0;
	if (s[0] == 0xe0)
		low = 0xa0;
	else if (s[0] == 0xed)
		high = 0x9f;
	else if (s[0] == 0xf0)
		low = 0x90;
	else if (s[0] == 0xf4)
		high = 0x8f;
	if (s[1] < low || s[1] > high)
		return 0;
	for (size_t i = 2; i < length; i++) /* the terminator is not a continuation */
		if (s[i] < 0x80 || s[i] > 0xbf)
			return 0;
	return length;
}
