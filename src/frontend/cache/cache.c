/* cache.c -- results of earlier compilations. */
#define _GNU_SOURCE
#include "frontend/cache/cache.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frontend/cache/includes.h"

#define VARIANTS 8

/* Before the inputs of a variant. */
struct variant {
	struct lp_digest result;
	uint64_t size; /* of the inputs */
};

/* Follows the shared object and the texts; loaders ignore it. */
struct tail {
	uint64_t object, messages, findings; /* bytes; findings are lines */
};

static void add_bytes(struct lp_input_bytes *to, const void *bytes, size_t size)
{
	LP_RESERVE(to, size);
	if (size)
		memcpy(to->at + to->count, bytes, size);
	to->count += (uint32_t)size;
}

void lp_cache_open(struct lp_cache *cache, const struct lp_recipe *recipe, bool wanted)
{
	*cache = (struct lp_cache){ .recipe = recipe };
	cache->inputs.start = lp_inputs_now();
	cache->on = wanted && lp_store_open(&cache->store) && lp_recipe_key(recipe, &cache->key);
}

void lp_cache_close(struct lp_cache *cache)
{
	lp_inputs_drop(&cache->inputs);
	lp_free(cache->messages.at);
	*cache = (struct lp_cache){ 0 };
}

/* ---- finding ---- */

static void take_findings(const char *lines, size_t size, struct lp_findings *findings)
{
	for (const char *end = lines + size; lines < end;) {
		const char *stop = memchr(lines, '\n', (size_t)(end - lines));
		if (!stop)
			return;
		lp_findings_add(findings, "%.*s", (int)(stop - lines), lines);
		lines = stop + 1;
	}
}

/* dlopen() would return the object that is loaded already, variables and all. */
static bool is_loaded(const char *path)
{
	void *handle = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);

	if (handle)
		dlclose(handle);
	return handle;
}

static bool take_result(struct lp_cache *cache, const struct lp_digest *result, char shared[static LP_SHARED_PATH],
			struct lp_findings *findings)
{
	struct lp_stored stored;
	struct tail tail = { 0 };

	if (!lp_store_get(&cache->store, result, "so", &stored))
		return false;
	bool good = stored.size > sizeof tail && !is_loaded(stored.path);
	if (good) {
		memcpy(&tail, stored.bytes + stored.size - sizeof tail, sizeof tail);
		good = tail.object + tail.messages + tail.findings + sizeof tail == stored.size;
	}
	if (good) {
		fwrite(stored.bytes + tail.object, 1, tail.messages, stderr);
		if (findings)
			take_findings(stored.bytes + tail.object + tail.messages, tail.findings, findings);
		snprintf(shared, LP_SHARED_PATH, "%s", stored.path);
	}
	lp_store_release(&stored);
	return good;
}

bool lp_cache_find(struct lp_cache *cache, char shared[static LP_SHARED_PATH], struct lp_findings *findings)
{
	struct lp_stored list;
	struct variant variant;
	bool found = false;

	if (!cache->on || !lp_store_get(&cache->store, &cache->key, "list", &list))
		return false;
	for (size_t at = 0; !found && at + sizeof variant <= list.size; at += variant.size) {
		memcpy(&variant, list.bytes + at, sizeof variant);
		at += sizeof variant;
		if (variant.size > list.size - at)
			break;
		found = lp_inputs_hold(list.bytes + at, variant.size) &&
			take_result(cache, &variant.result, shared, findings);
	}
	lp_store_release(&list);
	return found;
}

/* ---- keeping ---- */

static void tell(struct lp_cache *cache, const char *text)
{
	fputs(text, stderr);
	if (cache->on)
		add_bytes(&cache->messages, text, strlen(text));
}

void lp_cache_tell(struct lp_cache *cache, const char *file)
{
	size_t size;
	char *text = lp_inputs_read(file, &size);

	if (text)
		tell(cache, text);
	lp_free(text);
}

void lp_cache_tell_source(struct lp_cache *cache, const char *file, const char *list)
{
	struct lp_include_search search = { 0 };
	size_t size;
	char *text = lp_inputs_read(file, &size);

	cache->inputs.broken |= cache->on && (!text || !lp_include_search_take(&search, text));
	if (text)
		tell(cache, text);
	if (cache->on && !cache->inputs.broken)
		lp_includes_note(&cache->inputs, &cache->store, &search, list);
	lp_include_search_drop(&search);
	lp_free(text);
}

void lp_cache_note_linked(struct lp_cache *cache, const char *list, const char *folder)
{
	struct lp_names files = { 0 };

	cache->inputs.broken |= !lp_includes_read(list, &files);
	for (uint32_t i = 0; i < files.count; i++)
		if (strncmp(files.at[i], folder, strlen(folder)))
			lp_inputs_note(&cache->inputs, LP_INPUT_STAMP, files.at[i]);
	lp_names_drop(&files);
}

static bool put_result(struct lp_cache *cache, const struct lp_digest *result, const char *shared,
		       const struct lp_findings *findings)
{
	struct lp_input_bytes bytes = { 0 };
	struct tail tail = { .messages = cache->messages.count };
	size_t size;
	char *object = lp_inputs_read(shared, &size);

	if (!object || size > UINT32_MAX / 4) {
		lp_free(object);
		return false;
	}
	tail.object = size;
	LP_RESERVE(&bytes, size + cache->messages.count + sizeof tail + 512);
	add_bytes(&bytes, object, size);
	add_bytes(&bytes, cache->messages.at, cache->messages.count);
	for (uint32_t i = 0; findings && i < findings->count; i++) {
		tail.findings += strlen(findings->at[i]) + 1;
		add_bytes(&bytes, findings->at[i], strlen(findings->at[i]));
		add_bytes(&bytes, "\n", 1);
	}
	add_bytes(&bytes, &tail, sizeof tail);
	const bool done = lp_store_put(&cache->store, result, "so", bytes.at, bytes.count);
	lp_free(object);
	lp_free(bytes.at);
	return done;
}

/* The new variant comes first; the oldest ones are dropped. */
static void put_variant(struct lp_cache *cache, const struct lp_digest *result)
{
	struct variant variant = { .result = *result, .size = cache->inputs.bytes.count };
	struct lp_input_bytes bytes = { 0 };
	struct lp_stored list;
	size_t at = 0;

	add_bytes(&bytes, &variant, sizeof variant);
	add_bytes(&bytes, cache->inputs.bytes.at, cache->inputs.bytes.count);
	if (lp_store_get(&cache->store, &cache->key, "list", &list)) {
		for (int i = 1; i < VARIANTS && at + sizeof variant <= list.size; i++) {
			memcpy(&variant, list.bytes + at, sizeof variant);
			at += sizeof variant + (variant.size < list.size - at ? variant.size : list.size - at);
		}
		add_bytes(&bytes, list.bytes, at < list.size ? at : list.size);
		lp_store_release(&list);
	}
	lp_store_put(&cache->store, &cache->key, "list", bytes.at, bytes.count);
	lp_free(bytes.at);
}

void lp_cache_keep(struct lp_cache *cache, const char *shared, const struct lp_findings *findings)
{
	struct lp_digester d;

	if (!cache->on || cache->inputs.broken)
		return;
	lp_digest_begin(&d);
	lp_digest_add(&d, &cache->key, sizeof cache->key);
	lp_digest_add(&d, cache->inputs.bytes.at, cache->inputs.bytes.count);
	const struct lp_digest result = lp_digest_end(&d);
	if (put_result(cache, &result, shared, findings))
		put_variant(cache, &result);
}
