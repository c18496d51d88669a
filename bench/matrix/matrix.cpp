// SPDX-License-Identifier: MIT
// Measures how fast the library deforms typical meshes, compared with the textbook loop. Every cell of dimension × channels × influences ×
// vertices × threads × shapes is a ratio: the time of the loop (compiled for this processor by g++ and clang, the faster one) divided by
// that of the library. Both alternate within milliseconds, and results are compared before timing.
//   bench_matrix [--filter TEXT] [--rounds N] [--milliseconds N] [--json FILE] [--kernel NAME] [--full]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <span>
#include <string>

#include "../clock.hpp"
#include "deform/packed.hpp"
#include "rig.hpp"

namespace {

using bench::now;

using namespace matrix;

struct Options {
  std::string filter, json, kernel;
  std::size_t rounds = 5;
  double seconds = 0.002;  ///< the minimum of one turn
  bool full = false;       ///< also a million vertices
};

struct Ratio {
  double low = 0, median = 0, high = 0;
  double vertices_per_second = 0;
};

struct Row {
  std::string name;
  Ratio one, all;  ///< threads
};

std::string name_of(const Cell& cell) {
  static constexpr const char* channels[] = {"P", "P+N", "P+N+T", "corners"};
  static constexpr const char* shapes[] = {"", " 5/52 ", " 52/52 "};
  static constexpr const char* kinds[] = {"dense", "random", "runs"};
  std::string name = std::to_string(cell.dimension) + "D I=" +
                     (cell.influences == mixed    ? "mixed"
                      : cell.influences == sorted ? "sorted"
                                                  : std::to_string(cell.influences)) +
                     " " + channels[static_cast<std::size_t>(cell.channels)] + " " + std::to_string(cell.vertices);
  name += shapes[static_cast<std::size_t>(cell.shapes)];
  if (cell.shapes != Shapes::none) name += kinds[static_cast<std::size_t>(cell.kind)];
  return name;
}

std::vector<Cell> cells(bool full) {
  std::vector<Cell> list;
  for (std::size_t n = 2; n <= 8; ++n)
    for (const Channels channels : {Channels::positions, Channels::normals, Channels::tangents, Channels::corner_normals})
      for (const std::size_t influences : {std::size_t{0}, std::size_t{1}, std::size_t{4}, std::size_t{8}, mixed, sorted})
        for (const std::size_t vertices : std::initializer_list<std::size_t>{2'000, 10'000, 100'000, 1'000'000}) {
          if ((channels == Channels::tangents || influences == sorted) && n != 3) continue;
          if (influences == sorted && channels != Channels::positions && channels != Channels::normals) continue;
          if (channels == Channels::corner_normals && (n == 2 || vertices > 10'000)) continue;
          if (vertices == 1'000'000 && !full) continue;
          list.push_back({n, influences, vertices, channels, Shapes::none, Kind::dense});
        }
  for (const std::size_t n : std::initializer_list<std::size_t>{3, 4})
    for (const std::size_t influences : std::initializer_list<std::size_t>{0, 1, 4})
      for (const std::size_t vertices : std::initializer_list<std::size_t>{10'000, 100'000})
        for (const Shapes shapes : {Shapes::few, Shapes::all})
          for (const Kind kind : {Kind::dense, Kind::random, Kind::runs})
            list.push_back({n, influences, vertices, Channels::positions, shapes, kind});
  return list;
}

template <class Work>
double seconds_of(const Work& work, double least, bool wall) {
  const double start = now(wall);
  for (std::size_t times = 1;; ++times) {
    work();
    const double took = now(wall) - start;
    if (took >= least) return took / static_cast<double>(times);
  }
}

struct Buffers {
  std::vector<float> positions, normals, tangents, corner_normals, blended;
  explicit Buffers(const naive::Arrays& in)
      : positions(in.positions.size()),
        normals(in.normals.size()),
        tangents(in.tangents.size()),
        corner_normals(in.corner_normals.size()),
        blended(in.positions.size()) {}
  naive::Out out() {
    const auto or_null = [](std::vector<float>& rows) { return rows.empty() ? nullptr : rows.data(); };
    return {positions.data(), or_null(normals), or_null(tangents), or_null(corner_normals), blended.data()};
  }
};

/// The largest difference of numbers; row i of `b` is row order[i] of `a` (empty: in the same order).
double difference(const std::vector<float>& a, const std::vector<float>& b, std::size_t width, std::span<const std::uint32_t> order) {
  double largest = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    const std::size_t from = order.empty() ? i : order[i / width] * width + i % width;
    largest = std::max(largest, std::abs(static_cast<double>(a[from]) - static_cast<double>(b[i])));
  }
  return largest;
}

Ratio ratio_of(std::vector<double> ratios, double vertices, double seconds) {
  std::ranges::sort(ratios);
  const std::size_t tenth = ratios.size() / 5;
  return {ratios[tenth], ratios[ratios.size() / 2], ratios[ratios.size() - 1 - tenth], vertices / seconds};
}

/// Lets the loop read the rows that the library has prepared, if their order is the same.
void share_rows(const sinew::deform::Prepared& prepared, naive::Arrays& arrays) {
  if (!prepared.order().empty()) return;
  const sinew::deform::PackedBlock& block = prepared.packed().blocks.front();
  arrays.positions = block.positions.values;
  arrays.normals = block.normals.values;
  arrays.tangents = block.tangents.values;
}

Ratio measure(const Rig& rig, const sinew::deform::Prepared& prepared, unsigned threads, const Options& options, const std::string& name) {
  const naive::Arrays& in = rig.arrays;
  Buffers expected(in), found(in);
  sinew::deform::Output output;
  output.positions = {found.positions.data(), in.vertices, in.dimension};
  if (!in.normals.empty()) output.normals = {found.normals.data(), in.vertices, in.dimension};
  if (!in.tangents.empty()) output.tangents = {found.tangents.data(), in.vertices, 4};
  const sinew::strided_view<float> corners(found.corner_normals.data(), in.corners.size(), in.dimension);
  const auto library = [&] {
    if (threads == 1)
      sinew::deform::run(prepared, rig.palette, rig.amounts, {0, in.vertices}, output);
    else
      sinew::deform::run_parallel(prepared, rig.palette, rig.amounts, output, threads);
    if (!in.corners.empty()) sinew::deform::run_corner_normals(prepared, rig.palette, rig.amounts, {0, in.corners.size()}, corners);
  };
  std::vector<naive::Run> loops{naive::by_gcc::run};
#ifdef NAIVE_CLANG
  loops.push_back(naive::by_clang::run);
#endif
  naive::by_gcc::run(in, expected.out());
  library();
  // Blends of inverse transposes are not the inverse transpose of the blend, so normals agree only roughly.
  const auto differ = [&](const std::vector<float>& a, const std::vector<float>& b, std::size_t width, double tolerance) {
    return difference(a, b, width, prepared.order()) > tolerance;
  };
  if (differ(expected.positions, found.positions, in.dimension, 2e-5) || differ(expected.tangents, found.tangents, 4, 2e-5) ||
      differ(expected.normals, found.normals, in.dimension, 0.6) ||
      difference(expected.corner_normals, found.corner_normals, in.dimension, {}) > 0.6) {
    std::fprintf(stderr, "%s: not what the loop computes\n", name.c_str());
    std::exit(1);
  }
  // Both read and write the same memory: of two arrays of a million vertices, one may have pages that the processor reaches twice as fast.
  std::vector<double> ratios;
  double best = 1e9;
  for (std::size_t round = 0; round < options.rounds; ++round) {
    double loop = 1e9;
    for (const naive::Run run : loops) loop = std::min(loop, seconds_of([&] { run(in, found.out()); }, options.seconds, threads != 1));
    const double own = seconds_of(library, options.seconds, threads != 1);
    ratios.push_back(loop / own);
    best = std::min(best, own);
  }
  return ratio_of(std::move(ratios), static_cast<double>(in.vertices), best);
}

void print(const Row& row) {
  const auto mark = [](const Ratio& ratio) { return ratio.median < 0.9 ? "!!" : ratio.median < 1 ? "! " : "  "; };
  const auto column = [&](const Ratio& ratio) {
    std::printf(" | %6.2f %s [%6.2f %6.2f] %8.1f", ratio.median, mark(ratio), ratio.low, ratio.high, ratio.vertices_per_second / 1e6);
  };
  std::printf("%-32s", row.name.c_str());
  column(row.one);
  if (row.all.median > 0) column(row.all);
  std::printf("\n");
  std::fflush(stdout);
}

void write_json(const std::string& path, const std::vector<Row>& rows) {
  std::FILE* file = std::fopen(path.c_str(), "w");
  if (file == nullptr) return std::perror(path.c_str());
  const auto ratio = [&](const char* name, const Ratio& r) {
    std::fprintf(file, ", \"%s\": {\"ratio\": %.4g, \"low\": %.4g, \"high\": %.4g, \"vertices_per_second\": %.4g}", name, r.median, r.low,
                 r.high, r.vertices_per_second);
  };
  std::fprintf(file, "[\n");
  for (const Row& row : rows) {
    std::fprintf(file, "%s{\"cell\": \"%s\"", &row == rows.data() ? "" : ",\n", row.name.c_str());
    ratio("one thread", row.one);
    if (row.all.median > 0) ratio("all threads", row.all);
    std::fprintf(file, "}");
  }
  std::fprintf(file, "\n]\n");
  std::fclose(file);
}

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const auto is = [&](const char* name) { return std::strcmp(argv[i], name) == 0 && i + 1 < argc; };
    if (is("--filter"))
      options.filter = argv[++i];
    else if (is("--rounds"))
      options.rounds = static_cast<std::size_t>(std::max(1, std::atoi(argv[++i])));
    else if (is("--milliseconds"))
      options.seconds = std::atof(argv[++i]) / 1e3;
    else if (is("--json"))
      options.json = argv[++i];
    else if (is("--kernel"))
      options.kernel = argv[++i];
    else
      options.full = options.full || std::strcmp(argv[i], "--full") == 0;
  }
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = parse(argc, argv);
  std::printf("%-32s | one thread: ratio [spread], million vertices a second | all threads\n", "cell");
  std::vector<Row> rows;
  for (const Cell& cell : cells(options.full)) {
    Row row{name_of(cell), {}, {}};
    if (row.name.find(options.filter) == std::string::npos) continue;
    const auto rig = make_rig(cell);
    sinew::deform::PrepareOptions prepare;
    prepare.normals = cell.channels != Channels::positions;
    prepare.tangents = cell.channels == Channels::tangents;
    prepare.slots = joint_count;
    prepare.kernel = options.kernel;
    prepare.sorted = cell.influences == sorted;
    const auto prepared = sinew::deform::prepare(rig->mesh, cell.dimension, prepare);
    if (!prepared) {
      std::fprintf(stderr, "%s: %s\n", row.name.c_str(), prepared.error().message.c_str());
      return 1;
    }
    share_rows(*prepared, rig->arrays);
    row.one = measure(*rig, *prepared, 1, options, row.name);
    if (cell.channels != Channels::corner_normals && cell.vertices > 2'000) row.all = measure(*rig, *prepared, 0, options, row.name);
    print(row);
    rows.push_back(row);
  }
  if (!options.json.empty()) write_json(options.json, rows);
  const auto below = [&](double limit) { return std::ranges::count_if(rows, [&](const Row& row) { return row.one.median < limit; }); };
  std::printf("%zu cells on one thread: %td below 1.0, %td below 0.9\n", rows.size(), below(1.0), below(0.9));
}
