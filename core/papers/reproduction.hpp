#pragma once

#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors.hpp"
#include "records/entries.hpp"

/// The papers' tables, computed again, the paper's value beside ours.
///
/// A paper's values are constants of the file that has its tables, with their place in the paper; ours are always
/// measured. Times of a paper were taken on its machine: what compares is counts, ratios, and how both grow.
namespace clothlab::simulation {

/// A key that a row does not have is an empty cell.
struct ReproductionRow {
    records::Entries what;   ///< the case: what the row is about
    records::Entries ours;   ///< measured here
    records::Entries paper;  ///< printed there; the same key as in `ours` where it is the same thing
};

struct Reproduction {
    std::string table, title;
    int threads = 1;
    std::vector<ReproductionRow> rows;
    std::vector<std::string> notes;  ///< what the paper leaves open, and what was done about it
};

struct ReproduceOptions {
    std::string assetsFolder;
    bool quick = false;         ///< smaller sizes, fewer runs: within a minute
    int threads = 1;            ///< as in the papers
    int side = 0;               ///< particles a side instead of the paper's sizes, for tests; 0 = the paper's
    int sets = 0;               ///< of random parameters, where a table is made of some; 0 = the table's own number
    int seed = 1;               ///< of those sets
    std::string setsFile = {};  ///< keeps finished sets, and has those that need not be run again; empty = none
};

struct ReproduceControl {
    std::stop_token stop = {};
    /// What is being done, and the share that is done.
    std::function<void(std::string_view, double)> progress = {};
};

struct PaperTable {
    std::string_view name;  ///< author, kind, number as printed: "ye-table-2"
    std::string_view title;
    Expected<Reproduction> (*run)(const ReproduceOptions&, const ReproduceControl&);
    bool ofSets = false;  ///< made of random sets, which a file can keep
};

/// All of them.
std::span<const PaperTable> paperTables();

/// An unknown name is an Error that lists the names; a simulation that fails is one with a message alone.
Expected<Reproduction> reproduce(std::string_view table, const ReproduceOptions& options,
                                 const ReproduceControl& control = {});

/// Aligned columns; a column of the paper stands right of ours of the same key.
std::string reproductionText(const Reproduction& table);

/// {"table", "machine", "threads", "version", "rows": [{"case": {}, "ours": {}, "paper": {}}], "notes": []}
std::string toJson(const Reproduction& table);

// One function a table, files named after the paper.
Expected<Reproduction> yeTable1(const ReproduceOptions& options, const ReproduceControl& control);
Expected<Reproduction> yeTable2(const ReproduceOptions& options, const ReproduceControl& control);
Expected<Reproduction> yeSection3Basis(const ReproduceOptions& options, const ReproduceControl& control);
Expected<Reproduction> yeSection6Imex(const ReproduceOptions& options, const ReproduceControl& control);
Expected<Reproduction> siderisTable2(const ReproduceOptions& options, const ReproduceControl& control);
Expected<Reproduction> siderisFigure2(const ReproduceOptions& options, const ReproduceControl& control);
Expected<Reproduction> boxermanSection413(const ReproduceOptions& options, const ReproduceControl& control);
Expected<Reproduction> boxermanFigure43(const ReproduceOptions& options, const ReproduceControl& control);
Expected<Reproduction> boxermanFigure44(const ReproduceOptions& options, const ReproduceControl& control);
Expected<Reproduction> boxermanFigure45(const ReproduceOptions& options, const ReproduceControl& control);
Expected<Reproduction> boxermanFigure46(const ReproduceOptions& options, const ReproduceControl& control);
Expected<Reproduction> boxermanFigure47(const ReproduceOptions& options, const ReproduceControl& control);
Expected<Reproduction> boxermanFigure48(const ReproduceOptions& options, const ReproduceControl& control);
Expected<Reproduction> boxermanFigure49(const ReproduceOptions& options, const ReproduceControl& control);
Expected<Reproduction> boxermanFigure410(const ReproduceOptions& options, const ReproduceControl& control);
Expected<Reproduction> boxermanFigure411(const ReproduceOptions& options, const ReproduceControl& control);
Expected<Reproduction> boxermanSection443Stability(const ReproduceOptions& options, const ReproduceControl& control);
Expected<Reproduction> boxermanSection443Results(const ReproduceOptions& options, const ReproduceControl& control);
Expected<Reproduction> boxermanFigure412(const ReproduceOptions& options, const ReproduceControl& control);
Expected<Reproduction> boxermanFigure413(const ReproduceOptions& options, const ReproduceControl& control);
Expected<Reproduction> boxermanTable41(const ReproduceOptions& options, const ReproduceControl& control);
Expected<Reproduction> boxermanSection52(const ReproduceOptions& options, const ReproduceControl& control);
Expected<Reproduction> boxermanFigure53(const ReproduceOptions& options, const ReproduceControl& control);
Expected<Reproduction> boxermanFigure54(const ReproduceOptions& options, const ReproduceControl& control);
Expected<Reproduction> boxermanFigure55(const ReproduceOptions& options, const ReproduceControl& control);
Expected<Reproduction> boxermanFigure56(const ReproduceOptions& options, const ReproduceControl& control);
Expected<Reproduction> boxermanFigure57(const ReproduceOptions& options, const ReproduceControl& control);
Expected<Reproduction> boxermanFigure58(const ReproduceOptions& options, const ReproduceControl& control);
Expected<Reproduction> boxermanFigure59(const ReproduceOptions& options, const ReproduceControl& control);
Expected<Reproduction> boxermanFigure510(const ReproduceOptions& options, const ReproduceControl& control);
Expected<Reproduction> boxermanSection641(const ReproduceOptions& options, const ReproduceControl& control);
Expected<Reproduction> boxermanFigure69(const ReproduceOptions& options, const ReproduceControl& control);
Expected<Reproduction> boxermanFigure610(const ReproduceOptions& options, const ReproduceControl& control);
Expected<Reproduction> boxermanSection642Sphere(const ReproduceOptions& options, const ReproduceControl& control);
Expected<Reproduction> boxermanSection642Parallel(const ReproduceOptions& options, const ReproduceControl& control);
Expected<Reproduction> chenFigure2(const ReproduceOptions& options, const ReproduceControl& control);
Expected<Reproduction> chenFigure3(const ReproduceOptions& options, const ReproduceControl& control);
Expected<Reproduction> chenSection62(const ReproduceOptions& options, const ReproduceControl& control);

}  // namespace clothlab::simulation
