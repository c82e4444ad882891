#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "lessons/lesson.hpp"
#include "lessons/plots.hpp"
#include "scene/toml/table_reader.hpp"
#include "scene/toml/toml_text.hpp"

namespace clothlab::lessons {
namespace {

using scene::failAt;
using scene::TomlNode;

/// A part of the file with the line that it begins at.
struct Part {
    std::string text;
    int line = 1;
};

/// What the head and the blocks share: keys are read by name, each once, and an unread key is an Error.
class TableReading {
public:
    TableReading(const TomlNode& table, const Part& part, const std::string& file)
        : table_(table), offset_(part.line - 1), file_(file) {}

    void text(std::string_view key, std::string& out) {
        with(key, TomlNode::Kind::Text, "a text", [&](const TomlNode& node) { out = node.text; });
    }
    void flag(std::string_view key, bool& out) {
        with(key, TomlNode::Kind::Boolean, "true or false", [&](const TomlNode& node) { out = node.boolean; });
    }
    void whole(std::string_view key, int& out, int most, int least = 0) {
        with(key, TomlNode::Kind::Integer, "a whole number", [&](const TomlNode& node) {
            if (within(node.number, least, most))
                out = int(node.integer);
            else
                refuse(node, fmt::format("{} is not within {} .. {}", key, least, most));
        });
    }
    void level(std::string_view key, Level& out) {
        with(key, TomlNode::Kind::Text, "a text", [&](const TomlNode& node) {
            std::vector<std::string> names;
            for (const EnumEntry& entry : kLevels) {
                if (entry.key == node.text) return void(out = Level(entry.value));
                names.emplace_back(entry.key);
            }
            refuse(node, fmt::format("there is no level '{}'", shown(node.text)), std::move(names));
        });
    }
    void number(std::string_view key, double& out, double least, double most) {
        if (const TomlNode* node = find(key)) {
            if (node->isNumber() && within(node->number, least, most))
                out = node->number;
            else
                refuse(*node, fmt::format("{} is a number within {} .. {}", key, least, most));
        }
    }
    void texts(std::string_view key, std::vector<std::string>& out) {
        each(key, [&](const TomlNode& item) {
            if (item.kind == TomlNode::Kind::Text)
                out.push_back(item.text);
            else
                refuse(item, fmt::format("{}: {} where a text is needed", key, kindText(item)));
        });
    }
    void assignments(std::string_view key, std::vector<Assignment>& out) {
        with(key, TomlNode::Kind::Table, "a table of settings", [&](const TomlNode& node) {
            for (const TomlNode::Entry& entry : node.entries)
                out.push_back({entry.key + "=" + settingText(entry.value), entry.line + offset_, entry.column});
        });
    }
    void places(std::string_view key, std::vector<GridPlace>& out) {
        each(key, [&](const TomlNode& item) {
            const bool pair = item.kind == TomlNode::Kind::Array && item.items.size() == 2 &&
                              std::ranges::all_of(item.items, [](const TomlNode& n) {
                                  return n.kind == TomlNode::Kind::Integer && within(n.number, -1e6, 1e6);
                              });
            if (pair)
                out.push_back({int(item.items[0].integer), int(item.items[1].integer)});
            else
                refuse(item, fmt::format("{} takes places [row, column]", key));
        });
    }
    void overlay(std::string_view key, std::optional<scene::OverlayKind>& out) {
        with(key, TomlNode::Kind::Text, "a text", [&](const TomlNode& node) {
            std::vector<std::string> names;
            for (const EnumEntry& entry : scene::kOverlayKinds) {
                if (entry.key == node.text) out = scene::OverlayKind(entry.value);
                names.emplace_back(entry.key);
            }
            if (!out) refuse(node, fmt::format("there is no overlay '{}'", shown(node.text)), std::move(names));
        });
    }
    void plot(std::string_view key, std::string& out) {
        with(key, TomlNode::Kind::Text, "a text", [&](const TomlNode& node) {
            if (isPlot(node.text))
                out = node.text;
            else
                refuse(node, fmt::format("there is no plot '{}'", shown(node.text)), plotNames());
        });
    }
    void claims(std::string_view key, const QuantityCheck& check, std::vector<Claim>& out) {
        const TomlNode* node = find(key);
        if (!node) return;
        const auto one = [&](const TomlNode& item) {
            if (item.kind != TomlNode::Kind::Text)
                return refuse(item, fmt::format("{}: {} where a text is needed", key, kindText(item)));
            auto claim = Claim::parse(item.text, check);
            if (claim) return out.push_back(std::move(*claim));
            // Behind the quotation mark; in a text with escapes it may be a little further.
            TomlNode at = item;
            at.column += claim.error().column;
            refuse(at, "claim: " + claim.error().message, claim.error().choices);
        };
        if (node->kind == TomlNode::Kind::Array)
            for (const TomlNode& item : node->items) one(item);
        else
            one(*node);
    }
    int lineNumber(std::string_view key) const {
        const TomlNode::Entry* entry = table_.find(key);
        return entry ? entry->line + offset_ : 0;
    }
    const TomlNode* find(std::string_view key) {
        known_.emplace_back(key);
        const TomlNode::Entry* entry = table_.find(key);
        return entry ? &entry->value : nullptr;
    }
    void refuse(const TomlNode& node, std::string message, std::vector<std::string> choices = {}) {
        if (!problem_)
            problem_ = failAt(file_, node.line + offset_, node.column, std::move(message), std::move(choices)).value();
    }
    /// After all keys have been asked for.
    Expected<void> end() {
        for (const TomlNode::Entry& entry : table_.entries)
            if (!problem_ && std::ranges::find(known_, entry.key) == known_.end())
                return failAt(file_, entry.line + offset_, entry.column,
                              fmt::format("unknown key '{}'", shown(entry.key)), known_);
        if (problem_) return fail(*problem_);
        return {};
    }

private:
    template <class Take>
    void with(std::string_view key, TomlNode::Kind kind, std::string_view what, Take take) {
        const TomlNode* node = find(key);
        if (!node) return;
        if (node->kind == kind)
            take(*node);
        else
            refuse(*node, fmt::format("{}: {} where {} is needed", key, kindText(*node), what));
    }
    template <class Take>
    void each(std::string_view key, Take take) {
        with(key, TomlNode::Kind::Array, "an array", [&](const TomlNode& node) {
            for (const TomlNode& item : node.items) take(item);
        });
    }
    /// As --set takes it.
    std::string settingText(const TomlNode& node) {
        switch (node.kind) {
            case TomlNode::Kind::Boolean:
                return node.boolean ? "true" : "false";
            case TomlNode::Kind::Integer:
                return std::to_string(node.integer);
            case TomlNode::Kind::Number:
                return scene::numberText(node.number);
            case TomlNode::Kind::Text:
                return node.text;
            case TomlNode::Kind::Array: {
                std::string text;
                for (const TomlNode& item : node.items) text += (text.empty() ? "" : ",") + settingText(item);
                return text;
            }
            default:
                refuse(node, fmt::format("{} is no setting's value", kindText(node)));
                return {};
        }
    }

