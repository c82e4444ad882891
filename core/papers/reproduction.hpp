#pragma once

#include <functional>
#include <map>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors.hpp"
#include "papers/paper_file.hpp"
#include "records/entries.hpp"

/// The papers' tables, recomputed, with the paper's value next to ours.
///
/// A paper's values, the titles and the notes are files of the assets (papers/paper_file.hpp); ours are always
/// measured. Times of a paper were taken on its machine: comparable are counts, ratios, and their growth.
namespace clothlab::papers {

/// A key that a row does not have is an empty cell.
struct ReproductionRow {
    records::Entries what;  ///< the case of the row
    records::Entries ours;  ///< measured here
    /// Printed there; the same key as in `ours` for the same quantity. Values from the paper's file come before those
    /// computed from them.
    records::Entries paper = {};
    bool ownSize = true;  ///< false: of another size than the paper's, so that some of its values are not comparable
};

/// A pattern of a matrix: one sign per entry, blank for zero.
struct PatternPicture {
    std::string caption;
    std::vector<std::pair<char, std::string>> signs;  ///< with the meaning of each
    std::vector<std::string> rows;                    ///< of one length
};

struct Reproduction {
    std::string table, title;
    std::string machine, build;  ///< of the computation
    int threads = 1;
    std::vector<ReproductionRow> rows;
    std::vector<std::string> notes;  ///< what the paper leaves open, and our choices
    PatternPicture picture = {};     ///< no rows: none
};

struct ReproduceOptions {
    std::string assetsFolder;
    bool quick = false;  ///< smaller sizes, fewer runs: within a minute
    int threads = 1;     ///< as in the papers
    bool brief = false;  ///< the amounts of a test, fewer still
    int side = 0;        ///< particles per side instead of the paper's sizes; 0 = the paper's
    /// KEY=VALUE, in the scenes that the table steps. Setting a key that the table itself varies is an Error.
    std::vector<std::string> overrides = {};
    int sets = 0;               ///< number of random sets, for tables made of them; 0 = the table's own number
    int seed = 1;               ///< of those sets
    std::string setsFile = {};  ///< stores finished sets, which are not run again; empty = none
};

struct ReproduceControl {
    std::stop_token stop = {};
    /// The current work, and the share done.
    std::function<void(std::string_view, double)> progress = {};
};

struct Job;  // papers/job.hpp

struct PaperTable {
    std::string_view name;  ///< author, kind, number as printed: "ye-table-2"
    std::function<Expected<Reproduction>(Job&)> run;
    std::vector<std::string_view> values = {};  ///< values of the run, by their names in its notes
    bool ofSets = false;                        ///< made of random sets, which a file can keep
};

struct Paper {
    std::string_view name;  ///< of its file and its folder: "ye"
    std::span<const PaperTable> tables;
};
/// Each paper's folder lists its tables.
std::span<const Paper> allPapers();
/// The tables of all of them.
std::span<const PaperTable> paperTables();

/// Titles, notes and printed values of a paper's tables, from papers/NAME.toml of the assets. An Error has the mistake
/// and its place.
Expected<std::vector<TableText>> paperText(const Paper& paper, const std::string& assetsFolder);
/// The texts of all tables, by name.
using PaperTexts = std::map<std::string, TableText, std::less<>>;
Expected<PaperTexts> paperTexts(const std::string& assetsFolder);

/// The time of a table on one thread, s, as measured by scripts/paper-times.
struct PaperTime {
    enum class Full {
        All,      ///< the paper's own sizes
        AtLeast,  ///< it was not finished by then
        TenSets,  ///< the first ten of its random sets, the smallest
    };
    double quick = 0, full = 0;
    Full what = Full::All;
};
struct PaperTimes {
    std::string machine;
    std::map<std::string, PaperTime, std::less<>> of;  ///< by table
};
/// From paper-times.txt of the assets: the machine, then one line per table: NAME QUICK FULL, where FULL is seconds,
/// >SECONDS or 10sets:SECONDS.
Expected<PaperTimes> paperTimes(const std::string& assetsFolder);

/// An unknown name is an Error that lists the names; a failed simulation is one with only a message.
Expected<Reproduction> reproduce(std::string_view table, const ReproduceOptions& options,
                                 const ReproduceControl& control = {});

/// A table for display: the case, measured values, values printed in the paper.
struct ReproductionGrid {
    enum class Origin { Case, Ours, Paper };
    struct Column {
        Origin origin;
        std::string key;
    };
    std::vector<Column> columns;
    std::vector<std::vector<std::string>>
        cells;  ///< per row one per column; a case repeated from the row above is empty
};
ReproductionGrid toGrid(const Reproduction& table);

/// The keys of its columns.
std::vector<std::string> listKeys(const ReproductionGrid& grid);

/// Aligned columns; a column of the paper is right of ours of the same key. `words`, if known, has their
/// headings.
std::string reproductionText(const Reproduction& table, const TableText* words = nullptr);

/// {"table", "title", "machine", "threads", "version", "rows": [{"case": {}, "ours": {}, "paper": {}}], "notes": []},
/// and with a picture "caption", "signs", "picture".
std::string toJson(const Reproduction& table);

}  // namespace clothlab::papers
