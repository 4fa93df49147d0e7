/* library.h -- links parts of the C++ library with the program (src/frontend/library). */
#ifndef LP_FRONTEND_IR_LIBRARY_H
#define LP_FRONTEND_IR_LIBRARY_H

#include "frontend/ir/ir.h"

/* Links those functions and variables that the program uses and does not define. */
bool lp_ir_link_library(struct lp_ir *, struct lp_error *);

#endif
