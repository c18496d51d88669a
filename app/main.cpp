// SPDX-License-Identifier: MIT
// The program: parses the line, runs one command. No algorithm lives in app/.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <iostream>
#include <optional>
#include <vector>

#include "command.hpp"
#include "signals.hpp"

#include "sinew/names.hpp"
#include "sinew/version.hpp"

namespace {

struct Command {
  const char* name;
  const char* summary;
  const char* examples;
  app::Run (*add)(CLI::App&, app::Common&);
  bool reads_models = true;
};

constexpr Command commands[] = {
    {"info", "Tell what is in a model file",
     "Examples:\n"
     "  sinew info fox.glb\n"
     "  sinew info fox.glb --json | jq .animations\n"
     "  sinew info fox.glb --skeletons                          which nodes are bones, where their root is, what is ambiguous\n"
     "  sinew info models --jsonl > models.jsonl                every model in a folder, a line each\n",
     app::add_info},
    {"deform", "Pose a model, apply blend shapes and skinning, write the result",
     "Examples:\n"
     "  sinew deform fox.glb -o fox.npy                                       the file's own state, shape (V, 3)\n"
     "  sinew deform fox.glb -o run.glb --animation Run --time 0.4            one moment as a static model\n"
     "  sinew deform fox.glb -o run.npy --animation 2 --frames 100            a whole clip, shape (100, V, 3)\n"
     "  sinew deform arm.g4tf -o bent.g4b --pose pose.json                    static G4MF, of any dimension\n"
     "  sinew deform fox.glb -o run%04d.ply --animation Run --fps 24          one file per frame\n"
     "  sinew deform face.glb -o smile.obj --blend smile=1 --pose head.json   blend shapes and a pose file\n",
     app::add_deform},
    {"convert", "Write a file in the other container of its format, a G4MF file in another revision, glTF as G4MF and back",
     "Examples:\n"
     "  sinew convert cell.g4tf cell.g4b --compress zstd                    text to binary\n"
     "  sinew convert cell.g4b cell.g4tf --loss lost.json                   binary to text, with a list of what text cannot hold\n"
     "  sinew convert cell.g4tf new.g4tf --revision 2026-07                 the draft of July 2026\n"
     "  sinew convert fox.glb fox.gltf                                      glTF, with a .bin beside it\n"
     "  sinew convert fox.glb fox.g4b --loss lost.json                      glTF as G4MF, clips too, with a list of what it cannot hold\n"
     "  sinew convert fox.glb strict.glb --skeletons strict                 skeletons of their own (STAIK_skeletons)\n"
     "  sinew convert rig.g4tf rig.glb                                      G4MF of three dimensions as glTF\n"
     "  sinew convert models -o converted --to glb                          every model in a folder\n",
     app::add_convert},
    {"compare", "Tell how far apart the vertices of two models are, at rest and in every animation",
     "Examples:\n"
     "  sinew compare fox.glb fox.gltf                        exit status 0 where equal, 1 where different\n"
     "  sinew compare fox.glb optimised.glb --match           vertices in another order, split or welded\n"
     "  sinew compare body.g4tf body.glb --tolerance 1e-3     formats may differ; relative to the size of the model\n"
     "  sinew compare a.glb b.glb --json | jq .max            every number\n",
     app::add_compare},
    {"merge", "Put the meshes of other files onto one skeleton",
     "Examples:\n"
     "  sinew merge body.glb shirt.glb hair.glb -o dressed.glb                   bones with one name become one\n"
     "  sinew merge body.glb shirt.glb -o dressed.glb --rename upperarm=LeftArm  a bone that the shirt calls otherwise\n"
     "  sinew merge body.glb shirt.glb -o dressed.glb --names auto               names of Mixamo, VRM, Rigify, Unreal, G4MF\n"
     "  sinew merge body.glb tail.glb -o dressed.glb --keep-separate Hips        a bone that only has the same name\n"
     "  sinew merge body.g4b shirt.g4b -o dressed.g4b --join                     one mesh\n",
     app::add_merge},
    {"rebind", "Bind skins to another pose: other bind matrices, the same deformation",
     "Examples:\n"
     "  sinew rebind fox.glb -o fox2.glb --to rest                   the bind pose is the file's own state\n"
     "  sinew rebind quantised.glb -o plain.glb --unify              one set of matrices for skins that differ by a factor\n"
     "  sinew rebind robot.glb -o robot2.glb --to clip:Fold@1.5      a pose of an animation, where vertices follow one joint each\n"
     "  sinew rebind cat.g4tf -o cat2.g4tf --joint Tail2=Tail1       a stiffer tail\n"
     "  sinew rebind cat.g4tf -o cat2.g4tf --joint Tail2=none        a part that nothing moves\n",
     app::add_rebind},
    {"repair", "Mend what needs no guess: weights, directions, rotations, names, order; list what changed",
     "Examples:\n"
     "  sinew repair found.glb -o mended.glb                     what sinew validate would find again is in docs/repair.md\n"
     "  sinew repair found.glb --dry-run                         say what would change, write nothing\n"
     "  sinew repair body.glb -o game.glb --max-influences 4     the four strongest influences of each vertex, renormalised\n"
     "  sinew repair body.g4b -o small.g4b --prune 0.01          without weights below 0.01\n"
     "  sinew repair models -o mended                            every model in a folder\n",
     app::add_repair},
    {"render", "Draw a picture of a model, or an animation",
     "Examples:\n"
     "  sinew render fox.glb -o fox.png                                            the file's own state\n"
     "  sinew render fox.glb -o run.png --animation Run --time 0.4 --camera side   one moment\n"
     "  sinew render fox.glb -o run.webp --animation Run --frames 24               an animated picture\n"
     "  sinew render fox.glb -o run%04d.png --animation Run --fps 30               one picture per frame\n"
     "  sinew render fox.glb -o tail.png --weights Tail --edges                    what a joint moves\n",
     app::add_render},
    {"slice", "Write what a hyperplane cuts out of a posed model: a model of one dimension less",
     "Examples:\n"
     "  sinew slice tesseract.g4tf -o cube.glb --at w=0.3                          four dimensions to three\n"
     "  sinew slice rig_5d.g4tf -o cell.ply --at v=0 --at w=0.5                    five to three, in two cuts\n"
     "  sinew slice rig_5d.g4tf -o cell.g4b --at 4=0                               five to four; axes by number: x is 0\n"
     "  sinew slice arm.g4tf -o bent.off --at w=0.25 --pose pose.json              posed as deform does\n"
     "  sinew slice fox.glb -o fox%04d.off --at y=0.5 --animation Run --fps 24     a clip, one file per frame\n",
     app::add_slice},
    {"view", "Look at a model in the browser: clips, bones, blend shapes, findings",
     "Examples:\n"
     "  sinew view fox.glb                        opens a page that moves the model; Ctrl-C or closing the page ends it\n"
     "  sinew view fox.glb --animation Run        starts with a clip\n"
     "  sinew view fox.glb --no-open --port 8080  prints the address, to be opened by hand\n"
     "  sinew view fox.glb --export fox.html      one page with the clips in it, to be sent around\n",
     app::add_view},
    {"validate", "Check models against every rule of their format",
     "Examples:\n"
     "  sinew validate fox.glb                                findings as text, exit status 1 where there are errors\n"
     "  sinew validate fox.glb --format json                  a report in the shape of the Khronos glTF-Validator's\n"
     "  sinew validate models --fail-on warning               every model in a folder\n"
     "  sinew validate models --format sarif > found.sarif    for code scanning\n"
     "  sinew validate models --shard 1/8 --jsonl             a share of the work, for sinew summarize\n",
     app::add_validate},
    {"summarize", "Put together the lines that --jsonl wrote",
     "Examples:\n"
     "  sinew summarize results.jsonl                   counts, files with errors, what was done twice or is missing\n"
     "  sinew summarize part*.jsonl --format json       of several processes\n",
     app::add_summarize, false},
    {"explain", "Tell why a finding matters and what to do about it",
     "Examples:\n"
     "  sinew explain ACCESSOR_TOO_LONG           one finding of sinew validate\n"
     "  sinew explain --all --format json         every finding that there is\n"
     "  sinew explain --all --format markdown     the same as a page\n"
     "  sinew explain --limits                    what files may ask for at most\n",
     app::add_explain, false},
    {"doctor", "Tell what the program finds where it runs: processor, memory, what is slow or missing",
     "Examples:\n"
     "  sinew doctor            what to put into a report of a problem\n"
     "  sinew doctor --json     the same for programs\n",
     app::add_doctor, false},
};

// For the installation, not for people: no command's help names them.
constexpr Command hidden_commands[] = {
    {"completions", "Write what completes command lines in a shell",
     "Examples:\n"
     "  sinew completions bash > sinew.bash\n",
     app::add_completions, false},
    {"manual", "Write pages of the manual",
     "Examples:\n"
     "  sinew manual deform > sinew-deform.1\n"
     "  sinew manual -o man1\n",
     app::add_manual, false},
};

// An option without its value, or given again where one value is meant; nothing where all are as they should be.
std::optional<std::string> wrong_count(const CLI::App& command, const CLI::ParseError& error) {
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) == nullptr) return std::nullopt;
  for (const CLI::Option* option : command.get_options()) {
    const std::string name = option->get_name();
    if (option->get_items_expected_max() == 1 && option->count() > 1)
      return fmt::format("{} is given {} times, expected once", name, option->count());
    if (std::string_view(error.what()).starts_with(name + ":")) return fmt::format("{} needs a value, {}", name, option->get_type_name());
  }
  return std::nullopt;
}

