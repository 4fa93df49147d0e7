/* plot.h -- lines over a logarithmic axis, as text and as an SVG file. */
#ifndef LP_BENCH_PLOT_H
#define LP_BENCH_PLOT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct series {
	const char *name;
	char mark;          /* in the text */
	const char *colour; /* in the SVG */
	const double *at;   /* `count` values; those below 1 are not drawn */
};

struct plot {
	const char *title, *x_axis, *y_axis;
	uint32_t count;
	const char *const *names; /* of the points */
	const struct series *series;
	uint32_t series_count;
};

void plot_text(const struct plot *p, FILE *out);
bool plot_svg(const struct plot *p, const char *file);

#endif
