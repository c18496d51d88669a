// SPDX-License-Identifier: MIT
// The program: parses the line, runs one command. No algorithm lives in app/.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <iostream>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "command.hpp"
#include "console/drawing_process.hpp"
#include "console/process_limits.hpp"
#include "console/signals.hpp"

#include "sinew/deadline.hpp"
#include "sinew/result.hpp"

namespace {

struct CommandRow {
  const char* name;
  const char* summary;
  const char* examples;
  app::Run (*add)(app::Command, app::Common&);
  bool reads_models = true;
};

constexpr CommandRow commands[] = {
    {"info", "Show the contents of a model file",
     "Examples:\n"
     "  sinew info fox.glb\n"
     "  sinew info fox.glb --json | jq .animations\n"
     "  sinew info fox.glb --skeletons                          bones, roots and ambiguities of the skeletons\n"
     "  sinew info fox.glb --palette                            the joint matrices, as a vertex shader gets them\n"
     "  sinew info models --jsonl > models.jsonl                one line of JSON for each model in a folder\n",
     app::add_info},
    {"deform", "Compute the deformed vertices of a posed or animated model",
     "Examples:\n"
     "  sinew deform fox.glb -o fox.npy                                       the pose stored in the file; shape (V, 3)\n"
     "  sinew deform fox.glb -o run.glb --animation Run --time 0.4            one moment of a clip as a static model\n"
     "  sinew deform fox.glb -o run.npy --animation 2 --frames 100            a whole clip; shape (100, V, 3)\n"
     "  sinew deform arm.g4tf -o bent.g4b --pose pose.json                    a pose file; works in any dimension\n"
     "  sinew deform fox.glb -o run%04d.ply --animation Run --fps 24          one file per frame\n"
     "  sinew deform fox.glb -o run.pc2 --animation Run --fps 24              a vertex cache for Blender and others; or run.mdd\n"
     "  sinew deform fox.glb -o baked.glb --animation Run --fps 24 --as-morphs    one morph target per frame, no joints\n"
     "  sinew deform face.glb -o smile.obj --blend smile=1 --pose head.json   blend shapes and a pose file\n",
     app::add_deform},
    {"extract", "Write rigs as NumPy arrays: vertices, weights, joints, blend shapes and animations",
     "Examples:\n"
     "  sinew extract fox.glb -o fox.npz              all arrays of one model; animations at 30 frames a second\n"
     "  sinew extract fox.glb -o fox.npz --fps 60     more frames\n"
     "  sinew extract models -o arrays                every model in a folder\n"
     "  sinew extract models -o arrays --shard 1/8 --jsonl > part1.jsonl    one eighth of the files, with a line for each\n",
     app::add_extract},
    {"bake", "Write animations as a texture that engines play without joints (vertex animation texture)",
     "Examples:\n"
     "  sinew bake fox.glb -o baked                            all animations at 30 frames a second, 16-bit PNG, with normals\n"
     "  sinew bake fox.glb -o baked --animation Run --fps 15   one animation, fewer frames\n"
     "  sinew bake fox.glb -o baked --format exr               half floats\n"
     "  sinew bake models -o baked --format png8               every model in a folder\n",
     app::add_bake},
    {"convert", "Convert between glTF and G4MF, between text and binary files, or between revisions of G4MF",
     "Examples:\n"
     "  sinew convert cell.g4tf cell.g4b --compress zstd                    text to binary, compressed\n"
     "  sinew convert cell.g4b cell.g4tf --loss lost.json                   binary to text, with a list of what was lost\n"
     "  sinew convert cell.g4tf new.g4tf --revision 2026-07                 to the draft of July 2026\n"
     "  sinew convert fox.glb fox.gltf                                      a text file with a .bin file beside it\n"
     "  sinew convert fox.glb fox.g4b --loss lost.json                      glTF to G4MF, with a list of what was lost\n"
     "  sinew convert fox.glb strict.glb --skeletons strict                 add explicit skeletons (STAIK_skeletons)\n"
     "  sinew convert rig.g4tf rig.glb                                      three-dimensional G4MF to glTF\n"
     "  sinew convert tesseract.g4tf cube.glb --slice w=0.3                 a slice of four dimensions, for any viewer\n"
     "  sinew convert fox.glb small.glb --prune                             remove what nothing in the file refers to\n"
     "  sinew convert models -o converted --to glb                          every model in a folder\n",
     app::add_convert},
    {"bounds", "Compute boxes that hold every vertex at every time of the animations",
     "Examples:\n"
     "  sinew bounds fox.glb                                  a box for each animation, mesh instance and joint\n"
     "  sinew bounds fox.glb --animation Run --slack 0.001    one animation, at most 0.1 % larger than necessary\n"
     "  sinew bounds face.glb --blend-range 0:1               for any mixture of blend shapes\n"
     "  sinew bounds fox.glb --json                          all boxes, of clips, instances and joints, as JSON\n",
     app::add_bounds},
    {"compare", "Measure the distance between the vertices of two models, at rest and in every animation",
     "Examples:\n"
     "  sinew compare fox.glb fox.gltf                        exit status 0: equal; 1: different\n"
     "  sinew compare fox.glb optimised.glb --match           pair reordered, split or welded vertices\n"
     "  sinew compare body.g4tf body.glb --tolerance 1e-3     formats may differ; the tolerance is relative to the size\n"
     "  sinew compare a.glb b.glb --json | jq .max            all figures as JSON\n",
     app::add_compare},
    {"merge", "Put meshes from other files, such as clothes, on the skeleton of a body",
     "Examples:\n"
     "  sinew merge body.glb shirt.glb hair.glb -o dressed.glb                   bones of equal name become one\n"
     "  sinew merge body.glb shirt.glb -o dressed.glb --rename upperarm=LeftArm  rename a bone of the shirt first\n"
     "  sinew merge body.glb shirt.glb -o dressed.glb --names auto               match names of Mixamo, VRM, Rigify, Unreal, G4MF\n"
     "  sinew merge body.glb shirt.glb -o dressed.glb --names auto --made-for figure.glb   clothes that were made for figure.glb\n"
     "  sinew merge body.glb shirt.glb -o dressed.glb --mesh 0                   put on one mesh of a file, by name or index\n"
     "  sinew merge body.glb tail.glb -o dressed.glb --keep-separate Hips        keep a bone of equal name separate\n"
     "  sinew merge body.g4b shirt.g4b -o dressed.g4b --join                     join the meshes into one\n",
     app::add_merge},
    {"retarget", "Put the animations of one character on another one",
     "Examples:\n"
     "  sinew retarget avatar.vrm walk.vrma -o walking.vrm                  a VRM Animation on an avatar\n"
     "  sinew retarget robot.glb soldier.glb -o out.glb --animation Run     one animation of another character\n"
     "  sinew retarget hero.glb walk.glb jump.glb -o out.glb                several files\n"
     "  sinew retarget hero.glb dance.glb -o out.glb --align auto           one rests with hanging arms, the other with raised ones\n"
     "  sinew retarget dragon.glb cat.glb -o out.glb --map bones.txt        pairs of bones by hand\n"
     "  sinew retarget hero.glb walk.glb -o out.glb --report report.html    what was matched, and the worst moment\n",
     app::add_retarget},
    {"lift", "Give a rigged character a fourth dimension",
     "Examples:\n"
     "  sinew lift fox.glb -o fox.g4b                               every surface becomes a closed one of tetrahedra\n"
     "  sinew lift fox.glb -o fox.g4b --thickness 0.05 --rings 12   a wall of this thickness, rounder\n"
     "  sinew lift fox.glb -o fox.g4b --pose-into-w Tail=60         a new clip that bends a bone out of our space and back\n",
     app::add_lift},
    {"rebind", "Bind skins to another pose without changing the deformation",
     "Examples:\n"
     "  sinew rebind fox.glb -o fox2.glb --to rest                   use the pose stored in the file\n"
     "  sinew rebind fox.glb -o fox2.glb --to rest --world           store vertices in the space of the scene\n"
     "  sinew rebind fox.glb -o fox2.glb --to rest --keep-vertices   bind a mesh that lost its matrices, as it is stored\n"
     "  sinew rebind face.glb -o face2.glb --bake-shapes             make the stored expression of a face its base\n"
     "  sinew rebind quantised.glb -o plain.glb --unify              share one set of bind matrices among skins\n"
     "  sinew rebind robot.glb -o robot2.glb --to clip:Fold@1.5      use the pose of a clip at 1.5 s\n"
     "  sinew rebind cat.g4tf -o cat2.g4tf --joint Tail2=Tail1       make the tail stiffer\n"
     "  sinew rebind cat.g4tf -o cat2.g4tf --joint Tail2=none        detach a part from its bone\n",
     app::add_rebind},
    {"repair", "Fix what can be fixed unambiguously, such as weights, normals and rotations, and list the changes",
     "Examples:\n"
     "  sinew repair fox.glb -o repaired.glb                     fix the file; docs/repair.md lists what can be fixed\n"
     "  sinew repair fox.glb --dry-run                           list the changes without writing a file\n"
     "  sinew repair body.glb -o game.glb --max-influences 4     keep the 4 strongest influences of each vertex\n"
     "  sinew repair body.g4b -o small.g4b --prune 0.01          remove weights below 0.01\n"
     "  sinew repair fox.glb -o repaired.glb --prune-unused      also remove what nothing in the file refers to\n"
     "  sinew repair models -o repaired                          every model in a folder\n",
     app::add_repair},
    {"optimize", "Make a file smaller and prove how far its vertices move at most",
     "Examples:\n"
     "  sinew optimize fox.glb -o small.glb --max-error 0               remove what has no effect; no vertex moves\n"
     "  sinew optimize fox.glb -o small.glb --max-error 1e-3            no vertex moves by more than 0.1 % of the size\n"
     "  sinew optimize fox.glb -o small.glb --max-error 1e-3 --json     what each step saved, as JSON\n"
     "  sinew optimize fox.glb -o small.glb --max-error 0 --keep Hand   an empty node to keep\n"
     "  sinew optimize fox.glb -o small.glb --max-error 5e-3 --triangles 0.5   half of the triangles, if R allows\n"
     "  sinew optimize fox.glb -o small.glb --max-error 0 --textures webp --max-texture 1024   smaller images\n"
     "  sinew optimize models -o small --max-error 1e-3                 every model in a folder\n",
     app::add_optimize},
    {"render", "Draw a picture or an animated picture of a model",
     "Examples:\n"
     "  sinew render fox.glb -o fox.png                                            the pose stored in the file\n"
     "  sinew render fox.glb -o run.png --animation Run --time 0.4 --camera side   one moment of a clip\n"
     "  sinew render fox.glb -o run.webp --animation Run --frames 24               an animated picture\n"
     "  sinew render fox.glb -o run%04d.png --animation Run --fps 30               one picture per frame\n"
     "  sinew render fox.glb -o tail.png --weights Tail --edges                    the weights of a joint\n",
     app::add_render},
    {"slice", "Cut a posed model with a hyperplane and write the cross-section",
     "Examples:\n"
     "  sinew slice tesseract.g4tf -o cube.glb --at w=0.3                          four dimensions to three\n"
     "  sinew slice rig_5d.g4tf -o cell.ply --at v=0 --at w=0.5                    five to three, in two cuts\n"
     "  sinew slice rig_5d.g4tf -o cell.g4b --at 4=0                               five to four; axis 4 by its number (x is 0)\n"
     "  sinew slice arm.g4tf -o bent.off --at w=0.25 --pose pose.json              a cut through a posed model\n"
     "  sinew slice fox.glb -o fox%04d.off --at y=0.5 --animation Run --fps 24     a clip, one file per frame\n",
     app::add_slice},
    {"view", "View a model in the browser, with its clips, bones, blend shapes and findings",
     "Examples:\n"
     "  sinew view fox.glb                        open the page; Ctrl-C or closing the page ends the program\n"
     "  sinew view fox.glb --animation Run        start with a clip\n"
     "  sinew view fox.glb --no-open --port 8080  print the address and open no browser\n"
     "  sinew view fox.glb --flex                 list what deforms badly; play and mark the worst poses\n"
     "  sinew view fox.glb --export fox.html      write one page that works without Sinew\n",
     app::add_view},
    {"validate", "Check models against the rules of their format",
     "Examples:\n"
     "  sinew validate fox.glb                                findings as text; exit status 1 if there are errors\n"
     "  sinew validate fox.glb --format json                  a report in the format of the Khronos glTF-Validator\n"
     "  sinew validate models --fail-on warning               every model in a folder; warnings fail too\n"
     "  sinew validate models --format sarif > found.sarif    a report for code scanning\n"
     "  sinew validate models --shard 1/8 --jsonl             one eighth of the files, for sinew summarize\n",
     app::add_validate},
    {"flex", "Bend a rig and find where its vertices deform badly",
     "Examples:\n"
     "  sinew flex fox.glb                                    bend every joint, play every clip; exit status 1 if something looks bad\n"
     "  sinew flex fox.glb -o pictures                        with a picture of each error and warning\n"
     "  sinew flex fox.glb --page fox.html                    one page that plays the worst poses, to look at or to share\n"
     "  sinew flex fox.glb --angles 120 --animation none      turn joints further, without clips\n"
     "  sinew flex models --kinds tear,spike --json           every model in a folder, two kinds\n"
     "  sinew flex models --format sarif > found.sarif        a report for code scanning\n",
     app::add_flex},
    {"summarize", "Summarize the lines that --jsonl wrote",
     "Examples:\n"
     "  sinew summarize results.jsonl                   counts, files with errors, duplicates and gaps\n"
     "  sinew summarize part*.jsonl --format json       the results of several processes\n",
     app::add_summarize, false},
    {"explain", "Explain why a finding matters and how to fix it",
     "Examples:\n"
     "  sinew explain ACCESSOR_TOO_LONG           one finding of sinew validate\n"
     "  sinew explain --search weights sum        the findings about some words\n"
     "  sinew explain --all --format json         all findings\n"
     "  sinew explain --all --format markdown     all findings as a page\n"
     "  sinew explain --limits                    the limits on what a file may use\n",
     app::add_explain, false},
    {"conformance", "Check where an engine puts vertices, with the conformance suite",
     "Examples:\n"
     "  sinew conformance                                                 Sinew itself\n"
     "  sinew conformance --engine \"python3 my_adapter.py\" --batch 1000    another engine, by an adapter of 30 lines\n"
     "  sinew conformance --engine ./adapter --only skins/                one part of the suite\n"
     "  sinew conformance --format html -o conformance.html               a page with every case\n",
     app::add_conformance},
    {"doctor", "Show the processor, memory and build that Sinew uses, and what is slow or missing",
     "Examples:\n"
     "  sinew doctor            add this to a bug report\n"
     "  sinew doctor --json     the same as JSON\n",
     app::add_doctor, false},
};

// Used by the installation; the help does not list them.
constexpr CommandRow hidden_commands[] = {
    {"completions", "Write the completion script for a shell",
     "Examples:\n"
     "  sinew completions bash > sinew.bash\n",
     app::add_completions, false},
    {"manual", "Write manual pages",
     "Examples:\n"
     "  sinew manual deform > sinew-deform.1\n"
     "  sinew manual -o man1\n",
     app::add_manual, false},
};

// A build may have few of the commands (web/wasm/program.cmake): their names.
#ifdef SINEW_COMMANDS
constexpr std::string_view built_commands = SINEW_COMMANDS;
#else
constexpr std::string_view built_commands;  // all
#endif
bool is_built(std::string_view name) {
  return built_commands.empty() || fmt::format(" {} ", built_commands).find(fmt::format(" {} ", name)) != std::string::npos;
}

int fail_left_out(std::string_view name, const app::Terminal& terminal) {
  return terminal.fail({sinew::Failure::unsupported, "SINEW_LEFT_OUT", sinew::Place{},
                        fmt::format("this build has no \"{}\", only these commands: {}", name, built_commands)});
}

// "sinew help deform" is "sinew deform --help".
std::vector<const char*> words_of_line(int argc, char** argv) {
  std::vector<const char*> words(argv, argv + argc);
  if (argc < 2 || std::string_view(words[1]) != "help") return words;
  words.erase(words.begin() + 1);
  words.push_back("--help");
  return words;
}

unsigned threads_of(const app::Common& common) {
  return common.threads != 0 ? common.threads : std::max(1U, std::thread::hardware_concurrency());
}

// The models that are in memory at the same time: several where the command takes one file after another on each thread.
std::uint64_t models_at_once(const app::Command& command, const app::Common& common) {
  if (command.name() == "compare" || command.name() == "merge") return 1;  // the limit holds for their models together
  if (command.name() == "convert" && !command.has("--output")) return 1;   // IN OUT
  std::size_t files = 0;
  for (const app::GivenOption& option : command.given())
    for (const std::string& value : option.values) {
      std::error_code unknown;
      if (option.argument) files += std::filesystem::is_directory(value, unknown) ? 1 << 16 : 1;
    }
  return std::clamp<std::uint64_t>(files, 1, threads_of(common));
}

// Whether the command uses OpenGL.
bool draws(const app::Command& command) {
  return command.name() == "render" || (command.name() == "compare" && command.has("--heat")) ||
         (command.name() == "flex" && command.has("--output"));
}

// Checks whether the text of --help or --version reached standard output.
int printed(const app::Terminal& terminal) {
  if (std::cout.flush().good() && std::fflush(stdout) == 0) return app::Exit::done;
  return terminal.fail({sinew::Failure::output, "SINEW_OUTPUT", sinew::Place{}, "cannot write to standard output"});
}

int run(int argc, char** argv) {
  app::Common common;
  app::CommandLine line("sinew", "Sinew: rigged, deformable meshes in any dimension",
                        "Run sinew COMMAND --help, or sinew help COMMAND, for the options of a command and examples.\n"
                        "Exit status: 0 done, 1 findings, 2 usage, 3 input missing or broken, 4 output not written, 5 not supported.",
                        app::version_text());
  const std::vector<const char*> words = words_of_line(argc, argv);
  const auto named = [&](std::string_view name) { return std::ranges::find(words, name) != words.end(); };
  const bool all = std::ranges::any_of(hidden_commands, [&](const CommandRow& row) { return named(row.name); });  // they list all options
  std::vector<std::pair<app::Command, app::Run>> runs;
  bool left_out = false;
  const auto add = [&](const CommandRow& row, bool hidden) {
    if (!is_built(row.name)) {
      left_out = left_out || (words.size() > 1 && words[1] == std::string_view(row.name));
      return;
    }
    app::Command command = line.add_command(row.name, row.summary, row.examples, hidden);
    if (!all && !named(row.name)) return;  // making the options of all commands would take longer than starting the program
    runs.emplace_back(command, row.add(command, common));
    app::add_common(command, common);
    if (row.add == app::add_conformance) command.remove_option("--max-seconds");  // it has many cases, of no file
    if (!row.reads_models)
      for (const char* name : {"--scene", "--threads", "--max-seconds", "--allow-outside", "--force"}) command.remove_option(name);
  };
  for (const CommandRow& row : commands) add(row, false);
  for (const CommandRow& row : hidden_commands) add(row, true);
  if (left_out) return fail_left_out(words[1], common.terminal);
  std::string message;
  switch (line.parse(static_cast<int>(words.size()), words.data(), message)) {
    case app::Parsed::text_printed:
      return printed(common.terminal);
    case app::Parsed::wrong:
      common.terminal.configure(common.color, 1);
      return common.terminal.fail_usage(message);
    case app::Parsed::command:
      break;
  }
  common.terminal.configure(common.color, common.quiet ? 0 : common.verbose ? 2 : 1);
  for (const auto& [command, action] : runs)
    if (command.parsed()) {
      const auto with_limits = [&, &command = command, &action = action]() -> int {
        app::limit_memory(common.limits.memory, models_at_once(command, common), threads_of(common));
        const sinew::Deadline deadline(common.max_seconds);
        try {
          if (const auto fine = common.files.check(common.load_options().open); !fine) return common.terminal.fail(fine.error());
          return action();
        } catch (const sinew::Interrupted& interrupted) {
          return common.terminal.fail(interrupted.error());
        } catch (const tl::bad_expected_access<sinew::Error>& failed) {  // of `need`
          return common.terminal.fail(failed.error());
        }
      };
      return draws(command) ? app::run_drawing(with_limits) : with_limits();
    }
  return app::Exit::usage;
}

}  // namespace

int main(int argc, char** argv) {
  app::keep_standard_streams();
  app::handle_signals();
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    std::fputs(app::out_of_memory, stderr);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "sinew: internal error: %s\n", failure.what());
  }
  return app::Exit::input;
}
