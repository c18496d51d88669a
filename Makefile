# SPDX-License-Identifier: MIT
# Short names for the presets of CMakePresets.json; every target does its own set-up.
JOBS ?= $(shell nproc)
export CMAKE_BUILD_PARALLEL_LEVEL ?= $(JOBS)
export CTEST_PARALLEL_LEVEL ?= $(JOBS)

.DEFAULT_GOAL := help
.PHONY: help release build single page install deb demo test test-sanitizers check test-full test-cross test-cluster docs gallery lifted-archive wasm site bench fuzz robustness format lint clean conformance-archive

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

build: configured ## the library and the program, at build/release/sinew
	@cmake --build --preset release --target sinew sinew_program

.PHONY: configured
configured:
	@scripts/setup --for build
	@test -e build/release/build.ninja || cmake --preset release -DSINEW_BUILD_TESTS=OFF

page: build ## the same, and the WebAssembly module with which pages of sinew view --export move: minutes more
	@scripts/setup --for page
	@cmake --preset release -DSINEW_PAGE_MODULE=ON >/dev/null
	@cmake --build --preset release --target sinew sinew_program

demo: configured ## bends a sample model with the core library, then builds the program and shows what it makes, in build/demo
	@scripts/setup --for demo
	@scripts/demo --first build/release
	@$(MAKE) --no-print-directory build
	@scripts/demo build/release/sinew build/demo

install: build ## program, library, headers, manual and completions, into PREFIX (default /usr/local)
	@prefix="$(or $(PREFIX),/usr/local)"; case "$$prefix" in "~/"*) prefix="$$HOME/$${prefix#??}" ;; esac; \
	cmake --install build/release --prefix "$$prefix"

deb: page ## Debian packages of the program and the libraries, in build/deb
	@scripts/setup --for deb
	@cpack --config build/release/CPackConfig.cmake -B build/deb
	@rm -rf build/deb/_CPack_Packages

test: ## builds everything in release and runs all tests; 10 to 17 minutes on two cores
	@scripts/setup --for test
	@scripts/test

test-sanitizers: ## the units under the address and the undefined-behaviour sanitizer, and the syntax of all other sources with clang 19
	@scripts/setup --for test
	@scripts/test --sanitizers

check: ## for daily work: the units and the tests of commands that the changes since BASE (default HEAD) can affect; 2 minutes
	@scripts/setup --for test
	@scripts/check $(or $(BASE),HEAD)

test-full: ## more: everything under the address sanitizer, thread sanitizer, clang build, shared library, WebAssembly, a clean Debian
	@scripts/setup --for test --for chroot
	@scripts/test --full

release: ## source, Debian packages, wheel, npm package, pages, site and SHA256SUMS, in build/release-VERSION; TAG=1 also makes the tag
	@scripts/setup --for page --for deb --for python --for wasm --for docs
	@scripts/release $(if $(TAG),--tag)

docs: ## the pages as a site, and the headers as a reference, in build/docs/site
	@scripts/setup --for docs
	@scripts/docs build/docs/pages
	@mkdocs build -q --strict
	@echo "build/docs/site/index.html"

gallery: build ## the pictures of docs/gallery, from the samples
	@scripts/setup --for demo
	@scripts/gallery build/release/sinew

wasm: ## the library for JavaScript, as an npm package in build/wasm/package
	@scripts/setup --for wasm
	@scripts/wasm

site: page wasm docs ## the page on which files are dropped, checked, dressed, moved and made smaller, with the manual, in build/site
	@scripts/site build/site

conformance-archive: ## the conformance suite with its checker and adapters, in build/conformance.tar.gz
	@mkdir -p build
	@tar -czf build/conformance.tar.gz --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 --mode=go=rX,u+w --exclude=node_modules --exclude=__pycache__ \
	  conformance/README.md conformance/LICENSE conformance/check.py conformance/adapters conformance/cases
	@echo build/conformance.tar.gz

lifted-archive: build ## 4D and 5D characters for importers of G4MF, as a conformance suite, in build/g4mf-lifted.tar.gz
	@scripts/setup --for demo
	@/usr/bin/python3 scripts/make_lifted build/release/sinew build/g4mf-lifted.tar.gz

test-cross: ## the core library without exceptions, for Windows by mingw-w64, and as one source for Windows and ARM, and tests, here, under Wine and QEMU
	@scripts/setup --for test --for cross
	@scripts/test_cross

single: ## the core library as one source and two headers for glTF, without any other library, in build/single
	@scripts/make_single build/single
	@echo build/single/sinew.cpp

test-cluster: build ## an array job of a Slurm started here, one node killed; as root, in build/cluster
	@scripts/setup --for cluster
	@/usr/bin/python3 scripts/test_cluster build/release/sinew build/cluster

bench: ## measures; results in build/bench/*.json
	@scripts/setup --for bench
	@scripts/bench

fuzz: ## any bytes for one target: make fuzz TARGET=glb SECONDS=60
	@scripts/setup --for test
	@scripts/fuzz "$(or $(TARGET),glb)" "$(or $(SECONDS),60)"

robustness: ## long: fuzzing, mutated files, kills, coverage; figures in docs/robustness.md
	@scripts/setup --for test
	@scripts/robustness

format: ## rewrites all C++ sources in the project's format
	@scripts/setup --for lint
	@scripts/lint --fix

lint: ## the prose of the pages, clang-format (check only) and clang-tidy
	@scripts/setup --for lint
	@scripts/lint

clean: ## removes build/
	@rm -rf build
