// SPDX-License-Identifier: MIT
// An engine without exceptions: `engine FILE` loads, poses and deforms, and meets the end of time and of work as errors; prints the number
// of allocations. `engine FILE N` has no memory for the Nth, which ends it with status 3 in its own new-handler. `engine FILE N free`: the
// handler frees some, once, and all goes on.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>
#include <string>
#include <utility>

#include "sinew/sinew.hpp"
#if __has_include("sinew/load.hpp")  // not with the one source
#include "sinew/deadline.hpp"
#include "sinew/load.hpp"
#include "sinew/memory.hpp"
#endif

namespace {

constexpr long enough = -1;
long left = enough;  // allocations, before there is no memory
long made = 0;

int fail(const char* what) { return std::fprintf(stderr, "%s\n", what), 1; }
int fail(const sinew::Error& error) { return fail(error.line().c_str()); }

void end() {
  std::fputs("the engine has no memory\n", stderr);
  std::_Exit(3);
}
void free_some() { left = enough; }

/// Has no memory when it is asked first.
class Late final : public sinew::MemoryResource {
 public:
  void* allocate(std::size_t bytes, std::size_t) noexcept override { return std::exchange(asked_, true) ? std::malloc(bytes) : nullptr; }
  void deallocate(void* memory, std::size_t, std::size_t) noexcept override { std::free(memory); }

 private:
  bool asked_ = false;
};

/// Where a resource has none, the handler is called, and the resource is asked again. In a library with exceptions, it is an error.
bool asks_a_resource_again(const sinew::Model& model) {
  Late memory;
  sinew::deform::PrepareOptions options;
  options.memory = &memory;
  const auto handler = std::set_new_handler(free_some);
  left = 1'000'000'000;
  const auto prepared = sinew::deform::prepare(model.meshes[0], 3, options);
  const bool called = std::exchange(left, enough) == enough;
  std::set_new_handler(handler);
  return prepared ? called : !called && prepared.error().code == "SINEW_NO_MEMORY";
}

bool fails_with(const sinew::Result<sinew::Model>& model, const char* code) {
  return !model && model.error().code == code && !model.error().place.file.empty();
}

/// A few bytes, which each of many samplers names: more values to check than a file of this size may have.
sinew::Result<sinew::Model> load_repeated() {
  std::string zeros(16000, 'A'), accessors, samplers, channels;
  for (int i = 0; i < 100; ++i) {
    const std::string number = std::to_string(i), comma = i == 0 ? "" : ",";
    accessors += comma + R"({"bufferView":0,"componentType":5126,"count":1000,"type":"VEC3"})";
    samplers += comma + R"({"input":100,"output":)" + number + "}";
    channels += comma + R"({"sampler":)" + number + R"(,"target":{"node":)" + number + R"(,"path":"translation"}})";
  }
  accessors += R"(,{"bufferView":0,"componentType":5126,"count":1000,"type":"SCALAR"})";
  std::string nodes = "{}";
  for (int i = 1; i < 100; ++i) nodes += ",{}";
  const std::string text = R"({"asset":{"version":"2.0"},"buffers":[{"byteLength":12000,"uri":"data:application/octet-stream;base64,)" +
                           zeros + R"("}],"bufferViews":[{"buffer":0,"byteLength":12000}],"nodes":[)" + nodes + R"(],"accessors":[)" +
                           accessors + R"(],"animations":[{"samplers":[)" + samplers + R"(],"channels":[)" + channels + "]}]}";
  sinew::io::LoadOptions options;
  options.open.limits.work = 1;
  sinew::FindingList findings;
  return sinew::io::load_memory(std::as_bytes(std::span(text)), "repeated.gltf", options, findings);
}

}  // namespace

void* operator new(std::size_t size) {
  for (;;) {
    ++made;
    if (left != 0) {
      if (left > 0) --left;
      if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
    }
    if (const std::new_handler handler = std::get_new_handler())
      handler();
    else
      std::abort();
  }
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

int main(int argc, char** argv) {
  if (argc < 2) return fail("usage: engine FILE [N [free]]");
  const char* const file = argv[1];
  const bool frees = argc > 3 && std::strcmp(argv[3], "free") == 0;
  std::set_new_handler(frees ? free_some : end);
  left = argc > 2 ? std::atol(argv[2]) - 1 : enough;

  auto model = sinew::load(file);
  if (!model) return fail(model.error());
  const auto pose = sinew::sample(*model, 0, 0.5);
  if (!pose) return fail(pose.error());
  auto deformer = sinew::Deformer::create(*model);
  if (!deformer) return fail(deformer.error());
  const auto positions = deformer->positions(*pose);
  if (!positions) return fail(positions.error());
  double sum = 0;
  for (const float number : *positions) sum += number;
  if (positions->empty() || !std::isfinite(sum)) return fail("no vertices");
  if (frees && left != enough) return fail("the handler was not called");
  std::printf("%ld\n", made);

  if (!asks_a_resource_again(*model)) return fail("the handler was not called for a resource");
  if (!fails_with(load_repeated(), "SINEW_WORK_LIMIT")) return fail("the limit of work did not end the call");
  {
    const sinew::Deadline deadline(1e-6);
    if (!fails_with(sinew::load(file), "SINEW_DEADLINE")) return fail("the deadline did not end the call");
    const auto other = sinew::Deformer::create(*model);
    if (other || other.error().failure != sinew::Failure::deadline) return fail("the deadline did not end create");
  }
  if (!sinew::load(file)) return fail("the deadline is still there");
  return 0;
}
