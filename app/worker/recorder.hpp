#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/output.hpp"
#include "simulation/recording.hpp"

namespace clothlab::app::worker {

/// Writes down what is done to the simulation of a window (simulation/recording.hpp), as its thread does it. Used by
/// that thread alone.
class Recorder {
public:
    /// In memory: what leads to the motion that is on show. A scene that is loaded makes all before it needless, until
    /// somebody goes back to a motion of before.
    Recorder() = default;
    /// All of it, into a file that grows.
    explicit Recorder(std::shared_ptr<GrowingFile> file) : file_(std::move(file)) {}
    /// The steps at the end are written, too.
    ~Recorder() { flushSteps(); }
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;

    /// The scene with which the window begins.
    void begin(const simulation::Simulation& now, bool fromStart);
    /// What is in memory is of a motion that is not on show any more.
    void forget();
    /// Something that was done between two steps.
    void note(const simulation::Edit& edit);
    /// A step was taken, or failed.
    void stepped(bool adopted);

    /// Nothing but settings before the first step was changed since the scene was loaded.
    bool plain() const { return plain_; }
    std::int64_t steps() const { return steps_; }
    /// Of a recording in memory.
    std::string text();
    /// Why a file took no more, or empty.
    const std::string& problem() const { return problem_; }

private:
    void line(const simulation::RecordedEvent& event);
    void account(const simulation::Edit& edit);
    void flushSteps();
    void needMotion(std::int64_t id);
    void beginScene(bool fromStart);

    std::shared_ptr<GrowingFile> file_;
    std::vector<std::string> lines_, earlier_;  ///< since the last scene; before that
    std::set<std::int64_t> inLines_, ids_;      ///< motions that these lines put aside; that any did
    std::int64_t earlierSteps_ = 0;
    std::string problem_;
    bool plain_ = true, begun_ = false;
    std::int64_t steps_ = 0, inRow_ = 0;
    simulation::edits::Hold hold_;
};

}  // namespace clothlab::app::worker
