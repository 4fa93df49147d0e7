/* An exception that is not caught ends the program.
 * expect sc,rc11: violation assertion|crash
 */
#include <stdexcept>
#include <thread>

int main()
{
	std::thread t([] { throw std::runtime_error("nobody listens"); });

	t.join();
	return 0;
}
