# What ctest sets for all tests: programs are compiled, whatever was compiled before, and the user's
# cache is left alone.  tests/cache has caches of its own.
set(ENV{LINCHPIN_CACHE} off)
