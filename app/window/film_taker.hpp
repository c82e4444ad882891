#pragma once

#include <functional>
#include <memory>
#include <string>

#include "frames/film_writer.hpp"
#include "model/ui_model.hpp"

namespace clothlab::app::window {

/// Records a film of the window, locked to its steps: requests a step, waits for it, takes its frame, and requests the
/// next one.
class FilmTaker {
public:
    /// Draws the subject of the film in its present state.
    using Camera = std::function<Expected<render::Image>()>;

    /// Once per frame, after it is drawn: begins, continues or ends as the model asks. `settled`: the snapshot includes
    /// all commands.
    void update(model::UiModel& model, const worker::Snapshot& now, bool settled, const InputFiles& inputs,
                const Camera& camera);
    bool running() const { return writer_ != nullptr; }

private:
    void begin(model::UiModel& model, const worker::Snapshot& now, const InputFiles& inputs, const Camera& camera);
    void end(model::UiModel& model, const std::string& why);
    void step(model::UiModel& model, const worker::Snapshot& now);

    std::unique_ptr<frames::FilmWriter> writer_;
    std::string path_;
    int width_ = 0, height_ = 0;
    std::uint64_t mesh_ = 0;
    /// The step; in a replay, which goes back and forth, the number of steps taken.
    std::int64_t playedStep(const worker::Snapshot& now) const { return replays_ ? now.replayed.steps : now.step; }
    std::int64_t awaited_ = 0;
    bool pausing_ = false, replays_ = false;
};

}  // namespace clothlab::app::window
