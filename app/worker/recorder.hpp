#pragma once

#include <map>
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

    /// Another scene, or a saved state.
    void load(const simulation::Simulation& now, bool fromStart);
    /// Anything else that is done between two steps.
    void note(const simulation::RecordedEvent& event);
    /// The new settings are not active yet.
    void set(const simulation::Simulation& now, const scene::Settings& settings);
    void hold(const integrators::Grab& cloth, const integrators::ColliderGrab& solid);
    /// A step was taken, or failed.
    void stepped(bool adopted);
    /// It went back to a step that is remembered.
    void seek(std::int64_t step) { note(simulation::recorded::Seek{step}); }
    /// A motion is put aside in a place, and comes back later, or its pins.
    void keep(const void* place);
    void returnTo(const void* place, bool anew);
    void pinsOf(const void* place);

    /// Nothing but settings before the first step was changed since the scene was loaded.
    bool plain() const { return plain_; }
    std::int64_t steps() const { return steps_; }
    /// Of a recording in memory.
    std::string text();
    /// Why a file took no more, or empty.
    const std::string& problem() const { return problem_; }

private:
    void line(const simulation::RecordedEvent& event);
    void flushSteps();
    void needMotion(std::int64_t id);

    std::shared_ptr<GrowingFile> file_;
    std::vector<std::string> lines_, earlier_;  ///< since the last scene; before that
    std::set<std::int64_t> inLines_;            ///< motions that these lines put aside
    std::int64_t earlierSteps_ = 0;
    std::string problem_;
    bool plain_ = true, begun_ = false;
    std::int64_t steps_ = 0, inRow_ = 0, nextId_ = 1;
    std::map<const void*, std::int64_t> kept_;
    integrators::Grab cloth_;
    integrators::ColliderGrab solid_;
};

}  // namespace clothlab::app::worker
