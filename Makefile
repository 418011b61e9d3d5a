# make demo      set up and build everything, measure a simulated server, then the
#                whole site with that run into public/
# make test      set up and run the tests
# Every other target says what it does in one line.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := build

GOFUMPT       := go run mvdan.cc/gofumpt@v0.12.0
STATICCHECK   := go run honnef.co/go/tools/cmd/staticcheck@v0.8.2
GOLANGCI_LINT := go run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
DEADCODE      := go run golang.org/x/tools/cmd/deadcode@v0.52.0

BIN    := bin/arena
PUBLIC := public
CACHE  := .cache/site
CHARTS := templates/dist/echarts.js
ENGINE := loadgen/openai/llamacpptest/testdata

FUZZTIME ?= 20s
ADDR     ?= 127.0.0.1:8080

# What the program says of itself. Without Git, or in a shallow clone, where the
# revision that last touched a contract cannot be known, nothing is stamped and
# the program refuses to write bundles that would pin it. Changed is also what Git
# does not know yet, where it can get into the program: code, and what is embedded.
GIT       := git --no-optional-locks
SHALLOW   := $(shell $(GIT) rev-parse --is-shallow-repository 2>/dev/null)
REVISION  := $(shell $(GIT) rev-parse HEAD 2>/dev/null)
SOURCES   := '*.go' cmd content engine i18n loadgen results site templates
CHANGED   := $(shell { $(GIT) status --porcelain --untracked-files=no -- . ':(exclude)results/bundles'; \
               $(GIT) ls-files --others --exclude-standard -- $(SOURCES) ':(exclude)results/bundles'; } 2>/dev/null | head -n 1)
