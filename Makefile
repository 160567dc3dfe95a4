# The front door: each target calls a script of tools/ or CMake. `make help` lists them.
# Variables: BUILD (preset of build, check, install), PREFIX, DESTDIR, FUZZ_SECONDS (of each fuzz target), JOBS.

BUILD ?= release
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
export JOBS

.DEFAULT_GOAL := build

.PHONY: help
help: ## what there is
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1	/' | expand -t 22

.PHONY: demo
demo: ## set up what is missing, build, convert and prove a real model
	@tools/demo

.PHONY: build
build: ## the release build: build/release/bin/onnx2webnn
	@tools/build $(BUILD)

.PHONY: test
test: ## everything CI runs: checks, release suite, sanitizers
	@tools/test

.PHONY: test-full
test-full: ## test, and the second compiler, clang-tidy, thread sanitizer, fuzzing, interop
	@tools/test --full

.PHONY: check
check: ## format, layers, headers, sizes, warnings, dependencies, unit tests
	@tools/test --check

.PHONY: fmt
fmt: ## format the sources
	@tools/check/format --fix

.PHONY: bench
bench: build ## measure against cp and native ONNX Runtime
	@tools/bench

.PHONY: interop
interop: build ## exchange files with independent readers and writers
	@tools/interop

.PHONY: fuzz
fuzz: ## every fuzz target for FUZZ_SECONDS seconds, and 20,000 random models against native ONNX Runtime
	@tools/fuzz $(FUZZ_SECONDS)

.PHONY: install
install: build ## install into DESTDIR and PREFIX
	@cmake --install build/$(BUILD) --prefix $(PREFIX)
