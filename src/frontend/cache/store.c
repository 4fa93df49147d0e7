/* store.c -- files of the user's cache, by key. */
#define _GNU_SOURCE
#include "frontend/cache/store.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/vec.h"

#define FORMAT "1"
#define SHARDS 64
#define USUAL_MB 512
#define MOST_DIGITS 12 /* of a bound: no overflow */
#define FRESH 60 /* seconds between two updates of the time of last use */

static const char magic[8] = "lpcache" FORMAT;

struct footer {
	char magic[8];
	uint64_t size;
	struct lp_fingerprint sum;
};

static struct lp_fingerprint sum_of(const void *bytes, size_t size)
{
	struct lp_fingerprint f = LP_FINGERPRINT;

	lp_fingerprint_bytes(&f, bytes, size);
	lp_fingerprint_word(&f, size);
	return f;
}

/* ---- the folder ---- */

static bool is_ours(const struct stat *status)
{
	return status->st_uid == geteuid() && !(status->st_mode & (S_IWGRP | S_IWOTH));
}

static bool make_folder(const char *path)
{
	struct stat status;

	mkdir(path, 0700);
	return !lstat(path, &status) && S_ISDIR(status.st_mode) && is_ours(&status);
}

/* The folder above ours may be a symbolic link. */
static bool make_above(const char *path)
{
	struct stat status;

	mkdir(path, 0700);
	return !stat(path, &status) && S_ISDIR(status.st_mode);
}

static bool find_folder(char *out, size_t size)
{
	const char *own = getenv("LINCHPIN_CACHE"), *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	int length;

	if (own && *own) {
		if (!strcmp(own, "off"))
			return false;
		length = snprintf(out, size, "%s", own);
		return length > 0 && (size_t)length < size;
	}
	if (xdg && *xdg == '/')
		length = snprintf(out, size, "%s", xdg);
	else if (home && *home == '/')
		length = snprintf(out, size, "%s/.cache", home);
	else
		return false;
	if ((size_t)length + sizeof "/linchpin" > size || !make_above(out))
		return false;
	strcat(out, "/linchpin");
	return true;
}

/* Shared objects are loaded from there. */
static bool may_execute(const char *folder)
{
	struct statvfs status;

	return !statvfs(folder, &status) && !(status.f_flag & ST_NOEXEC);
}

/* The bound in MB.  What is not a number is told, once. */
static uint64_t bound(void)
{
	static bool told;
	const char *text = getenv("LINCHPIN_CACHE_SIZE");

	if (!text || !*text)
		return USUAL_MB;
	const size_t digits = strspn(text, "0123456789");
	if (!text[digits] && digits <= MOST_DIGITS)
		return strtoull(text, NULL, 10);
	if (!told)
		fprintf(stderr, "note: LINCHPIN_CACHE_SIZE is '%s', not a number of megabytes: %d are used\n", text, USUAL_MB);
	told = true;
	return USUAL_MB;
}

bool lp_store_open(struct lp_store *store)
{
	if (!find_folder(store->folder, sizeof store->folder - sizeof "/" FORMAT) || !make_folder(store->folder))
		return false;
	strcat(store->folder, "/" FORMAT);
	if (!make_folder(store->folder) || !may_execute(store->folder))
		return false;
	store->most = bound() * ((1 << 20) / SHARDS);
	return true;
}

static void path_of(const struct lp_store *store, const struct lp_digest *key, const char *kind,
		    char path[static LP_STORE_PATH])
{
	const uint8_t *bytes = (const uint8_t *)key;
	int used = snprintf(path, LP_STORE_PATH, "%s/%02x", store->folder, bytes[0] % SHARDS);

	for (size_t i = 0; i < 20; i++)
		used += snprintf(path + used, LP_STORE_PATH - (size_t)used, i ? "%02x" : "/%02x", bytes[i]);
	snprintf(path + used, LP_STORE_PATH - (size_t)used, ".%s", kind);
}

/* ---- reading ---- */

static bool is_whole(const struct lp_stored *stored)
{
	struct footer f;

	memcpy(&f, stored->bytes + stored->size, sizeof f);
	if (memcmp(f.magic, magic, sizeof magic) || f.size != stored->size)
		return false;
	const struct lp_fingerprint sum = sum_of(stored->bytes, stored->size);
	return !memcmp(&sum, &f.sum, sizeof sum);
}

