#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/errors.hpp"
#include "records/entries.hpp"

/// A file of assets/papers on a paper's tables: titles, notes, and the values printed in the paper.
///     [shared]
///     tolerance = "Tolerance {tolerance} in the P-norm."
///     [[table]]
///     name = "ye-table-1"                    as in the register of the program
///     title = "Ye, table 1: ..."
///     notes = ["{nodes} nodes.", "@tolerance", {when = "quick", text = "--quick: 41 x 41 particles."}]
///     as = "ye-table-1"                      or, in place of both: notes and values of an earlier table
///     [[table.printed]]
///     case = ["case", "stretch_stiffness"]   keys of a row, and values of the paper for it
///     paper = ["iterations", "step_ms"]
///     rows = [["pinned", 60, 35, 250]]
///     own_size = true                        only beside rows of the paper's own size
///     read_off = true                        read off a figure, since the paper prints no number
///     [[table.figure]]
///     title = "Iterations against size"      none: the table's
///     x = "nodes"                            a key of the case; `words = true`: words instead of numbers
///     y = ["iterations"]                     keys of ours and of the paper, one curve each; or with
///     at = [1, 3, 10]                        a number for each of them, one curve over these, and no `x`
///     curve = ["preconditioner"]             keys of the case, whose values distinguish the curves
///     where = {frame = "swing"}              only rows of these values
///     log = "xy"                             axes that are logarithmic
///     x_label, y_label                       none: the headings of x and of the first y
///     [[table.claim]]
///     at = "section 3"                       the place in the paper
///     says = "Both take the same count."
///     paper = "1"                            as printed there; may be missing
///     value = "upcg_iterations / mpcg_iterations"  of a row: a key of ours, of the case or of the paper, or a ratio of two
///     where = {case = "pinned"}              only rows of these values
///     over = {stretch_stiffness = 60}        divided by the value of the row whose case differs only in these
///     within = [0.97, 1.03]                  the bounds of the claim; without an end: [2] is 2 and more
///     measured = "iterations of uPCG over those of MPCG"
///     why = "..."                            needed if a row is outside
///     [headings]                             of all tables of the file, in place of the default from a key
///     rv = "row-vector products"
/// {nodes} is a value of the run, by a name that the register has; a note with `when` is there if the run has that
/// value.
namespace clothlab::papers {

struct PaperTable;  // papers/reproduction.hpp

/// Whether a case has these values; numbers are compared except for their last digits.
bool hasValues(const records::Entries& of, const records::Entries& wanted);

struct TableText {
    struct Note {
        std::string text, when = {};
    };
    /// Printed values for all rows whose case has these values.
    struct Printed {
        records::Entries what, paper;
        bool ownSize = false;
        bool readOff = false;  ///< read off a figure: of limited accuracy

        /// Whether it applies to a row of this case.
        bool fits(const records::Entries& of) const;
    };
    /// A figure drawn from the rows (papers/paper_figure.hpp).
    struct Figure {
        std::string title, x, xLabel, yLabel, log;
        std::vector<std::string> y, curve;
        std::vector<double> at;
        records::Entries where;
        bool words = false;
    };
    /// A statement of the paper, and our number that checks it (papers/claims.hpp).
    struct Claim {
        std::string at, says, paper, value, measured, why;
        records::Entries where, over;
        double least = 0, most = 0;  ///< of the values with which it holds
    };
    std::string name, title;
    std::vector<Figure> figures;
    std::vector<Claim> claims;
    std::vector<std::pair<std::string, std::string>> headings;  ///< by key
    std::vector<Note> notes;
    std::vector<Printed> printed;

    /// The notes with the values of the run inserted. A name without a value is a bug.
    std::vector<std::string> notesWith(const records::Entries& values) const;
    /// The heading of a key's column: "dt, ms" for "dt_ms".
    std::string heading(std::string_view key) const;
    /// A note with these keys replaced by their headings.
    std::string withHeadings(std::string text, std::span<const std::string> keys) const;
    std::string note(std::string_view when, const records::Entries& values) const;
    /// `ownSize`: the row is of the paper's own size.
    records::Entries printedFor(const records::Entries& what, bool ownSize = true) const;
};

/// In the order of the file. A mismatch with the register is an Error with file, line and column: a table or a name of
/// a value that the register or the file lacks.
Expected<std::vector<TableText>> readPaperText(std::string_view text, const std::string& file,
                                               std::span<const PaperTable> tables);

}  // namespace clothlab::papers
