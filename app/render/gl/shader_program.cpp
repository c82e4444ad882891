#include "render/gl/shader_program.hpp"

#include <fstream>
#include <sstream>
#include <utility>

namespace clothlab::app::render {
namespace {

Expected<std::string> readSource(const std::string& folder, const std::string& name, int depth = 0) {
    std::ifstream file(folder + "/" + name);
    if (!file || depth > 4) return fail(Error{.message = "cannot read the shader", .file = folder + "/" + name});
    std::string out, line;
    while (std::getline(file, line)) {
        constexpr std::string_view kInclude = "#include \"";
        if (line.rfind(kInclude, 0) == 0) {
            auto inner = readSource(folder, line.substr(kInclude.size(), line.rfind('"') - kInclude.size()), depth + 1);
            if (!inner) return inner;
            out += *inner;
        } else {
            out += line + "\n";
        }
    }
    return out;
}

Expected<GLuint> compile(GLenum stage, const std::string& folder, const std::string& name) {
    const auto source = readSource(folder, name);
    if (!source) return fail(source.error());
    const GLuint shader = glCreateShader(stage);
    const char* text = source->c_str();
    glShaderSource(shader, 1, &text, nullptr);
    glCompileShader(shader);
    GLint ok = 0;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
    if (ok != 0) return shader;
    char log[4096] = {};
    glGetShaderInfoLog(shader, sizeof log, nullptr, log);
    glDeleteShader(shader);
    return fail(Error{.message = std::string("the shader does not compile:\n") + log, .file = folder + "/" + name});
}

}  // namespace

Expected<ShaderProgram> ShaderProgram::load(const std::string& folder, const std::string& vertex,
                                            const std::string& fragment) {
    const auto v = compile(GL_VERTEX_SHADER, folder, vertex);
    if (!v) return fail(v.error());
    const auto f = compile(GL_FRAGMENT_SHADER, folder, fragment);
    if (!f) {
        glDeleteShader(*v);
        return fail(f.error());
    }
    ShaderProgram program;
    program.name_ = glCreateProgram();
    glAttachShader(program.name_, *v);
    glAttachShader(program.name_, *f);
    glLinkProgram(program.name_);
    glDeleteShader(*v);
    glDeleteShader(*f);
    GLint ok = 0;
    glGetProgramiv(program.name_, GL_LINK_STATUS, &ok);
    if (ok != 0) return program;
    char log[4096] = {};
    glGetProgramInfoLog(program.name_, sizeof log, nullptr, log);
    return fail(Error{.message = std::string("the shaders do not link:\n") + log, .file = folder + "/" + fragment});
}

ShaderProgram::~ShaderProgram() {
    if (name_ != 0) glDeleteProgram(name_);
}

ShaderProgram::ShaderProgram(ShaderProgram&& other) noexcept
    : name_(std::exchange(other.name_, 0)), locations_(std::move(other.locations_)) {}

ShaderProgram& ShaderProgram::operator=(ShaderProgram&& other) noexcept {
    std::swap(name_, other.name_);
    std::swap(locations_, other.locations_);
    return *this;
}

GLint ShaderProgram::location(const char* uniform) const {
    const auto found = locations_.find(uniform);
    if (found != locations_.end()) return found->second;
    return locations_[uniform] = glGetUniformLocation(name_, uniform);
}

}  // namespace clothlab::app::render
