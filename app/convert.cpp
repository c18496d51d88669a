// SPDX-License-Identifier: MIT
#include "sinew/convert.hpp"

#include <memory>

#include "command.hpp"

namespace app {

namespace {

struct ConvertOptions {
  std::string input, output, loss_file;
  sinew::io::Compression compression = sinew::io::Compression::keep;
};

int run_convert(const ConvertOptions& options, const Common& common) {
  sinew::io::ConvertOptions how;
  how.open = common.load_options().open;
  how.compression = options.compression;
  sinew::FindingList found, losses;
  const auto done = sinew::io::convert(options.input, options.output, how, found, losses);
  print_findings(found, common);
  if (!done) return common.terminal.fail(done.error());
  for (const sinew::Finding& loss : losses.list()) common.terminal.warn(fmt::format("{}: {} [{}]", loss.pointer, loss.message, loss.code));
  if (!options.loss_file.empty())
    if (const auto saved = sinew::io::save_losses(losses.list(), options.loss_file); !saved) return common.terminal.fail(saved.error());
  return Exit::done;
}

}  // namespace

Run add_convert(CLI::App& command, Common& common) {
  using sinew::io::Compression;
  auto options = std::make_shared<ConvertOptions>();
  command.add_option("IN", options->input, "The G4MF file; - reads standard input")->required();
  command.add_option("OUT", options->output, "The new file: .g4tf (text) or .g4b (binary)")->required();
  add_choice<Compression>(command, "--compress", options->compression, {{"none", Compression::none}, {"zstd", Compression::zstd}},
                          "How to store buffers: none or zstd (default: as they are)", "HOW");
  command.add_option("--loss", options->loss_file, "Write what the new file could not hold, a JSON list of {pointer, what}")
      ->type_name("FILE");
  return [options, &common] { return run_convert(*options, common); };
}

}  // namespace app
