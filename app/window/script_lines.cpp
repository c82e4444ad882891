#include "window/script_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "base/text.hpp"
#include "widgets/keys.hpp"

namespace clothlab::app::window {

using widgets::Key;

namespace {

struct NamedKey {
    std::string_view name;
    Key key;
};
constexpr NamedKey kKeys[] = {
    {"space", Key::Space},         {"escape", Key::Escape}, {"enter", Key::Enter},       {"tab", Key::Tab},
    {"backspace", Key::Backspace}, {"f1", Key::F1},         {"f12", Key::F12},           {"left", Key::Left},
    {"right", Key::Right},         {"home", Key::Home},     {"end", Key::End},           {"plus", Key::Equal},
    {"minus", Key::Minus},         {"pageup", Key::PageUp}, {"pagedown", Key::PageDown}, {"up", Key::Up},
    {"down", Key::Down},           {"delete", Key::Delete}, {"alt", Key::LeftAlt}};

/// Ranges of numbers: beyond them nothing in the window makes sense, and no conversion to pixels or counts overflows.
constexpr double kCount = 1e9, kPixels = 1e5, kNotches = 1000, kSeconds = 1e9, kShare = 100;

/// One form of an event: the words that stand first, then one letter an argument.
///     n whole number >= 0   s seconds >= 0   p pixels   f share of a widget   w notches   b 0 or 1
///     B button   K key   U up or down   W any word   @ a widget
struct Form {
    std::string_view words, arguments, usage;
};
constexpr Form kForms[] = {
    {"frame", "n", "frame N"},
    {"after", "n", "after N"},
    {"wait step", "n", "wait step N"},
    {"wait steps", "n", "wait steps N"},
    {"wait time", "s", "wait time S"},
    {"wait playing", "b", "wait playing 0|1"},
    {"wait problem", "", "wait problem"},
    {"wait settled", "", "wait settled"},
    {"wait race", "", "wait race"},
    {"wait film", "", "wait film"},
    {"wait slow", "", "wait slow"},
    {"wait work", "", "wait work"},
    {"wait descent", "", "wait descent"},
    {"wait lesson", "", "wait lesson"},
    {"move particle", "n", "move particle N"},
    {"move particle", "npp", "move particle N dx dy"},
    {"move", "@", "move @id"},
    {"move", "@ff", "move @id fx fy"},
    {"move", "pp", "move X Y"},
    {"down", "B", "down left|right|middle"},
    {"up", "B", "up left|right|middle"},
    {"wheel", "w", "wheel NOTCHES"},
    {"key", "K", "key NAME (space, a letter, a digit, f1, enter ...)"},
    {"key", "KU", "key NAME down|up"},
    {"ctrl", "U", "ctrl down|up"},
    {"shift", "U", "shift down|up"},
    {"text", "W", "text WORD"},
    {"action", "W", "action NAME"},
    {"set", "W", "set KEY=VALUE"},
    {"state", "W", "state FILE"},
    {"screenshot", "W", "screenshot FILE"},
    {"drop", "W", "drop FILE"},
    {"quit", "", "quit"},
};

bool wholeUpTo(double value, double most) { return within(value, 0, most) && value == std::floor(value); }

bool fits(char kind, const std::string& word) {
    const double number = parseNumber(word).value_or(std::nan(""));
    switch (kind) {
        case 'n':
            return wholeUpTo(number, kCount);
        case 'b':
            return wholeUpTo(number, 1);
        case 's':
            return within(number, 0, kSeconds);
        case 'p':
            return within(number, -kPixels, kPixels);
        case 'f':
            return within(number, -kShare, kShare);
        case 'w':
            return within(number, -kNotches, kNotches);
        case 'B':
            return scriptButton(word).has_value();
        case 'K':
            return scriptKey(word).has_value();
        case 'U':
            return word == "up" || word == "down";
        case '@':
            return word.size() > 1 && word[0] == '@';
        default:
            return true;
    }
}

bool matches(const Form& form, const std::vector<std::string>& words) {
    const std::vector<std::string> first = splitText(form.words, ' ');
    if (words.size() != first.size() + form.arguments.size() || !std::equal(first.begin(), first.end(), words.begin()))
        return false;
    for (std::size_t i = 0; i < form.arguments.size(); ++i)
        if (!fits(form.arguments[i], words[first.size() + i])) return false;
    return true;
}

/// What is wrong with the words of a line; an empty message = nothing.
Error check(const std::vector<std::string>& words) {
    Error error;
    std::vector<std::string> verbs;
    for (const Form& form : kForms) {
        if (matches(form, words)) return {};
        const std::string verb = splitText(form.words, ' ')[0];
        if (verb == words[0]) error.choices.emplace_back(form.usage);
        if (std::find(verbs.begin(), verbs.end(), verb) == verbs.end()) verbs.push_back(verb);
    }
    std::string line;
    for (const std::string& word : words)
        if (line.size() < 2 * kShownCharacters) line += (line.empty() ? "" : " ") + word;
    error.message = fmt::format("{} '{}'", error.choices.empty() ? "unknown event" : "wrong arguments:", shown(line));
    if (error.choices.empty()) error.choices = verbs;
    return error;
}

std::vector<std::string> splitWords(std::string_view line) {
    std::vector<std::string> words;
    constexpr std::string_view kBlanks = " \t\r\v\f";
    for (std::size_t start; (start = line.find_first_not_of(kBlanks)) != line.npos;) {
        line.remove_prefix(start);
        words.emplace_back(line.substr(0, line.find_first_of(kBlanks)));
        line.remove_prefix(words.back().size());
    }
    return words;
}

}  // namespace

std::optional<int> scriptKey(std::string_view name) {
    for (const NamedKey& key : kKeys)
        if (key.name == name) return int(key.key);
    if (name.size() == 1 && std::isalnum(static_cast<unsigned char>(name[0])))
        return std::toupper(static_cast<unsigned char>(name[0]));
    return {};
}

std::optional<int> scriptButton(std::string_view name) {
    if (name == "left") return 0;
    if (name == "right") return 1;
    if (name == "middle") return 2;
    return {};
}

double ScriptLine::numberAt(std::size_t at, double otherwise) const {
    return at < words.size() ? parseNumber(words[at]).value_or(otherwise) : otherwise;
}

Expected<std::vector<ScriptLine>> parseScript(std::string_view text, const std::string& file) {
    std::vector<ScriptLine> lines;
    int number = 0;
    while (!text.empty()) {
        ++number;
        const std::string_view raw = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(raw.size() + 1, text.size()));
        ScriptLine line{number, splitWords(raw.substr(0, raw.find('#')))};
        const auto add = [&](ScriptLine event) -> Expected<void> {
            event.column = 1 + int(raw.find(event.words[0]));
            Error error = check(event.words);
            error.file = file;
            error.line = number;
            error.column = event.column;
            if (error.message.empty()) return lines.push_back(std::move(event)), Expected<void>();
            return fail(std::move(error));
        };
        if (line.words.size() > 2 && line.words[0] == "frame") {  // "frame 30 move 400 300" is two events
            if (auto done = add({number, {line.words[0], line.words[1]}}); !done) return fail(done.error());
            line.words.erase(line.words.begin(), line.words.begin() + 2);
        }
        if (line.words.empty()) continue;
        if (auto done = add(std::move(line)); !done) return fail(done.error());
    }
    return lines;
}

}  // namespace clothlab::app::window
