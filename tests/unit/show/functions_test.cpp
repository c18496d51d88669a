// SPDX-License-Identifier: MIT
#include "show/gl/functions.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

namespace sinew::show::gl {
namespace {

TEST(GlFunctions, MissingLibraryIsNamedWithThePackage) {
  const auto found = load_functions("libEGL-absent.so.9");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().failure, Failure::unsupported);
  EXPECT_EQ(found.error().message,
            "drawing needs OpenGL 4.3 through EGL: libEGL-absent.so.9 is missing (on Debian: apt-get install libegl1 libgl1-mesa-dri)");
}

TEST(GlFunctions, LibraryWithoutTheFunctionsIsRefused) {
  const auto found = load_functions("libm.so.6");
  ASSERT_FALSE(found);
  EXPECT_NE(found.error().message.find("libm.so.6 has no eglBindAPI"), std::string::npos) << found.error().message;
}

TEST(GlFunctions, AllAreFoundWhereTheLibraryIs) {
  if (void* const library = dlopen("libEGL.so.1", RTLD_LAZY | RTLD_LOCAL); library == nullptr) GTEST_SKIP() << "no libEGL.so.1 here";
  const auto& found = functions();
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_NE(found->eglQueryString, nullptr);
  EXPECT_NE(found->glViewport, nullptr);
}

}  // namespace
}  // namespace sinew::show::gl
