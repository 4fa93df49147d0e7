/* lazy.c -- the lazy list (Heller and others, OPODIS 2005): walks without locks, then locks two
 * nodes and looks whether they are still neighbours. */
#include "list.h"

static atomic_int link[LAST + 1];
static atomic_bool marked[LAST + 1];
static pthread_mutex_t mutex[LAST + 1];

static void setup(void)
{
	for (int key = 0; key <= LAST; key++)
		pthread_mutex_init(&mutex[key], NULL);
	for (int key = 0; key < LAST; key += 2)
		atomic_init(&link[key], key + 2);
}

static void leave(int left, int right)
{
	pthread_mutex_unlock(&mutex[right]);
	pthread_mutex_unlock(&mutex[left]);
}

/* Finds the first node with at least `key`, which is locked then, as is `*before`. */
static int find(int key, int *before)
{
	for (;;) {
		int left = 0, right = load(&link[0], acquire);

		while (right < key) {
			left = right;
			right = load(&link[left], acquire);
		}
		pthread_mutex_lock(&mutex[left]);
		pthread_mutex_lock(&mutex[right]);
		if (!load(&marked[left], relaxed) && !load(&marked[right], relaxed) &&
		    load(&link[left], relaxed) == right) {
			*before = left;
			return right;
		}
		leave(left, right);
	}
}

static bool insert(int key)
{
	int left, right = find(key, &left);
	bool absent = right != key;

	if (absent) {
		store(&link[key], right, relaxed);
		store(&link[left], key, release);
	}
	leave(left, right);
	return absent;
}

static bool erase(int key)
{
	int left, right = find(key, &left);
	bool present = right == key;

	if (present) {
		store(&marked[right], true, relaxed);
		store(&link[left], load(&link[right], relaxed), release);
	}
	leave(left, right);
	return present;
}
