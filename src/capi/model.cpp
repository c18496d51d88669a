// SPDX-License-Identifier: MIT

#include <span>
#include <vector>

#include "base/catalogue.hpp"
#include "base/message.hpp"
#include "base/path_text.hpp"
#include "capi/guard.hpp"
#include "document/schema/revision.hpp"
#include "model/name_index.hpp"

#include "sinew/load.hpp"

namespace {

using sinew::Model;
using sinew::operator""_code;
using sinew::Result;
using sinew::Unexpected;
using sinew::capi::guarded;
using sinew::capi::usage;

/// The callbacks of a host.
class HostFiles : public sinew::document::FileSource {
 public:
  explicit HostFiles(const sinew_files& files) : files_(files) {}

  Result<sinew::document::Bytes> read(std::string_view name) const override {
    const auto held = std::make_shared<Held>(files_);
    const void* bytes = nullptr;
    std::size_t size = 0;
    const std::string file(name);
    held->taken = files_.read(files_.user, file.c_str(), &bytes, &size, &held->handle) == 0;
    if (!held->taken)
      return Unexpected(error("IO_ERROR"_code, sinew::Failure::input, {file, std::nullopt, std::nullopt}, "the host has no such file"));
    if (bytes == nullptr && size != 0) return usage("sinew_files: read set a size and no bytes");
    return sinew::document::Bytes{{static_cast<const std::byte*>(bytes), size}, held};
  }

 private:
  /// What the host gave for one file.
  struct Held {
    explicit Held(const sinew_files& host) : files(host) {}
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;
    ~Held() {
      if (taken && files.release != nullptr) files.release(files.user, handle);
    }

    sinew_files files;
    void* handle = nullptr;
    bool taken = false;
  };

  sinew_files files_;
};

struct Loading {
  sinew::io::LoadOptions options;
  std::shared_ptr<sinew::capi::HostMemory> memory = nullptr;
};

Result<Loading> loading_of(const sinew_load_options* wanted) {
  Loading loading;
  if (wanted == nullptr) return loading;
  auto memory = sinew::capi::host_memory(wanted->memory);
  if (!memory) return Unexpected(memory.error());
  loading.memory = *std::move(memory);
  sinew::io::LoadOptions& options = loading.options;
  options.open.memory = loading.memory.get();
  if (wanted->max_memory != 0) options.open.limits.memory = wanted->max_memory;
  options.force = wanted->force != 0;
  options.open.allow_outside = wanted->allow_outside != 0;
  if (wanted->copy != 0) options.open.access = sinew::FileAccess::copy;
  if (wanted->files != nullptr) {
    if (wanted->files->read == nullptr) return usage("sinew_files: read is NULL");
    options.open.files = std::make_shared<const HostFiles>(*wanted->files);
  }
  if (wanted->revision == nullptr) return loading;
  options.revision = sinew::g4mf::revision_named(wanted->revision);
  if (!options.revision)
    return usage(sinew::format_text("revision: unknown value \"{}\"; expected {}", wanted->revision,
                                    sinew::join_text(sinew::g4mf::revision_names, ", ")));
  return loading;
}

/// The model is destroyed before the memory that it is in.
struct Kept {
  std::shared_ptr<sinew::capi::HostMemory> memory;
  Model model;
};

Result<> keep(Result<Model> loaded, const Loading& how, sinew_model** model) {
  if (!loaded) return Unexpected(std::move(loaded.error()));
  const auto kept = std::make_shared<const Kept>(Kept{how.memory, std::move(*loaded)});
  *model = new sinew_model{{kept, &kept->model}};
  return {};
}

/// Calls `use` with the list of a kind.
template <class Use>
auto with_list(const Model& model, sinew_kind kind, Use&& use) {
  switch (kind) {
    case SINEW_MESHES:
      return use(model.meshes);
    case SINEW_SKINS:
      return use(model.skins);
    case SINEW_ANIMATIONS:
      return use(model.clips);
    case SINEW_MATERIALS:
      return use(model.materials);
    case SINEW_SCENES:
      return use(model.scenes);
    case SINEW_NODES:
      break;
  }
  return use(model.nodes);
}

size_t index_of(sinew::Index index) { return index == sinew::none ? SINEW_NONE : index; }

constexpr const char* nouns[] = {"node", "mesh", "skin", "animation", "material", "scene"};

}  // namespace

