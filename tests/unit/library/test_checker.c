/* test_checker.c -- linchpin/history.h from C: calls in, verdict and core out. */
#include <linchpin/history.h>
#include <stdio.h>
#include <string.h>

#include "expect.h"

static int64_t add(struct lp_checker *c, int64_t start, int64_t end, const char *method, const int64_t *arg,
		   const int64_t *result)
{
	const struct lp_checker_call call = { .start = start, .end = end, .method = method, .args = arg,
					      .arg_count = arg != NULL, .results = result,
					      .result_count = result != NULL };

	return lp_checker_add(c, &call);
}

static void test_queue(void)
{
	const int64_t one = 1, two = 2;
	struct lp_checker *c = lp_checker_open("queue", NULL, 0);
	uint32_t core[8];
	char text[64];

	EXPECT(lp_checker_decide(c) == LP_CHECKER_VERIFIED);
	EXPECT(add(c, 1, 2, "enqueue", &one, NULL) == 0);
	EXPECT(add(c, 3, 4, "enqueue", &two, NULL) == 1);
	EXPECT(add(c, 5, LP_CHECKER_PENDING, "dequeue", NULL, NULL) == 2);
	EXPECT(lp_checker_decide(c) == LP_CHECKER_VERIFIED && !lp_checker_core(c, core, 8));
	EXPECT(add(c, 7, 8, "dequeue", NULL, &two) == 3);
	EXPECT(lp_checker_decide(c) == LP_CHECKER_VERIFIED && !*lp_checker_reason(c));
	EXPECT(add(c, 9, 10, "dequeue", NULL, &one) == 4);
	EXPECT(lp_checker_decide(c) == LP_CHECKER_VIOLATION && *lp_checker_reason(c));
	EXPECT(strstr(lp_checker_method(c), "queue"));
	EXPECT(lp_checker_core(c, core, 8) >= 4 && lp_checker_core(c, NULL, 0) >= 4);
	EXPECT(!strcmp(lp_checker_describe(c, 4, text, sizeof text), "dequeue() -> 1"));
	EXPECT(lp_checker_attempt(c, core, 8) >= 1 && lp_checker_count(c) == 5 && !lp_checker_line(c, 4));
	EXPECT(lp_checker_property(c, "serializable") && lp_checker_decide(c) == LP_CHECKER_VERIFIED);
	EXPECT(!lp_checker_property(c, "nonsense") && strstr(lp_checker_error(c), "nonsense"));
	lp_checker_close(c);
}

static void test_refused(void)
{
	char error[128];
	const int64_t four[4] = { 0 };
	struct lp_checker *c = lp_checker_open("no_such_kind", error, sizeof error);

	EXPECT(!c && strstr(error, "no_such_kind"));
	EXPECT(!lp_checker_open(NULL, error, sizeof error));
	c = lp_checker_open("stack", error, sizeof error);
	EXPECT(add(c, 2, 1, "push", four, NULL) == -1 && strstr(lp_checker_error(c), "before it starts"));
	EXPECT(add(c, INT64_MIN, 1, "push", four, NULL) == -1);
	EXPECT(add(c, 0, 1, "", four, NULL) == -1);
	EXPECT(lp_checker_add(c, &(struct lp_checker_call){ .method = "push", .args = four, .arg_count = 4 }) == -1);
	EXPECT(lp_checker_add(c, &(struct lp_checker_call){ .method = "push", .result_count = -2 }) == -1);
	EXPECT(lp_checker_decide(c) == LP_CHECKER_VERIFIED);
	EXPECT(add(c, 0, 1, "frob", NULL, NULL) == 0);
	EXPECT(lp_checker_decide(c) == LP_CHECKER_ERROR && strstr(lp_checker_error(c), "frob"));
	lp_checker_close(c);
	lp_checker_close(NULL);
}

