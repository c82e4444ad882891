#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/errors.hpp"
#include "records/entries.hpp"

/// What a file of assets/papers has of a paper's tables: titles, notes, and the values that are printed in the paper.
///     [shared]
///     tolerance = "Tolerance {tolerance} in the P-norm."
///     [[table]]
///     name = "ye-table-1"                    as in the register of the program
///     title = "Ye, table 1: ..."
///     notes = ["{nodes} nodes.", "@tolerance", {when = "quick", text = "--quick: 41 x 41 particles."}]
///     as = "ye-table-1"                      or, in place of both: notes and values of a table before it
///     [[table.printed]]
///     case = ["case", "stretch_stiffness"]   keys of a row, and values of the paper that belong beside it
///     paper = ["iterations", "step_ms"]
///     rows = [["pinned", 60, 35, 250]]
///     own_size = true                        only beside rows of the paper's own size
///     read_off = true                        off a figure of the paper, which prints no number
///     [[table.figure]]
///     title = "Iterations against size"      none: the table's
///     x = "nodes"                            a key of the case; `words = true`: it has words, else numbers
///     y = ["iterations"]                     keys of ours and of the paper, a curve each; or with
///     at = [1, 3, 10]                        a number for each of them, one curve over these, and no `x`
///     curve = ["preconditioner"]             keys of the case, by whose values curves are told apart
///     where = {frame = "swing"}              rows of these values alone
///     log = "xy"                             axes that are logarithmic
///     x_label, y_label                       none: the headings of x and of the first y
///     [[table.claim]]
///     at = "section 3"                       where the paper says it
///     says = "Both take the same count."
///     paper = "1"                            what is printed there; may be missing
///     value = "upcg_iterations / mpcg_iterations"  of a row: a key of ours, of the case or of the paper, or a ratio of two
///     where = {case = "pinned"}              only rows of these values
///     over = {stretch_stiffness = 60}        divided by the value of the row whose case differs only in these
///     within = [0.97, 1.03]                  where the claim holds; without an end: [2] is 2 and more
///     measured = "iterations of uPCG over those of MPCG"
///     why = "..."                            needed where a row is outside
///     [headings]                             of all tables of the file, in place of what is made of a key
///     rv = "row-vector products"
/// {nodes} is a value of the run, by a name that the register has; a note with `when` is there if the run has that
/// value.
namespace clothlab::papers {

struct PaperTable;  // papers/reproduction.hpp

/// Whether a case has these values; numbers are compared but for their last digits.
bool hasValues(const records::Entries& of, const records::Entries& wanted);

struct TableText {
    struct Note {
        std::string text, when = {};
    };
    /// What is printed beside all rows whose case has these values.
    struct Printed {
        records::Entries what, paper;
        bool ownSize = false;
        bool readOff = false;  ///< off a figure: it is as exact as an eye

        /// Whether a row of this case has it beside it.
        bool fits(const records::Entries& of) const;
    };
    /// What is drawn of the rows (papers/paper_figure.hpp).
    struct Figure {
        std::string title, x, xLabel, yLabel, log;
        std::vector<std::string> y, curve;
        std::vector<double> at;
        records::Entries where;
        bool words = false;
    };
    /// What the paper says, and which of our numbers checks it (papers/claims.hpp).
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

    /// With values of the run in their places. A name without a value is a mistake of the program.
    std::vector<std::string> notesWith(const records::Entries& values) const;
    /// What stands over the column of a key, for a reader: "dt, ms" of "dt_ms".
    std::string heading(std::string_view key) const;
    /// A note with the headings of these keys in their place.
    std::string withHeadings(std::string text, std::span<const std::string> keys) const;
    std::string note(std::string_view when, const records::Entries& values) const;
    /// `ownSize`: the row is of the paper's own size.
    records::Entries printedFor(const records::Entries& what, bool ownSize = true) const;
};

/// In the order of the file. What does not fit the register is an Error with file, line and column: a table or a name
/// of a value that it does not have, or that the file lacks.
Expected<std::vector<TableText>> readPaperText(std::string_view text, const std::string& file,
                                               std::span<const PaperTable> tables);

}  // namespace clothlab::papers
