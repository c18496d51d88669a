// SPDX-License-Identifier: MIT
#include "show/gl/functions.hpp"

#include <dlfcn.h>

#include "base/catalogue_edit.hpp"
#include "base/message.hpp"

namespace sinew::show::gl {

using operations::operator""_code;

Unexpected no_opengl(std::string_view why) {
  return Unexpected(
      error("SINEW_NO_OPENGL"_code, Failure::unsupported, {},
            format_text("drawing needs OpenGL 4.3 through EGL: {} (on Debian: apt-get install libegl1 libgl1-mesa-dri)", why)));
}

namespace {

/// Converts an address to a function pointer; returns false for null.
template <class Function, class Address>
bool assign(Function& function, Address address) {
  function = reinterpret_cast<Function>(address);
  return function != nullptr;
}

}  // namespace

Result<Functions> load_functions(const char* egl_library) {
  void* const library = dlopen(egl_library, RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) return no_opengl(format_text("{} is missing", egl_library));
  Functions found;
#define SINEW_LOOK_UP(name, type) \
  if (!assign(found.egl##name, dlsym(library, "egl" #name))) return no_opengl(format_text("{} has no egl" #name, egl_library));
  SINEW_EGL_FUNCTIONS(SINEW_LOOK_UP)
#undef SINEW_LOOK_UP
#define SINEW_LOOK_UP(name, type) \
  if (!assign(found.gl##name, found.eglGetProcAddress("gl" #name))) return no_opengl("the driver has no gl" #name);
  SINEW_GL_FUNCTIONS(SINEW_LOOK_UP)
#undef SINEW_LOOK_UP
  return found;
}

const Result<Functions>& functions() {
  static const Result<Functions> loaded = load_functions("libEGL.so.1");
  return loaded;
}

}  // namespace sinew::show::gl
