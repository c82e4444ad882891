#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/output.hpp"
#include "simulation/recording.hpp"

namespace clothlab::app::worker {

/// Records the edits and steps of a window's simulation (simulation/recording.hpp). Used only by the simulation's
/// thread.
class Recorder {
public:
    /// In memory: the edits that lead to the current motion. Loading a scene makes all earlier ones needless, until an
    /// earlier kept motion is restored.
    Recorder() = default;
    /// Everything, into a growing file.
    explicit Recorder(std::shared_ptr<GrowingFile> file) : file_(std::move(file)) {}
    /// The steps at the end are written, too.
    ~Recorder() { flushSteps(); }
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;

    /// The scene with which the window begins.
    void begin(const simulation::Simulation& now, bool fromStart);
    /// Drops the lines in memory, which belong to a previous motion.
    void forget();
    /// Records an edit between two steps.
    void note(const simulation::Edit& edit);
    /// Records a step, taken or failed.
    void stepped(bool adopted);

    /// True if nothing was changed since the scene was loaded, except settings before the first step.
    bool plain() const { return plain_; }
    std::int64_t steps() const { return steps_; }
    /// Text of a recording in memory.
    std::string text();
    /// Why writing the file stopped, or empty.
    const std::string& problem() const { return problem_; }

private:
    void line(const simulation::RecordedEvent& event);
    void account(const simulation::Edit& edit);
    void flushSteps();
    void needMotion(std::int64_t id);
    void beginScene(bool fromStart);

    std::shared_ptr<GrowingFile> file_;
    std::vector<std::string> lines_, earlier_;  ///< since the last scene; before that
    std::set<std::int64_t> inLines_, ids_;      ///< motions kept by these lines; by any lines
    std::int64_t earlierSteps_ = 0;
    std::string problem_;
    bool plain_ = true, begun_ = false;
    std::int64_t steps_ = 0, inRow_ = 0;
    simulation::edits::Hold hold_;
};

}  // namespace clothlab::app::worker
