/* A long computation on shared data was said to be an endless loop.
 *
 * expect sc,rc11: inconclusive, says "perhaps without end"
 */
static int data[1000];
static long sum;

int main(void)
{
	for (int k = 0; k < 30000; k++)
		for (int i = 0; i < 1000; i++)
			sum += data[i];
	return sum != 0;
}
