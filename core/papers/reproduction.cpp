#include "papers/reproduction.hpp"

#include <array>

namespace clothlab::simulation {
namespace {

constexpr std::array kTables{
    PaperTable{"ye-table-1", "Ye, table 1: MPCG and the reduced system, pinned and draped", yeTable1},
    PaperTable{"ye-table-2", "Ye, table 2: MPCG, direct solvers and corePCG, a ball hits a sheet", yeTable2},
    PaperTable{"ye-section-3-basis", "Ye, section 3: what the basis U of the free directions does to the iterations",
               yeSection3Basis},
    PaperTable{"ye-section-6-imex", "Ye, section 6: the shear at which IMEX turns unstable", yeSection6Imex},
    PaperTable{"sideris-table-2",
               "Sideris, table 2: five preconditioners over nine sizes, a heavy sheet falls on a sphere",
               siderisTable2},
    PaperTable{"sideris-figure-1", "Sideris, figure 1: the picture of table 2", siderisTable2},
    PaperTable{"sideris-figure-2", "Sideris, figure 2: the product H H' over threads, against applying its factors",
               siderisFigure2},
    PaperTable{"boxerman-section-4.1.3", "Boxerman, section 4.1.3: the critical step of forward-backward Euler",
               boxermanSection413, true},
    PaperTable{"boxerman-figure-4.3", "Boxerman, figure 4.3: blocks of the matrix, all springs implicit",
               boxermanFigure43},
    PaperTable{"boxerman-figure-4.4", "Boxerman, figure 4.4: energies of a swing, no damping", boxermanFigure44},
    PaperTable{"boxerman-figure-4.5", "Boxerman, figure 4.5: energies of a swing, unprojected damping",
               boxermanFigure45},
    PaperTable{"boxerman-figure-4.6", "Boxerman, figure 4.6: energies of a swing, projected damping", boxermanFigure46},
    PaperTable{"boxerman-figure-4.7", "Boxerman, figure 4.7: blocks of the matrix, stretch alone implicit",
               boxermanFigure47},
    PaperTable{"boxerman-figure-4.8", "Boxerman, figure 4.8: implicit, explicit and inactive springs, large step",
               boxermanFigure48},
    PaperTable{"boxerman-figure-4.9", "Boxerman, figure 4.9: implicit, explicit and inactive springs, modest step",
               boxermanFigure49},
    PaperTable{"boxerman-figure-4.10", "Boxerman, figure 4.10: implicit, explicit and inactive springs, small step",
               boxermanFigure410},
    PaperTable{"boxerman-figure-4.11", "Boxerman, figure 4.11: blocks of the matrix, adaptive IMEX", boxermanFigure411},
    PaperTable{"boxerman-section-4.4.3-stability", "Boxerman, section 4.4.3: adaptive IMEX with steps that vary",
               boxermanSection443Stability},
    PaperTable{"boxerman-section-4.4.3-results",
               "Boxerman, section 4.4.3: how far adaptive IMEX and backward Euler come apart",
               boxermanSection443Results, true},
    PaperTable{"boxerman-figure-4.12", "Boxerman, figure 4.12: the same, worst case", boxermanFigure412},
    PaperTable{"boxerman-figure-4.13", "Boxerman, figure 4.13: the same, average case", boxermanFigure413},
    PaperTable{"boxerman-table-4.1", "Boxerman, table 4.1: adaptive IMEX against backward Euler, time and iterations",
               boxermanTable41, true},
    PaperTable{"boxerman-section-5.2", "Boxerman, section 5.2: original and corrected MPCG", boxermanSection52},
    PaperTable{"boxerman-figure-5.3", "Boxerman, figure 5.3: iterations against size, two corners pinned",
               boxermanFigure53, true},
    PaperTable{"boxerman-figure-5.4", "Boxerman, figure 5.4: ratios of iterations against size, two corners pinned",
               boxermanFigure54, true},
    PaperTable{"boxerman-figure-5.5", "Boxerman, figure 5.5: iterations against stiffness, two corners pinned",
               boxermanFigure55, true},
    PaperTable{"boxerman-figure-5.6",
               "Boxerman, figure 5.6: ratios of iterations against stiffness, two corners pinned", boxermanFigure56,
               true},
    PaperTable{"boxerman-figure-5.7", "Boxerman, figure 5.7: iterations against size, sliding over a sphere",
               boxermanFigure57, true},
    PaperTable{"boxerman-figure-5.8", "Boxerman, figure 5.8: ratios of iterations against size, sliding over a sphere",
               boxermanFigure58, true},
    PaperTable{"boxerman-figure-5.9", "Boxerman, figure 5.9: iterations against stiffness, sliding over a sphere",
               boxermanFigure59, true},
    PaperTable{"boxerman-figure-5.10",
               "Boxerman, figure 5.10: ratios of iterations against stiffness, sliding over a sphere",
               boxermanFigure510, true},
    PaperTable{"boxerman-section-6.4.1", "Boxerman, section 6.4.1: what decomposition costs where nothing falls apart",
               boxermanSection641, true},
    PaperTable{"boxerman-figure-6.9",
               "Boxerman, figure 6.9: row-vector products against size, whole and by components, sphere",
               boxermanFigure69, true},
    PaperTable{"boxerman-figure-6.10", "Boxerman, figure 6.10: ratio of row-vector products against size, sphere",
               boxermanFigure610, true},
    PaperTable{"boxerman-section-6.4.2-sphere",
               "Boxerman, section 6.4.2: what friction, size and place of the sphere do to that ratio",
               boxermanSection642Sphere, true},
    PaperTable{"boxerman-section-6.4.2-parallel",
               "Boxerman, section 6.4.2: one and two threads, whole and by components", boxermanSection642Parallel},
    PaperTable{"chen-figure-2", "Chen, figure 2: steepest descent and conjugate gradients in two dimensions",
               chenFigure2},
    PaperTable{"chen-figure-3", "Chen, figure 3: a sheet of 5 x 5 particles pulled at its centre, now stable",
               chenFigure3},
    PaperTable{"chen-section-6.2", "Chen, section 6.2: MPCG instead of dense LU", chenSection62},
};

Error noSets(std::string_view name) {
    Error error{.message = std::string(name) + " is not made of random sets: there is nothing to keep in a file"};
    for (const PaperTable& t : kTables)
        if (t.ofSets) error.choices.emplace_back(t.name);
    return error;
}

}  // namespace

std::span<const PaperTable> paperTables() { return kTables; }

Expected<Reproduction> reproduce(std::string_view table, const ReproduceOptions& options,
                                 const ReproduceControl& control) {
    Error unknown{.message = "no table '" + std::string(table) + "'"};
    for (const PaperTable& t : kTables) {
        unknown.choices.emplace_back(t.name);
        if (t.name != table) continue;
        if (!t.ofSets && !options.setsFile.empty()) return fail(noSets(t.name));
        auto result = t.run(options, control);
        if (!result) return result;
        result->table = t.name;
        result->title = t.title;
        result->threads = options.threads;
        return result;
    }
    return fail(unknown);
}

}  // namespace clothlab::simulation
