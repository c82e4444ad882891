#include "platform/input_script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace clothlab::app {
namespace {

struct NamedKey {
    std::string_view name;
    Key key;
};
constexpr NamedKey kKeys[] = {
    {"space", Key::Space},         {"escape", Key::Escape}, {"enter", Key::Enter}, {"tab", Key::Tab},
    {"backspace", Key::Backspace}, {"f1", Key::F1},         {"f12", Key::F12},     {"left", Key::Left},
    {"right", Key::Right},         {"home", Key::Home},     {"end", Key::End}};
constexpr std::string_view kVerbs[] = {"frame", "after", "wait", "move",  "down",       "up",  "wheel",
                                       "key",   "ctrl",  "text", "state", "screenshot", "quit"};

std::optional<int> keyCode(std::string_view name) {
    for (const NamedKey& key : kKeys)
        if (key.name == name) return static_cast<int>(key.key);
    if (name.size() == 1 && std::isalnum(static_cast<unsigned char>(name[0])))
        return std::toupper(static_cast<unsigned char>(name[0]));
    return {};
}

std::optional<int> buttonCode(std::string_view name) {
    if (name == "left") return 0;
    if (name == "right") return 1;
    if (name == "middle") return 2;
    return {};
}

std::optional<double> number(const std::string& word) {
    char* end = nullptr;
    const double value = std::strtod(word.c_str(), &end);
    if (word.empty() || *end != '\0') return {};
    return value;
}

bool numbers(const std::vector<std::string>& words, std::size_t from) {
    return std::all_of(words.begin() + static_cast<std::ptrdiff_t>(std::min(from, words.size())), words.end(),
                       [](const std::string& w) { return number(w).has_value(); });
}

double numberAt(const std::vector<std::string>& words, std::size_t at, double otherwise) {
    return at < words.size() ? number(words[at]).value_or(otherwise) : otherwise;
}

}  // namespace

Expected<InputScript> InputScript::read(const std::string& path) {
    std::ifstream file(path);
    if (!file) return fail(Error{.message = "cannot read the input script", .file = path, .choices = {}});
    std::stringstream text;
    text << file.rdbuf();
    return parse(text.str(), path);
}

Expected<InputScript> InputScript::parse(std::string_view text, const std::string& file) {
    InputScript script;
    std::istringstream lines{std::string(text)};
    std::string raw;
    for (int lineNumber = 1; std::getline(lines, raw); ++lineNumber) {
        std::istringstream words(raw.substr(0, raw.find('#')));
        Line line{lineNumber, {}};
        for (std::string word; words >> word;) line.words.push_back(word);
        if (line.words.size() > 2 && line.words[0] == "frame") {  // "frame 30 move 400 300" is two lines
            script.lines_.push_back({lineNumber, {line.words[0], line.words[1]}});
            line.words.erase(line.words.begin(), line.words.begin() + 2);
        }
        if (line.words.empty()) continue;
        if (const std::string problem = check(line); !problem.empty()) {
            Error error{.message = problem, .file = file, .line = lineNumber, .choices = {}};
            if (problem.starts_with("unknown")) error.choices.assign(std::begin(kVerbs), std::end(kVerbs));
            return fail(error);
        }
        script.lines_.push_back(std::move(line));
    }
    return script;
}

/// Empty, or what is wrong with the line.
std::string InputScript::check(const Line& line) {
    const auto& w = line.words;
    const std::string& verb = w[0];
    const std::size_t arguments = w.size() - 1;
    const auto wants = [&](bool ok, const char* usage) {
        return ok ? std::string() : fmt::format("expected: {}", usage);
    };
    if (verb == "frame" || verb == "after") return wants(arguments == 1 && numbers(w, 1), "frame N, after N");
    if (verb == "wait") {
        const bool known = arguments >= 1 && (w[1] == "problem" || w[1] == "settled" || w[1] == "race" ||
                                              w[1] == "slow" || w[1] == "work" || w[1] == "step" || w[1] == "steps" || w[1] == "playing" || w[1] == "time");
        const bool bare = known && (w[1] == "problem" || w[1] == "settled" || w[1] == "race" || w[1] == "slow" || w[1] == "work");
        return wants(known && arguments == (bare ? 1u : 2u) && numbers(w, 2),
                     "wait step N, steps N, time S, playing 0|1, problem, settled, race, slow, work");
    }
    if (verb == "move") {
        const bool widget =
            arguments >= 1 && w[1].starts_with("@") && numbers(w, 2) && (arguments == 1 || arguments == 3);
        const bool particle =
            arguments >= 2 && w[1] == "particle" && numbers(w, 2) && (arguments == 2 || arguments == 4);
        return wants(widget || particle || (arguments == 2 && numbers(w, 1)),
                     "move X Y, move @id [fx fy], move particle N [dx dy]");
    }
    if (verb == "down" || verb == "up") return wants(arguments == 1 && buttonCode(w[1]), "down left|right|middle");
    if (verb == "wheel") return wants(arguments == 1 && numbers(w, 1), "wheel NOTCHES");
    if (verb == "key")
        return wants(arguments == 1 && keyCode(w[1]), "key NAME (space, a letter, a digit, f1, enter ...)");
    if (verb == "ctrl") return wants(arguments == 1 && (w[1] == "down" || w[1] == "up"), "ctrl down, ctrl up");
    if (verb == "text" || verb == "state" || verb == "screenshot")
        return wants(arguments == 1, "text WORD, state FILE, screenshot FILE");
    if (verb == "quit") return {};
    return fmt::format("unknown event '{}'", verb);
}

