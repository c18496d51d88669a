// SPDX-License-Identifier: MIT
#pragma once

// The functions of OpenGL and EGL for pictures. They are looked up in the driver's libraries when drawing starts, so programs that do not
// draw load no graphics library.
#define EGL_NO_X11
#define EGL_EGL_PROTOTYPES 0
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/glcorearb.h>

#include "sinew/result.hpp"

// SINEW_EGL_FUNCTIONS(X), SINEW_GL_FUNCTIONS(X): X(name without its prefix, type of a pointer to it).
#define SINEW_EGL_FUNCTIONS(X)                \
  X(BindAPI, PFNEGLBINDAPIPROC)               \
  X(ChooseConfig, PFNEGLCHOOSECONFIGPROC)     \
  X(CreateContext, PFNEGLCREATECONTEXTPROC)   \
  X(DestroyContext, PFNEGLDESTROYCONTEXTPROC) \
  X(GetDisplay, PFNEGLGETDISPLAYPROC)         \
  X(GetProcAddress, PFNEGLGETPROCADDRESSPROC) \
  X(Initialize, PFNEGLINITIALIZEPROC)         \
  X(MakeCurrent, PFNEGLMAKECURRENTPROC)       \
  X(QueryString, PFNEGLQUERYSTRINGPROC)

#define SINEW_GL_FUNCTIONS(X)                                                \
  X(ActiveTexture, PFNGLACTIVETEXTUREPROC)                                   \
  X(AttachShader, PFNGLATTACHSHADERPROC)                                     \
  X(BeginTransformFeedback, PFNGLBEGINTRANSFORMFEEDBACKPROC)                 \
  X(BindBuffer, PFNGLBINDBUFFERPROC)                                         \
  X(BindBufferBase, PFNGLBINDBUFFERBASEPROC)                                 \
  X(BindFramebuffer, PFNGLBINDFRAMEBUFFERPROC)                               \
  X(BindRenderbuffer, PFNGLBINDRENDERBUFFERPROC)                             \
  X(BindTexture, PFNGLBINDTEXTUREPROC)                                       \
  X(BindVertexArray, PFNGLBINDVERTEXARRAYPROC)                               \
  X(BlendFunc, PFNGLBLENDFUNCPROC)                                           \
  X(BlitFramebuffer, PFNGLBLITFRAMEBUFFERPROC)                               \
  X(BufferData, PFNGLBUFFERDATAPROC)                                         \
  X(BufferSubData, PFNGLBUFFERSUBDATAPROC)                                   \
  X(CheckFramebufferStatus, PFNGLCHECKFRAMEBUFFERSTATUSPROC)                 \
  X(Clear, PFNGLCLEARPROC)                                                   \
  X(ClearColor, PFNGLCLEARCOLORPROC)                                         \
  X(CompileShader, PFNGLCOMPILESHADERPROC)                                   \
  X(CreateProgram, PFNGLCREATEPROGRAMPROC)                                   \
  X(CreateShader, PFNGLCREATESHADERPROC)                                     \
  X(CullFace, PFNGLCULLFACEPROC)                                             \
  X(DeleteBuffers, PFNGLDELETEBUFFERSPROC)                                   \
  X(DeleteFramebuffers, PFNGLDELETEFRAMEBUFFERSPROC)                         \
  X(DeleteProgram, PFNGLDELETEPROGRAMPROC)                                   \
  X(DeleteRenderbuffers, PFNGLDELETERENDERBUFFERSPROC)                       \
  X(DeleteShader, PFNGLDELETESHADERPROC)                                     \
  X(DeleteTextures, PFNGLDELETETEXTURESPROC)                                 \
  X(DeleteVertexArrays, PFNGLDELETEVERTEXARRAYSPROC)                         \
  X(DepthFunc, PFNGLDEPTHFUNCPROC)                                           \
  X(DepthMask, PFNGLDEPTHMASKPROC)                                           \
  X(Disable, PFNGLDISABLEPROC)                                               \
  X(DisableVertexAttribArray, PFNGLDISABLEVERTEXATTRIBARRAYPROC)             \
  X(DrawArrays, PFNGLDRAWARRAYSPROC)                                         \
  X(DrawElements, PFNGLDRAWELEMENTSPROC)                                     \
  X(Enable, PFNGLENABLEPROC)                                                 \
  X(EnableVertexAttribArray, PFNGLENABLEVERTEXATTRIBARRAYPROC)               \
  X(EndTransformFeedback, PFNGLENDTRANSFORMFEEDBACKPROC)                     \
  X(FramebufferRenderbuffer, PFNGLFRAMEBUFFERRENDERBUFFERPROC)               \
  X(FrontFace, PFNGLFRONTFACEPROC)                                           \
  X(GenBuffers, PFNGLGENBUFFERSPROC)                                         \
  X(GenFramebuffers, PFNGLGENFRAMEBUFFERSPROC)                               \
  X(GenRenderbuffers, PFNGLGENRENDERBUFFERSPROC)                             \
  X(GenTextures, PFNGLGENTEXTURESPROC)                                       \
  X(GenVertexArrays, PFNGLGENVERTEXARRAYSPROC)                               \
  X(GenerateMipmap, PFNGLGENERATEMIPMAPPROC)                                 \
  X(GetAttribLocation, PFNGLGETATTRIBLOCATIONPROC)                           \
  X(GetBufferSubData, PFNGLGETBUFFERSUBDATAPROC)                             \
  X(GetError, PFNGLGETERRORPROC)                                             \
  X(GetIntegerv, PFNGLGETINTEGERVPROC)                                       \
  X(GetProgramInfoLog, PFNGLGETPROGRAMINFOLOGPROC)                           \
  X(GetProgramiv, PFNGLGETPROGRAMIVPROC)                                     \
  X(GetShaderInfoLog, PFNGLGETSHADERINFOLOGPROC)                             \
  X(GetShaderiv, PFNGLGETSHADERIVPROC)                                       \
  X(GetUniformLocation, PFNGLGETUNIFORMLOCATIONPROC)                         \
  X(LinkProgram, PFNGLLINKPROGRAMPROC)                                       \
  X(PixelStorei, PFNGLPIXELSTOREIPROC)                                       \
  X(ReadPixels, PFNGLREADPIXELSPROC)                                         \
  X(RenderbufferStorageMultisample, PFNGLRENDERBUFFERSTORAGEMULTISAMPLEPROC) \
  X(ShaderSource, PFNGLSHADERSOURCEPROC)                                     \
  X(TexImage2D, PFNGLTEXIMAGE2DPROC)                                         \
  X(TexImage3D, PFNGLTEXIMAGE3DPROC)                                         \
  X(TexParameteri, PFNGLTEXPARAMETERIPROC)                                   \
  X(TransformFeedbackVaryings, PFNGLTRANSFORMFEEDBACKVARYINGSPROC)           \
  X(Uniform1f, PFNGLUNIFORM1FPROC)                                           \
  X(Uniform1i, PFNGLUNIFORM1IPROC)                                           \
  X(Uniform2f, PFNGLUNIFORM2FPROC)                                           \
  X(Uniform3f, PFNGLUNIFORM3FPROC)                                           \
  X(Uniform3fv, PFNGLUNIFORM3FVPROC)                                         \
  X(Uniform4fv, PFNGLUNIFORM4FVPROC)                                         \
  X(UniformMatrix3fv, PFNGLUNIFORMMATRIX3FVPROC)                             \
  X(UniformMatrix4fv, PFNGLUNIFORMMATRIX4FVPROC)                             \
  X(UseProgram, PFNGLUSEPROGRAMPROC)                                         \
  X(VertexAttrib4fv, PFNGLVERTEXATTRIB4FVPROC)                               \
  X(VertexAttribIPointer, PFNGLVERTEXATTRIBIPOINTERPROC)                     \
  X(VertexAttribPointer, PFNGLVERTEXATTRIBPOINTERPROC)                       \
  X(Viewport, PFNGLVIEWPORTPROC)

