/* test_history.c -- the formats: what they mean, what they refuse, and that what is
 * printed is read back as the same.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "expect.h"
#include "history/history.h"
#include "history/texts.h"

#if __has_include(<zlib.h>)
#include <zlib.h>
#endif

/* The history as a table, to be freed. */
static char *table_of(const struct lp_history *h)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	lp_history_print_table(h, to);
	fclose(to);
	return text;
}

static char *json_of(const struct lp_history *h)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	lp_history_print_json(h, to);
	fclose(to);
	return text;
}

/* `text` in its format is the history `table`; and printing it changes nothing. */
static void check_means(const char *name, const char *text, const char *table)
{
	struct lp_history h = { 0 }, again = { 0 };
	struct lp_error error = { 0 };

	if (!lp_history_parse(&h, name, LP_FORMAT_AUTO, text, strlen(text), &error)) {
		fprintf(stderr, "%s\n", error.text);
		failures++;
		return;
	}
	char *printed = table_of(&h);
	if (strcmp(printed, table)) {
		fprintf(stderr, "%s: expected\n%sbut got\n%s", name, table, printed);
		failures++;
	}
	char *json = json_of(&h);
	if (!lp_history_parse(&again, "again.jsonl", LP_FORMAT_AUTO, json, strlen(json), &error)) {
		fprintf(stderr, "%s: %s\n%s", name, error.text, json);
		failures++;
	} else {
		char *second = table_of(&again);
		EXPECT(!strcmp(printed, second));
		free(second);
	}
	free(json);
	free(printed);
	lp_history_close(&h);
	lp_history_close(&again);
}

static void check_refused(const char *name, const char *text, const char *message)
{
	struct lp_history h = { 0 };
	struct lp_error error = { 0 };

	if (lp_history_parse(&h, name, LP_FORMAT_AUTO, text, strlen(text), &error) ||
	    !strstr(error.text, message)) {
		fprintf(stderr, "%s: expected '%s', not '%s'\n", name, message, error.text);
		failures++;
	}
	EXPECT(!h.at);
	lp_history_close(&h);
}

static void check_table_format(void)
{
	check_means("a.tab",
		    "# a comment\n\n0 1 5 enqueue 7 - # more\n\t1  3 9\tdequeue - 7\r\n"
		    "1 10 ? dequeue - ?\n2 -4 8 cas 1,-2 true\n3 4 4 scan - 1,nil,x\n"
		    "4 1 2 pop - empty\n5 1 2 push hello full\n6 1 2 inc - ?",
		    "0 1 5 enqueue 7 -\n1 3 9 dequeue - 7\n1 10 ? dequeue - ?\n2 -4 8 cas 1,-2 1\n"
		    "3 4 4 scan - 1,nil,x\n4 1 2 pop - empty\n5 1 2 push hello full\n6 1 2 inc - ?\n");
	check_refused("a.tab", "0 1 2 enq 1 -\n0 3 2 enq 1 -\n", "a.tab:2: the call ends before");
	check_refused("a.tab", "0 1 2 enq 1\n", "a.tab:1: expected result");
	check_refused("a.tab", "0 1 2 enq 1 - 7\n", "a.tab:1: more than six columns");
	check_refused("a.tab", "0 x 2 enq 1 -\n", "expected a whole number as start, not 'x'");
	check_refused("a.tab", "-1 1 2 enq 1 -\n", "there is no thread -1");
	check_refused("a.tab", "0 1 ? enq 1 -\n", "the result of a call without end is '?'");
	check_refused("a.tab", "0 1 2 enq 1,2,3,4 -\n", "more than 3 values as argument");
	check_refused("a.tab", "0 1 2 enq 1,,2 -\n", "a value is missing in argument");
	check_refused("a.tab", "0 1 99999999999999999999 enq 1 -\n", "whole number as end");
}

