/* linchpin/main.cc -- main.c, for objects in C++. */
#include "main.c"
