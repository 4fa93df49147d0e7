/* expect rc11: error, says "undeclared"
 */
int main(void)
{
	return no_such_name;
}
