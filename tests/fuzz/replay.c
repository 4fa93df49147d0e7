/* replay.c -- feeds a fuzz target with the files of a folder. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* In a block of exactly its size, so that reading past the end is noticed. */
static int replay(const char *folder, const char *name)
{
	char path[4096];
	uint8_t room[1 << 16];

	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *file = fopen(path, "rb");
	if (!file) {
		perror(path);
		return 1;
	}
	const size_t size = fread(room, 1, sizeof room, file);
	fclose(file);
	uint8_t *block = malloc(size ? size : 1);
	for (size_t i = 0; i < size; i++)
		block[i] = room[i];
	fprintf(stderr, "%s\n", name); /* the last one is the one that fails */
	LLVMFuzzerTestOneInput(block, size);
	free(block);
	return 0;
}

int main(int argc, char **argv)
{
	int files = 0, failures = 0;

	for (int i = 1; i < argc; i++) {
		DIR *folder = opendir(argv[i]);
		const struct dirent *entry;
		while (folder && (entry = readdir(folder)))
			if (entry->d_name[0] != '.') {
				failures += replay(argv[i], entry->d_name);
				files++;
			}
		if (folder)
			closedir(folder);
	}
	printf("%d files\n", files);
	return failures || !files;
}
