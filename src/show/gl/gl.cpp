// SPDX-License-Identifier: MIT
#include "show/gl/gl.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <new>
#include <optional>
#include <string>

#include "base/catalogue_edit.hpp"
#include "base/message.hpp"
#include "show/gl/functions.hpp"
#include "show/no_memory.hpp"

namespace sinew::show::gl {

using operations::operator""_code;

struct Context::State {
  EGLDisplay display = EGL_NO_DISPLAY;
  EGLContext context = EGL_NO_CONTEXT;

  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (context == EGL_NO_CONTEXT || is_fork()) return;
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(display, context);  // the display stays initialised, because other code of the process may use it
  }
};

namespace {

std::atomic<pid_t> process_of_gl{0};  // the process that used OpenGL first; forks of it inherit this number

// Returns whether a display has an extension.
bool has_extension(EGLDisplay display, std::string_view extension) {
  const char* const text = eglQueryString(display, EGL_EXTENSIONS);
  std::string_view list = text == nullptr ? "" : text;
  while (!list.empty()) {
    const std::string_view word = list.substr(0, list.find(' '));
    if (word == extension) return true;
    list.remove_prefix(std::min(list.size(), word.size() + 1));
  }
  return false;
}

/// Finds a display that supports the context: Mesa's surfaceless platform, then every device, then the default display.
class Displays {
 public:
  Displays() {
    if (has("EGL_EXT_platform_base")) platform_display_ = extension<PFNEGLGETPLATFORMDISPLAYEXTPROC>("eglGetPlatformDisplayEXT");
    if (platform_display_ != nullptr && has("EGL_MESA_platform_surfaceless"))
      list_.push_back(platform_display_(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr));
    if (platform_display_ != nullptr && has("EGL_EXT_platform_device") && has("EGL_EXT_device_base")) add_devices();
    list_.push_back(eglGetDisplay(EGL_DEFAULT_DISPLAY));
  }
  [[nodiscard]] const std::vector<EGLDisplay>& list() const { return list_; }

 private:
  static bool has(const char* name) { return has_extension(EGL_NO_DISPLAY, name); }
  template <class Function>
  static Function extension(const char* name) {
    return reinterpret_cast<Function>(eglGetProcAddress(name));
  }
  void add_devices() {
    EGLDeviceEXT devices[16];
    EGLint count = 0;
    const auto query_devices = extension<PFNEGLQUERYDEVICESEXTPROC>("eglQueryDevicesEXT");
    if (query_devices == nullptr || !query_devices(16, devices, &count)) return;
    for (EGLint i = 0; i < count; ++i) list_.push_back(platform_display_(EGL_PLATFORM_DEVICE_EXT, devices[i], nullptr));
  }
  PFNEGLGETPLATFORMDISPLAYEXTPROC platform_display_ = nullptr;
  std::vector<EGLDisplay> list_;
};

EGLContext context_of(EGLDisplay display) {
  EGLint major = 0, minor = 0;
  if (display == EGL_NO_DISPLAY || !eglInitialize(display, &major, &minor) || !eglBindAPI(EGL_OPENGL_API)) return EGL_NO_CONTEXT;
  if (!has_extension(display, "EGL_KHR_surfaceless_context")) return EGL_NO_CONTEXT;
  const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
  EGLConfig config = EGL_NO_CONFIG_KHR;
  EGLint count = 0;
  if (!eglChooseConfig(display, wanted, &config, 1, &count) || count == 0) config = EGL_NO_CONFIG_KHR;
  const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,           4,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
                               EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
  return eglCreateContext(display, config, EGL_NO_CONTEXT, attributes);
}

}  // namespace

bool is_fork() {
  const pid_t first = process_of_gl;
  return first != 0 && first != getpid();
}

Result<> usable_here() {
  if (!is_fork()) return {};
  return Unexpected(error("SINEW_NO_OPENGL"_code, Failure::unsupported, {},
                          "this process was forked from one that had already drawn, and OpenGL does not work after "
                          "such a fork; spawn processes instead, or fork before drawing"));
}

namespace {

/// Returns how much private memory the process may have (--max-memory); nothing without a limit.
std::optional<std::uint64_t> limit_of_process() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_DATA, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
  return limit.rlim_cur;
}

