#pragma once

#include <span>
#include <string>
#include <string_view>
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
/// {nodes} is a value of the run, by a name that the register has; a note with `when` is there if the run has that
/// value.
namespace clothlab::papers {

struct PaperTable;  // papers/reproduction.hpp

struct TableText {
    struct Note {
        std::string text, when = {};
    };
    /// What is printed beside all rows whose case has these values.
    struct Printed {
        records::Entries what, paper;
        bool ownSize = false;
    };
    std::string name, title;
    std::vector<Note> notes;
    std::vector<Printed> printed;

    /// With values of the run in their places. A name without a value is a mistake of the program.
    std::vector<std::string> notesWith(const records::Entries& values) const;
    std::string note(std::string_view when, const records::Entries& values) const;
    /// `ownSize`: the row is of the paper's own size.
    records::Entries printedFor(const records::Entries& what, bool ownSize = true) const;
};

/// In the order of the file. What does not fit the register is an Error with file, line and column: a table or a name
/// of a value that it does not have, or that the file lacks.
Expected<std::vector<TableText>> readPaperText(std::string_view text, const std::string& file,
                                               std::span<const PaperTable> tables);

}  // namespace clothlab::papers