static void check_json_numbers(void)
{
	/* Whole times before and after one that is not. */
	check_means("parts.jsonl",
		    "{\"thread\":0,\"start\":-1,\"end\":2,\"method\":\"push\",\"args\":[1.50]}\n"
		    "{\"thread\":0,\"start\":2.25,\"end\":2.2500000019,\"method\":\"pop\",\"result\":15e-1}\n"
		    "{\"thread\":0,\"start\":-0.0000000001,\"method\":\"pop\"}\n"
		    "{\"thread\":0,\"start\":7,\"end\":8e0,\"method\":\"push\",\"args\":[1e-9,-0.0,20e-1]}\n",
		    "0 -1000000000 2000000000 push 1.5 -\n0 2250000000 2250000001 pop - 1.5\n"
		    "0 -1 ? pop - ?\n0 7000000000 8000000000 push 0.1e-8,0,2 -\n");
	check_refused("a.jsonl",
		      "{\"thread\":0,\"start\":99999999999,\"end\":99999999999,\"method\":\"pop\"}\n"
		      "{\"thread\":0,\"start\":0.5,\"end\":1,\"method\":\"pop\"}\n",
		      "a.jsonl:2: this time is not a whole number, and that of line 1");
	check_refused("a.jsonl", "{\"thread\":0.5,\"start\":1,\"end\":2,\"method\":\"pop\"}\n",
		      "\"thread\" is a whole number");
	check_refused("a.jsonl", "{\"thread\":0,\"start\":1.,\"end\":2,\"method\":\"pop\"}\n", "expected");
	check_refused("a.jsonl", "{\"thread\":0,\"start\":1,\"end\":2,\"end\":2,\"method\":\"pop\"}\n",
		      "the line has \"end\" twice");
}

static void check_json_format(void)
{
	check_json_numbers();
	check_means("a.jsonl",
		    "{\"thread\":0,\"start\":1,\"end\":5,\"method\":\"enqueue\",\"args\":[7]}\n"
		    "\n"
		    "{ \"method\" : \"dequeue\", \"start\":3, \"end\":9, \"thread\":1, \"result\":7 }\r\n"
		    "{\"thread\":1,\"start\":10,\"method\":\"dequeue\",\"note\":{\"a\":[1,{}]}}\n"
		    "{\"thread\":2,\"start\":1,\"end\":2,\"method\":\"pop\",\"result\":\"empty\"}\n"
		    "{\"thread\":2,\"start\":3,\"end\":4,\"method\":\"get\",\"args\":\"k\",\"result\":null}\n"
		    "{\"thread\":2,\"start\":5,\"end\":6,\"method\":\"scan\",\"result\":[1,true,\"\\u0041\\n\"]}",
		    "0 1 5 enqueue 7 -\n1 3 9 dequeue - 7\n1 10 ? dequeue - ?\n2 1 2 pop - empty\n"
		    "2 3 4 get k nil\n2 5 6 scan - 1,1,A\n\n");
	check_means("events.jsonl",
		    "{\"thread\":0,\"call\":\"enqueue\",\"args\":[7]}\n"
		    "{\"thread\":1,\"call\":\"dequeue\"}\n"
		    "{\"thread\":0,\"return\":true}\n"
		    "{\"thread\":0,\"call\":\"dequeue\"}\n"
		    "{\"thread\":1,\"return\":7}\n",
		    "0 0 2 enqueue 7 1\n1 1 4 dequeue - 7\n0 3 ? dequeue - ?\n");
	check_refused("a.jsonl", "{\"thread\":0}\n", "a.jsonl:1: a call needs \"method\"");
	check_refused("a.jsonl", "\n{\"thread\":0,\"method\":\"x\"}\n", "a.jsonl:2: a call needs \"start\"");
	check_refused("a.jsonl", "{\"start\":0}\n", "\"thread\" is missing");
	check_refused("a.jsonl", "{\"thread\":0,}\n", "expected '\"' before }");
	check_refused("a.jsonl", "{\"thread\":0.5}\n", "\"thread\" is a whole number");
	check_refused("a.jsonl", "{\"thread\":0", "expected '}' before the end of the line");
	check_refused("a.jsonl", "{\"thread\":0} x\n", "a call needs");
	check_refused("a.jsonl", "{\"thread\":1,\"return\":0}\n", "thread 1 returns, but has no open call");
	check_refused("a.jsonl",
		      "{\"thread\":1,\"call\":\"a\"}\n{\"thread\":1,\"call\":\"b\"}\n",
		      "a.jsonl:2: thread 1 calls before its call of line 1 has returned");
	check_refused("a.jsonl", "{\"thread\":0,\"a\":\"\n", "no closing quote");
}

