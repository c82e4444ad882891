#include "actions/job_actions.hpp"

#include "model/requests/job_requests.hpp"
#include "model/ui_model.hpp"

namespace clothlab::app::actions {

using model::Panel, model::UiModel;

namespace {

template <bool Pictures>
bool showDescent(UiModel& model) {
    model.looks.descentPictures = Pictures;
    if (!model.isOpen(Panel::Descent)) model.open(Panel::Descent);
    return true;
}

bool showSlowMotion(UiModel& model) {
    if (!model.isOpen(Panel::SlowMotion)) return model.open(Panel::SlowMotion), true;
    return startSlowMotion(model), true;
}

}  // namespace

std::vector<Action> jobActions() {
    return {
        {.name = "race.start", .label = "Race", .help = "races the step shown", .run = model::startRace},
        {.name = "race.save", .label = "Save", .help = "writes the race's bundle", .run = model::saveRace},
        {.name = "descent.start",
         .label = "Descent",
         .help = "races the methods that minimise the energy of the step shown",
         .run = model::startDescent},
        {.name = "descent.curves",
         .label = "Curves",
         .help = "descent: the error by iteration and time",
         .run = showDescent<false>},
        {.name = "descent.pictures",
         .label = "Side by side",
         .help = "descent: the cloth after 1, 10, 100, 1000 iterations and exact",
         .run = showDescent<true>},
        {.name = "work.start",
         .label = "Measure",
         .help = "measures work and precision from the state shown",
         .run =
             [](UiModel& model) {
                 if (!model.work.proposed) proposeWork(model);  // the panel was never open
                 return startWork(model);
             }},
        {.name = "work.save", .label = "Save", .help = "writes the measured points", .run = model::saveWork},
        {.name = "slow.start", .label = "This step", .help = "slow motion of the step shown", .run = showSlowMotion},
        {.name = "job.cancel",
         .label = "Stop",
         .help = "stops the background job; its results so far stay",
         .run = model::cancelJob},
    };
}

}  // namespace clothlab::app::actions
