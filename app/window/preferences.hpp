#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/fields.hpp"
#include "base/json.hpp"
#include "model/ui_model.hpp"

/// The appearance of the window, remembered between sessions.
namespace clothlab::app::window {

struct WindowSize {
    int width = 0, height = 0;  ///< points; 0 = by the screen
};
void describe(WindowSize& size, FieldList& list);

/// All remembered values, under the keys of the file. Another one is a line here.
void describeLooks(WindowSize& size, model::UiModel& model, FieldList& list);

/// A user's file with values of fields; missing ones have their defaults. An invalid file is left unchanged, and
/// nothing is remembered then until the appearance is reset.
class Preferences {
public:
    /// Remembers nothing: for pictures, scripts and tests.
    Preferences() = default;
    /// Reads the file if it exists.
    explicit Preferences(std::string path);
    /// $XDG_CONFIG_HOME/clothlab/window.json, or the same in ~/.config; empty where there is neither.
    static std::string usersFile();

    /// Why the file is not used, in a sentence, or empty.
    const std::string& problem() const { return problem_; }
    /// A sentence on the remembered values and their file; empty if nothing is remembered.
    std::string place() const;
    /// Nothing was remembered yet: perhaps a new user.
    bool isNew() const { return new_; }

    /// Sets the fields to their remembered values.
    void recall(const FieldList& fields);
    /// The session begins with these values, which the command line may have set: for those unchanged at the
    /// end the file keeps its remembered values.
    void begin(const FieldList& fields);
    /// Writes what has changed since, beside what was remembered before.
    Expected<void> store(const FieldList& fields);
    /// Resets the fields to their defaults, and forgets all.
    Expected<void> forget(const FieldList& fields);

    /// Recent scene files, the last one first.
    const std::vector<std::string>& recent() const { return recent_; }
    void addRecent(const std::string& path);

private:
    void read();
    void checkThatItCanBeWritten();
    void makeFolder() const;

    std::string path_, problem_;
    bool stores_ = false, new_ = false;
    std::map<std::string, JsonNode> remembered_;
    std::map<std::string, std::string> usual_, begun_;  ///< values as text
    std::vector<std::string> recent_, recentBegun_;
};

}  // namespace clothlab::app::window
