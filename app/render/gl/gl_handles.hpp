#pragma once

#include <utility>

#include <glad/gl.h>

namespace clothlab::app::gl {

/// Owns one OpenGL name; the context must be current when it dies. 0 owns nothing.
template <void (*Make)(GLuint*), void (*Drop)(GLuint)>
class Handle {
public:
    Handle() = default;
    static Handle make() {
        Handle h;
        Make(&h.name_);
        return h;
    }
    ~Handle() { reset(); }
    Handle(Handle&& other) noexcept : name_(std::exchange(other.name_, 0)) {}
    Handle& operator=(Handle&& other) noexcept {
        if (this != &other) {
            reset();
            name_ = std::exchange(other.name_, 0);
        }
        return *this;
    }
    void reset() {
        if (name_ != 0) Drop(std::exchange(name_, 0));
    }
    GLuint get() const { return name_; }
    explicit operator bool() const { return name_ != 0; }

private:
    GLuint name_ = 0;
};

inline void makeBuffer(GLuint* name) { glGenBuffers(1, name); }
inline void dropBuffer(GLuint name) { glDeleteBuffers(1, &name); }
inline void makeVertexArray(GLuint* name) { glGenVertexArrays(1, name); }
inline void dropVertexArray(GLuint name) { glDeleteVertexArrays(1, &name); }
inline void makeTexture(GLuint* name) { glGenTextures(1, name); }
inline void dropTexture(GLuint name) { glDeleteTextures(1, &name); }
inline void makeFramebuffer(GLuint* name) { glGenFramebuffers(1, name); }
inline void dropFramebuffer(GLuint name) { glDeleteFramebuffers(1, &name); }

using Buffer = Handle<makeBuffer, dropBuffer>;
using VertexArray = Handle<makeVertexArray, dropVertexArray>;
using Texture = Handle<makeTexture, dropTexture>;
using Framebuffer = Handle<makeFramebuffer, dropFramebuffer>;

/// The driver may still read what was drawn one or two frames ago: data that changes every frame goes round a ring of
/// three buffers, made once, so that a write never waits for a read.
inline constexpr int kRing = 3;

/// Where in the bound buffer, as OpenGL wants it: a number of bytes in the type of a pointer.
inline const void* bufferOffset(std::size_t bytes) {
    return reinterpret_cast<const void*>(bytes);  // NOLINT(performance-no-int-to-ptr)
}

}  // namespace clothlab::app::gl
