/* The value comes back, and the helped thread, whose step was taken for it, takes it again:
 * helping makes a difference here (202 without it cannot be).
 * expect sc: verified, outcomes 002 | 012 | 200 | 202 | 212
 * expect sc --no-helping: verified, outcomes 002 | 012 | 200 | 202 | 212
 * expect sc -j 2: verified, outcomes 002 | 012 | 200 | 202 | 212
 */
#include "../parallel.h"

void lp_outcome(const char *);

static atomic_int step, announced, over;
static int saw_over, saw_step;

static void take_step(void)
{
	int expected = 0;

	cas(&step, &expected, 2, release);
}

static void helped(void)
{
	load(&step, acquire);
	store(&announced, 1, release);
	take_step();
}

static void helping(void)
{
	int now, asked, end;

	for (;;) {
		now = load(&step, acquire);
		asked = load(&announced, acquire);
		end = load(&over, acquire);
		if (end || now || !asked)
			break;
		take_step();
	}
	saw_over = end;
}

static void other(void)
{
	saw_step = load(&step, acquire);
	if (saw_step == 2) {
		store(&over, 1, release);
		store(&step, 0, release);
	}
}

int main(void)
{
	char text[4] = "";

	parallel(helped, helping, other);
	text[0] = (char)('0' + load(&step, relaxed));
	text[1] = (char)('0' + saw_over);
	text[2] = (char)('0' + saw_step);
	lp_outcome(text);
	return 0;
}
