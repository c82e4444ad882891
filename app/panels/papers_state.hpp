#pragma once

#include <map>
#include <memory>
#include <string>

#include "worker/jobs.hpp"

namespace clothlab::app::panels {

/// The papers' tables as the panel has them: which one is shown, and what has been computed since the window opened.
struct PapersState {
    struct Done {
        std::shared_ptr<const papers::Reproduction> table;
        double seconds = 0;
        bool quick = false, stopped = false;
        bool disturbed = false;  ///< the cloth moved beside it
    };

    explicit PapersState(const worker::JobResults& results) : results_(results) {}

    std::string chosen;                             ///< name of a table
    std::map<std::string, Done, std::less<>> done;  ///< by name
    std::uint64_t taken = 0;                        ///< serial of the last result in `done`

    /// Of the last table that was asked for, or null.
    const worker::TableProgress* progress() const { return results_.of<worker::TableProgress>(); }
    bool running() const { return progress() && progress()->running; }
    /// Keeps what has come.
    void take(bool playing) {
        const worker::TableProgress* last = progress();
        if (!last || last->serial == taken) return;
        disturbed_ = disturbed_ || (last->running && playing);
        if (last->running) return;
        taken = last->serial;
        const bool disturbed = std::exchange(disturbed_, false);
        if (last->table) done[last->name] = {last->table, last->seconds, last->quick, last->stopped, disturbed};
    }

private:
    bool disturbed_ = false;
    const worker::JobResults& results_;
};

}  // namespace clothlab::app::panels
