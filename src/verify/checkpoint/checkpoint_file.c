/* checkpoint_file.c -- writes and reads the file of a checkpoint. */
#include "verify/checkpoint/checkpoint_file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/digest.h"
#include "ranks/records.h"

static const char magic[] = "linchpin checkpoint 1\n";
enum {
	MAGIC = sizeof magic - 1,
	KIND = sizeof "linchpin checkpoint " - 1, /* what comes after it is the version of the format */
	DIGEST = sizeof(struct lp_digest),
	MOST = INT32_MAX, /* bytes of a file */
};

void lp_checkpoint_format(const struct lp_checkpoint_parts *parts, struct lp_bytes *to)
{
	uint64_t size = MAGIC + sizeof size + DIGEST;

	for (int i = 0; i < LP_CHECKPOINT_PARTS; i++)
		size += sizeof size + parts->at[i].left;
	lp_bytes_put(to, magic, MAGIC);
	lp_bytes_put_number(to, size);
	for (int i = 0; i < LP_CHECKPOINT_PARTS; i++)
		lp_bytes_put_string(to, parts->at[i].at, parts->at[i].left);
	const struct lp_digest digest = lp_digest_of(to->at, to->count);
	lp_bytes_put(to, &digest, DIGEST);
}

static bool refuse(const char *path, const char *why, struct lp_error *error)
{
	return lp_fail(error, "cannot resume from '%s': %s", path, why);
}

bool lp_checkpoint_parse(const uint8_t *bytes, size_t size, const char *path, struct lp_checkpoint_parts *parts,
			 struct lp_error *error)
{
	struct lp_cursor from = { bytes, size, false };
	const uint8_t *begin = lp_cursor_take(&from, MAGIC);
	struct lp_digest digest;

	if (!begin || memcmp(begin, magic, KIND))
		return refuse(path, "it is not a checkpoint", error);
	if (memcmp(begin, magic, MAGIC))
		return refuse(path, "it was written by another version of linchpin, in another format", error);
	const uint64_t whole = lp_cursor_u64(&from);
	if (from.bad || whole > size)
		return refuse(path, "its end is missing", error);
	if (whole != size || size < MAGIC + sizeof whole + DIGEST)
		return refuse(path, "it is damaged", error);
	memcpy(&digest, bytes + size - DIGEST, DIGEST);
	const struct lp_digest now = lp_digest_of(bytes, size - DIGEST);
	from.left -= DIGEST;
	for (int i = 0; i < LP_CHECKPOINT_PARTS; i++)
		parts->at[i] = lp_cursor_string(&from);
	if (!lp_cursor_ended(&from) || !lp_digest_equal(&digest, &now))
		return refuse(path, "it is damaged", error);
	return true;
}

/* ---- on disk ---- */

static bool put_all(int fd, const uint8_t *at, size_t left)
{
	while (left) {
		const ssize_t n = write(fd, at, left);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		at += n;
		left -= (size_t)n;
	}
	return true;
}

/* So that the new name is on disk, too. */
static bool sync_folder(const char *path)
{
	char copy[PATH_MAX];

	snprintf(copy, sizeof copy, "%s", path);
	const int fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	const bool done = fd >= 0 && (!fsync(fd) || errno == EINVAL);
	if (fd >= 0)
		close(fd);
	return done;
}

static int open_beside(const char *path, char name[PATH_MAX])
{
	if (snprintf(name, PATH_MAX, "%s.new", path) >= PATH_MAX) {
		errno = ENAMETOOLONG;
		return -1;
	}
	return open(name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
}

bool lp_checkpoint_is_writable(const char *path, struct lp_error *error)
{
	char name[PATH_MAX];
	const int fd = open_beside(path, name);

	if (fd < 0)
		return lp_fail(error, "cannot write '%s': %s", path, strerror(errno));
	close(fd);
	unlink(name);
	return true;
}

/* Sets errno if not. */
static bool write_bytes(const char *path, const struct lp_bytes *bytes)
{
	char name[PATH_MAX];
	const int fd = open_beside(path, name);

	if (fd < 0)
		return false;
	const bool put = put_all(fd, bytes->at, bytes->count) && !fsync(fd);
	const int reason = errno;
	const bool closed = !close(fd);
	if (!put)
		errno = reason;
	return put && closed && !rename(name, path) && sync_folder(path);
}

bool lp_checkpoint_write(const char *path, const struct lp_checkpoint_parts *parts, struct lp_error *error)
{
	struct lp_bytes bytes = { 0 };

	lp_checkpoint_format(parts, &bytes);
	errno = EFBIG;
	const bool done = bytes.count <= MOST && write_bytes(path, &bytes);
	const int reason = errno;
	lp_free(bytes.at);
	return done || lp_fail(error, "cannot write '%s': %s", path, strerror(reason));
}

/* Of the size that it has now: it may be something that has no end. */
static bool get_all(int fd, struct lp_bytes *bytes)
{
	struct stat status;
	ssize_t n = 1;

	if (fstat(fd, &status))
		return false;
	errno = S_ISDIR(status.st_mode) ? EISDIR : S_ISREG(status.st_mode) ? EFBIG : EINVAL;
	if (!S_ISREG(status.st_mode) || status.st_size > MOST)
		return false;
	LP_RESERVE(bytes, (uint32_t)status.st_size);
	while (bytes->count < status.st_size && n > 0) {
		n = read(fd, bytes->at + bytes->count, (size_t)status.st_size - bytes->count);
		bytes->count += n > 0 ? (uint32_t)n : 0;
	}
	return n >= 0;
}

bool lp_checkpoint_read(const char *path, struct lp_bytes *bytes, struct lp_checkpoint_parts *parts, struct lp_error *error)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	*bytes = (struct lp_bytes){ 0 };
	const bool read = fd >= 0 && get_all(fd, bytes);
	const int reason = errno;
	if (fd >= 0)
		close(fd);
	if (!read)
		return lp_fail(error, "cannot read '%s': %s", path, strerror(reason));
	return lp_checkpoint_parse(bytes->at, bytes->count, path, parts, error);
}
