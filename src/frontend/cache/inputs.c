/* inputs.c -- everything in the file system that a result depends on.
 *
 * In a file, an input is a record, followed by the name, and by zeros up to a multiple of eight bytes.  For an input of the kind
 * "nothing", only the head of the record is written.
 */
#define _GNU_SOURCE
#include "frontend/cache/inputs.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SECOND INT64_C(1000000000)
#define SETTLED (2 * SECOND) /* no file system has coarser times */

#define DAY (24 * 3600 * SECOND)
#define SHADOW 100 /* beside the kinds */

struct head {
	uint16_t kind;
	uint16_t settled; /* the stamp suffices */
	uint32_t length;  /* of the name, with its end, filled to a multiple of 8 */
};

struct record {
	struct head head;
	struct lp_stamp stamp;
	struct lp_digest digest;
};

static size_t size_of(const struct head *head)
{
	return head->kind == LP_INPUT_CONTENTS ? sizeof(struct record) :
	       head->kind == LP_INPUT_NOTHING  ? sizeof(struct head) :
						 offsetof(struct record, digest);
}

int64_t lp_inputs_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME_COARSE, &now);
	return now.tv_sec * SECOND + now.tv_nsec;
}

static struct lp_stamp stamp_from(const struct stat *status)
{
	return (struct lp_stamp){
		.device = status->st_dev, .inode = status->st_ino, .size = (uint64_t)status->st_size,
		.changed = status->st_mtim.tv_sec * SECOND + status->st_mtim.tv_nsec,
		.status = status->st_ctim.tv_sec * SECOND + status->st_ctim.tv_nsec,
	};
}

bool lp_stamp_of(const char *path, struct lp_stamp *stamp)
{
	struct stat status;

	if (stat(path, &status))
		return false;
	*stamp = stamp_from(&status);
	return true;
}

char *lp_inputs_read(const char *path, size_t *size)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat status;
	char *bytes = NULL;

	if (fd < 0)
		return NULL;
	if (!fstat(fd, &status) && S_ISREG(status.st_mode)) {
		*size = (size_t)status.st_size;
		bytes = lp_alloc(*size + 1);
		bytes[*size] = '\0';
		size_t done = 0;
		for (ssize_t now = 1; done < *size && now > 0; done += (size_t)now)
			if ((now = read(fd, bytes + done, *size - done)) <= 0)
				break;
		if (done != *size) {
			lp_free(bytes);
			bytes = NULL;
		}
	}
	close(fd);
	return bytes;
}

/* ---- noting ---- */

static void add_bytes(struct lp_input_bytes *to, const void *bytes, size_t size)
{
	LP_RESERVE(to, size);
	memcpy(to->at + to->count, bytes, size);
	to->count += (uint32_t)size;
}

static void add(struct lp_inputs *inputs, struct record *record, const char *path)
{
	static const char zeros[8];
	const size_t length = strlen(path) + 1;

	record->head.length = (uint32_t)((length + 7) & ~(size_t)7);
	add_bytes(&inputs->bytes, record, size_of(&record->head));
	add_bytes(&inputs->bytes, path, length);
	add_bytes(&inputs->bytes, zeros, record->head.length - length);
}

static int64_t latest(const struct lp_stamp *stamp)
{
	return stamp->changed > stamp->status ? stamp->changed : stamp->status;
}

/* A symbolic link counts as changed when the link itself was. */
static bool is_older(const char *path, const struct lp_stamp *stamp, int64_t start)
{
	struct stat link;

	if (latest(stamp) >= start || lstat(path, &link))
		return false;
	const struct lp_stamp own = stamp_from(&link);
	return latest(&own) < start;
}

bool lp_stamp_is_old(const struct lp_stamp *stamp, int64_t now)
{
	return latest(stamp) < now - DAY;
}

void lp_inputs_note_contents(struct lp_inputs *inputs, const char *path, const struct lp_stamp *stamp,
			     const struct lp_digest *digest)
{
	struct record record = { .head.kind = LP_INPUT_CONTENTS, .stamp = *stamp, .digest = *digest };

	inputs->broken |= !is_older(path, stamp, inputs->start);
	record.head.settled = latest(stamp) < inputs->start - SETTLED;
	add(inputs, &record, path);
}

/* True if it was called before with the same name for the same purpose: a kind, or SHADOW. */
static bool was_seen(struct lp_inputs *inputs, unsigned what, const char *name)
{
	struct lp_fingerprint f = LP_FINGERPRINT;
	const size_t length = strlen(name);

	lp_fingerprint_bytes(&f, name, length);
	lp_fingerprint_word(&f, what);
	lp_fingerprint_word(&f, length);
	return !lp_fingerprints_add(&inputs->seen, f);
}

void lp_inputs_note(struct lp_inputs *inputs, enum lp_input_kind kind, const char *path)
{
	struct record record = { .head.kind = (uint16_t)kind };

	if (was_seen(inputs, kind, path))
		return;
	const bool exists = lp_stamp_of(path, &record.stamp);

	switch (kind) {
	case LP_INPUT_CONTENTS: /* lp_inputs_note_contents() */
		inputs->broken = true;
		return;
	case LP_INPUT_STAMP:
		inputs->broken |= !exists || latest(&record.stamp) >= inputs->start - SETTLED;
		break;
	case LP_INPUT_IDENTITY:
		inputs->broken |= !exists;
		break;
	case LP_INPUT_NOTHING:
		inputs->broken |= exists;
		break;
	}
	add(inputs, &record, path);
}

