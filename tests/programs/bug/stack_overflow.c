/* Recursion without end.
 * expect sc,rc11: violation stack overflow
 */
static volatile int depth;

static int recurse(int n)
{
	volatile char room[100];

	room[n % 100] = 1;
	depth = n;
	return recurse(n + 1) + room[n % 50];
}

int main(void)
{
	return recurse(0);
}
