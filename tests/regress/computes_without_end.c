/* A loop that touches no shared memory comes back to the same state.
 *
 * expect sc,rc11: violation endless loop
 */
int main(void)
{
	volatile int once = 1;

	while (once)
		;
	return 0;
}