/* Notes that the path does not exist, by the first of its parts that does not. */
static void note_absence(struct lp_inputs *inputs, char path[static PATH_MAX])
{
	struct lp_stamp stamp;
	char *slash;

	while ((slash = strrchr(path, '/')) && slash != path) {
		*slash = '\0';
		if (lp_stamp_of(path, &stamp)) {
			*slash = '/';
			break;
		}
	}
	lp_inputs_note(inputs, LP_INPUT_NOTHING, path);
}

/* Looks at the folder of a path that must not exist.  If the folder is missing, noting that suffices for all paths
 * in it.  If it has not changed for a day, its stamp is noted: as long as that stays, no name appears in it. */
static enum lp_input_folder folder_of(struct lp_inputs *inputs, const char *path)
{
	struct lp_input_folder_seen seen = { .name = LP_FINGERPRINT, .is = LP_FOLDER_CHANGES };
	const char *slash = strrchr(path, '/');
	char folder[PATH_MAX] = ".";
	struct lp_stamp stamp;

	if (slash)
		snprintf(folder, sizeof folder, "%.*s", (int)(slash - path) + (slash == path), path);
	lp_fingerprint_bytes(&seen.name, folder, strlen(folder));
	for (uint32_t i = 0; i < inputs->folders.count; i++)
		if (!memcmp(&inputs->folders.at[i].name, &seen.name, sizeof seen.name))
			return inputs->folders.at[i].is;
	if (!lp_stamp_of(folder, &stamp)) {
		seen.is = LP_FOLDER_MISSING;
		note_absence(inputs, folder);
	} else if (lp_stamp_is_old(&stamp, inputs->start)) {
		seen.is = LP_FOLDER_STAYS;
		lp_inputs_note(inputs, LP_INPUT_STAMP, folder);
	}
	LP_PUSH(&inputs->folders, seen);
	return seen.is;
}

void lp_inputs_note_shadow(struct lp_inputs *inputs, const char *folder, const char *name)
{
	char path[PATH_MAX];
	struct stat status;
	const int length = snprintf(path, sizeof path, "%s%s%s", folder, *folder ? "/" : "", name);

	if (length >= (int)sizeof path) {
		inputs->broken = true;
		return;
	}
	if (was_seen(inputs, SHADOW, path))
		return;
	const enum lp_input_folder is = folder_of(inputs, path);
	if (is == LP_FOLDER_MISSING)
		return;
	/* The target of a dangling link can appear without a change of the link's folder. */
	if (is == LP_FOLDER_STAYS && (lstat(path, &status) || S_ISREG(status.st_mode)))
		return;
	if (stat(path, &status)) {
		note_absence(inputs, path);
	} else if (!S_ISREG(status.st_mode)) {
		lp_inputs_note(inputs, LP_INPUT_STAMP, path);
	} else { /* it exists and was not used, so nothing looks for it */
		const struct lp_stamp stamp = stamp_from(&status);
		inputs->broken |= !is_older(path, &stamp, inputs->start);
	}
}

/* ---- comparing ---- */

static bool same_contents(const char *path, const struct record *record)
{
	size_t size = 0;
	char *contents = lp_inputs_read(path, &size);
	const struct lp_digest digest = contents ? lp_digest_of(contents, size) : (struct lp_digest){ 0 };

	lp_free(contents);
	return contents && lp_digest_equal(&digest, &record->digest);
}

static bool holds(const struct record *record, const char *path)
{
	struct lp_stamp now;

	if (!lp_stamp_of(path, &now))
		return record->head.kind == LP_INPUT_NOTHING && (errno == ENOENT || errno == ENOTDIR);
	const bool same = !memcmp(&now, &record->stamp, sizeof now);
	switch (record->head.kind) {
	case LP_INPUT_CONTENTS:
		return (same && record->head.settled) ||
		       (now.size == record->stamp.size && same_contents(path, record));
	case LP_INPUT_STAMP:
		return same;
	case LP_INPUT_IDENTITY:
		return now.device == record->stamp.device && now.inode == record->stamp.inode;
	default:
		return false;
	}
}

bool lp_inputs_hold(const char *bytes, size_t size)
{
	struct record record = { 0 };

	while (size >= sizeof record.head) {
		memcpy(&record.head, bytes, sizeof record.head);
		const size_t first = size_of(&record.head);
		if (first > size || record.head.length > size - first)
			return false;
		memcpy(&record, bytes, first);
		if (!holds(&record, bytes + first))
			return false;
		bytes += first + record.head.length;
		size -= first + record.head.length;
	}
	return !size;
}

void lp_inputs_drop(struct lp_inputs *inputs)
{
	lp_free(inputs->bytes.at);
	lp_free(inputs->folders.at);
	lp_fingerprints_close(&inputs->seen);
	*inputs = (struct lp_inputs){ 0 };
}
