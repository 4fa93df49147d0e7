/* test_checkpoint_file.c -- the file of a checkpoint: what is written is read, and everything else is refused. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/digest.h"
#include "expect.h"
#include "ranks/records.h"
#include "verify/checkpoint/checkpoint_file.h"

static uint64_t random_state = 1;

static unsigned draw(unsigned n)
{
	random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)(random_state >> 33) % n;
}

/* In memory of its own, so that a sanitizer sees what is read past the end. */
static bool parses(const uint8_t *at, size_t size, struct lp_error *error)
{
	struct lp_checkpoint_parts parts;
	uint8_t *own = malloc(size ? size : 1);

	memcpy(own, at, size);
	error->text[0] = '\0';
	const bool good = lp_checkpoint_parse(own, size, "f", &parts, error);
	free(own);
	EXPECT(good || !strncmp(error->text, "cannot resume from 'f': ", 24), "%s", error->text);
	return good;
}

static struct lp_checkpoint_parts random_parts(uint8_t bytes[200])
{
	struct lp_checkpoint_parts parts;

	for (unsigned i = 0; i < 200; i++)
		bytes[i] = (uint8_t)draw(256);
	for (unsigned i = 0; i < LP_CHECKPOINT_PARTS; i++)
		parts.at[i] = (struct lp_cursor){ bytes + draw(100), draw(100), false };
	return parts;
}

static void expect_same(const struct lp_checkpoint_parts *a, const struct lp_checkpoint_parts *b)
{
	for (unsigned i = 0; i < LP_CHECKPOINT_PARTS; i++)
		EXPECT(a->at[i].left == b->at[i].left && !memcmp(a->at[i].at, b->at[i].at, a->at[i].left));
}

static void all_changes_are_refused(void)
{
	uint8_t bytes[200];
	struct lp_bytes file = { 0 };
	struct lp_error error;
	const struct lp_checkpoint_parts parts = random_parts(bytes);
	struct lp_checkpoint_parts read;

	lp_checkpoint_format(&parts, &file);
	EXPECT(lp_checkpoint_parse(file.at, file.count, "f", &read, &error));
	expect_same(&parts, &read);
	for (uint32_t size = 0; size < file.count; size++)
		EXPECT(!parses(file.at, size, &error));
	for (uint32_t bit = 0; bit < 8 * file.count; bit++) {
		file.at[bit / 8] ^= (uint8_t)(1u << bit % 8);
		EXPECT(!parses(file.at, file.count, &error));
		file.at[bit / 8] ^= (uint8_t)(1u << bit % 8);
	}
	lp_bytes_put(&file, "", 1);
	EXPECT(!parses(file.at, file.count, &error)); /* something behind it */
	lp_free(file.at);
}

/* A digest that fits does not make lengths right. */
static void lengths_are_looked_at(void)
{
	unsigned refused = 0;

	for (unsigned i = 0; i < 5000; i++) {
		uint8_t bytes[200];
		struct lp_bytes file = { 0 };
		struct lp_error error;
		const struct lp_checkpoint_parts parts = random_parts(bytes);
		lp_checkpoint_format(&parts, &file);
		const uint32_t end = file.count - (uint32_t)sizeof(struct lp_digest), at = 30 + draw(end - 30);
		file.at[at] = (uint8_t)draw(256);
		if (draw(2))
			file.at[30] = (uint8_t)draw(256); /* the first length */
		const struct lp_digest digest = lp_digest_of(file.at, end);
		memcpy(file.at + end, &digest, sizeof digest);
		refused += !parses(file.at, file.count, &error);
		lp_free(file.at);
	}
	EXPECT(refused > 1000, "%u", refused);
}

static void random_bytes_are_refused(void)
{
	struct lp_error error;
	uint8_t bytes[300];

	for (unsigned i = 0; i < 5000; i++) {
		const unsigned size = draw(sizeof bytes), same = draw(30);
		memcpy(bytes, "linchpin checkpoint 1\n\0\0\0\0\0\0\0\0", 30);
		for (unsigned k = same; k < size; k++)
			bytes[k] = (uint8_t)draw(256);
		EXPECT(!parses(bytes, size, &error));
	}
}