bool lp_store_get(const struct lp_store *store, const struct lp_digest *key, const char *kind,
		  struct lp_stored *stored)
{
	struct stat status;
	void *at = MAP_FAILED;

	*stored = (struct lp_stored){ 0 };
	path_of(store, key, kind, stored->path);
	const int fd = open(stored->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return false;
	const bool good = !fstat(fd, &status) && S_ISREG(status.st_mode) && is_ours(&status) &&
			  status.st_size > (off_t)sizeof(struct footer);
	if (good)
		at = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
	if (at != MAP_FAILED) {
		stored->bytes = at;
		stored->mapped = (size_t)status.st_size;
		stored->size = stored->mapped - sizeof(struct footer);
		if (!is_whole(stored))
			lp_store_release(stored);
		else if (status.st_mtime < time(NULL) - FRESH)
			futimens(fd, NULL);
	}
	close(fd);
	return stored->bytes;
}

void lp_store_release(struct lp_stored *stored)
{
	if (stored->bytes)
		munmap((void *)(uintptr_t)stored->bytes, stored->mapped);
	*stored = (struct lp_stored){ 0 };
}

/* ---- removing the least recently used files ---- */

struct entry {
	struct timespec used;
	uint64_t size;
	char name[64];
};

struct entries {
	LP_VEC(struct entry);
};

static int by_use(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->used.tv_sec != y->used.tv_sec)
		return x->used.tv_sec < y->used.tv_sec ? -1 : 1;
	return (x->used.tv_nsec > y->used.tv_nsec) - (x->used.tv_nsec < y->used.tv_nsec);
}

static uint64_t list_shard(DIR *shard, struct entries *entries)
{
	uint64_t total = 0;
	struct stat status;

	for (struct dirent *e; (e = readdir(shard));) {
		struct entry entry;
		if (strlen(e->d_name) >= sizeof entry.name ||
		    fstatat(dirfd(shard), e->d_name, &status, AT_SYMLINK_NOFOLLOW) || !S_ISREG(status.st_mode))
			continue;
		entry = (struct entry){ .used = status.st_mtim, .size = (uint64_t)status.st_blocks * 512 };
		memcpy(entry.name, e->d_name, strlen(e->d_name) + 1);
		total += entry.size;
		LP_PUSH(entries, entry);
	}
	return total;
}

/* Prunes to three quarters of the bound, to have some time before the next pruning.  Other processes may
 * prune at the same time: a file that is already gone does no harm. */
static void prune(const struct lp_store *store, const char *folder)
{
	DIR *shard = opendir(folder);
	struct entries entries = { 0 };

	if (!shard)
		return;
	uint64_t total = list_shard(shard, &entries);
	if (total > store->most && entries.count) {
		qsort(entries.at, entries.count, sizeof *entries.at, by_use);
		for (uint32_t i = 0; i < entries.count && total > store->most / 4 * 3; i++) {
			unlinkat(dirfd(shard), entries.at[i].name, 0);
			total -= entries.at[i].size;
		}
	}
	lp_free(entries.at);
	closedir(shard);
}

/* ---- writing ---- */

static bool write_all(int fd, const char *bytes, size_t size)
{
	while (size) {
		const ssize_t done = write(fd, bytes, size);
		if (done <= 0)
			return false;
		bytes += done;
		size -= (size_t)done;
	}
	return true;
}

bool lp_store_put(const struct lp_store *store, const struct lp_digest *key, const char *kind, const void *bytes,
		  size_t size)
{
	struct footer f = { .size = size, .sum = sum_of(bytes, size) };
	char path[LP_STORE_PATH], folder[LP_STORE_PATH], name[LP_STORE_PATH + 16];

	if (size + sizeof f > store->most / 2)
		return false;
	memcpy(f.magic, magic, sizeof magic);
	path_of(store, key, kind, path);
	snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
	if (!make_folder(folder))
		return false;
	snprintf(name, sizeof name, "%s/new-XXXXXX", folder);
	const int fd = mkostemp(name, O_CLOEXEC); /* its mode is 0600 */
	if (fd < 0)
		return false;
	bool done = write_all(fd, bytes, size) && write_all(fd, (const char *)&f, sizeof f);
	done = !close(fd) && done && !rename(name, path);
	if (!done)
		unlink(name);
	prune(store, folder);
	return done;
}
