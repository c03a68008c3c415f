# The front door.  `make demo` and `make test` each do everything on a fresh Debian or Ubuntu machine.
#   make            build build/eccentric and libeccentric      make install   [PREFIX=/usr/local] [DESTDIR=]
#   make demo       build and run the main job                  make bench     measure, beside PyTorch
#   make test       build and test; SANITIZE=address,undefined  make lint      clang-tidy, cppcheck, include order
#   make fuzz       fuzz the parsers; SECONDS=60 TOPICS="csv"   make format    clang-format
#   make test-hard  commands in which memory, disk or the program itself fails; MOST=60 places of each, 0: all
#   make coverage   which branches of src/ the tests take, in build-coverage
#   make wheel      a wheel for Python in build-python          make sdist     the Python package as sources, likewise
#   make deb        Debian packages in build-deb                make wasm      web/net.wasm from wasm/net.c
#   make deps       install what is missing, by package name    make clean
# ONEDNN=OFF with any of them makes the small build, without oneDNN, in build-small.
PREFIX ?= /usr/local
SANITIZE ?=
ONEDNN ?= ON
SECONDS ?= 60
comma := ,
BUILD ?= build$(if $(SANITIZE),-$(subst $(comma),-,$(SANITIZE)))$(if $(filter OFF,$(ONEDNN)),-small)
NEEDS := $(if $(filter OFF,$(ONEDNN)),small,build)
JOBS := $(shell nproc 2>/dev/null || echo 2)
MAKEFLAGS += --no-print-directory

.PHONY: all deps demo test test-hard coverage bench lint format fuzz install wheel sdist deb wasm clean configure
all: configure
	cmake --build $(BUILD) -j $(JOBS)

# DEPS=no installs nothing, for package builders.
deps:
	@[ "$(DEPS)" = no ] || scripts/deps.sh $(NEEDS)

configure: deps
	@cmake -S . -B $(BUILD) -DCMAKE_INSTALL_PREFIX=$(PREFIX) -DECC_SANITIZE=$(SANITIZE) \
	  -DECC_ONEDNN=$(ONEDNN) $(CMAKEFLAGS) \
	  > $(BUILD).log 2>&1 && rm -f $(BUILD).log || { cat $(BUILD).log; rm -f $(BUILD).log; exit 1; }

demo: all
	@scripts/demo.sh $(BUILD)/eccentric

# Chromium is large, and Ubuntu has it as a snap only: without it, one test is skipped.  BROWSER=no does not install it.
test:
	@[ "$(DEPS)" = no ] || scripts/deps.sh $(NEEDS) test
	@[ "$(DEPS)" = no ] || [ "$(BROWSER)" = no ] || command -v snap >/dev/null || scripts/deps.sh browser || \
	  echo "without chromium the explorer's page is not tested" >&2
	@$(MAKE) all
	cd $(BUILD) && ctest --output-on-failure

# What is promised of broken files, memory and machines, tested at length: docs/reliability.md.
MOST ?= 60
test-hard:
	@[ "$(DEPS)" = no ] || scripts/deps.sh $(NEEDS) test
	@$(MAKE) all
	@MOST=$(MOST) tests/hard/run.sh $(BUILD) $(STAGES)

# gcov's counts; one thread for a computation, as threads that wait for each other take most of the time.
coverage:
	@[ "$(DEPS)" = no ] || scripts/deps.sh build test
	@$(MAKE) configure DEPS=no BUILD=build-coverage CMAKEFLAGS='-DCMAKE_BUILD_TYPE=Debug -DECC_HARDEN=OFF -DECC_WERROR=OFF \
	  -DCMAKE_C_FLAGS="--coverage -fprofile-update=atomic -Og"'
	cmake --build build-coverage -j $(JOBS)
	cd build-coverage && OMP_NUM_THREADS=1 ctest -R '^(unit|fuzz|cli)'
	@scripts/coverage.py build-coverage

bench: all
	@bench/run.sh $(BUILD)

lint: configure
	@scripts/deps.sh lint
	@scripts/lint.sh $(BUILD)

format:
	@scripts/deps.sh lint
	clang-format -i $$(git ls-files --cached --others --exclude-standard '*.c' '*.h' '*.cpp')

fuzz:
	@scripts/deps.sh build test fuzz
	@JOBS=$(JOBS) tests/fuzz/run.sh $(SECONDS) $(TOPICS)

install: all
	cmake --install $(BUILD)

# ONEDNN=OFF makes a smaller one.  WHEEL=FILE scripts/prove_wheel.sh SUITE proves it in a bare system.
wheel:
	@scripts/deps.sh $(NEEDS) wheel
	@scripts/wheel.sh $(ONEDNN)

# The net of the one-file page again, by clang 14; its bytes are kept in web/.
wasm:
	@scripts/deps.sh wasm
	@scripts/wasm.sh web/net.wasm

# scripts/prove_deb.sh SUITE makes them twice and installs them in a bare system.
deb:
	@[ "$(DEPS)" = no ] || scripts/deps.sh build deb
	@scripts/deb.sh

sdist:
	@scripts/deps.sh wheel
	@scripts/sdist.sh

clean:
	rm -rf build build-* demo
