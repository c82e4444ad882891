#include "film/egl_context.hpp"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <fmt/format.h>
#include <glad/gl.h>

#include <vector>

namespace clothlab::app::film {
namespace {

EGLContext makeContext(EGLDisplay display) {
    if (display == EGL_NO_DISPLAY || eglInitialize(display, nullptr, nullptr) != EGL_TRUE) return EGL_NO_CONTEXT;
    if (eglBindAPI(EGL_OPENGL_API) != EGL_TRUE) return EGL_NO_CONTEXT;
    const EGLint attributes[] = {
        EGL_CONTEXT_MAJOR_VERSION,           4,       EGL_CONTEXT_MINOR_VERSION, 1, EGL_CONTEXT_OPENGL_PROFILE_MASK,
        EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
    const EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
    if (context == EGL_NO_CONTEXT) return context;
    if (eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context) == EGL_TRUE) return context;
    eglDestroyContext(display, context);
    return EGL_NO_CONTEXT;
}

/// The displays worth trying, best first.
std::vector<EGLDisplay> displays() {
    const auto getDisplay =
        reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
    const auto queryDevices = reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(eglGetProcAddress("eglQueryDevicesEXT"));
    std::vector<EGLDisplay> found;
    if (getDisplay == nullptr) return found;
    found.push_back(getDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr));
    EGLint count = 0;
    EGLDeviceEXT devices[16];
    if (queryDevices != nullptr && queryDevices(16, devices, &count) == EGL_TRUE)
        for (EGLint i = 0; i < count; ++i) found.push_back(getDisplay(EGL_PLATFORM_DEVICE_EXT, devices[i], nullptr));
    return found;
}

}  // namespace

Expected<std::unique_ptr<EglContext>> EglContext::create() {
    auto self = std::unique_ptr<EglContext>(new EglContext);
    for (const EGLDisplay display : displays()) {
        const EGLContext context = makeContext(display);
        if (context == EGL_NO_CONTEXT) continue;
        self->display_ = display;
        self->context_ = context;
        if (gladLoadGL(reinterpret_cast<GLADloadfunc>(eglGetProcAddress)) == 0) continue;
        self->description_ = fmt::format("{}, OpenGL {}", reinterpret_cast<const char*>(glGetString(GL_RENDERER)),
                                         reinterpret_cast<const char*>(glGetString(GL_VERSION)));
        return self;
    }
    return fail(
        "no EGL platform gives an OpenGL 4.1 core context without a display. Install software OpenGL with:\n"
        "  apt-get install libegl1 libgl1-mesa-dri");
}

EglContext::~EglContext() {
    if (context_ == nullptr) return;
    if (eglGetCurrentContext() == context_) eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(display_, context_);
    // The display is shared by the whole process and stays initialized: another context may be using it.
}

void EglContext::makeCurrent() { eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_); }

}  // namespace clothlab::app::film
