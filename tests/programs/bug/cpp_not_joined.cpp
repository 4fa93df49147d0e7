/* A std::thread that is destroyed without join or detach ends the program.
 * expect sc,rc11: violation assertion|crash
 */
#include <thread>

int main()
{
	std::thread t([] {});

	return 0;
}