static void test_texts_and_files(void)
{
	static const char json[] = "{\"thread\":0,\"start\":1,\"end\":2,\"method\":\"write\",\"args\":[\"a\"]}\n"
				   "{\"thread\":0,\"start\":3,\"end\":4,\"method\":\"read\",\"result\":\"b\"}\n";
	struct lp_checker *c = lp_checker_open("register", NULL, 0);
	uint32_t core[4];

	EXPECT(lp_checker_read(c, "json", json, sizeof json - 1) && lp_checker_count(c) == 2);
	EXPECT(lp_checker_decide(c) == LP_CHECKER_VIOLATION && lp_checker_core(c, core, 4) == 1 &&
		lp_checker_line(c, core[0]) == 2);
	EXPECT(!lp_checker_read(c, "json", json, sizeof json - 1) && strstr(lp_checker_error(c), "before"));
	lp_checker_close(c);

	c = lp_checker_open("register", NULL, 0);
	EXPECT(!lp_checker_read(c, "frob", json, 1) && !lp_checker_read(c, "json", "{", 1));
	const int64_t a = lp_checker_text(c, "a"), again = lp_checker_text(c, "a"), b = lp_checker_text(c, "b");
	EXPECT(a == again && a != b);
	add(c, 1, 2, "write", &a, NULL);
	add(c, 3, 4, "read", NULL, &a);
	EXPECT(lp_checker_decide(c) == LP_CHECKER_VERIFIED);
	add(c, 5, 6, "read", NULL, &b);
	EXPECT(lp_checker_decide(c) == LP_CHECKER_VIOLATION);
	lp_checker_close(c);

	/* Times that are added are in the unit of those that were read. */
	static const char half[] = "{\"thread\":0,\"start\":0.5,\"end\":1.5,\"method\":\"write\",\"args\":[1]}\n";
	const int64_t zero = 0;
	c = lp_checker_open("register", NULL, 0);
	EXPECT(lp_checker_read(c, "json", half, sizeof half - 1));
	add(c, 2, 3, "read", NULL, &zero);
	EXPECT(lp_checker_decide(c) == LP_CHECKER_VIOLATION);
	EXPECT(add(c, INT64_C(1) << 40, INT64_C(1) << 41, "read", NULL, &zero) == -1 && strstr(lp_checker_error(c), "billionths"));
	lp_checker_close(c);
}

static void test_transactions(void)
{
	static const char skew[] = "{\"thread\":0,\"start\":1,\"end\":4,\"txn\":[[\"r\",\"x\",[]],[\"append\",\"y\",1]]}\n"
				   "{\"thread\":1,\"start\":2,\"end\":5,\"txn\":[[\"r\",\"y\",[]],[\"append\",\"x\",2]]}\n";
	struct lp_checker *c = lp_checker_open("transactions", NULL, 0);
	uint32_t core[4];
	char text[64];

	EXPECT(lp_checker_decide(c) == LP_CHECKER_VERIFIED);
	EXPECT(add(c, 0, 1, "txn", NULL, NULL) == -1 && strstr(lp_checker_error(c), "lp_checker_read"));
	EXPECT(!lp_checker_read(c, "json", "{}", 2) && lp_checker_read(c, "json", skew, sizeof skew - 1));
	EXPECT(lp_checker_decide(c) == LP_CHECKER_VIOLATION && strstr(lp_checker_reason(c), "G2-item"));
	EXPECT(lp_checker_core(c, core, 4) == 2 && lp_checker_line(c, core[0]) != lp_checker_line(c, core[1]));
	EXPECT(!strcmp(lp_checker_describe(c, 0, text, sizeof text), "r x [], append y 1"));
	EXPECT(lp_checker_property(c, "snapshot-isolation") && lp_checker_decide(c) == LP_CHECKER_VERIFIED);
	EXPECT(!lp_checker_property(c, "quiescent") && strstr(lp_checker_error(c), "quiescent"));
	lp_checker_close(c);
}

static void test_limits(void)
{
	struct lp_checker *c = lp_checker_open("deque", NULL, 0);

	for (int64_t i = 0; i < 60; i++) {
		const int64_t value = i == 59 ? 77 : i % 3;
		add(c, 0, 1000, i < 30 ? "push_back" : "pop_front", i < 30 ? &value : NULL, i < 30 ? NULL : &value);
	}
	lp_checker_limits(c, 0.05, 0);
	EXPECT(lp_checker_decide(c) == LP_CHECKER_UNDECIDED && strstr(lp_checker_reason(c), "out of time"));
	lp_checker_close(c);
}

int main(void)
{
	test_queue();
	test_refused();
	test_texts_and_files();
	test_transactions();
	test_limits();
	return expect_status();
}
