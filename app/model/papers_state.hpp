#pragma once

#include <map>
#include <memory>
#include <string>

#include "papers/kept_table.hpp"
#include "worker/jobs/jobs.hpp"

namespace clothlab::app::model {

/// State of the panel of papers: the table shown, and all tables computed in this or earlier sessions.
class PapersState {
public:
    using SharedTable = std::shared_ptr<const papers::KeptTable>;

    explicit PapersState(const worker::JobResults& results) : results_(results) {}

    std::string folder;       ///< where tables are kept; empty: nowhere
    std::string measured;     ///< folder of the program's own tables; empty: there are none
    std::string chosen;       ///< name of a table
    bool chosenQuick = true;  ///< which of its two results is shown, where there are both
    std::string problem;      ///< why a table was not kept, or cannot be read, or empty

    /// Progress of the last requested table, or null.
    const worker::TableProgress* progress() const { return results_.of<worker::TableProgress>(); }
    bool running() const { return progress() && progress()->running; }
    /// Keeps new results. `playing`: the cloth moves beside it.
    void take(bool playing);
    /// The result of a table with small sizes or the paper's own, or null.
    SharedTable done(std::string_view table, bool quick) { return readOnce(done_, folder, table, quick); }
    /// The result shown, of the two; where there is none, the program's own.
    SharedTable shown(std::string_view table);
    std::size_t count() const;

private:
    using Tables = std::map<std::pair<std::string, bool>, SharedTable>;  ///< null: looked for, and there is none
    SharedTable readOnce(Tables& tables, const std::string& from, std::string_view table, bool quick);

    const worker::JobResults& results_;
    Tables done_, measured_;
    std::uint64_t taken_ = 0;  ///< serial of the last result in `done_`
    bool disturbed_ = false;
};

}  // namespace clothlab::app::model
