/* expect rc11: error, says "main"
 */
int helper(void)
{
	return 0;
}