// What may be meant by a word that is none of `names`: those that it begins, where they are few, or the one that it resembles.
std::optional<std::string> meant_by(std::string_view word, const std::vector<std::string>& names) {
  word = word.substr(0, word.find('='));
  std::vector<std::string_view> begun;
  if (word.size() - std::min(word.find_first_not_of('-'), word.size()) >= 2)
    for (const std::string& name : names)
      if (name.starts_with(word)) begun.emplace_back(name);
  if (!begun.empty() && begun.size() <= 3) return fmt::format("{}", fmt::join(begun, " or "));
  return sinew::nearest_name(word, {names.begin(), names.end()});
}

// Whether an option is written as its command has it.
bool has_option(const CLI::App& command, std::string_view word) {
  const auto matches = [&](const CLI::Option* option) { return word.starts_with('-') && option->check_name(std::string(word)); };
  return std::ranges::any_of(command.get_options(), matches);
}

// One line for what CLI11 refuses, with the nearest option or command where one is near.
std::string usage_message(const CLI::App& program, const CLI::ParseError& error) {
  const CLI::App* command = &program;
  for (const CLI::App* sub : program.get_subcommands()) command = sub;
  std::string message = wrong_count(*command, error).value_or(error.what());
  if (command == &program && dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) message = "a command is missing";
  for (char& c : message)
    if (c == '\n') c = ' ';
  std::vector<std::string> unknown = command->remaining();
  for (const std::string& text : program.remaining()) unknown.push_back(text);
  // CLI11 misses what is required, and checks what may have been an unknown option's value, before it minds what is unknown; the unknown
  // is the likelier slip of the hand.
  const bool extra = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr ||
                     dynamic_cast<const CLI::RequiredError*>(&error) != nullptr ||
                     (dynamic_cast<const CLI::ValidationError*>(&error) != nullptr && !unknown.empty() && unknown[0].starts_with('-'));
  if (extra && !unknown.empty()) {
    std::vector<std::string> names;
    if (unknown[0].starts_with('-')) {
      for (const CLI::Option* option : command->get_options())
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
      message = fmt::format("unknown option {}", unknown[0]);
    } else if (command == &program) {
      for (const Command& known : commands) names.emplace_back(known.name);
      message = fmt::format("unknown command \"{}\"", unknown[0]);
    } else {
      message = fmt::format("unexpected argument \"{}\"", unknown[0]);
    }
    if (has_option(*command, unknown[0])) return fmt::format("{} belongs behind the command (see sinew --help)", unknown[0]);
    if (const auto meant = meant_by(unknown[0], names)) message += fmt::format("; did you mean {}?", *meant);
  }
  return fmt::format("{} (see sinew {}--help)", message, command == &program ? "" : command->get_name() + " ");
}

