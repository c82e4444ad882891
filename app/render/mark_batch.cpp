#include "render/mark_batch.hpp"

#include <algorithm>
#include <cstddef>

namespace clothlab::app::render {
namespace {

void attribute(GLuint index, GLint size, GLenum type, GLsizei stride, std::size_t offset) {
    glVertexAttribPointer(index, size, type, type == GL_UNSIGNED_BYTE ? GL_TRUE : GL_FALSE, stride,
                          gl::bufferOffset(offset));
    glVertexAttribDivisor(index, 1);
    glEnableVertexAttribArray(index);
}

void lineAttributes() {
    using Line = MarkBatch::Line;
    attribute(0, 3, GL_FLOAT, sizeof(Line), offsetof(Line, from));
    attribute(1, 3, GL_FLOAT, sizeof(Line), offsetof(Line, to));
    attribute(2, 4, GL_UNSIGNED_BYTE, sizeof(Line), offsetof(Line, color));
    attribute(3, 2, GL_FLOAT, sizeof(Line), offsetof(Line, width));
}

void pointAttributes() {
    using Point = MarkBatch::Point;
    attribute(0, 3, GL_FLOAT, sizeof(Point), offsetof(Point, centre));
    attribute(1, 2, GL_FLOAT, sizeof(Point), offsetof(Point, radius));
    attribute(2, 4, GL_UNSIGNED_BYTE, sizeof(Point), offsetof(Point, color));
    attribute(3, 4, GL_UNSIGNED_BYTE, sizeof(Point), offsetof(Point, rim));
}

}  // namespace

MarkBatch::MarkBatch() {
    const auto build = [](Ring& ring, void (*attributes)()) {
        for (std::size_t k = 0; k < ring.buffers.size(); ++k) {
            ring.buffers[k] = gl::Buffer::make();
            ring.arrays[k] = gl::VertexArray::make();
            glBindVertexArray(ring.arrays[k].get());
            glBindBuffer(GL_ARRAY_BUFFER, ring.buffers[k].get());
            attributes();
        }
    };
    build(lineRing_, lineAttributes);
    build(pointRing_, pointAttributes);
    glBindVertexArray(0);
}

void MarkBatch::grow(Ring& ring, std::size_t bytes) {
    if (bytes <= ring.capacity) return;
    ring.capacity = std::max(bytes, ring.capacity + ring.capacity / 2);
    for (const gl::Buffer& buffer : ring.buffers) {
        glBindBuffer(GL_ARRAY_BUFFER, buffer.get());
        glBufferData(GL_ARRAY_BUFFER, GLsizeiptr(ring.capacity), nullptr, GL_STREAM_DRAW);
    }
}

void MarkBatch::write(Ring& ring, std::size_t slot, const void* data, std::size_t bytes) {
    if (bytes == 0) return;
    grow(ring, bytes);
    glBindBuffer(GL_ARRAY_BUFFER, ring.buffers[slot].get());
    glBufferSubData(GL_ARRAY_BUFFER, 0, GLsizeiptr(bytes), data);
}

void MarkBatch::reserve(std::size_t lines, std::size_t points) {
    lines_.reserve(lines);
    points_.reserve(points);
    grow(lineRing_, lines * sizeof(Line));
    grow(pointRing_, points * sizeof(Point));
}

void MarkBatch::clear() {
    lines_.clear();
    points_.clear();
}

void MarkBatch::upload() {
    current_ = (current_ + 1) % gl::kRing;
    write(lineRing_, current_, lines_.data(), lines_.size() * sizeof(Line));
    write(pointRing_, current_, points_.data(), points_.size() * sizeof(Point));
}

void MarkBatch::drawLines() const {
    if (lines_.empty()) return;
    glBindVertexArray(lineRing_.arrays[current_].get());
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, GLsizei(lines_.size()));
}

void MarkBatch::drawPoints() const {
    if (points_.empty()) return;
    glBindVertexArray(pointRing_.arrays[current_].get());
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, GLsizei(points_.size()));
}

}  // namespace clothlab::app::render
