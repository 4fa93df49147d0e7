/* flow.c -- every kind of statement, some of it not reached. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CLAMP(x, low, high) ((x) < (low) ? (low) : (x) > (high) ? (high) : (x))
#define SWAP(a, b)                \
	do {                      \
		int kept_ = (a);  \
		(a) = (b);        \
		(b) = kept_;      \
	} while (0)

static jmp_buf out;
static int table[8];

static int classify(int x)
{
	switch (x) {
	case 0:
		return 10;
	case 1:
	case 2:
		x += 5;
		/* fall through */
	case 3:
		x *= 2;
		break;
	case 4:
		return -1;
	default:
		x = CLAMP(x, 7, 9);
	}
	return x;
}

static int never_called(int x)
{
	if (x)
		return 1;
	return 2;
}

int (*unused)(int) = never_called;

static int search(int wanted)
{
	int i;

	for (i = 0; i < 8; i++) {
		if (table[i] == wanted)
			break;
		if (table[i] < 0)
			continue;
		while (wanted > 100)
			wanted -= 100;
	}
	if (i == 8)
		return -1;
	return i;
}

static void leave(int how)
{
	if (how == 1)
		longjmp(out, 1);
	if (how == 2)
		exit(3);
	puts("stays");
}

static int both(int a, int b)
{
	if (a && b)
		return 1;
	if (a || b)
		return 2;
	return a ? b : -b;
}

static unsigned gcd(unsigned a, unsigned b)
{
again:
	if (!b)
		return a;
	{
		unsigned r = a % b;
		a = b;
		b = r;
	}
	goto again;
}

static void nested(int n)
{
	int sum = 0, k = n;

	do {
		for (int i = 0; i < k; i++) {
			int text[2] = { i, k };
			if (i == 1000) {
				sum = -1;
				goto done;
			}
			sum += text[0];
			SWAP(text[0], text[1]);
		}
	} while (--k > 0);
done:
	if (sum < 0)
		abort();
}

int main(void)
{
	int count = 0;

	for (int i = 0; i < 4; i++)
		table[i] = classify(i);
	classify(50);
	search(12);
	search(1000);
	both(1, 0);
	both(0, 0);
	gcd(12, 18);
	nested(3);
	if (!setjmp(out)) {
		leave(0);
		leave(1);
		count++;
	} else {
		count += 2;
	}
	if (count != 2)
		return 1;
	leave(2);
	puts("not reached");
	return 0;
}
