/* plot.c -- plots curves with a logarithmic y axis. */
#include "report/text/plot.h"

#include <math.h>
#include <string.h>

enum { ROWS = 20, COLUMN = 6, MOST_POINTS = 32 };
enum { WIDTH = 760, HEIGHT = 440, LEFT = 70, RIGHT = 150, TOP = 50, BOTTOM = 70 };

static double highest(const struct lp_plot *p)
{
	double most = 10;

	for (uint32_t s = 0; s < p->series_count; s++)
		for (uint32_t i = 0; i < p->count; i++)
			if (p->series[s].at[i] > most)
				most = p->series[s].at[i];
	return ceil(log10(most));
}

void lp_plot_text(const struct lp_plot *p, FILE *out)
{
	const double top = highest(p);
	char grid[ROWS + 1][MOST_POINTS * COLUMN + 1];
	const uint32_t count = p->count < MOST_POINTS ? p->count : MOST_POINTS;

	memset(grid, ' ', sizeof grid);
	for (uint32_t s = p->series_count; s--;)
		for (uint32_t i = 0; i < count; i++) {
			if (p->series[s].at[i] < 1)
				continue;
			const double height = log10(p->series[s].at[i]) / top * (double)ROWS;
			char *row = grid[ROWS - (int)lround(height)] + i * COLUMN;
			/* Points on the same place stand beside each other. */
			while (*row != ' ' && row < grid[ROWS - (int)lround(height)] + (i + 1) * COLUMN - 1)
				row++;
			*row = p->series[s].mark;
		}
	fprintf(out, "%s (%s, logarithmic)\n", p->title, p->y_axis);
	for (int r = 0; r <= ROWS; r++) {
		const double value = pow(10, top * (double)(ROWS - r) / (double)ROWS);
		if (r % 4 == 0)
			fprintf(out, "%9.0f |", value);
		else
			fprintf(out, "          |");
		fprintf(out, " %.*s\n", (int)count * COLUMN, grid[r]);
	}
	fprintf(out, "          +");
	for (uint32_t i = 0; i < count * COLUMN; i++)
		fputc('-', out);
	fprintf(out, "\n            ");
	for (uint32_t i = 0; i < count; i++)
		fprintf(out, "%-*s", COLUMN, p->names[i]);
	fprintf(out, "\n            %s\n            ", p->x_axis);
	for (uint32_t s = 0; s < p->series_count; s++)
		fprintf(out, "%c %s   ", p->series[s].mark, p->series[s].name);
	fprintf(out, "\n");
}

static double x_of(const struct lp_plot *p, uint32_t i)
{
	const double room = WIDTH - LEFT - RIGHT;
	return (double)LEFT + room * (i + 0.5) / p->count;
}

static double y_of(const struct lp_plot *p, double value)
{
	const double room = HEIGHT - TOP - BOTTOM;
	return (double)TOP + room * (1 - log10(value) / highest(p));
}

static void svg_axes(const struct lp_plot *p, FILE *f)
{
	const int decades = (int)highest(p);

	fprintf(f, "<text x=\"%d\" y=\"24\" font-size=\"15\">%s</text>\n", LEFT, p->title);
	for (int d = 0; d <= decades; d++) {
		const double y = y_of(p, pow(10, d));
		fprintf(f, "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>\n", LEFT,
			WIDTH - RIGHT, y, y);
		fprintf(f, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.0f</text>\n", LEFT - 8, y + 4,
			pow(10, d));
	}
	for (uint32_t i = 0; i < p->count; i++)
		fprintf(f,
			"<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", x_of(p, i),
			HEIGHT - BOTTOM + 20, p->names[i]);
	fprintf(f, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
		(LEFT + WIDTH - RIGHT) / 2, HEIGHT - 18, p->x_axis);
	fprintf(f, "<text x=\"16\" y=\"%d\" text-anchor=\"middle\" transform=\"rotate(-90 16 %d)\">%s</text>\n",
		HEIGHT / 2, HEIGHT / 2, p->y_axis);
}

bool lp_plot_svg(const struct lp_plot *p, const char *file)
{
	FILE *f = fopen(file, "w");

	if (!f)
		return false;
	fprintf(f,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
		"font-family=\"sans-serif\" font-size=\"12\">\n"
		"<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
		WIDTH, HEIGHT);
	svg_axes(p, f);
	for (uint32_t s = 0; s < p->series_count; s++) {
		const struct lp_series *line = &p->series[s];
		fprintf(f, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"", line->colour);
		for (uint32_t i = 0; i < p->count; i++)
			if (line->at[i] >= 1)
				fprintf(f, "%.1f,%.1f ", x_of(p, i), y_of(p, line->at[i]));
		fprintf(f, "\"/>\n");
		for (uint32_t i = 0; i < p->count; i++)
			if (line->at[i] >= 1)
				fprintf(f,
					"<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"%s\">"
					"<title>%s, %s: %.0f</title></circle>\n",
					x_of(p, i), y_of(p, line->at[i]), line->colour, line->name,
					p->names[i], line->at[i]);
		const int y = TOP + 10 + 20 * (int)s;
		fprintf(f,
			"<line x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\" stroke=\"%s\" stroke-width=\"2\"/>\n"
			"<text x=\"%d\" y=\"%d\">%s</text>\n",
			WIDTH - RIGHT + 15, WIDTH - RIGHT + 35, y, y, line->colour, WIDTH - RIGHT + 42,
			y + 4, line->name);
	}
	fprintf(f, "</svg>\n");
	return fclose(f) == 0;
}