static void check_edn_format(void)
{
	static const char maps[] =
		"{:process 0, :type :invoke, :f :write, :value 3, :time 12}\n"
		"{:process :nemesis, :type :info, :f :start, :value {:a #{1 2}}}\n"
		"{:process 1 :type :invoke :f :read :value nil} ; a comment\n"
		"{:process 0, :type :ok, :f :write, :value 3}\n"
		"{:process 1, :type :ok, :f :read, :value 3}\n"
		"{:process 2, :type :invoke, :f :cas, :value [3 4]}\n"
		"{:process 2, :type :info, :f :cas, :value :timed-out, :error \"x\\\"y\"}\n"
		"{:process 1, :type :invoke, :f :cas, :value [9 4]}\n"
		"{:process 1, :type :fail, :f :cas, :value [9 4]}\n"
		"{:process 1, :type :invoke, :f :cas, :value [3 5]}\n"
		"{:process 1, :type :ok, :f :cas, :value [3 5]}\n";
	static const char means[] = "0 0 2 write 3 -\n1 1 3 read - 3\n2 4 ? cas 3,4 ?\n"
				    "1 8 9 cas 3,5 1\n";
	char vector[2048];

	check_means("a.edn", maps, means);
	check_means("unnamed", maps, means);
	snprintf(vector, sizeof vector, "[%s]", maps);
	check_means("a.edn", vector, means);
	check_means("a.edn",
		    "#jepsen.history.Op{:process 0, :type :invoke, :f :get, :value [1 nil]}\n"
		    "#jepsen.history.Op{:process 0, :type :ok, :f :get, :value [1 7]}\n",
		    "0 0 1 get 1 7\n");
	/* key-value logs */
	check_means("kv.txt",
		    "{:process 0, :type :invoke, :f :put, :key \"1\", :value \"x y\"}\n"
		    "{:process 1, :type :invoke, :f :get, :key \"1\", :value nil}\n"
		    "{:process 0, :type :ok, :f :put, :key \"1\", :value \"x y\"}\n"
		    "{:process 1, :type :ok, :f :get, :key \"1\", :value \"\"}\n",
		    "0 0 2 put 1,x y -\n1 1 3 get 1 \"\"\n");
	check_means("a.edn",
		    "{:process 0 :type :invoke :f :pop :value nil}{:process 0 :type :ok :f :pop :value :empty}"
		    "{:process 0 :type :invoke :f :push :value :x}{:process 0 :type :ok :f :push :value [:x :full]}",
		    "0 0 1 pop - empty\n0 2 3 push x full\n");
	check_refused("a.edn", "{:process 0 :type :invoke :f :read", "'}' is missing");
	check_refused("a.edn", "[{:process 0 :type :invoke :f :read}\n", "']' is missing");
	check_refused("a.edn", "{:process 0 :type :huh :f :read}", ":huh");
	check_refused("a.edn", "{:process 0 :type :ok :f :read}", "no open call");
	check_refused("a.edn", "\n\n{:f :read}", "a.edn:3: an entry needs :process and :type");
	check_refused("a.edn", "{1 2}", "expected a keyword before 1 2}");
	check_refused("a.edn",
		      "{:process 0 :type :invoke :f :read}\n{:process 0 :type :ok :f :write :value 1}",
		      "a.edn:2: thread 0 returns from 'write', but called 'read' in line 1");
}