    const TomlNode& table_;
    int offset_;
    const std::string& file_;
    std::vector<std::string> known_;
    std::optional<Error> problem_;
};

Expected<TomlNode> parsePart(const Part& part, const std::string& file) {
    auto node = scene::parseToml(part.text, file);
    if (!node && node.error().line > 0) node.error().line += part.line - 1;
    return node;
}

Expected<void> readHead(const Part& part, const std::string& file, Lesson& lesson) {
    const auto node = parsePart(part, file);
    if (!node) return fail(node.error());
    TableReading reading(*node, part, file);
    reading.text("title", lesson.title);
    reading.text("group", lesson.group);
    reading.text("summary", lesson.summary);
    reading.text("source", lesson.source);
    reading.text("scene", lesson.scene);
    lesson.sceneLine = reading.lineNumber("scene");
    reading.level("level", lesson.level);
    reading.whole("minutes", lesson.minutes, 600, 1);
    reading.whole("order", lesson.order, 1000);
    reading.texts("controls", lesson.controls);
    reading.overlay("overlay", lesson.overlay);
    reading.plot("plot", lesson.plot);
    lesson.plotLine = reading.lineNumber("plot");
    reading.assignments("settings", lesson.settings);
    if (auto done = reading.end(); !done) return done;
    for (const auto& [key, value] :
         {std::pair{"title", &lesson.title}, {"group", &lesson.group}, {"scene", &lesson.scene}})
        if (value->empty()) return failAt(file, part.line, 1, fmt::format("the head needs '{} = \"...\"'", key));
    if (lesson.controls.size() > 3)
        return failAt(file, reading.lineNumber("controls"), 1, "a lesson has at most three controls");
    return {};
}

Expected<void> readBlock(const Part& part, const std::string& file, const QuantityCheck& check, LessonStep& step) {
    const auto node = parsePart(part, file);
    if (!node) return fail(node.error());
    TableReading reading(*node, part, file);
    reading.text("scene", step.scene);
    step.sceneLine = reading.lineNumber("scene");
    reading.flag("restart", step.restart);
    bool branch = false;
    reading.flag("branch", branch);
    if (reading.lineNumber("branch") > 0) step.branch = branch;
    reading.flag("beside", step.beside);
    reading.flag("blind", step.blind);
    reading.assignments("set", step.set);
    reading.assignments("ghost", step.ghost);
    if (!step.ghost.empty()) step.branch = true;
    reading.places("pin", step.pin);
    reading.places("unpin", step.unpin);
    reading.overlay("overlay", step.overlay);
    double speed = -1;
    reading.number("speed", speed, 0, 4);
    if (speed >= 0) step.speed = speed;
    reading.texts("actions", step.actions);
    reading.flag("hold", step.hold);
    reading.whole("steps", step.steps, 100'000);
    reading.texts("race", step.race);
    reading.number("race_tolerance", step.raceTolerance, 1e-14, 1);
    reading.flag("slow", step.slow);
    reading.text("point", step.point);
    reading.plot("plot", step.plot);
    reading.claims("claim", check, step.claims);
    reading.text("paper", step.paper);
    reading.text("ours", step.ours);
    return reading.end();
}

/// Goes through the lines: the head, then steps with their text and their block.
class Splitter {
public:
    Splitter(std::string_view text, const std::string& file, const StepCheck& check)
        : lines_(splitText(text, '\n')), file_(file), check_(check) {
        for (std::string& line : lines_)
            if (line.ends_with('\r')) line.pop_back();
    }

    Expected<void> read(Lesson& lesson) {
        const auto head = fenced("+++", "+++", "a lesson begins with its head between two lines '+++'");
        if (!head) return fail(head.error());
        if (auto done = readHead(*head, file_, lesson); !done) return done;
        while (at_ < lines_.size()) {
            if (!lines_[at_].starts_with("## ")) {
                if (!lines_[at_].empty() && lesson.steps.empty())
                    return failAt(file_, int(at_) + 1, 1, "text before the first step", {"## Title of the step"});
                ++at_;
                continue;
            }
            if (auto done = readStep(lesson); !done) return done;
        }
        if (lesson.steps.empty()) return failAt(file_, int(lines_.size()), 1, "a lesson has a step", {"## Title"});
        return {};
    }

private:
    Expected<void> readStep(Lesson& lesson) {
        LessonStep step{.title = lines_[at_].substr(3), .line = int(at_) + 1};
        bool hasBlock = false;
        for (++at_; at_ < lines_.size() && !lines_[at_].starts_with("## ");) {
            if (lines_[at_] != "```toml") {
                step.text += lines_[at_++] + "\n";
                continue;
            }
            if (hasBlock) return failAt(file_, int(at_) + 1, 1, "a step has one block");
            hasBlock = true;
            const auto block = fenced("```toml", "```", "a block begins with ```toml");
            if (!block) return fail(block.error());
            const auto check = [&](const Quantity& q) { return check_(q, int(lesson.steps.size()) + 1); };
            if (auto done = readBlock(*block, file_, check, step); !done) return done;
        }
        while (step.text.starts_with('\n')) step.text.erase(0, 1);
        while (step.text.ends_with('\n')) step.text.pop_back();
        if (step.text.empty()) return failAt(file_, step.line, 1, "a step says something");
        lesson.steps.push_back(std::move(step));
        return {};
    }

    Expected<Part> fenced(std::string_view open, std::string_view close, std::string_view otherwise) {
        if (at_ >= lines_.size() || lines_[at_] != open) return failAt(file_, int(at_) + 1, 1, std::string(otherwise));
        Part part{.text = "", .line = int(at_) + 2};
        for (++at_; at_ < lines_.size(); ++at_) {
            if (lines_[at_] == close) {
                ++at_;
                return part;
            }
            part.text += lines_[at_] + "\n";
        }
        return failAt(file_, part.line - 1, 1, fmt::format("'{}' is not closed by a line '{}'", open, close));
    }

    std::vector<std::string> lines_;
    const std::string& file_;
    const StepCheck& check_;
    std::size_t at_ = 0;
};

}  // namespace

Expected<Lesson> readLessonText(std::string_view text, const std::string& file, const StepCheck& check) {
    Lesson lesson;
    lesson.file = file;
    const std::size_t slash = file.find_last_of('/');
    lesson.name = slash == file.npos ? file : file.substr(slash + 1);
    if (lesson.name.ends_with(".md")) lesson.name.resize(lesson.name.size() - 3);
    if (auto done = Splitter(text, file, check).read(lesson); !done) return fail(done.error());
    return lesson;
}

}  // namespace clothlab::lessons
