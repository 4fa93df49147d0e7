/* models.h -- the names of the models, as tests are told them. */
#ifndef LP_ORACLE_MODELS_H
#define LP_ORACLE_MODELS_H

#include "explore/explore.h"

enum { AXIOM_MODELS = LP_MODEL_RC11_C20 + 1 };
extern const char *const axiom_model_names[AXIOM_MODELS];

#endif
