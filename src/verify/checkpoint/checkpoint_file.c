/* checkpoint_file.c -- writes and reads the file of a checkpoint. */
#include "verify/checkpoint/checkpoint_file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/digest.h"
#include "explore/clock.h"
#include "ranks/records.h"

static const double PATIENCE = 10; /* seconds, for a file that is locked: a job whose mpirun was killed takes some to end */
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

/* Has the open file that name? */
static bool is_at(int fd, const char *path)
{
	struct stat ours, there;

	return !fstat(fd, &ours) && !stat(path, &there) && ours.st_dev == there.st_dev && ours.st_ino == there.st_ino;
}

/* False if another process has it.  On a file system without locks each process gets it. */
static bool take_lock(int fd)
{
	return !flock(fd, LOCK_EX | LOCK_NB) || errno != EWOULDBLOCK;
}

/* The file beside it, locked. */
static int open_beside(const char *path, char name[PATH_MAX])
{
	if (snprintf(name, PATH_MAX, "%s.new", path) >= PATH_MAX) {
		errno = ENAMETOOLONG;
		return -1;
	}
	const int fd = open(name, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (fd < 0 || (take_lock(fd) && is_at(fd, name)))
		return fd;
	close(fd);
	errno = EBUSY;
	return -1;
}

static bool cannot_write(const char *path, int reason, struct lp_error *error)
{
	return lp_fail(error, "cannot write '%s': %s", path, reason == EBUSY ? "another process writes it, too" : strerror(reason));
}

/* Can it probably be written? */
static bool is_writable(const char *path, struct lp_error *error)
{
	char name[PATH_MAX];
	const int fd = open_beside(path, name);

	if (fd < 0)
		return cannot_write(path, errno, error);
	unlink(name);
	close(fd);
	return true;
}

/* An old checkpoint may be the result of hours of work. */
static bool is_free(const char *path, struct lp_error *error)
{
	if (access(path, F_OK))
		return is_writable(path, error);
	lp_fail(error, "cannot write '%s': it is there already", path);
	snprintf(error->hint, sizeof error->hint, "--resume %s goes on from it, if it is a checkpoint of this command", path);
	return false;
}

/* The process that is to continue it may have been killed only just now, and its workers may not be gone yet. */
static bool hold(struct lp_checkpoint_file *f, struct lp_error *error)
{
	const double until = lp_clock_seconds() + PATIENCE;
	const struct timespec moment = { 0, 20000000 };
	const int fd = open(f->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return lp_fail(error, "cannot read '%s': %s", f->path, strerror(errno));
	while (!take_lock(fd) && lp_clock_seconds() < until)
		nanosleep(&moment, NULL);
	f->held = true;
	f->fd = fd;
	return (take_lock(fd) && is_at(fd, f->path)) || lp_fail(error, "cannot resume from '%s': another process goes on from it", f->path);
}

bool lp_checkpoint_file_open(struct lp_checkpoint_file *f, const char *from, struct lp_error *error)
{
	if (!from || strcmp(f->path, from))
		return is_free(f->path, error);
	return hold(f, error) && is_writable(f->path, error);
}

void lp_checkpoint_file_close(struct lp_checkpoint_file *f)
{
	if (f->held)
		close(f->fd);
	f->held = false;
}

static bool is_ours(const struct lp_checkpoint_file *f)
{
	return f->held && is_at(f->fd, f->path);
}

void lp_checkpoint_file_remove(struct lp_checkpoint_file *f)
{
	if (is_ours(f))
		unlink(f->path);
}

/* Sets errno if not.  The new file stays open, since it is locked as long as it is. */
static bool write_bytes(struct lp_checkpoint_file *f, const struct lp_bytes *bytes)
{
	char name[PATH_MAX];
	const int fd = open_beside(f->path, name);

	if (fd < 0)
		return false;
	const bool ours = is_ours(f) || access(f->path, F_OK);
	if (!ours)
		errno = EBUSY;
	if (!ours || ftruncate(fd, 0) || !put_all(fd, bytes->at, bytes->count) || fsync(fd) || rename(name, f->path)) {
		const int reason = errno;
		unlink(name);
		close(fd);
		errno = reason;
		return false;
	}
	lp_checkpoint_file_close(f);
	f->held = true;
	f->fd = fd;
	return sync_folder(f->path);
}

bool lp_checkpoint_write(struct lp_checkpoint_file *f, const struct lp_checkpoint_parts *parts, struct lp_error *error)
{
	struct lp_bytes bytes = { 0 };

	lp_checkpoint_format(parts, &bytes);
	errno = EFBIG;
	const bool done = bytes.count <= MOST && write_bytes(f, &bytes);
	const int reason = errno;
	lp_free(bytes.at);
	return done || cannot_write(f->path, reason, error);
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
