// SPDX-License-Identifier: MIT
// The calls of the library of pictures. Those that draw are not here: the driver of OpenGL allocates in the same program.
#include <cstddef>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "trial.hpp"

#include "sinew/render.hpp"

namespace sinew::memory {
namespace {

using namespace show;

struct Ignored final : FindingSink {
  void add(Finding) override {}
};

Picture picture() { return {4, 4, std::vector<std::uint8_t>(64, 200)}; }

Appearance::Volume volume() {
  Appearance::Volume texture;
  texture.size = {2, 2, 4};
  return texture;
}

ViewOptions view_of(const Model& model) {
  ViewOptions options;
  options.page = "<html><body><!-- SINEW_MODEL --></body></html>";
  options.threads = 1;
  options.base = model.rest();
  return options;
}

constexpr Row all[] = {
    {"sinew::show::write_picture",
     [](const Given& given, Trial& trial) {
       const auto path = given.folder / "picture.png";
       const Picture shown = picture();
       trial([&] { return write_picture(shown, path); });
     }},
    {"sinew::show::decode_picture",
     [](const Given& given, Trial& trial) {
       const auto path = given.folder / "picture.png";
       if (!write_picture(picture(), path)) std::abort();
       std::ifstream in(path, std::ios::binary);
       const std::vector<char> text{std::istreambuf_iterator<char>(in), {}};
       trial([&] { return decode_picture(std::as_bytes(std::span(text)), 1000); });
     }},
    {"sinew::show::can_write_picture",
     [](const Given& given, Trial& trial) {
       const auto path = given.folder / "a long name of a picture.png";
       trial([&] { return can_write_picture(path); });
     }},
    {"sinew::show::AnimationWriter::create",
     [](const Given& given, Trial& trial) {
       const auto path = given.folder / "moving.webp";
       trial([&] { return AnimationWriter::create(path, 4, 4); });
     }},
    {"sinew::show::AnimationWriter::add",
     [](const Given& given, Trial& trial) {
       auto writer = AnimationWriter::create(given.folder / "moving.webp", 4, 4).value();
       const Picture shown = picture();
       trial([&] { return writer.add(shown, 0); });
     }},
    {"sinew::show::AnimationWriter::finish",
     [](const Given& given, Trial& trial) {
       auto writer = AnimationWriter::create(given.folder / "moving.webp", 4, 4).value();
       if (!writer.add(picture(), 0)) std::abort();
       trial([&] { return writer.finish(1); });
     }},
    {"sinew::show::Volume::create",
     [](const Given&, Trial& trial) {
       const Picture shown = picture();
       const Appearance::Volume texture = volume();
       trial([&] { return Volume::create(shown, texture); });
     }},
    {"sinew::show::Volume::placeholder",
     [](const Given&, Trial& trial) {
       const Appearance::Volume texture = volume();
       trial([&] { return Volume::placeholder(texture); });
     }},
    {"sinew::show::Volumes::create", [](const Given& given, Trial& trial) { trial([&] { return Volumes::create(given.globe, 1000); }); }},
    {"sinew::show::bake_volumes",
     [](const Given& given, Trial& trial) {
       const Volumes volumes = Volumes::create(given.globe, 1000).value();
       Model copy = given.globe;
       Ignored losses;
       trial([&] { return bake_volumes(volumes, copy, losses); });
     }},
    {"sinew::show::export_page",
     [](const Given& given, Trial& trial) {
       const ViewOptions options = view_of(given.skin);
       const auto path = given.folder / "page.html";
       trial([&] { return export_page(given.skin, options, {}, path); });
     }},
    {"sinew::show::PageFile::create",
     [](const Given& given, Trial& trial) {
       const auto path = given.folder / "pages.html";
       std::string page = view_of(given.skin).page;
       trial([&] { return PageFile::create(std::move(page), {}, path); });
     }},
    {"sinew::show::PageFile::add",
     [](const Given& given, Trial& trial) {
       const ViewOptions options = view_of(given.skin);
       auto file = PageFile::create(options.page, {}, given.folder / "pages.html").value();
       const std::string name = "a name that is long enough";
       trial([&] { return file.add(name, given.skin, options); });
     }},
    {"sinew::show::PageFile::add_missing",
     [](const Given& given, Trial& trial) {
       auto file = PageFile::create(view_of(given.skin).page, {}, given.folder / "pages.html").value();
       const std::string name = "a name that is long enough", why = "a reason that is long enough";
       trial([&] { return file.add_missing(name, why); });
     }},
    {"sinew::show::PageFile::finish",
     [](const Given& given, Trial& trial) {
       const ViewOptions options = view_of(given.skin);
       auto file = PageFile::create(options.page, {}, given.folder / "pages.html").value();
       if (!file.add("a name", given.skin, options)) std::abort();
       trial([&] { return file.finish(); });
     }},
};

}  // namespace

std::span<const Row> pictures_rows() { return all; }

}  // namespace sinew::memory
