/* system_file.h -- files of the system or the compiler. */
#ifndef LP_FRONTEND_SYSTEM_FILE_H
#define LP_FRONTEND_SYSTEM_FILE_H

#include <stdbool.h>

/* Does the file belong to the system or to the compiler, or is it a header of linchpin? */
bool lp_is_system_file(const char *path);

#endif
