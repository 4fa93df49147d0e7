# The front door; the build itself is CMake's.
#
#   make         build/linchpin
#   make demo    build the tool, then check an example with a real weak-memory bug
#   make test    build, then run the tests
#   make quick   build, then run the tests that guard soundness: under a minute on two cores
#   make bench   build, then measure
#   make deps    install the Debian packages that are missing (the others do it too)
#   make clean   remove build/

BUILD := build
PACKAGES := gcc g++ binutils cmake ninja-build clang-19 libclang-19-dev llvm-19-dev libdw-dev libelf-dev
# CMake keeps the generator of the first time: an existing tree is left to it.
GENERATOR = $(if $(wildcard $(BUILD)/CMakeCache.txt),,-G Ninja)

.PHONY: all tool configured demo test quick bench deps clean

all: configured
	@cmake --build $(BUILD)

# Without the tests, which are most of it.
tool: configured
	@cmake --build $(BUILD) --target linchpin

configured: deps
	@cmake -S . -B $(BUILD) $(GENERATOR) >$(BUILD).log 2>&1 || { cat $(BUILD).log; exit 1; }
	@rm -f $(BUILD).log

# $(call install,PACKAGES): only what is missing is installed, so that this needs neither network
# nor rights where everything is there.  Other distributions: install the same things by hand.
define install
command -v dpkg-query >/dev/null || exit 0; \
missing=; \
for p in $(1); do \
	[ "$$(dpkg-query -Wf '$${db:Status-Status}' $$p 2>/dev/null)" = installed ] || missing="$$missing $$p"; \
done; \
[ -n "$$missing" ] || exit 0; \
echo "installing$$missing"; \
sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
$$sudo apt-get update -q && \
$$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -yq --no-install-recommends $$missing
endef

deps:
	@$(call install,$(PACKAGES))
	@{ $(call install,$(WANTED)); } || echo "not installed: the tests that use them will be skipped"

# Status 1, a violation, is what the demonstration is about.
demo: tool
	@echo
	$(BUILD)/linchpin check examples/bug_hwqueue.c --ops enqueue=4,dequeue=3 --html $(BUILD)/demo.html || [ $$? = 1 ]
	@echo
	@echo "The same to look at in a browser: $(abspath $(BUILD))/demo.html"
	@echo
	$(BUILD)/linchpin check examples/hwqueue.c --ops enqueue=4,dequeue=3

test: PACKAGES += python3
test: WANTED := chromium clang gdb gcc-aarch64-linux-gnu libc6-dev-arm64-cross man-db pkg-config python3-jsonschema zsh
test: all
	cd $(BUILD) && ctest --output-on-failure -j $$(nproc)

# Those that would notice a wrong verdict soonest: second implementations, what was once wrong, published
# answers, and the examples.
QUICK := regress/|examples/|litmus/rc11|oracle/(litmus|counts|naive|regress/)|judge/ \
	|native/judge|objects/(covered-slot|linked)|unit/(base|model|program|shims|spec|runtime) \
	|unit/check/(brute|clients-cases|cases)|tree/(arrows|names|rooms|sizes)
empty :=
quick: PACKAGES += python3
quick: all
	cd $(BUILD) && ctest --output-on-failure -j $$(nproc) -R '^($(subst $(empty) ,,$(QUICK)))'

# GENMC=PATH and FASTLIN=PATH put the peers' figures beside ours.
bench: PACKAGES += python3
bench: all
	bench/run --linchpin $(BUILD)/linchpin
	bench/objects --linchpin $(BUILD)/linchpin
	bench/histories --linchpin $(BUILD)/linchpin --generator $(BUILD)/tests/unit/check/try_history
	bench/transactions --linchpin $(BUILD)/linchpin --generator $(BUILD)/tests/unit/check/txn/try_txn

clean:
	rm -rf $(BUILD)
