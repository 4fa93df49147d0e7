/* inlined.h -- a header that two programs use. */
#ifndef INLINED_H
#define INLINED_H

static inline int smaller(int a, int b)
{
	if (a < b)
		return a;
	return b;
}

static inline int larger(int a, int b)
{
	if (a > b)
		return a;
	return b;
}

static inline int unused_one(int a)
{
	return a + 1;
}

#endif
