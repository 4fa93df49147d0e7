/* headers.c -- digests and risky words of headers that have not changed for a day. */
#include "frontend/cache/headers.h"

#include <string.h>

#define MOST (256 << 10) /* bytes: some two thousand headers */

static struct lp_digest key_of_all(void)
{
	static const char name[] = "headers 1";

	return lp_digest_of(name, sizeof name);
}

void lp_headers_open(struct lp_headers *headers, const struct lp_store *store)
{
	const struct lp_digest key = key_of_all();

	*headers = (struct lp_headers){ .store = store };
	lp_store_get(store, &key, "headers", &headers->known);
}

const struct lp_header *lp_headers_find(const struct lp_headers *headers, const struct lp_stamp *stamp)
{
	const struct lp_stored *known = &headers->known;

	for (size_t at = 0; at + sizeof(struct lp_header) <= known->size;) {
		const struct lp_header *header = (const void *)(known->bytes + at);
		at += sizeof *header;
		if (header->asked > known->size - at)
			return NULL;
		if (!memcmp(&header->stamp, stamp, sizeof *stamp))
			return header;
		at += header->asked;
	}
	return NULL;
}

static void add_bytes(struct lp_input_bytes *to, const void *bytes, size_t size)
{
	LP_RESERVE(to, size);
	if (size)
		memcpy(to->at + to->count, bytes, size);
	to->count += (uint32_t)size;
}

void lp_headers_add(struct lp_headers *headers, struct lp_header header, const char *names)
{
	static const char zeros[8];
	const uint32_t size = header.asked;

	header.asked = (size + 7) & ~UINT32_C(7);
	add_bytes(&headers->fresh, &header, sizeof header);
	add_bytes(&headers->fresh, names, size);
	add_bytes(&headers->fresh, zeros, header.asked - size);
}

/* New ones come first.  What another process has added in the meantime is lost, and found again later. */
void lp_headers_close(struct lp_headers *headers)
{
	const struct lp_digest key = key_of_all();
	const struct lp_stored *known = &headers->known;
	size_t kept = 0;

	for (size_t at = 0; at + sizeof(struct lp_header) <= known->size && at < MOST; kept = at) {
		const struct lp_header *header = (const void *)(known->bytes + at);
		at += sizeof *header + (size_t)header->asked;
	}
	if (headers->fresh.count) {
		add_bytes(&headers->fresh, known->bytes, kept < known->size ? kept : known->size);
		lp_store_put(headers->store, &key, "headers", headers->fresh.at, headers->fresh.count);
	}
	lp_store_release(&headers->known);
	lp_free(headers->fresh.at);
	headers->fresh = (struct lp_input_bytes){ 0 };
}