// "sinew help deform" is "sinew deform --help".
std::vector<const char*> words_of_line(int argc, char** argv) {
  std::vector<const char*> words(argv, argv + argc);
  if (argc < 2 || std::string_view(words[1]) != "help") return words;
  words.erase(words.begin() + 1);
  words.push_back("--help");
  return words;
}

// What CLI11 has written to standard output may not have got there.
int printed(int status, const app::Terminal& terminal) {
  if (std::cout.flush().good() && std::fflush(stdout) == 0) return status;
  return terminal.fail({sinew::Failure::output, "SINEW_OUTPUT", sinew::Place{}, "standard output could not be written"});
}

int run(int argc, char** argv) {
  app::Common common;
  const std::string version_text = app::version_text();
  CLI::App program("Sinew: rigged, deformable meshes in any dimension", "sinew");
  program.set_version_flag("-V,--version", version_text, "Print the version");
  program.require_subcommand(1);
  program.footer(
      "sinew COMMAND --help, or sinew help COMMAND, tells a command's options, with examples.\n"
      "Exit status: 0 done, 1 findings, 2 usage, 3 input missing or broken, 4 output not written, 5 not supported.");
  std::vector<std::pair<CLI::App*, app::Run>> runs;
  const auto add = [&](const Command& command, const char* group) {
    CLI::App* sub = program.add_subcommand(command.name, command.summary)->group(group);
    sub->footer(command.examples);
    sub->set_version_flag("-V,--version", version_text, "Print the version");
    runs.emplace_back(sub, command.add(*sub, common));
    app::add_common(*sub, common);
    if (!command.reads_models)
      for (const char* name : {"--scene", "--threads", "--allow-outside", "--force"}) sub->remove_option(sub->get_option(name));
  };
  for (const Command& command : commands) add(command, "Subcommands");
  for (const Command& command : hidden_commands) add(command, "");
  try {
    const std::vector<const char*> words = words_of_line(argc, argv);
    program.parse(static_cast<int>(words.size()), words.data());
  } catch (const CLI::CallForHelp& asked) {
    const std::vector<std::string> unknown = program.get_subcommands().empty() ? program.remaining() : std::vector<std::string>();
    if (!unknown.empty()) return common.terminal.fail_usage(usage_message(program, CLI::ExtrasError("sinew", unknown)));
    return printed(program.exit(asked), common.terminal);
  } catch (const CLI::CallForVersion& asked) {
    return printed(program.exit(asked), common.terminal);
  } catch (const CLI::ParseError& error) {
    common.terminal.configure(common.color, 1);
    return common.terminal.fail_usage(usage_message(program, error));
  }
  common.terminal.configure(common.color, common.quiet ? 0 : common.verbose ? 2 : 1);
  for (const auto& [command, action] : runs)
    if (command->parsed()) return action();
  return app::Exit::usage;
}

}  // namespace

int main(int argc, char** argv) {
  app::keep_standard_streams();
  app::handle_signals();
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    std::fputs("sinew: out of memory\n", stderr);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "sinew: internal error: %s\n", failure.what());
  }
  return app::Exit::input;
}
