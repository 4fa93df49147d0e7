/* test_brief_name.c -- names of templates in reports. */
#include "frontend/brief_name.h"

#include <string.h>

#include "expect.h"

static const struct {
	const char *name, *brief;
} rows[] = {
	{ "", "" },
	{ "node", "node" },
	{ "atomic<unsigned long>", "atomic<unsigned long>" },
	{ "pair<queue<long>, long>", "pair<queue<long>, long>" },
	{ "queue<long, policy::reclaimer<hazard_pointer<static_strategy<3> > > >", "queue<...>" },
	{ "epochs<traits<100ul, scan::all_threads> >::head", "epochs<...>::head" },
	{ "a<b<c<d<e<f<g<h<i<j>>>>>>>>>::k<l<m<n<o<p<q<r<s<t>>>>>>>>>", "a<...>::k<...>" },
	{ "f<(x->y), a very long list of arguments>", "f<...>" },
	{ "operator<", "operator<" },
	{ "operator<<", "operator<<" },
	{ "open<that does not end at all, ever", "open<that does not end at all, ever" },
};

int main(void)
{
	char out[128], small[6];

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		lp_brief_name(rows[i].name, out, sizeof out);
		EXPECT(!strcmp(out, rows[i].brief), "%s: %s", rows[i].name, out);
		lp_brief_name(rows[i].name, small, sizeof small);
		EXPECT(!strncmp(small, rows[i].brief, sizeof small - 1) && strlen(small) < sizeof small, "%s: %s",
		       rows[i].name, small);
	}
	return expect_status();
}
