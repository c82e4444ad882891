#include "model/lesson_guide.hpp"

#include <algorithm>

#include "lessons/plots.hpp"
#include "model/motion_plot.hpp"
#include "model/ui_model.hpp"

namespace clothlab::app::model {

const std::vector<lessons::Lesson>& LessonGuide::all() {
    if (all_) return *all_;
    std::vector<Error> broken;
    all_ = lessons::readableLessons(assets, broken);
    if (!broken.empty()) problem_ = broken.front().text();
    return *all_;
}

void LessonGuide::start(UiModel& model, lessons::Lesson lesson) {
    if (!isOn()) {
        before_ = model.storeWorkspace();
        alsoPlot_ = model.looks.alsoPlot;
    }
    lesson_ = std::move(lesson);
    facts_.clear();
    model.looks.keyControls = lesson_->controls;
    goTo(model, 0);
}

bool LessonGuide::next(UiModel& model) {
    if (!isOn() || index_ + 1 >= lesson_->steps.size()) return false;
    // Not all of this step's motion has been seen, and the next one goes on from its end.
    if (phase_ != Phase::Reached && !lessons::beginsAnew(*lesson_, index_ + 1)) return goTo(model, index_ + 1), true;
    target_ = index_ + 1;
    take(model, index_ + 1);
    return true;
}

bool LessonGuide::back(UiModel& model) {
    if (!isOn() || index_ == 0) return false;
    goTo(model, index_ - 1);
    return true;
}

bool LessonGuide::again(UiModel& model) {
    if (!isOn()) return false;
    goTo(model, index_);
    return true;
}

/// From where its motion begins, through the steps before it.
void LessonGuide::goTo(UiModel& model, std::size_t index) {
    target_ = index;
    while (!lessons::beginsAnew(*lesson_, index)) --index;
    take(model, index);
}

bool LessonGuide::end(UiModel& model) {
    if (!isOn()) return false;
    phase_ = Phase::Off;
    lesson_.reset();
    facts_.clear();
    model.looks.keyControls.clear();
    model.racing.forget();
    model.looks.alsoPlot = alsoPlot_;
    model.looks.ghostBeside = model.looks.blind = false;
    model.closePanel();
    model.editor.outbox.push_back(worker::Apply{simulation::edits::Ghost{}});
    model.returnTo(std::move(*before_));
    before_.reset();
    return true;
}

void LessonGuide::take(UiModel& model, std::size_t index) {
    auto scene = lessons::sceneAt(*lesson_, index, assets);
    const auto ghost = lessons::ghostAt(*lesson_, index, assets);
    if (!scene || !ghost) {
        model.say((scene ? ghost.error() : scene.error()).text(), true);
        return;
    }
    index_ = index;
    facts_.resize(index);
    facts_.emplace_back();
    const lessons::LessonStep& now = step();
    scene->settings.threads = model.settings.threads;
    scene->overlay = now.overlay.value_or(index == 0 ? lesson_->overlay.value_or(scene->overlay) : model.looks.overlay);
    model.closePanel();
    model.racing.forget();
    const bool anew = lessons::beginsAnew(*lesson_, index);
    hold(model);  // until all of it acts: the first step taken is the first that counts
    if (now.branch || anew) model.editor.outbox.push_back(worker::Apply{simulation::edits::Ghost{}});
    if (anew) model.loadScene(*scene);
    ghost_ = *ghost;
    ghost_.threads = model.settings.threads;
    scene_ = *scene;
    model.looks.overlay = scene->overlay;
    model.looks.ghostBeside = now.beside;
    model.looks.blind = now.blind;
    model.settings = scene->settings;
    if (!anew) model.postSettings();
    setSpeed(model, index < target_ ? 0 : now.speed.value_or(1));
    model.editor.changes.clear();  // what a lesson sets is not the user's to take back
    phase_ = Phase::Setting;
}

/// What is set is active: pins know their particles, reports from now on are of this step.
void LessonGuide::begin(UiModel& model) {
    const lessons::LessonStep& now = step();
    for (simulation::Edit& edit : lessons::lessonEdits(now, scene_, ghost_))
        model.editor.outbox.push_back(worker::Apply{std::move(edit), model.snapshot->mesh->revision});
    startStep_ = model.snapshot->step;
    phase_ = Phase::Running;
    model.view.wholeInView = true;
    runActions(model, true);
    showPlot(model);
    if (now.steps == 0 && now.hold) return;
    model.playing = true;
    model.editor.outbox.push_back(worker::Play{.steps = stands() ? now.steps : 0});
}

/// Those of the view before the first step, the others after the last one.
void LessonGuide::runActions(UiModel& model, bool view) const {
    for (const std::string& action : step().actions) {
        if (action.starts_with("view.") != view) continue;
        if (const std::string refusal = model.actions.run(model, action); !refusal.empty()) model.say(refusal, true);
    }
}

void LessonGuide::showPlot(UiModel& model) const {
    const std::string_view wanted = lessons::plotAt(*lesson_, index_);
    if (wanted.empty() || lessons::isPanelPlot(wanted) || step().blind) return;
    const auto entry = std::ranges::find(motionPlots(), wanted, &MotionPlotEntry::key);
    model.looks.largePlot = entry == motionPlots().end() ? MotionPlot::Also : entry->plot;
    if (entry == motionPlots().end())
        for (std::size_t k = 0; k < simulation::kReportColumns.size(); ++k)
            if (simulation::kReportColumns[k].key == wanted) model.looks.alsoPlot = int(k);
    if (model.looks.presenter) model.open(Panel::Plots);
}

/// Whether the motion stops once the steps have been taken: what is then shown is of the last of them, and the claim is
/// about no later one. Without steps, where the next step of the lesson continues from there.
bool LessonGuide::stands() const {
    const bool goesOn = index_ + 1 < lesson_->steps.size() && !lessons::beginsAnew(*lesson_, index_ + 1);
    return step().steps > 0 || goesOn || step().hold || !step().race.empty() || step().slow;
}

/// For a room one plot is enough: where a plot of the motion is what the step is about, no panel takes its place.
bool LessonGuide::keepsPlot(const UiModel& model) const {
    const std::string_view plot = lessons::plotAt(*lesson_, index_);
    return model.looks.presenter && model.isOpen(Panel::Plots) && !plot.empty() && !lessons::isPanelPlot(plot);
}

/// The panel that the step is about, unless its own actions have opened it.
void LessonGuide::showPanel(UiModel& model) const {
    const std::string_view plot = lessons::plotAt(*lesson_, index_);
    const auto entry = std::ranges::find(panelTable(), plot, &PanelEntry::key);
    const bool comes = plot == enumKey(lessons::PanelPlot::Race) || plot == enumKey(lessons::PanelPlot::SlowMotion);
    if (!model.looks.presenter || !lessons::isPanelPlot(plot) || comes || model.isOpen(entry->panel)) return;
    model.open(entry->panel);
}

void LessonGuide::hold(UiModel& model) {
    if (model.playing) togglePlaying(model);
}

/// All its steps have been taken.
void LessonGuide::finish(UiModel& model) {
    const lessons::LessonStep& now = step();
    const auto& ghost = model.snapshot->ghost;
    if (ghost.present && !facts_.back().reports.empty())
        facts_.back().distance = facts_.back().reports.back().ghostDistance;
    if (stands()) hold(model);
    model.view.wholeInView = true;
    runActions(model, false);
    showPanel(model);
    phase_ = Phase::Reached;
    if (now.slow && !keepsPlot(model)) model.open(Panel::SlowMotion);
    if (now.race.empty()) return;
    raceBefore_ = model.race() ? model.race()->serial : 0;
    model.racing.names = now.race;
    model.racing.tolerances = {now.raceTolerance};
    model.editor.outbox.push_back(raceWanted(model));
    if (!keepsPlot(model)) model.panel = Panel::Race;
    phase_ = Phase::Racing;
}

void LessonGuide::update(UiModel& model) {
    if (phase_ == Phase::Setting && model.load == 0 && model.settingsActive()) begin(model);
    if (phase_ == Phase::Running && (taken() >= std::size_t(step().steps) || facts_.back().failed())) finish(model);
    const worker::RaceProgress* race = model.race();
    if (phase_ == Phase::Racing && race && race->serial != raceBefore_ && !race->running) {
        facts_.back().race = race->result;
        phase_ = Phase::Reached;
    }
    if (phase_ == Phase::Reached && index_ < target_) take(model, index_ + 1);
}

void LessonGuide::push(const worker::ReportEntry& entry) {
    if (phase_ != Phase::Running) return;
    auto& reports = facts_.back().reports;
    if (entry.cleared) reports.clear();
    const bool taken = entry.report.dt > 0 && entry.report.step > startStep_;
    const bool counts = !entry.cleared && (taken || integrators::hasFailed(entry.report.status));
    if (!counts || reports.size() >= std::size_t(step().steps)) return;
    reports.push_back(entry.report);
    if (entry.ghost) facts_.back().ghostReports.push_back(*entry.ghost);
}

}  // namespace clothlab::app::model