static void check_etcd_format(void)
{
	check_means("etcd.log",
		    "INFO  jepsen.core - Starting\n"
		    "INFO  jepsen.util - 0 :invoke :read  nil\n"
		    "INFO  jepsen.util - 1 :invoke :write 3\n"
		    "INFO  jepsen.util - 0 :ok     :read  nil\n"
		    "INFO  jepsen.util - 2 :invoke :cas   [3 1]\n"
		    "INFO  jepsen.util - 1 :info   :write :timed-out\n"
		    "INFO  jepsen.util - 2 :fail   :cas   [3 1]\n"
		    "INFO  jepsen.util - 0 :invoke :read  nil\n"
		    "INFO  jepsen.util - 0 :fail   :read  :timed-out\n"
		    "INFO  jepsen.util - :nemesis :info :start nil\n",
		    "0 0 2 read - nil\n1 1 ? write 3 ?\n2 3 5 cas 3,1 0\n");
	check_refused("etcd.log", "INFO  jepsen.util - 0 :invoke :cas   [3]\n",
		      "etcd.log:1: expected 2 values after :cas");
	check_refused("etcd.log", "INFO  jepsen.util - 0 :invoke :jump 3\n", "':jump'");
	check_refused("etcd.log",
		      "INFO  jepsen.util - 0 :invoke :read nil\nINFO  jepsen.util - 0 :ok :write 1\n",
		      "etcd.log:2: thread 0 returns from 'write'");
	/* With a date before it, and with more behind it than is wanted. */
	check_means("dated.log",
		    "2015-03-01 20:00:00 INFO  jepsen.core - Worker 0 starting\n"
		    "2015-03-01 20:00:01 INFO  jepsen.util - 0\t:invoke\t:write\t3 a b c d e f\n"
		    "2015-03-01 20:00:02 INFO  jepsen.util - 0\t:ok\t:write\t3\r\n",
		    "0 0 1 write 3 -\n");
}

static void check_packed(void)
{
	struct lp_history h = { 0 };
	struct lp_error error = { 0 };

	EXPECT(!lp_history_parse(&h, "-", LP_FORMAT_AUTO, "\x1f\x8b\x08", 3, &error));
	EXPECT(!strncmp(error.text, "-:1: it is packed", 17));
	EXPECT(!lp_history_parse(&h, "a.tab", LP_FORMAT_AUTO, "0 1 5 a\0b - -", 13, &error));
	EXPECT(strstr(error.text, "a zero byte"));
}

static void check_files(void)
{
	static const char text[] = "0 1 2 enqueue 7 -\n";
	char name[] = "/tmp/lp_history_XXXXXX.tab.gz";
	struct lp_history h = { 0 };
	struct lp_error error = { 0 };

	EXPECT(!lp_history_read(&h, "/nonexistent/a.tab", LP_FORMAT_AUTO, &error));
	EXPECT(strstr(error.text, "cannot open '/nonexistent/a.tab'"));
	const int fd = mkstemps(name, 7);
	EXPECT(fd >= 0);
#if __has_include(<zlib.h>)
	gzFile to = gzdopen(fd, "wb");
	gzwrite(to, text, sizeof text - 1);
	gzclose(to);
	EXPECT(lp_history_read(&h, name, LP_FORMAT_AUTO, &error) && h.count == 1);
	lp_history_close(&h);
	EXPECT(truncate(name, 12) == 0); /* cut off */
	EXPECT(!lp_history_read(&h, name, LP_FORMAT_AUTO, &error));
	EXPECT(strstr(error.text, "damaged"));
#else
	close(fd);
	EXPECT(!lp_history_read(&h, name, LP_FORMAT_AUTO, &error));
	EXPECT(strstr(error.text, "zlib"));
#endif
	unlink(name);
}

