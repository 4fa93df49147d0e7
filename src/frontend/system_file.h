/* system_file.h -- files of the system or the compiler. */
#ifndef LP_FRONTEND_SYSTEM_FILE_H
#define LP_FRONTEND_SYSTEM_FILE_H

#include <stdbool.h>

/* Is that file one of the system's, of the compiler's, or a header of linchpin's? */
bool lp_is_system_file(const char *path);

#endif