/// Returns how much it has, as that limit counts it; 0 if unknown.
std::uint64_t data_of_process() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t pages = 0;
  for (int column = 0; column < 6; ++column) file >> pages;  // the sixth is private writable memory
  return file ? pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) : 0;
}

}  // namespace

Context::Context(std::unique_ptr<State> state) : state_(std::move(state)) {}
Context::Context(Context&&) noexcept = default;
Context& Context::operator=(Context&&) noexcept = default;
Context::~Context() = default;

Result<Context> Context::create() {
  constexpr std::uint64_t least = 272 << 20;  // a software driver that gets less may crash
  if (auto usable = usable_here(); !usable) return Unexpected(std::move(usable.error()));
  if (limit_of_process().value_or(least) < least) return no_memory();
  if (const auto& found = functions(); !found) return Unexpected(found.error());
  pid_t nobody = 0;
  process_of_gl.compare_exchange_strong(nobody, getpid());
  auto state = std::make_unique<State>();
  const Displays displays;
  for (EGLDisplay display : displays.list()) {
    state->context = context_of(display);
    if (state->context == EGL_NO_CONTEXT) continue;
    state->display = display;
    Context made(std::move(state));
    if (!made.make_current()) return no_opengl("the context cannot be used without a surface");
    return made;
  }
  return no_opengl("no driver provides OpenGL 4.3");
}

bool Context::make_current() const {
  return !is_fork() && eglMakeCurrent(state_->display, EGL_NO_SURFACE, EGL_NO_SURFACE, state_->context) == EGL_TRUE;
}
void Context::release() const { eglMakeCurrent(state_->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT); }

Object make_vertex_array() {
  Name name = 0;
  glGenVertexArrays(1, &name);
  return {name, [](Name gone) { glDeleteVertexArrays(1, &gone); }};
}

Object make_buffer(std::span<const std::byte> bytes) {
  Name name = 0;
  glGenBuffers(1, &name);
  Object buffer(name, [](Name gone) { glDeleteBuffers(1, &gone); });
  fill_buffer(buffer, bytes);
  return buffer;
}

void fill_buffer(const Object& buffer, std::span<const std::byte> bytes) {
  glBindBuffer(GL_ARRAY_BUFFER, buffer.name());
  glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(std::max<std::size_t>(bytes.size(), 16)), nullptr, GL_DYNAMIC_DRAW);
  if (!bytes.empty()) glBufferSubData(GL_ARRAY_BUFFER, 0, static_cast<GLsizeiptr>(bytes.size()), bytes.data());
  glBindBuffer(GL_ARRAY_BUFFER, 0);
}

namespace {

std::string first_line(const std::string& log) { return log.substr(0, log.find('\n')); }

Result<Object> compile(GLenum stage, std::string_view source) {
  Object shader(glCreateShader(stage), [](Name gone) { glDeleteShader(gone); });
  const GLchar* text = source.data();
  const auto length = static_cast<GLint>(source.size());
  glShaderSource(shader.name(), 1, &text, &length);
  glCompileShader(shader.name());
  GLint fine = 0;
  glGetShaderiv(shader.name(), GL_COMPILE_STATUS, &fine);
  if (fine != 0) return shader;
  std::string log(4096, '\0');
  GLsizei used = 0;
  glGetShaderInfoLog(shader.name(), static_cast<GLsizei>(log.size()), &used, log.data());
  log.resize(static_cast<std::size_t>(used));
  return no_opengl(format_text("the driver rejected a shader: {}", first_line(log)));
}

}  // namespace

