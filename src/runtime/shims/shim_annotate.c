/* shim_annotate.c -- annotations for other tools, which linchpin ignores.
 *
 * Happens-before edges that a program claims are ignored, because they may be wrong. Without them
 * there are more races, never fewer.
 */
#include "runtime/shims/shim.h"

#define NOTHING(name)                          \
	LP_API void lp_shim_##name(void);      \
	LP_API void lp_shim_##name(void)       \
	{                                      \
	}

NOTHING(AnnotateHappensBefore)
NOTHING(AnnotateHappensAfter)
NOTHING(AnnotateCondVarSignal)
NOTHING(AnnotateCondVarSignalAll)
NOTHING(AnnotateCondVarWait)
NOTHING(AnnotateMutexIsNotPHB)
NOTHING(AnnotateMutexIsUsedAsCondVar)
NOTHING(AnnotateRWLockCreate)
NOTHING(AnnotateRWLockCreateStatic)
NOTHING(AnnotateRWLockDestroy)
NOTHING(AnnotateRWLockAcquired)
NOTHING(AnnotateRWLockReleased)
NOTHING(AnnotateTraceMemory)
NOTHING(AnnotateFlushState)
NOTHING(AnnotateNewMemory)
NOTHING(AnnotateNoOp)
NOTHING(AnnotateFlushExpectedRaces)
NOTHING(AnnotateEnableRaceDetection)
NOTHING(AnnotateUnpublishMemoryRange)
NOTHING(AnnotatePublishMemoryRange)
NOTHING(AnnotateBenignRace)
NOTHING(AnnotateBenignRaceSized)
NOTHING(AnnotateExpectRace)
NOTHING(AnnotateIgnoreReadsBegin)
NOTHING(AnnotateIgnoreReadsEnd)
NOTHING(AnnotateIgnoreWritesBegin)
NOTHING(AnnotateIgnoreWritesEnd)
NOTHING(AnnotateIgnoreSyncBegin)
NOTHING(AnnotateIgnoreSyncEnd)
NOTHING(AnnotateThreadName)
NOTHING(AnnotateMemoryIsInitialized)
NOTHING(AnnotateMemoryIsUninitialized)

NOTHING(__tsan_acquire)
NOTHING(__tsan_release)
NOTHING(__tsan_mutex_create)
NOTHING(__tsan_mutex_destroy)
NOTHING(__tsan_mutex_pre_lock)
NOTHING(__tsan_mutex_post_lock)
NOTHING(__tsan_mutex_pre_divert)
NOTHING(__tsan_mutex_post_divert)
NOTHING(__tsan_external_read)
NOTHING(__tsan_external_write)
NOTHING(__tsan_external_register_tag)
NOTHING(__tsan_external_register_header)
NOTHING(__tsan_external_assign_tag)

/* These two return something. */
LP_API int lp_shim___tsan_mutex_pre_unlock(void *m, unsigned flags)
{
	(void)m, (void)flags;
	return 0;
}

LP_API void lp_shim___tsan_mutex_post_unlock(void *m, unsigned flags)
{
	(void)m, (void)flags;
}

/* Used by annotations to see whether a tool is there at all. */
LP_API int lp_shim_RunningOnValgrind(void)
{
	return 0;
}
