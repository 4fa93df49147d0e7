/* test_digest.c -- digests against those of another implementation of BLAKE2b (Python's hashlib). */
#include "base/digest.h"

#include <stdio.h>
#include <string.h>

static const struct {
	size_t size;
	const char *digest;
} known[] = {
	{ 0, "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8" },
	{ 1, "e88bd757ad5b9bedf372d8d3f0cf6c962a469db61a265f6418e1ffed86da29ec" },
	{ 127, "c9ae3859964b35f04c54b36d33cf299d7290ee621005d28e51598a943560aaaa" },
	{ 128, "f0501d06597880592bc49234eef100ec1ff349058d0e9d9b753504e24af86dd6" },
	{ 129, "a34a4e1e03c541dfbf3099c4b6c143c022ced65c28bd7e8a10e0a098461aecf0" },
	{ 256, "d93ebb9c802f5630ab22516fd82b6c21bc8bd551d531349b715f046ed11ed871" },
	{ 1000, "d62b6c768ce1afc8367e0498ab2f8e3f7c178c35b1429f14c4604b545d200f52" },
};

/* The digest of `size` bytes, which are added `part` at a time. */
static bool is_known(size_t size, size_t part, const char *digest)
{
	struct lp_digester d;
	uint8_t bytes[1000];
	char text[65] = "";

	for (size_t i = 0; i < size; i++)
		bytes[i] = (uint8_t)(i * 7 + 3);
	lp_digest_begin(&d);
	for (size_t at = 0; at < size; at += part)
		lp_digest_add(&d, bytes + at, size - at < part ? size - at : part);
	const struct lp_digest out = lp_digest_end(&d);
	const uint8_t *words = (const uint8_t *)&out;
	for (size_t i = 0; i < sizeof out; i++)
		snprintf(text + 2 * i, 3, "%02x", words[i]);
	if (!strcmp(text, digest))
		return true;
	printf("%zu bytes, %zu at a time: %s\n", size, part, text);
	return false;
}

int main(void)
{
	static const size_t parts[] = { 1, 7, 64, 127, 128, 129, 255, 256, 1000 };
	int failures = 0;

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		for (size_t p = 0; p < sizeof parts / sizeof *parts; p++)
			failures += !is_known(known[i].size, parts[p], known[i].digest);
	return failures != 0;
}
