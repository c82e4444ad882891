#include "window/input_script.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <span>

#include "actions/actions.hpp"
#include "base/input.hpp"
#include "base/text.hpp"
#include "scene/scene.hpp"

namespace clothlab::app::window {

namespace {

Error noSuchAction(const ScriptLine& line, const std::string& file) {
    Error error{.message = fmt::format("unknown action '{}'", shown(line.words[1])),
                .file = file,
                .line = line.number,
                .column = line.column};
    for (const actions::Action& action : actions::actions()) error.choices.push_back(action.name);
    return error;
}

/// No message: the key is one of the settings, and takes the value.
Error cannotSet(const ScriptLine& line, const std::string& file) {
    scene::Scene any;
    model::PictureSettings pictures;
    const auto ofPictures = model::assign(pictures, line.words[1]);
    auto done = ofPictures ? *ofPictures : scene::applyOverride(any, line.words[1], "set");
    if (done) return {};
    Error error = done.error();
    error.file = file;
    error.line = line.number;
    error.column = line.column;
    return error;
}

}  // namespace

Expected<InputScript> InputScript::read(const std::string& path) {
    const auto text = readFile(path, kHandWritten);
    if (!text) return fail(text.error());
    return parse(*text, path);
}

Expected<InputScript> InputScript::parse(std::string_view text, const std::string& file) {
    auto lines = parseScript(text, file);
    if (!lines) return fail(lines.error());
    for (const ScriptLine& line : *lines) {
        if (line.words[0] == "action" && !actions::findAction(line.words[1])) return fail(noSuchAction(line, file));
        if (line.words[0] == "set")
            if (auto problem = cannotSet(line, file); !problem.message.empty()) return fail(std::move(problem));
    }
    InputScript script;
    script.lines_ = std::move(*lines);
    script.file_ = file;
    return script;
}

bool InputScript::due(const ScriptLine& line, const ScriptContext& context) {
    const auto& w = line.words;
    const worker::Snapshot& now = context.snapshot;
    if (w[0] == "frame") return context.frame >= std::int64_t(line.numberAt(1, 0));
    if (w[0] == "after") {
        if (waitFrame_ < 0) waitFrame_ = context.frame + std::int64_t(line.numberAt(1, 0));
        return context.frame >= waitFrame_;
    }
    if (w[0] != "wait") return true;
    if (w[1] == "problem") return !now.problem.empty();
    if (w[1] == "settled") return context.settled;
    if (w[1] == "race") return context.raced;
    if (w[1] == "film") return context.filmed;
    if (w[1] == "slow") return context.slowMotion;
    if (w[1] == "work") return context.measured;
    if (w[1] == "descent") return context.descended;
    if (w[1] == "lesson") return context.lessonReached;
    if (w[1] == "step") return now.step >= std::int64_t(line.numberAt(2, 0));
    if (w[1] == "time") return now.timeSeconds >= line.numberAt(2, 0);
    if (w[1] == "playing") return now.playing == (line.numberAt(2, 0) != 0);
    if (waitStep_ < 0) waitStep_ = now.step + std::int64_t(line.numberAt(2, 0));
    return now.step >= waitStep_;
}

std::optional<ImVec2> InputScript::target(const ScriptLine& line, const ScriptContext& context) const {
    const auto& w = line.words;
    if (w[1].starts_with("@")) {
        const widgets::LayoutMap::Rect* rect = context.layout.find(std::string_view(w[1]).substr(1));
        if (rect == nullptr) return {};
        return rect->at(float(line.numberAt(2, 0.5)), float(line.numberAt(3, 0.5)));
    }
    if (w[1] == "particle") {
        auto at = context.particle(Index(line.numberAt(2, 0)));
        if (at) *at = {at->x + float(line.numberAt(3, 0)), at->y + float(line.numberAt(4, 0))};
        return at;
    }
    return ImVec2{float(line.numberAt(1, 0)), float(line.numberAt(2, 0))};
}

void InputScript::perform(const ScriptLine& line, const ScriptContext& context, InputQueue& queue,
                          ScriptRequest& request) const {
    const auto& w = line.words;
    if (w[0] == "move") {
        const auto to = target(line, context);
        if (to)
            queue.push(InputEvent::move(to->x, to->y));
        else
            request.problem =
                at(line.number, fmt::format("nothing to point at: {}",
                                            shown(fmt::format("{}", fmt::join(std::span(w).subspan(1), " ")))));
    } else if (w[0] == "down" || w[0] == "up") {
        queue.push(InputEvent::button(*scriptButton(w[1]), w[0] == "down"));
    } else if (w[0] == "wheel") {
        queue.push(InputEvent::wheel(0, float(line.numberAt(1, 0))));
    } else if (w[0] == "key") {
        if (w.size() < 3 || w[2] == "down") queue.push(InputEvent::key(*scriptKey(w[1]), true));
        if (w.size() < 3 || w[2] == "up") queue.push(InputEvent::key(*scriptKey(w[1]), false));
    } else if (w[0] == "ctrl" || w[0] == "shift") {
        const widgets::Key key = w[0] == "ctrl" ? widgets::Key::LeftControl : widgets::Key::LeftShift;
        queue.push(InputEvent::key(int(key), w[1] == "down"));
    } else if (w[0] == "text") {
        for (const char c : w[1]) queue.push(InputEvent::character(static_cast<unsigned char>(c)));
    } else if (w[0] == "action") {
        request.action = w[1];
        request.line = line.number;
    } else if (w[0] == "set") {
        request.setting = w[1];
        request.line = line.number;
    } else if (w[0] == "state") {
        request.stateFiles.push_back(w[1]);
    } else if (w[0] == "drop") {
        request.dropped.push_back(w[1]);
    } else if (w[0] == "screenshot") {
        request.screenshots.push_back(w[1]);
    } else if (w[0] == "quit") {
        request.quit = true;
    }
}

std::string InputScript::at(int line, const std::string& problem) const {
    return Error{.message = problem, .file = file_, .line = line}.text();
}

ScriptRequest InputScript::advance(const ScriptContext& context, InputQueue& queue) {
    ScriptRequest request;
    while (!finished() && queue.empty() && request.problem.empty() && !request.quit) {
        const ScriptLine& line = lines_[next_];
        if (!due(line, context)) break;
        perform(line, context, queue, request);
        waitFrame_ = waitStep_ = -1;
        ++next_;
        // A picture or a state is of this frame: what follows in the script must not change it. An action and a setting
        // have their own.
        if (!request.stateFiles.empty() || !request.screenshots.empty()) break;
        if (!request.action.empty() || !request.setting.empty()) break;
    }
    return request;
}

}  // namespace clothlab::app::window
