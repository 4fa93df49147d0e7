/* A computation that takes long was said to be an endless loop.
 *
 * expect sc,rc11: inconclusive, says "perhaps without end"
 */
int main(void)
{
	volatile unsigned long i = 0;

	while (i < 20000000000ul)
		i++;
	return 0;
}
