/* program_spec.h -- a specification that is a program: --spec FILE.c of an object with LP_METHOD.
 *
 * A process can load only one native program, and the process of the check loads the object.  So another process explores the
 * specification.  The process of the check sends it one client of the object after the other.  The other process answers each client
 * with the runs of the specification (check/refine/spec_runs.h).
 */
#ifndef LP_VERIFY_PROGRAM_PROGRAM_SPEC_H
#define LP_VERIFY_PROGRAM_PROGRAM_SPEC_H

#include <sys/types.h>

#include "base/digest.h"
#include "base/error.h"
#include "check/refine/spec_runs.h"
#include "verify/passes_on.h"
#include "verify/plan.h"

struct lp_options;

enum { LP_PROGRAM_NAME = 128, LP_PROGRAM_TEXT = 512, LP_PROGRAM_METHODS = 32 };

/* The first message of the other process: the interface of the program. */
struct lp_program_interface {
	bool good;             /* the program was loaded */
	struct lp_error error; /* if not `good`: the reason */
	struct lp_digest code; /* a digest of the compiled program */
	bool identity;         /* the program tells apart the threads that call it */
	char kind[32];         /* the kind of the specification, without parameters */
	char spec[LP_PROGRAM_NAME]; /* the built-in specification that the program's harness names, or "" */
	uint32_t methods;
	struct lp_program_method {
		char name[LP_PROGRAM_NAME];
		char known_as[32]; /* the first name of the method in the specification: "insert" for "add" */
		uint32_t args, values;
		bool restricted; /* LP_ROLE or LP_AFTER restricts its calls */
		enum lp_arg_mode mode[LP_CLIENT_ARGS];
		int64_t value[LP_HARNESS_VALUES];
	} method[LP_PROGRAM_METHODS];
};

/* A client of the object, in which each call has the index of its method in the program. */
struct lp_program_request {
	struct lp_plan_client client;
	double seconds; /* 0: no limit */
	/* If effort.executions is 0, the request asks for runs.  Otherwise it asks whether the program only passes its arguments on
	 * (passes_on.h).  `mode` says what the object and the program may do with each argument. */
	struct lp_passes_effort effort;
	enum lp_arg_mode mode[LP_CLIENT_CALLS][LP_CLIENT_ARGS];
};

enum lp_program_verdict {
	LP_PROGRAM_EXPLORED,
	LP_PROGRAM_WRONG,        /* the program has an error of its own */
	LP_PROGRAM_INCONCLUSIVE, /* some runs may be missing */
};

/* The answer, followed by the runs. */
struct lp_program_answer {
	enum lp_program_verdict verdict;
	char text[LP_PROGRAM_TEXT];
	bool tells_apart;
	bool inspects; /* the program does not only pass its arguments on */
	uint64_t executions;
	uint64_t repetitions;
	uint32_t runs;
};

struct lp_program_spec {
	const char *file; /* NULL: there is none */
	pid_t process;
	int socket;
	struct lp_program_interface interface;
	/* `verdict` and `text` of the answer for the last client. */
	enum lp_program_verdict verdict;
	char text[LP_PROGRAM_TEXT];
	bool tells_apart;    /* the program has told its callers apart, for some client so far */
	bool is_even;        /* in the runs for the last client, like threads (lp_client.like) are interchangeable */
	uint64_t executions; /* the sum over all clients */
	/* The runs for all clients so far.  They are kept because the runs for some clients are needed again. */
	struct {
		LP_VEC(struct lp_program_client {
			struct lp_fingerprint name;
			struct lp_runs runs;
		});
	} known;
};

/* If --spec is a file, starts the process that explores it.  Returns false, with the error set, if the program cannot be loaded.  Call
 * lp_program_spec_close() in either case. */
bool lp_program_spec_open(struct lp_program_spec *, const struct lp_options *, struct lp_error *);
void lp_program_spec_close(struct lp_program_spec *);

/* Does the program have all methods of the object, with the same arguments as in the object?  If so, the function changes the
 * harness of the object:  arguments are chosen in all ways that the object or the program can distinguish.  If not, it sets the
 * error. */
bool lp_program_spec_fits(const struct lp_program_spec *, const char *object, struct lp_harness *, struct lp_error *);

/* Returns the runs for a client of the object.  Sets `verdict`; returns NULL unless it is LP_PROGRAM_EXPLORED. */
const struct lp_runs *lp_program_spec_runs(struct lp_program_spec *, const struct lp_harness *,
					   const struct lp_plan_client *, double seconds);

/* Does for the program what lp_passes_on() does for the object.  Only those arguments are changed that neither the program nor the
 * object should look at. */
bool lp_program_spec_passes_on(struct lp_program_spec *, const struct lp_harness *, const struct lp_plan_client *,
			       struct lp_passes_effort, uint64_t *spent);

/* Receive or send exactly `size` bytes.  Return false if the other process has ended. */
bool lp_program_spec_receive(int socket, void *to, size_t size);
bool lp_program_spec_send(int socket, const void *from, size_t size);

#endif