bool InputScript::due(const Line& line, const ScriptContext& context) {
    const auto& w = line.words;
    const Snapshot& now = context.snapshot;
    if (w[0] == "frame") return context.frame >= static_cast<std::int64_t>(numberAt(w, 1, 0));
    if (w[0] == "after") {
        if (waitFrame_ < 0) waitFrame_ = context.frame + static_cast<std::int64_t>(numberAt(w, 1, 0));
        return context.frame >= waitFrame_;
    }
    if (w[0] != "wait") return true;
    if (w[1] == "problem") return !now.problem.empty();
    if (w[1] == "settled") return context.settled;
    if (w[1] == "race") return context.raced;
    if (w[1] == "slow") return context.slowMotion;
    if (w[1] == "work") return context.measured;
    if (w[1] == "step") return now.step >= static_cast<std::int64_t>(numberAt(w, 2, 0));
    if (w[1] == "time") return now.timeSeconds >= numberAt(w, 2, 0);
    if (w[1] == "playing") return now.playing == (numberAt(w, 2, 0) != 0);
    if (waitStep_ < 0) waitStep_ = now.step + static_cast<std::int64_t>(numberAt(w, 2, 0));
    return now.step >= waitStep_;
}

std::optional<ImVec2> InputScript::target(const Line& line, const ScriptContext& context) const {
    const auto& w = line.words;
    if (w[1].starts_with("@")) {
        const LayoutMap::Rect* rect = context.layout.find(std::string_view(w[1]).substr(1));
        if (rect == nullptr) return {};
        return rect->at(static_cast<float>(numberAt(w, 2, 0.5)), static_cast<float>(numberAt(w, 3, 0.5)));
    }
    if (w[1] == "particle") {
        auto at = context.particle(static_cast<Index>(numberAt(w, 2, 0)));
        if (at) *at = {at->x + static_cast<float>(numberAt(w, 3, 0)), at->y + static_cast<float>(numberAt(w, 4, 0))};
        return at;
    }
    return ImVec2{static_cast<float>(numberAt(w, 1, 0)), static_cast<float>(numberAt(w, 2, 0))};
}

void InputScript::perform(const Line& line, const ScriptContext& context, InputQueue& queue,
                          ScriptRequest& request) const {
    const auto& w = line.words;
    if (w[0] == "move") {
        const auto at = target(line, context);
        if (at)
            queue.push(InputEvent::move(at->x, at->y));
        else
            request.problem = fmt::format("line {}: nothing to point at: {}", line.number, w[1]);
    } else if (w[0] == "down" || w[0] == "up") {
        queue.push(InputEvent::button(*buttonCode(w[1]), w[0] == "down"));
    } else if (w[0] == "wheel") {
        queue.push(InputEvent::wheel(0, static_cast<float>(numberAt(w, 1, 0))));
    } else if (w[0] == "key") {
        queue.push(InputEvent::key(*keyCode(w[1]), true));
        queue.push(InputEvent::key(*keyCode(w[1]), false));
    } else if (w[0] == "ctrl") {
        queue.push(InputEvent::key(static_cast<int>(Key::LeftControl), w[1] == "down"));
    } else if (w[0] == "text") {
        for (const char c : w[1]) queue.push(InputEvent::character(static_cast<unsigned char>(c)));
    } else if (w[0] == "state") {
        request.stateFiles.push_back(w[1]);
    } else if (w[0] == "screenshot") {
        request.screenshots.push_back(w[1]);
    } else if (w[0] == "quit") {
        request.quit = true;
    }
}

ScriptRequest InputScript::advance(const ScriptContext& context, InputQueue& queue) {
    ScriptRequest request;
    while (!finished() && queue.empty() && request.problem.empty() && !request.quit) {
        const Line& line = lines_[next_];
        if (!due(line, context)) break;
        perform(line, context, queue, request);
        waitFrame_ = waitStep_ = -1;
        ++next_;
        // A picture or a state is of this frame: what follows in the script must not change it.
        if (!request.stateFiles.empty() || !request.screenshots.empty()) break;
    }
    return request;
}

}  // namespace clothlab::app