/* How often it is asked, and when it has had enough. */
struct patience {
	uint64_t asked, most, lines;
};

static bool go_on(void *closure, uint64_t lines, uint64_t bytes, uint64_t size)
{
	struct patience *p = closure;

	EXPECT(!size || bytes <= size);
	p->lines = lines;
	return ++p->asked < p->most;
}

/* A file of many lines can be left in each format, at each moment at which one is asked. */
static void check_watched(void)
{
	static const struct {
		const char *suffix, *call, *back;
	} formats[] = {
		{ ".tab", "0 1 2 enqueue 7 -\n", "" },
		{ ".jsonl", "{\"thread\":0,\"start\":1,\"end\":2,\"method\":\"enqueue\",\"args\":7}\n", "" },
		{ ".edn", "{:process 0, :type :invoke, :f :read, :value nil}\n",
		  "{:process 0, :type :ok, :f :read, :value 1}\n" },
		{ ".log", "INFO  jepsen.util - 0 :invoke :read nil\n", "INFO  jepsen.util - 0 :ok :read 1\n" },
	};

	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
		char name[64] = "/tmp/lp_history_XXXXXX";
		struct patience p = { .most = 1 };
		const struct lp_read_watch watch = { .go_on = go_on, .closure = &p };
		struct lp_history h = { 0 };
		struct lp_error error = { 0 };
		bool good = false;

		strcat(name, formats[i].suffix);
		const int fd = mkstemps(name, (int)strlen(formats[i].suffix));
		EXPECT(fd >= 0);
		FILE *to = fdopen(fd, "w");
		for (int line = 0; line < 10000; line++)
			fputs(line % 2 && *formats[i].back ? formats[i].back : formats[i].call, to);
		fclose(to);
		for (; !good; p.most++) {
			p.asked = 0;
			good = lp_history_read_watched(&h, name, LP_FORMAT_AUTO, &watch, &error);
			EXPECT(good || (p.asked == p.most && !h.count && strstr(error.text, "interrupted")));
		}
		EXPECT(p.asked >= 4 && p.lines > 8000 && p.lines < 10000);
		EXPECT(h.count == (*formats[i].back ? 5000 : 10000));
		lp_history_close(&h);
		unlink(name);
	}
}

static void check_texts(void)
{
	struct lp_texts *t = lp_texts_open();
	const int64_t a = lp_texts_value(t, "ab", 2), b = lp_texts_value(t, "c", 1);
	const int64_t both = lp_texts_value(t, "abc", 3);
	size_t length;

	EXPECT(a != b && a == lp_texts_value(t, "ab", 2));
	EXPECT(lp_texts_join(t, a, b) == both && lp_texts_join(t, a, b) == both);
	EXPECT(lp_texts_join(t, LP_NIL, b) == b);
	EXPECT(lp_texts_join(t, 7, b) == LP_VOID && lp_texts_join(t, a, 0) == LP_VOID && lp_texts_join(t, 7, 7) == LP_VOID);
	for (int i = 0; i < 5000; i++) {
		char text[16];
		const int size = snprintf(text, sizeof text, "t%d", i);
		const int64_t value = lp_texts_value(t, text, (size_t)size);
		EXPECT(lp_texts_join(t, value, b) != value && value < LP_LOWEST);
	}
	EXPECT(!strcmp(lp_texts_text(t, both, &length), "abc") && length == 3);
	EXPECT(!lp_texts_text(t, 5, &length) && !lp_texts_text(NULL, both, &length));
	lp_texts_close(t);
}

int main(void)
{
	check_table_format();
	check_json_format();
	check_edn_format();
	check_etcd_format();
	check_packed();
	check_files();
	check_watched();
	check_texts();
	return expect_status();
}
