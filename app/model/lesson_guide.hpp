#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lessons/facts.hpp"
#include "lessons/lesson_run.hpp"
#include "model/stored_workspace.hpp"
#include "worker/commands.hpp"
#include "worker/snapshots/snapshot.hpp"

namespace clothlab::app::model {

struct UiModel;

/// Runs a lesson in the window: posts the settings of a step, waits until they are active, collects the reports of its
/// steps, runs the race, and judges the claims by lessons::Facts as the command line does.
class LessonGuide {
public:
    enum class Phase {
        Off,      ///< no lesson
        Setting,  ///< commands are on their way, or a scene is being built
        Running,  ///< steps are being taken
        Racing,   ///< on the last of them
        Reached   ///< the claims can be judged
    };

    std::string assets;  ///< folder of scenes and lessons

    Phase phase() const { return phase_; }
    bool isOn() const { return phase_ != Phase::Off; }
    /// The current lesson.
    const lessons::Lesson& lesson() const { return *lesson_; }
    std::size_t index() const { return index_; }
    const lessons::LessonStep& step() const { return lesson_->steps[index_]; }
    /// Steps taken of this step of the lesson.
    std::size_t taken() const { return facts_.empty() ? 0 : facts_.back().reports.size(); }
    lessons::Lookup lookup() const { return lessons::lookupAt(facts_, index_); }

    /// The built-in lessons, read on first use.
    const std::vector<lessons::Lesson>& all();
    /// Why they cannot be read, or empty.
    const std::string& problem() const { return problem_; }

    /// Begins a lesson; the user's workplace is kept, and restored when it ends.
    void start(UiModel& model, lessons::Lesson lesson);
    /// False: there is no lesson, or no such step.
    bool next(UiModel& model);
    bool back(UiModel& model);
    /// Restarts the step.
    bool again(UiModel& model);
    bool end(UiModel& model);
    /// Shows the plot of the step: in the column, and large where there is no column. A blind test shows none.
    void showPlot(UiModel& model) const;

    /// Call with each snapshot that includes every command posted so far.
    void update(UiModel& model);
    void push(const worker::ReportEntry& entry);

private:
    void goTo(UiModel& model, std::size_t index);
    void take(UiModel& model, std::size_t index);
    void begin(UiModel& model);
    void finish(UiModel& model);
    void hold(UiModel& model);
    bool stands() const;
    void runActions(UiModel& model, bool view) const;
    void showPanel(UiModel& model) const;
    bool keepsPlot(const UiModel& model) const;

    std::optional<lessons::Lesson> lesson_;
    std::optional<StoredWorkspace> before_;  ///< the user's, before the lesson
    int alsoPlot_ = -1;                      ///< the user's own
    std::optional<std::vector<lessons::Lesson>> all_;
    std::string problem_;
    std::size_t index_ = 0, target_ = 0;  ///< the step that is on, and the one to come to
    Phase phase_ = Phase::Off;
    std::vector<lessons::Facts> facts_;  ///< of the steps up to this one
    scene::Scene scene_;                 ///< of the step
    scene::Settings ghost_;              ///< before what the step sets
    std::int64_t startStep_ = 0;         ///< of the motion, at which the step began
    std::uint64_t raceBefore_ = 0;       ///< serial of the last race before the lesson's own
};

}  // namespace clothlab::app::model
