#pragma once

#include <memory>
#include <string>

#include "base/errors.hpp"

namespace clothlab::app::film {

/// An OpenGL 4.1 core context without a window or a display server: Mesa's surfaceless platform, or the first EGL
/// device that offers one. Made current on the calling thread; draw into an OffscreenTarget.
class EglContext {
public:
    static Expected<std::unique_ptr<EglContext>> create();
    ~EglContext();
    EglContext(const EglContext&) = delete;
    EglContext& operator=(const EglContext&) = delete;

    void makeCurrent();
    const std::string& description() const { return description_; }  ///< "llvmpipe (...), OpenGL 4.5"

private:
    EglContext() = default;
    void* display_ = nullptr;
    void* context_ = nullptr;
    std::string description_;
};

}  // namespace clothlab::app::film
