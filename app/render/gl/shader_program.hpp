#pragma once

#include <string>
#include <unordered_map>

#include <glad/gl.h>
#include <glm/glm.hpp>

#include "base/errors.hpp"

namespace clothlab::app::render {

/// A linked program from NAME.vert and NAME.frag. A line `#include "file"` includes a file of the same folder.
class ShaderProgram {
public:
    /// Errors: a missing file, or the compiler's own words with file names.
    static Expected<ShaderProgram> load(const std::string& folder, const std::string& vertex,
                                        const std::string& fragment);
    ShaderProgram() = default;
    ~ShaderProgram();
    ShaderProgram(ShaderProgram&& other) noexcept;
    ShaderProgram& operator=(ShaderProgram&& other) noexcept;

    void use() const { glUseProgram(name_); }
    // Uniforms of the program in use; a name that the compiler dropped is ignored.
    void set(const char* uniform, int value) const { glUniform1i(location(uniform), value); }
    void set(const char* uniform, float value) const { glUniform1f(location(uniform), value); }
    void set(const char* uniform, glm::vec2 v) const { glUniform2f(location(uniform), v.x, v.y); }
    void set(const char* uniform, glm::vec3 v) const { glUniform3f(location(uniform), v.x, v.y, v.z); }
    void set(const char* uniform, glm::vec4 v) const { glUniform4f(location(uniform), v.x, v.y, v.z, v.w); }
    void set(const char* uniform, const glm::mat4& m) const {
        glUniformMatrix4fv(location(uniform), 1, GL_FALSE, &m[0][0]);
    }

private:
    GLint location(const char* uniform) const;

    GLuint name_ = 0;
    mutable std::unordered_map<std::string, GLint> locations_;
};

}  // namespace clothlab::app::render
