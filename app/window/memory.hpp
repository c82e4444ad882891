#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/fields.hpp"
#include "base/json.hpp"
#include "model/ui_model.hpp"

/// What the window remembers of its looks from one time to the next.
namespace clothlab::app::window {

struct WindowSize {
    int width = 0, height = 0;  ///< points; 0 = as large as the screen asks for
};
void describe(WindowSize& size, FieldList& list);

/// All of the looks that are remembered, under the keys of the file. Another one is a line here.
void describeLooks(WindowSize& size, model::UiModel& model, FieldList& list);

/// A file of the user's with values of fields: what is not in it is as usual. A file that cannot be understood stays as
/// it is, and nothing is remembered then until somebody asks for the usual looks.
class Memory {
public:
    /// Remembers nothing: of pictures, scripts and tests.
    Memory() = default;
    /// Reads what there is.
    explicit Memory(std::string path);
    /// $XDG_CONFIG_HOME/clothlab/window.json, or the same in ~/.config; empty where there is neither.
    static std::string usersFile();

    /// Why the file is not used, in a sentence. Empty: all is well.
    const std::string& problem() const { return problem_; }
    /// What is remembered and where, in a sentence; empty where nothing is.
    std::string place() const;
    /// Nothing was remembered yet: a newcomer, perhaps.
    bool isNew() const { return new_; }

    /// Gives the fields what is remembered of them.
    void recall(const FieldList& fields);
    /// The session begins with these values, which the command line may have given: what is still so at the end says
    /// nothing about what the user likes.
    void begin(const FieldList& fields);
    /// Writes what has changed since, beside what was remembered before.
    Expected<void> store(const FieldList& fields);
    /// Gives the fields their usual values, and forgets all.
    Expected<void> forget(const FieldList& fields);

    /// Scene files, the last one first.
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
