/* A read-write lock made of atomic sections, on plain variables.
 * options: --races ignore -- -O0
 * expect sc: verified
 */
#include "../parallel.h"

void __VERIFIER_assume(int);

static int writing, readers, x, y;

void __VERIFIER_atomic_take_write(void);
void __VERIFIER_atomic_take_write(void)
{
	__VERIFIER_assume(!writing && readers == 0);
	writing = 1;
}

void __VERIFIER_atomic_take_read(void);
void __VERIFIER_atomic_take_read(void)
{
	__VERIFIER_assume(!writing);
	readers++;
}

void __VERIFIER_atomic_drop_read(void);
void __VERIFIER_atomic_drop_read(void)
{
	readers--;
}

static void writer(void)
{
	__VERIFIER_atomic_take_write();
	x = 3;
	writing = 0;
}

static void reader(void)
{
	__VERIFIER_atomic_take_read();
	y = x;
	assert(y == x);
	__VERIFIER_atomic_drop_read();
}

int main(void)
{
	parallel(writer, reader);
	return 0;
}
