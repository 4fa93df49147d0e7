/* models.h -- the memory models by number and by name, from models.def. */
#ifndef LP_MODEL_MODELS_H
#define LP_MODEL_MODELS_H

#define LP_MODEL(NAME, word, class) LP_MODEL_##NAME,
#define LP_MODEL_VARIANT LP_MODEL
enum lp_model {
#include "model/models.def"
};
#undef LP_MODEL
#undef LP_MODEL_VARIANT

struct lp_model_class; /* model.h */
const struct lp_model_class *lp_model_class_of(enum lp_model);

/* The word of --model for a model, such as "rc11". A variant has the word of the model of which it is a variant. */
const char *lp_model_word(enum lp_model);

/* "sc|tso|ra|rc11", for the table of options: a constant expression. */
extern const char lp_model_words[];
#define LP_MODEL_WORDS (lp_model_words + 1) /* without the bar in front */

#endif
