/* test_mutations.c -- damaged input: no crash, no hang, and one line of message.
 *
 *     test_mutations [--runs N] [--seed S]
 *
 * Bytes of valid histories are changed, left out, doubled, and pieces of different
 * formats are put together.  The parsers either read the result or say where it is
 * wrong.  What they read is printed as JSON and read again: it must be accepted.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "history/history.h"
#include "history/txns.h"

static const char *const seeds[] = {
	"0 1 5 enqueue 7 -\n1 3 9 dequeue - 7\n# c\n1 10 ? cas 1,2 ?\n2 1 2 scan - 1,2,nil\n",
	"{\"thread\":0,\"start\":1,\"end\":5,\"method\":\"enqueue\",\"args\":[7]}\n"
	"{\"thread\":1,\"start\":3,\"end\":9,\"method\":\"d\\u00e9q\",\"x\":[{}],\"result\":[1,\"a\\n\"]}\n",
	"{\"thread\":0,\"call\":\"enqueue\",\"args\":[7]}\n{\"thread\":0,\"return\":null}\n",
	"[{:process 0, :type :invoke, :f :write, :value [3 [4 nil]]}\n"
	"{:process :nemesis, :type :info, :f :x, :value {:a #{1 \"b\\\"\"}}}\n"
	"#a.B{:process 0, :type :ok, :f :write, :value 3}]",
	"{:process 0, :type :invoke, :f :get, :key \"1\", :value nil}\n"
	"{:process 0, :type :ok, :f :get, :key \"1\", :value \"x y\"}\n",
	"{:type :invoke, :f :txn, :value [[:append :x 1] [:r :y nil]], :process 0}\n"
	"{:type :ok, :f :txn, :value [[:append :x 1] [:r :y [2 3]]], :process 0, :time 1}\n",
	"{\"thread\":0,\"start\":1,\"end\":5,\"txn\":[[\"w\",\"x\",7],[\"r\",\"y\",[1,2]]],\"type\":\"ok\"}\n"
	"{\"process\":1,\"type\":\"info\",\"value\":[[\"r\",\"x\",\"?\"]]}\n",
	"INFO  jepsen.util - 0 :invoke :cas [1 2]\nINFO  jepsen.util - 0 :fail :cas [1 2]\n",
};

static uint64_t random_state;

static uint32_t below(uint32_t n)
{
	random_state += UINT64_C(0x9e3779b97f4a7c15);
	uint64_t x = random_state;
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return (uint32_t)((x ^ x >> 31) >> 32) % n;
}

static const char *random_seed(void)
{
	return seeds[below(sizeof seeds / sizeof *seeds)];
}

/* In a block of exactly its size, so that reading past the end is noticed. */
static char *mutate(size_t *size)
{
	static const char interesting[] = "\"\\{}[]()#:;,?-+.0129enx \n\t\0\xff";
	char text[2048];
	const char *seed = random_seed();
	size_t length = strlen(seed);

	memcpy(text, seed, length);
	for (uint32_t n = below(6); n > 0 && length > 1; n--) {
		const size_t at = below((uint32_t)length), most = length - at;
		const size_t piece = 1 + below(most < 20 ? (uint32_t)most : 20);
		switch (below(5)) {
		case 0:
			text[at] = interesting[below(sizeof interesting)];
			break;
		case 1:
			memmove(text + at, text + at + piece, length - at - piece);
			length -= piece;
			break;
		case 2:
			if (length + piece < sizeof text) {
				memmove(text + at + piece, text + at, length - at);
				length += piece;
			}
			break;
		case 3: {
			const char *other = random_seed();
			const size_t from = below((uint32_t)strlen(other));
			size_t take = strlen(other) - from;
			take = take > most ? most : take;
			memcpy(text + at, other + from, take);
			break;
		}
		default:
			length = at + 1;
			break;
		}
	}
	char *block = malloc(length);
	memcpy(block, text, length);
	*size = length;
	return block;
}

static struct lp_history empty(bool of_transactions)
{
	return (struct lp_history){ .txns = of_transactions ? lp_alloc_zero(1, sizeof(struct lp_txns)) : NULL };
}

static bool reads_back(const struct lp_history *h)
{
	char *json = NULL;
	size_t size;
	FILE *to = open_memstream(&json, &size);
	struct lp_history again = empty(h->txns);
	struct lp_error error = { 0 };

	lp_history_print_json(h, to);
	fclose(to);
	const bool good = lp_history_parse(&again, "again", LP_FORMAT_JSON, json, size, &error) &&
			  again.count == h->count;
	if (!good)
		fprintf(stderr, "%s\n%s", error.text, json);
	free(json);
	lp_history_close(&again);
	return good;
}

int main(int argc, char **argv)
{
	uint32_t runs = 200000, read = 0;
	uint64_t seed = 1;

	for (int i = 1; i + 1 < argc; i += 2) {
		if (!strcmp(argv[i], "--runs"))
			runs = (uint32_t)strtoul(argv[i + 1], NULL, 10);
		else if (!strcmp(argv[i], "--seed"))
			seed = strtoull(argv[i + 1], NULL, 10);
	}
	for (uint32_t i = 0; i < runs; i++) {
		struct lp_error error = { 0 };
		size_t size;

		random_state = (seed + i) * UINT64_C(0x2545f4914f6cdd1d);
		struct lp_history h = empty(below(3) == 0);
		char *text = mutate(&size);
		const enum lp_format format = (enum lp_format)below(5);
		const bool good = lp_history_parse(&h, "name", format, text, size, &error);
		free(text);
		if (good ? !reads_back(&h) :
			   strncmp(error.text, "name:", 5) || strchr(error.text, '\n')) {
			fprintf(stderr, "seed %llu: '%s'\n", (unsigned long long)(seed + i),
				error.text);
			return 1;
		}
		read += good;
		lp_history_close(&h);
	}
	printf("seed %llu: %u of %u were read\n", (unsigned long long)seed, read, runs);
	return read == 0;
}
