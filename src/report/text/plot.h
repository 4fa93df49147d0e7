/* plot.h -- plots curves with a logarithmic y axis, as text and as an SVG file. */
#ifndef LP_REPORT_TEXT_PLOT_H
#define LP_REPORT_TEXT_PLOT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct lp_series {
	const char *name;
	char mark;          /* the character that stands for a point in the text */
	const char *colour; /* the colour of the curve in the SVG file */
	const double *at;   /* `count` values; those below 1 are not drawn */
};

struct lp_plot {
	const char *title, *x_axis, *y_axis;
	uint32_t count;
	const char *const *names; /* the names of the points, along the x axis */
	const struct lp_series *series;
	uint32_t series_count;
};

void lp_plot_text(const struct lp_plot *p, FILE *out);
bool lp_plot_svg(const struct lp_plot *p, const char *file);

#endif