namespace sinew::show::gl {

/// Pointers to the functions.
struct Functions {
#define SINEW_MEMBER(name, type) type egl##name = nullptr;
  SINEW_EGL_FUNCTIONS(SINEW_MEMBER)
#undef SINEW_MEMBER
#define SINEW_MEMBER(name, type) type gl##name = nullptr;
  SINEW_GL_FUNCTIONS(SINEW_MEMBER)
#undef SINEW_MEMBER
};

/// Opens the EGL library and looks up all functions; the library stays open. Failure::unsupported, with the package to install, if the
/// library or a function is missing.
[[nodiscard]] Result<Functions> load_functions(const char* egl_library);

/// Returns the functions of libEGL.so.1, looked up on the first call, on any thread.
[[nodiscard]] const Result<Functions>& functions();

/// Returns the error SINEW_NO_OPENGL, with the missing part and the packages that provide it.
[[nodiscard]] Unexpected no_opengl(std::string_view why);

/// Calls the function in one member. Precondition: functions() succeeded.
template <auto member>
struct Call;
template <class R, class... A, R (*Functions::*member)(A...)>
struct Call<member> {
  R operator()(A... arguments) const { return ((*functions()).*member)(arguments...); }
};

#define SINEW_CALL(name, type) inline constexpr Call<&Functions::egl##name> egl##name{};
SINEW_EGL_FUNCTIONS(SINEW_CALL)
#undef SINEW_CALL
#define SINEW_CALL(name, type) inline constexpr Call<&Functions::gl##name> gl##name{};
SINEW_GL_FUNCTIONS(SINEW_CALL)
#undef SINEW_CALL

}  // namespace sinew::show::gl
