/* expect sc,rc11: violation double free at BUG
 */
int main()
{
	int *p = new int(1);
	int *volatile q = p;

	delete p;
	delete q; /* BUG */
	return 0;
}
