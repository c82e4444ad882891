#include "render/camera.hpp"

#include <algorithm>
#include <cmath>
#include <glm/gtc/matrix_transform.hpp>

namespace clothlab::app::render {
namespace {

constexpr float kMinDistance = 0.05f, kMaxDistance = 60.0f;  // m
constexpr float kZoomPerNotch = 0.88f;

/// Half the height of the picture at distance 1. In a tall viewport the width is the shorter side.
float halfHeight(const Camera& camera, float aspect) {
    const float half = std::tan(glm::radians(camera.fieldOfView) * 0.5f);
    return aspect < 1 ? half / aspect : half;
}

}  // namespace

Camera Camera::fromHint(const scene::CameraHint& hint) {
    Camera camera;
    camera.target = {hint.target.x(), hint.target.y(), hint.target.z()};
    camera.distance = std::clamp(float(hint.distance), kMinDistance, kMaxDistance);
    camera.azimuth = float(hint.azimuth);
    camera.elevation = std::clamp(float(hint.elevation), -89.0f, 89.0f);
    return camera;
}

glm::vec3 Camera::forward() const {
    const float a = glm::radians(azimuth), e = glm::radians(elevation);
    return -glm::vec3(std::sin(a) * std::cos(e), std::sin(e), std::cos(a) * std::cos(e));
}

glm::vec3 Camera::eye() const { return target - distance * forward(); }

glm::vec3 Camera::right() const {
    const float a = glm::radians(azimuth);
    return {std::cos(a), 0, -std::sin(a)};
}

glm::vec3 Camera::up() const { return glm::cross(right(), forward()); }

glm::mat4 Camera::view() const { return glm::lookAt(eye(), target, glm::vec3(0, 1, 0)); }

glm::mat4 Camera::projection(float aspect) const {
    // The near plane follows the distance: a depth buffer of 24 bits then resolves tenths of a millimetre at the cloth.
    const float nearPlane = std::clamp(distance * 0.05f, 0.01f, 0.5f), farPlane = 2 * distance + 60.0f;
    return glm::perspective(2 * std::atan(halfHeight(*this, aspect)), aspect, nearPlane, farPlane);
}

Ray Camera::rayThrough(glm::vec2 pixel, const Viewport& viewport) const {
    const float h = halfHeight(*this, viewport.aspect()), w = h * viewport.aspect();
    const float sx = 2 * (pixel.x - float(viewport.x)) / float(viewport.width) - 1;
    const float sy = 1 - 2 * (pixel.y - float(viewport.y)) / float(viewport.height);
    return {eye(), glm::normalize(forward() + sx * w * right() + sy * h * up())};
}

std::optional<glm::vec2> Camera::toPixel(glm::vec3 point, const Viewport& viewport) const {
    const glm::vec3 d = point - eye();
    const float depth = glm::dot(d, forward());
    if (!(depth > 1e-6f)) return std::nullopt;
    const float h = halfHeight(*this, viewport.aspect()), w = h * viewport.aspect();
    const float sx = glm::dot(d, right()) / (depth * w), sy = glm::dot(d, up()) / (depth * h);
    return glm::vec2(float(viewport.x) + 0.5f * (sx + 1) * float(viewport.width),
                     float(viewport.y) + 0.5f * (1 - sy) * float(viewport.height));
}

glm::vec3 Camera::dragPoint(glm::vec2 pixel, const Viewport& viewport, glm::vec3 anchor) const {
    const Ray ray = rayThrough(pixel, viewport);
    const float along = glm::dot(ray.direction, forward());
    const float depth = std::max(glm::dot(anchor - ray.origin, forward()), 0.01f);
    return ray.at(depth / std::max(along, 1e-3f));
}

float Camera::metresPerPixel(glm::vec3 point, const Viewport& viewport) const {
    const float depth = std::max(glm::dot(point - eye(), forward()), 1e-3f);
    return 2 * halfHeight(*this, viewport.aspect()) * depth / float(std::max(viewport.height, 1));
}

void Camera::orbit(glm::vec2 deltaPixels, const Viewport& viewport) {
    const float degreesPerPixel = 180.0f / float(std::max(viewport.width, 1));
    azimuth = std::remainder(azimuth - deltaPixels.x * degreesPerPixel, 360.0f);
    elevation = std::clamp(elevation + deltaPixels.y * degreesPerPixel, -89.0f, 89.0f);
}

void Camera::pan(glm::vec2 deltaPixels, const Viewport& viewport) {
    const float scale = metresPerPixel(target, viewport);
    target += scale * (deltaPixels.y * up() - deltaPixels.x * right());
}

void Camera::stayAbove(float floor, bool targetMoved) {
    constexpr float kClearance = 0.03f;  // of the distance: less, and the near plane cuts the floor
    const float lowest = floor + kClearance * distance, missing = lowest - eye().y;
    if (missing <= 0) return;
    const float sine = (lowest - target.y) / distance, steepest = std::sin(glm::radians(89.0f));
    if (targetMoved || sine > steepest)
        target.y += missing;
    else
        elevation = glm::degrees(std::asin(sine));
}

void Camera::zoom(float notches) {
    distance = std::clamp(distance * std::pow(kZoomPerNotch, notches), kMinDistance, kMaxDistance);
}

}  // namespace clothlab::app::render
