/* Seeds from the system are not known; generators that the standard defines are.
 * expect rc11: inconclusive, says "std::random_device::operator()() at cpp_random_device.cpp:"
 * expect rc11 --nondet 0..3: violation assertion at BUG
 * expect rc11 -- -DSEED=5489: verified
 */
#include <cassert>
#include <random>

int main()
{
#ifdef SEED
	std::mt19937 numbers(SEED);
	assert(numbers() == 3499211612u);
#else
	std::random_device device;
	assert(device() != 3); /* BUG */
#endif
}
