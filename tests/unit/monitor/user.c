/* user.c -- the least program that uses the monitor, in C and in C++. */
#include <linchpin/monitor.h>
#include <string.h>

int main(void)
{
	struct lp_monitor_config config;
	struct lp_monitor_stats stats;
	int64_t v;

	memset(&config, 0, sizeof config);
	config.spec = "stack";
	config.quiet = true;
	struct lp_monitor *m = lp_monitor_open(&config, NULL, 0);
	const int push = lp_monitor_method(m, "push"), pop = lp_monitor_method(m, "pop");
	if (!m || push < 0 || pop < 0)
		return 2;
	for (v = 1; v <= 3; v++)
		lp_monitor_return(lp_monitor_call(m), push, v, LP_VOID);
#ifdef __cplusplus
	lp_monitor_stats none{}; /* types are named without `struct` */
	(void)none;
	lp_monitor_call last = lp_monitor_call(m);
#else
	struct lp_monitor_call last = lp_monitor_call(m);
#endif
	lp_monitor_return(last, pop, LP_VOID, 3);
	lp_monitor_sync(m);
	lp_monitor_stats(m, &stats);
	if (stats.violations || stats.calls != 4)
		return 1;
	lp_monitor_return(lp_monitor_call(m), pop, LP_VOID, 3); /* again */
	lp_monitor_close(m, &stats);
	return stats.violations == 1 ? 0 : 1;
}
