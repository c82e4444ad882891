#include <fmt/format.h>
#include <glad/gl.h>

#include <algorithm>
#include <filesystem>

#include "render/gl/capture.hpp"
#include "render/gl/offscreen_target.hpp"
#include "window/window_loop.hpp"

// Pictures and films from the window.
namespace clothlab::app::window {

using model::PictureOf;

Expected<render::Image> WindowLoop::capturePicture(PictureOf of) {
    if (of == PictureOf::Window && frames_.budget.without() > 0) draw({});  // a picture has them all
    if (of == PictureOf::Window) return render::readFramebuffer(0, screen_.height, 0, 0, screen_.width, screen_.height);
    return drawCloth(of == PictureOf::Twice ? 2 : 1, {});
}

Expected<render::Image> WindowLoop::drawCloth(int factor, std::optional<float> backdrop) {
    render::ViewState view = view_;
    view.viewport = {0, 0, factor * view_.viewport.width, factor * view_.viewport.height};
    view.contentScale = float(factor) * view_.contentScale;
    view.hovered = -1;
    view.backdrop = backdrop;
    const int width = ghostShown_ ? 2 * view.viewport.width : view.viewport.width, height = view.viewport.height;
    if (width < 8 || height < 8) return fail("a panel leaves the cloth no room: close it, or take the window");
    const auto target = render::OffscreenTarget::create(width, height);
    if (!target) return fail(target.error());
    view.effects = {};  // a picture has the time
    drawScene(view, {(*target)->framebuffer(), width, height});
    return render::readFramebuffer((*target)->framebuffer(), height, 0, 0, width, height);
}

void WindowLoop::savePicture() {
    const PictureOf of = model_.pictureSettings.of;
    const std::string ending = of == PictureOf::Window ? ".png" : fmt::format("-{}.png", enumKey(of));
    const std::string path = model::freeName(model::pictureName(simulation_->snapshot()), ending);
    // A picture has the time that a frame of a film has not: four pixels for each.
    const auto supersampled = [&](std::optional<float> backdrop) { return drawCloth(2, backdrop).map(render::halved); };
    const auto save = [&]() -> Expected<void> {
        if (of != PictureOf::Transparent)
            return (of == PictureOf::Cloth ? supersampled({}) : capturePicture(of))
                .and_then([&](const render::Image& image) { return render::writePng(path, image, options_.inputs); });
        const auto black = supersampled(0.0f), white = supersampled(1.0f);
        if (!black) return fail(black.error());
        if (!white) return fail(white.error());
        return render::writePng(path, render::extractMatte(*black, *white), options_.inputs);
    };
    const auto written = save();
    model_.say(written ? "saved " + std::filesystem::absolute(path).string() : written.error().text(), !written);
}

/// Over what was drawn, once the frame is taken: how much of the film there is.
static void drawProgress(int frames, int wanted, int x, int y, int width, const std::uint32_t color) {
    const int done = wanted > 0 ? int(std::int64_t(width) * frames / wanted) : 0;
    glEnable(GL_SCISSOR_TEST);
    glScissor(x, y, done, 5);
    glClearColor(float(color & 0xff) / 255, float(color >> 8 & 0xff) / 255, float(color >> 16 & 0xff) / 255, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glDisable(GL_SCISSOR_TEST);
}

void WindowLoop::updateFilm() {
    const bool before = filmTaker_.running();
    const PictureOf of =
        model_.pictureSettings.of == PictureOf::Transparent ? PictureOf::Cloth : model_.pictureSettings.of;
    filmTaker_.update(model_, simulation_->snapshot(), settled(), options_.inputs, [&] { return capturePicture(of); });
    if (!filmTaker_.running() && !before) return;
    frames_.lastActivity = frames_.start;
    const bool on = filmTaker_.running();
    window_.setTitle(on ? fmt::format("Clothlab · film: {} of {}", model_.film.frames, model_.film.wanted)
                        : "Clothlab · " + cameraScene_);
    if (on)
        drawProgress(model_.film.frames, model_.film.wanted, view_.viewport.x,
                     screen_.height - view_.viewport.y - view_.viewport.height, view_.viewport.width,
                     ui_->theme().colors.pin);
}

}  // namespace clothlab::app::window
