/* system_file.h -- tells files of the system, the compiler and linchpin from the user's files. */
#ifndef LP_FRONTEND_SYSTEM_FILE_H
#define LP_FRONTEND_SYSTEM_FILE_H

#include <stdbool.h>

/* Does the file belong to the system or to the compiler, or is it a header of linchpin? */
bool lp_is_system_file(const char *path);

#endif
