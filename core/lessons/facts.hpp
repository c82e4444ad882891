#pragma once

#include <span>
#include <string>
#include <vector>

#include "experiments/race/race.hpp"
#include "lessons/claim.hpp"
#include "simulation/report.hpp"

namespace clothlab::lessons {

/// What a step of a lesson came to: the numbers that its claim is about.
struct Facts {
    std::vector<simulation::StepReport> reports;       ///< of its steps, a failed one too
    std::vector<simulation::StepReport> ghostReports;  ///< of the second cloth meanwhile
    double distance = -1;                              ///< m, the ghost's largest at the end; negative = no ghost
    experiments::RaceResult race;                      ///< no rows = no race

    bool failed() const;
};

/// The quantities of a lesson's claims:
///
///     first(c) last(c) min(c) max(c) mean(c) sum(c)   of a column of reports (simulation::kReportColumns)
///                                                     over the steps
///     steps()                                         how many steps
///     failed()                                        1 if one failed, else 0
///     distance()                                      m, of the ghost
///     race("method", x)                               x: iterations, condition, residual, converged
///
/// Empty, or what is wrong with it in the step `number`, counted from 1.
std::string checkQuantity(const Quantity& quantity, int number);
/// Its number in the step `number`; `facts` are those of all steps so far. Not a number where there is none.
double valueOf(const Quantity& quantity, std::span<const Facts> facts, int number);

/// How it is said: labels of report columns and of methods. A race's method that there is not keeps its name.
QuantityWords wordsOf(const Quantity& quantity);

}  // namespace clothlab::lessons
