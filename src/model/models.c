/* models.c -- models.def as tables. */
#include "model/models.h"

#include <assert.h>

#include "model/model.h"

const struct lp_model_class *lp_model_class_of(enum lp_model model)
{
#define LP_MODEL(NAME, word, class) &class,
#define LP_MODEL_VARIANT LP_MODEL
	static const struct lp_model_class *const classes[] = {
#include "model/models.def"
	};
#undef LP_MODEL
#undef LP_MODEL_VARIANT

	assert((unsigned)model < sizeof classes / sizeof *classes);
	return classes[model];
}

const char *lp_model_word(enum lp_model model)
{
#define LP_MODEL(NAME, word, class) word,
#define LP_MODEL_VARIANT LP_MODEL
	static const char *const words[] = {
#include "model/models.def"
	};
#undef LP_MODEL
#undef LP_MODEL_VARIANT

	assert((unsigned)model < sizeof words / sizeof *words);
	return words[model];
}

#define LP_MODEL(NAME, word, class) "|" word
#define LP_MODEL_VARIANT(NAME, word, class)
const char lp_model_words[] =
#include "model/models.def"
	;
#undef LP_MODEL
#undef LP_MODEL_VARIANT