Result<Object> make_program(const Sources& sources) {
  Object program(glCreateProgram(), [](Name gone) { glDeleteProgram(gone); });
  const std::pair<GLenum, std::string_view> stages[] = {
      {GL_VERTEX_SHADER, sources.vertex}, {GL_GEOMETRY_SHADER, sources.geometry}, {GL_FRAGMENT_SHADER, sources.fragment}};
  for (const auto& [stage, source] : stages) {
    if (source.empty()) continue;
    const auto shader = compile(stage, source);
    if (!shader) return Unexpected(shader.error());
    glAttachShader(program.name(), shader->name());
  }
  if (!sources.captured.empty())
    glTransformFeedbackVaryings(program.name(), static_cast<GLsizei>(sources.captured.size()), sources.captured.data(),
                                GL_INTERLEAVED_ATTRIBS);
  glLinkProgram(program.name());
  GLint fine = 0;
  glGetProgramiv(program.name(), GL_LINK_STATUS, &fine);
  if (fine != 0) return program;
  std::string log(4096, '\0');
  GLsizei used = 0;
  glGetProgramInfoLog(program.name(), static_cast<GLsizei>(log.size()), &used, log.data());
  log.resize(static_cast<std::size_t>(used));
  return no_opengl(format_text("the driver rejected a shader program: {}", first_line(log)));
}

namespace {

Object make_renderbuffer(GLsizei samples, GLenum format, std::size_t width, std::size_t height) {
  Name name = 0;
  glGenRenderbuffers(1, &name);
  glBindRenderbuffer(GL_RENDERBUFFER, name);
  glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, static_cast<GLsizei>(width), static_cast<GLsizei>(height));
  return {name, [](Name gone) { glDeleteRenderbuffers(1, &gone); }};
}

Object make_framebuffer(const Object& colour, const Object& depth) {
  Name name = 0;
  glGenFramebuffers(1, &name);
  glBindFramebuffer(GL_FRAMEBUFFER, name);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colour.name());
  if (depth) glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth.name());
  return {name, [](Name gone) { glDeleteFramebuffers(1, &gone); }};
}

bool is_complete(const Object& framebuffer) {
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer.name());
  return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

}  // namespace

Result<Target> Target::create(std::size_t width, std::size_t height) {
  while (glGetError() != GL_NO_ERROR) {
  }
  GLint most = 1;
  glGetIntegerv(GL_MAX_SAMPLES, &most);
  const GLsizei samples = std::min(most, 8);
  Target target;
  target.width_ = width;
  target.height_ = height;
  target.colour_ = make_renderbuffer(samples, GL_RGBA16F, width, height);
  target.depth_ = make_renderbuffer(samples, GL_DEPTH_COMPONENT32F, width, height);
  target.resolved_colour_ = make_renderbuffer(0, GL_RGBA16F, width, height);
  target.framebuffer_ = make_framebuffer(target.colour_, target.depth_);
  target.resolved_ = make_framebuffer(target.resolved_colour_, {});
  if (auto enough = check_memory(); !enough) return Unexpected(std::move(enough.error()));
  const bool complete = is_complete(target.framebuffer_) && is_complete(target.resolved_);
  if (!complete && limit_of_process()) return no_memory();
  if (!complete) return no_opengl("the driver lacks half-precision framebuffers");
  return target;
}

Result<> check_memory() {
  if (glGetError() == GL_OUT_OF_MEMORY) return no_memory();
  return {};
}

void keep_room(std::uint64_t bytes) {
  const auto limit = limit_of_process();
  if (limit && data_of_process() + bytes > *limit) throw std::bad_alloc();
}

void Target::bind() const {
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.name());
  glViewport(0, 0, static_cast<GLsizei>(width_), static_cast<GLsizei>(height_));
  glClearColor(0, 0, 0, 0);
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
}

void Target::read(std::vector<float>& rgba) const {
  const auto width = static_cast<GLsizei>(width_), height = static_cast<GLsizei>(height_);
  rgba.resize(width_ * height_ * 4);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer_.name());
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, resolved_.name());
  glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, resolved_.name());
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  glReadPixels(0, 0, width, height, GL_RGBA, GL_FLOAT, rgba.data());
}

std::size_t largest_side() {
  GLint buffer = 0, viewport[2] = {0, 0};
  glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &buffer);
  glGetIntegerv(GL_MAX_VIEWPORT_DIMS, viewport);
  return static_cast<std::size_t>(std::max(0, std::min({buffer, viewport[0], viewport[1]})));
}

bool has_vertex_storage(int buffers) {
  GLint most = 0;
  glGetIntegerv(GL_MAX_VERTEX_SHADER_STORAGE_BLOCKS, &most);
  return most >= buffers;
}

}  // namespace sinew::show::gl
