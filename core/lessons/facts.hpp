#pragma once

#include <span>
#include <string>
#include <vector>

#include "experiments/race/race.hpp"
#include "lessons/claim.hpp"
#include "simulation/report.hpp"

namespace clothlab::lessons {

/// The results of a step of a lesson: the numbers for its claim.
struct Facts {
    std::vector<simulation::StepReport> reports;       ///< of its steps, including a failed one
    std::vector<simulation::StepReport> ghostReports;  ///< of the second cloth in the same steps
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
/// Empty, or the fault of a quantity in the step `number`, counted from 1.
std::string checkQuantity(const Quantity& quantity, int number);
/// Its number in the step `number`; `facts` are those of all steps so far. NaN if there is none.
double quantityValue(const Quantity& quantity, std::span<const Facts> facts, int number);

/// Its words: labels of report columns and of methods. An unknown method of a race keeps its name.
QuantityWords quantityWords(const Quantity& quantity);

}  // namespace clothlab::lessons
