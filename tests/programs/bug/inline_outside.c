/* Assembly outside of functions cannot be marked: it counts in any case.
 * expect rc11: inconclusive, says "inline assembly"
 */
__asm__(".text\n.globl strange\nstrange:\n\tret\n");
void strange(void);

int main(void)
{
	strange();
	return 0;
}