# What the code is, whatever the revision: pages that the same code made are found
# again. Nothing where it was changed.
CODE      := $(if $(CHANGED),,$(shell $(GIT) ls-files -s -- $(SOURCES) go.mod go.sum package-lock.json ':(exclude)results/bundles' 2>/dev/null | sha256sum | cut -d ' ' -f 1))
CONTRACTS := $(if $(filter false,$(SHALLOW)),$(foreach f,$(wildcard content/contracts/*.toml),$(basename $(notdir $(f)))=$(shell $(GIT) log -1 --format=%H -- $(f))))
STAMP      = -X main.code=$(CODE) -X main.version=$(VERSION) -X main.revision=$(REVISION) -X main.dirty=$(if $(CHANGED),true,false) -X main.contractRevisions=$(subst $(space),$(comma),$(strip $(CONTRACTS)))
VERSION   ?= v0.1.0
comma     := ,
space     := $(subst ,, )

.PHONY: build demo test test-engine test-engine-bench test-browser lint vet fmt fmt-check tidy-check golden fuzz bench accuracy site repro serve generate clean

## build: the program, with the chart library inside and the revisions stamped
build: $(CHARTS)
	CGO_ENABLED=0 go build -trimpath -ldflags "-s -w $(STAMP)" -o $(BIN) ./cmd/arena

# The chart library: ECharts reduced to what the charts use.
$(CHARTS): package-lock.json templates/build.mjs templates/echarts.entry.js node_modules/.package-lock.json
	node templates/build.mjs

node_modules/.package-lock.json: package.json package-lock.json
	npm ci --no-audit --no-fund
	@touch $@

## demo: a short run against the simulated server, the whole site with it, and how to look
demo: build
	rm -rf .demo
	mkdir -p .demo
	$(BIN) sim --addr 127.0.0.1:0 --profile docs/sim/demo.toml >.demo/address 2>.demo/server.log & sim=$$!; \
	trap 'kill $$sim 2>/dev/null || true' EXIT; \
	for _ in $$(seq 100); do test -s .demo/address && break; sleep 0.1; done; \
	$(BIN) bench --base-url "$$(cat .demo/address)" --served-model-name arena-sim/demo \
	  --contract v3 --only chat,rag-8k --out .demo/bundles
	$(BIN) build --results results/bundles --results .demo/bundles --include-simulated --out $(PUBLIC) --cache $(CACHE)
	@echo
	@echo "The bundle of the run is below .demo/bundles, and its page in the site, marked as simulated:"
	@echo "  /en/models/arena-sim--demo/simulated/"
	@echo "The site is in $(PUBLIC)/. Look at it with:"
	@echo "  $(BIN) serve --dir $(PUBLIC) --addr $(ADDR)        then open http://$(ADDR)/"

## site: the whole site into public/
site: build
	$(BIN) build --out $(PUBLIC) --cache $(CACHE)

## serve: the site on this machine, with the headers of production
serve: site
	$(BIN) serve --dir $(PUBLIC) --addr $(ADDR)

## test: all tests but those that need a browser
test: $(CHARTS)
	go vet ./...
	go test -timeout 20m ./...

# llama.cpp, as npm has it: compiled, for x86-64 only, so that nothing is built.
$(ENGINE)/node_modules/.package-lock.json: $(ENGINE)/package.json $(ENGINE)/package-lock.json
	npm ci --prefix $(ENGINE) --ignore-scripts --omit=optional --no-audit --no-fund
	@touch $@

REAL = ARENA_LLAMACPP=$(CURDIR)/$(ENGINE) go test -count=1 -timeout 5m -v

## test-engine: the load generator against a real llama.cpp
test-engine: $(ENGINE)/node_modules/.package-lock.json
	$(REAL) -run '^TestLlamaCpp$$' ./loadgen/openai/

## test-engine-bench: a whole run of a contract against it, up to its page in the site
test-engine-bench: $(CHARTS) $(ENGINE)/node_modules/.package-lock.json
	$(REAL) -run '^TestBenchLlamaCpp' -ldflags "$(subst main.,example.org/arena/cmd/arena.,$(STAMP))" ./cmd/arena/

## test-browser: the served site in a real Chromium
test-browser: site
	go test -count=1 -timeout 40m -tags browser ./cmd/arena/browsertest/ ./site/chart/

## golden: rewrite the golden files; review the diff
golden: $(CHARTS)
	UPDATE_GOLDEN=1 go test -count=1 ./...

## generate: what is generated and committed: schemas
generate:
	go generate ./...

## fuzz: every fuzz target for FUZZTIME
fuzz:
	@for p in $$(go list ./...); do \
	  for f in $$(go test -list '^Fuzz' $$p | grep '^Fuzz' || true); do \
	    echo "$$p $$f"; go test -run '^$$' -fuzz "^$$f\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 1x $$p; \
	  done; \
	done

## bench: every benchmark, and builds of many configurations beside Hugo (SIZES: how many)
bench: build
	go test -run '^$$' -bench . -benchmem ./...
	go run ./cmd/sitebench $(SIZES)

## accuracy: the load generator against a server that knows the truth (SECTIONS: streams stamps variants lateness capacity)
accuracy:
	go run ./cmd/accuracy $(SECTIONS)

## repro: two builds from a cold cache, with different numbers of jobs, must be the same bytes
repro: build
	rm -rf .repro
	$(BIN) build --out .repro/a --cache .repro/cache-a --jobs 1
	$(BIN) build --out .repro/b --cache .repro/cache-b --jobs 4
	diff -r .repro/a .repro/b
	rm -rf .repro

## lint: the rules of .golangci.yml, and no function that nothing reaches
lint:
	$(GOLANGCI_LINT) run ./...
	@out="$$($(DEADCODE) -test ./...)"; if [ -n "$$out" ]; then echo "$$out"; exit 1; fi

vet:
	go vet ./...
	$(STATICCHECK) ./...

fmt:
	$(GOFUMPT) -w .

fmt-check:
	@out="$$(git ls-files -z "*.go" | xargs -0 gofmt -l)"; \
	if [ -n "$$out" ]; then echo "not formatted: $$out"; exit 1; fi

tidy-check:
	go mod tidy -diff

clean:
	rm -rf bin $(PUBLIC) .cache .repro node_modules $(ENGINE)/node_modules templates/dist/echarts*
