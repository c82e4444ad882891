#pragma once

#include "experiments/race/column.hpp"
#include "experiments/race/nonlinear_race.hpp"

/// The columns of a race on the energy of a step, as kRaceColumns are those of a race on its system: a new quantity is
/// one line here.
namespace clothlab::experiments {

/// A row of the race with its method.
struct NonlinearEntry {
    const NonlinearContestant* who = nullptr;
    const NonlinearRow* row = nullptr;
};
std::vector<NonlinearEntry> toEntries(const NonlinearRace& race);

using NonlinearColumn = Column<NonlinearEntry>;

namespace nonlinear_columns {

using Entry = NonlinearEntry;

template <std::size_t Iterations>
double errorAfter(const Entry& e) {
    return Iterations < e.row->error.size() ? e.row->error[Iterations] : kNoValue;
}
template <std::size_t Iterations>
std::string errorAfterInTable(const Entry& e) {
    return Iterations < e.row->error.size() ? fmt::format("{:.1e}", e.row->error[Iterations]) : "-";
}
/// Milliseconds to an error of 10^-Digits.
template <int Digits>
double timeTo(const Entry& e) {
    constexpr std::array kErrors{1.0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6};
    const double time = e.row->timeTo(kErrors[Digits]);
    return time < 0 ? kNoValue : time;
}

}  // namespace nonlinear_columns

inline constexpr auto kNonlinearColumns = [] {
    using namespace nonlinear_columns;
    using enum NonlinearColumn::Kind;
    return std::to_array<NonlinearColumn>({
        {.key = "method",
         .help = "The key of the method.",
         .words = [](const Entry& e) { return e.who->key; },
         .window = {.id = "method", .name = "method", .place = 1, .cell = [](const Entry& e) { return e.who->label; }}},
        {.key = "label",
         .help = "Its name.",
         .words = [](const Entry& e) { return e.who->label; },
         .text = {"method", -36, 1}},
        {.key = "iterations",
         .help = "Iterations of the method until it ended.",
         .value = [](const Entry& e) { return e.row->error.empty() ? 0.0 : double(e.row->error.size() - 1); },
         .kind = Whole,
         .text = {"iter", 5, 2},
         .window = {.id = "iterations",
                    .name = "iterations",
                    .width = 62,
                    .place = 2,
                    .worth = 4,
                    .digits = 6,
                    .zero = true}},
        {.key = "ms_per_iteration",
         .unit = "ms",
         .help = "Milliseconds per iteration, the mean.",
         .value = [](const Entry& e) { return e.row->error.size() > 1 ? e.row->msPerIteration() : kNoValue; },
         .text = {.head = "ms/iter", .width = 9, .place = 3, .decimals = 3},
         .window = {.id = "each", .name = "ms each", .width = 58, .place = 3, .worth = 1, .zero = true}},
        {.key = "last_error",
         .help = "The relative error where it ended.",
         .value = [](const Entry& e) { return e.row->error.empty() ? kNoValue : e.row->error.back(); },
         .window = {.id = "error", .name = "error", .width = 58, .place = 4, .worth = 5, .digits = 2, .zero = true}},
        {.key = "error_after_1",
         .help = "The relative error after 1 iteration.",
         .value = errorAfter<1>,
         .text = {.head = "after 1", .width = 9, .place = 5, .cell = errorAfterInTable<1>}},
        {.key = "error_after_3",
         .help = "The relative error after 3 iterations.",
         .value = errorAfter<3>,
         .text = {.head = "after 3", .width = 9, .place = 6, .cell = errorAfterInTable<3>}},
        {.key = "error_after_10",
         .help = "The relative error after 10 iterations.",
         .value = errorAfter<10>,
         .text = {.head = "after 10", .width = 9, .place = 7, .cell = errorAfterInTable<10>}},
        {.key = "error_after_100",
         .help = "The relative error after 100 iterations.",
         .value = errorAfter<100>,
         .text = {.head = "after 100", .width = 9, .place = 8, .cell = errorAfterInTable<100>}},
        {.key = "ms_to_1e-2",
         .unit = "ms",
         .help = "Milliseconds to a relative error of 1e-2, from the start of the step.",
         .value = timeTo<2>,
         .text = {"ms to 1e-2", 11, 9}},
        {.key = "ms_to_1e-3",
         .unit = "ms",
         .help = "Milliseconds to a relative error of 1e-3, from the start of the step.",
         .value = timeTo<3>,
         .window = {.id = "1e-3", .name = "to 1e-3, ms", .width = 74, .place = 5, .worth = 2, .zero = true}},
        {.key = "ms_to_1e-6",
         .unit = "ms",
         .help = "Milliseconds to a relative error of 1e-6, from the start of the step.",
         .value = timeTo<6>,
         .text = {"ms to 1e-6", 11, 10},
         .window = {.id = "1e-6", .name = "to 1e-6, ms", .width = 74, .place = 6, .worth = 3, .zero = true}},
        {.key = "linear_iterations",
         .help = "Iterations of all its linear solves; a direct solver has none.",
         .value = [](const Entry& e) { return double(e.row->linearIterations); },
         .kind = Whole,
         .text = {"linear", 7, 4},
         .window = {.id = "linear", .name = "linear", .width = 48, .place = 7, .worth = 6, .digits = 6}},
        {.key = "neighbouring",
         .help = "Whether it solves a neighbouring problem: its error ends on a plateau.",
         .value = [](const Entry& e) { return double(e.who->neighbouring()); },
         .kind = Truth},
        {.key = "residual",
         .help = "Residual of its own equations, relative to the first pass.",
         .value = [](const Entry& e) { return e.row->residual >= 0 ? e.row->residual : kNoValue; }},
        {.key = "problem", .help = "Why it stopped early.", .words = [](const Entry& e) { return e.row->problem; }},
    });
}();

}  // namespace clothlab::experiments
