/* fuzz_spec.c -- names of specifications and properties: two lines of text. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "check/property.h"
#include "check/quasi/quasi.h"
#include "check/weak/weak.h"
#include "spec/spec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	struct lp_error error = { 0 };
	struct lp_spec spec;
	struct lp_quasi quasi;
	struct lp_weak weak;
	enum lp_property property;

	memcpy(text, data, size);
	text[size] = '\0';
	char *second = strchr(text, '\n');
	if (second)
		*second++ = '\0';
	if (!lp_spec_parse(&spec, text, &error)) {
		if (!error.text[0])
			abort();
	} else {
		struct lp_state s;
		lp_state_open(&s);
		lp_state_begin(&s, &spec);
		lp_state_close(&s);
		if (second && !lp_property_parse(second, &spec, &property, &quasi, &weak, &error) &&
		    !error.text[0])
			abort();
	}
	free(text);
	return 0;
}
