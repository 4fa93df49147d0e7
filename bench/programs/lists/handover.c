/* handover.c -- hand-over-hand locking: a thread holds two neighbours at a time. */
#include "list.h"

static int link[LAST + 1];
static pthread_mutex_t mutex[LAST + 1];

static void setup(void)
{
	for (int key = 0; key <= LAST; key++)
		pthread_mutex_init(&mutex[key], NULL);
	for (int key = 0; key < LAST; key += 2)
		link[key] = key + 2;
}

/* Finds the first node with at least `key`, which is locked then, as is `*before`. */
static int find(int key, int *before)
{
	int left = 0, right;

	pthread_mutex_lock(&mutex[left]);
	right = link[left];
	pthread_mutex_lock(&mutex[right]);
	while (right < key) {
		pthread_mutex_unlock(&mutex[left]);
		left = right;
		right = link[left];
		pthread_mutex_lock(&mutex[right]);
	}
	*before = left;
	return right;
}

static void leave(int left, int right)
{
	pthread_mutex_unlock(&mutex[right]);
	pthread_mutex_unlock(&mutex[left]);
}

static bool insert(int key)
{
	int left, right = find(key, &left);
	bool absent = right != key;

	if (absent) {
		link[key] = right;
		link[left] = key;
	}
	leave(left, right);
	return absent;
}

static bool erase(int key)
{
	int left, right = find(key, &left);
	bool present = right == key;

	if (present)
		link[left] = link[right];
	leave(left, right);
	return present;
}