static void files_are_replaced_as_a_whole(void)
{
	char folder[] = "/tmp/checkpoint-XXXXXX", path[64], beside[64];
	uint8_t bytes[200];
	struct lp_error error;
	struct lp_bytes read = { 0 };
	struct lp_checkpoint_parts parts = random_parts(bytes), again;
	struct stat status;

	EXPECT(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/f", folder);
	snprintf(beside, sizeof beside, "%s/f.new", folder);
	struct lp_checkpoint_file file = { .path = path }, other_file = { .path = path };
	EXPECT(lp_checkpoint_file_open(&file, NULL, &error) && stat(path, &status) && stat(beside, &status));
	for (unsigned i = 0; i < 3; i++) {
		parts = random_parts(bytes);
		EXPECT(lp_checkpoint_write(&file, &parts, &error), "%s", error.text);
		EXPECT(stat(beside, &status)); /* nothing is left there */
		EXPECT(lp_checkpoint_read(path, &read, &again, &error), "%s", error.text);
		expect_same(&parts, &again);
		lp_free(read.at);
	}
	/* There is no room for it: the old one stays. */
	const struct rlimit none = { 10, RLIM_INFINITY }, any = { RLIM_INFINITY, RLIM_INFINITY };
	const struct lp_checkpoint_parts other = parts;
	setrlimit(RLIMIT_FSIZE, &none);
	EXPECT(!lp_checkpoint_write(&file, &other, &error));
	setrlimit(RLIMIT_FSIZE, &any);
	EXPECT(stat(beside, &status));
	/* It belongs to one process. */
	EXPECT(!lp_checkpoint_write(&other_file, &other, &error) && strstr(error.text, "another process"));
	EXPECT(!lp_checkpoint_file_open(&other_file, path, &error) && strstr(error.text, "another process goes on"));
	lp_checkpoint_file_close(&other_file);
	EXPECT(lp_checkpoint_read(path, &read, &again, &error), "%s", error.text);
	expect_same(&parts, &again);
	lp_free(read.at);
	other_file = (struct lp_checkpoint_file){ .path = path };
	EXPECT(!lp_checkpoint_file_open(&other_file, NULL, &error) && strstr(error.text, "already"));
	lp_checkpoint_file_remove(&other_file);
	EXPECT(!stat(path, &status));
	lp_checkpoint_file_close(&file);
	EXPECT(lp_checkpoint_file_open(&other_file, path, &error), "%s", error.text);
	lp_checkpoint_file_remove(&other_file);
	EXPECT(stat(path, &status));
	EXPECT(lp_checkpoint_write(&other_file, &other, &error)); /* the user has moved it away */
	lp_checkpoint_file_remove(&other_file);
	lp_checkpoint_file_close(&other_file);
	EXPECT(!lp_checkpoint_read(path, &read, &again, &error) && strstr(error.text, "No such file"));
	EXPECT(!lp_checkpoint_read(folder, &read, &again, &error) && strstr(error.text, "directory"));
	EXPECT(!lp_checkpoint_read("/dev/zero", &read, &again, &error));
	other_file.path = "/nowhere/f";
	EXPECT(!lp_checkpoint_file_open(&other_file, NULL, &error) && strstr(error.text, "cannot write '/nowhere/f'"));
	rmdir(folder);
}

/* Memory that is mostly zero. */
static void sparse_memory_is_the_same(void)
{
	for (unsigned i = 0; i < 2000; i++) {
		uint8_t from[500] = { 0 }, to[500];
		const unsigned size = draw(sizeof from);
		struct lp_bytes bytes = { 0 };
		for (unsigned k = draw(8); size && k; k--)
			from[draw(size)] = (uint8_t)draw(256);
		lp_bytes_put_sparse(&bytes, from, size);
		struct lp_cursor c = { bytes.at, bytes.count, false };
		lp_cursor_sparse(&c, to, size);
		EXPECT(lp_cursor_ended(&c) && !memcmp(from, to, size));
		c = (struct lp_cursor){ bytes.at, bytes.count ? draw(bytes.count) : 0, false };
		lp_cursor_sparse(&c, to, size);
		EXPECT(c.bad || !bytes.count);
		lp_free(bytes.at);
	}
}

int main(void)
{
	signal(SIGXFSZ, SIG_IGN);
	printf("seed 1\n");
	all_changes_are_refused();
	lengths_are_looked_at();
	random_bytes_are_refused();
	files_are_replaced_as_a_whole();
	sparse_memory_is_the_same();
	return expect_status();
}
