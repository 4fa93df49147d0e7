/* object_kind.h -- the objects that a test is compiled for: on two words, or with a heap. */
#ifndef LP_TEST_STATES_OBJECT_KIND_H
#define LP_TEST_STATES_OBJECT_KIND_H

#ifdef HEAP_OBJECTS
#include "heap_object.h"
#else
#include "object.h"
#endif

#endif