sinew_status sinew_load(const char* path, const sinew_load_options* options, sinew_model** model, sinew_error** error) {
  return guarded(error, [&]() -> Result<> {
    if (path == nullptr || model == nullptr) return usage("sinew_load: path or model is NULL");
    const auto how = loading_of(options);
    if (!how) return Unexpected(how.error());
    sinew::FindingList ignored;
    return keep(sinew::io::load(sinew::path_of(path), how->options, ignored), *how, model);
  });
}

sinew_status sinew_load_memory(const void* bytes, size_t size, const char* name, const sinew_load_options* options, sinew_model** model,
                               sinew_error** error) {
  return guarded(error, [&]() -> Result<> {
    if ((bytes == nullptr && size != 0) || model == nullptr) return usage("sinew_load_memory: bytes or model is NULL");
    const auto how = loading_of(options);
    if (!how) return Unexpected(how.error());
    sinew::FindingList ignored;
    const std::span<const std::byte> view(static_cast<const std::byte*>(bytes), size);
    return keep(sinew::io::load_memory(view, sinew::path_of(name == nullptr ? "-" : name), how->options, ignored), *how, model);
  });
}

void sinew_model_free(sinew_model* model) { delete model; }

size_t sinew_model_dimension(const sinew_model* model) { return model == nullptr ? 0 : model->model->dimension; }
const char* sinew_model_format(const sinew_model* model) { return model == nullptr ? "" : model->model->format.c_str(); }
const char* sinew_model_revision(const sinew_model* model) { return model == nullptr ? "" : model->model->revision.c_str(); }

size_t sinew_model_count(const sinew_model* model, sinew_kind kind) {
  if (model == nullptr) return 0;
  return with_list(*model->model, kind, [](const auto& list) { return list.size(); });
}

const char* sinew_model_name(const sinew_model* model, sinew_kind kind, size_t index) {
  if (model == nullptr) return nullptr;
  return with_list(*model->model, kind, [&](const auto& list) { return index < list.size() ? list[index].name.c_str() : nullptr; });
}

sinew_status sinew_model_find(const sinew_model* model, sinew_kind kind, const char* name, size_t* index, sinew_error** error) {
  return guarded(error, [&]() -> Result<> {
    if (model == nullptr || name == nullptr || index == nullptr) return usage("sinew_model_find: model, name or index is NULL");
    if (kind < SINEW_NODES || kind > SINEW_SCENES) return usage("sinew_model_find: unknown kind");
    return with_list(*model->model, kind, [&](const auto& list) -> Result<> {
      const auto found = sinew::find_by_name(name, sinew::named_things(list), list.size(), nouns[kind]);
      if (!found) return Unexpected(found.error());
      *index = *found;
      return {};
    });
  });
}

double sinew_animation_duration(const sinew_model* model, size_t animation) {
  return model == nullptr || animation >= model->model->clips.size() ? 0 : model->model->clips[animation].duration;
}

size_t sinew_mesh_shapes(const sinew_model* model, size_t mesh) {
  return model == nullptr || mesh >= model->model->meshes.size() ? 0 : model->model->meshes[mesh].shapes.size();
}

const char* sinew_mesh_shape_name(const sinew_model* model, size_t mesh, size_t shape) {
  return shape < sinew_mesh_shapes(model, mesh) ? model->model->meshes[mesh].shapes[shape].name.c_str() : nullptr;
}

size_t sinew_node_parent(const sinew_model* model, size_t node) {
  if (model == nullptr || node >= model->model->nodes.size()) return SINEW_NONE;
  return index_of(model->model->nodes[node].parent);
}

size_t sinew_node_mesh(const sinew_model* model, size_t node) {
  if (model == nullptr || node >= model->model->nodes.size()) return SINEW_NONE;
  return index_of(model->model->nodes[node].mesh);
}

size_t sinew_skin_joints(const sinew_model* model, size_t skin) {
  return model == nullptr || skin >= model->model->skins.size() ? 0 : model->model->skins[skin].slots.size();
}

size_t sinew_skin_joint(const sinew_model* model, size_t skin, size_t slot) {
  return slot < sinew_skin_joints(model, skin) ? index_of(model->model->skins[skin].slots[slot]) : SINEW_NONE;
}
