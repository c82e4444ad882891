#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors.hpp"
#include "widgets/layout_map.hpp"
#include "window/input_queue.hpp"
#include "window/script_lines.hpp"
#include "worker/snapshots/snapshot.hpp"

namespace clothlab::app::window {

/// State of the window that a script may wait for and point at.
struct ScriptContext {
    std::int64_t frame = 0;
    const worker::Snapshot& snapshot;
    bool settled = true;      ///< every command has been carried out, and the settings are active
    bool raced = false;       ///< a race has been run and none is running
    bool slowMotion = false;  ///< iterates are shown
    const widgets::LayoutMap& layout;
    /// Window coordinates of the particle with a number, if it is in front of the eye.
    std::function<std::optional<ImVec2>(Index)> particle;
    bool measured = false;       ///< work and precision are shown, and none are being measured
    bool descended = false;      ///< a descent has been run and none is running
    bool lessonReached = false;  ///< the current step of the lesson has reached its claims
    bool filmed = false;         ///< no film is being taken
};

/// Requests of a script to the main loop.
struct ScriptRequest {
    std::vector<std::string> stateFiles, screenshots;
    std::vector<std::string> dropped;  ///< files dropped on the window
    std::string action;                ///< name of an action to run
    std::string setting;               ///< KEY=VALUE to set
    int line = 0;                      ///< line of the script with the request
    bool quit = false;
    std::string problem;  ///< "hand.txt:3: nothing to point at: particle 820": the run fails
};

/// `--input FILE`: scripted input, one event per line, fed through the queue of real input.
///
///     frame 30 | after 10           continues at that frame, or so many frames later
///     wait step 60 | wait steps 60 | wait time 1.5 | wait playing 0 | wait problem | wait settled
///     wait race | wait slow | wait work | wait descent | wait lesson | wait film
///     move 400 300 | move @solver.kind [fx fy] | move particle 820 [dx dy]
///     down left | up left (right, middle) | wheel 1 | key space | ctrl down | ctrl up | text 0.02
///     action race.open | set integrator.dt=0.01 | state FILE | screenshot FILE | drop FILE | quit
///
/// The first line waits until the window is laid out, which takes some frames. `#` starts a comment. An event may
/// follow a `frame` on its line: `frame 30 move 400 300`.
class InputScript {
public:
    /// An Error names file, line and what would be valid.
    static Expected<InputScript> read(const std::string& path);
    static Expected<InputScript> parse(std::string_view text, const std::string& file);

    /// Runs the lines due in this frame, up to the first that queues input or requests an action, a setting, a picture
    /// or a state file.
    ScriptRequest advance(const ScriptContext& context, InputQueue& queue);
    bool finished() const { return next_ >= lines_.size(); }
    /// "hand.txt:3: ..."
    std::string at(int line, const std::string& problem) const;

private:
    bool due(const ScriptLine& line, const ScriptContext& context);
    void perform(const ScriptLine& line, const ScriptContext& context, InputQueue& queue, ScriptRequest& request) const;
    std::optional<ImVec2> target(const ScriptLine& line, const ScriptContext& context) const;

    std::string file_;
    std::vector<ScriptLine> lines_;
    std::size_t next_ = 0;
    std::int64_t waitFrame_ = -1, waitStep_ = -1;
};

}  // namespace clothlab::app::window
