/* find.h -- finds the places where a program can be changed. */
#ifndef LP_FRONTEND_IR_MUTANTS_FIND_H
#define LP_FRONTEND_IR_MUTANTS_FIND_H

#include "frontend/ir/mutants/mutant_object.h"

enum lp_mutation {
#define LP_MUTATION(name, text, does, means) LP_MUTATION_##name,
#include "frontend/mutants.def"
#undef LP_MUTATION
};

const char *lp_mutation_name(enum lp_mutation);

struct lp_ir_mutant {
	enum lp_mutation mutation;
	struct lp_ir_place place;
	const char *path;          /* the path of the file, valid until the next text is
				    * added (site_records.h) */
	uint32_t ordinal;          /* the index of this mutant among those of the same place, which
				    * come from several expansions of a macro */
	struct lp_ir_values at;    /* the instructions to change */
	char name[320];
	char detail[128];          /* a text such as "continues in line 51"; or "" */
};

struct lp_ir_mutants {
	LP_VEC(struct lp_ir_mutant);
};

/* Finds all mutants, sorted by file, line and column. */
void lp_ir_mutants_find(struct lp_ir *, struct lp_ir_mutants *);
void lp_ir_mutants_drop(struct lp_ir_mutants *);

#endif
