/* A thread that reads the same plain variable again and again, and writes nothing, never ends.
 *
 * expect sc,rc11: violation endless loop
 */
static int ready;

int main(void)
{
	while (!ready)
		;
	return 0;
}
