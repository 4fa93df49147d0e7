/* expect sc,rc11: violation crash|out of bounds
 */
static void (*volatile nowhere)(void) = (void (*)(void))16;

int main(void)
{
	nowhere();
	return 0;
}
