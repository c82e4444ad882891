#include "base/processes/temporary_folder.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "base/file_system.hpp"
#include "base/text.hpp"

namespace clothlab {
namespace {

namespace fs = std::filesystem;

/// Also of folders that a program has closed to itself.
void removeAll(const fs::path& folder) {
    std::error_code wrong;
    fs::remove_all(folder, wrong);
    if (!wrong) return;
    std::error_code ignored;
    fs::permissions(folder, fs::perms::owner_all, ignored);
    for (auto at = fs::recursive_directory_iterator(folder, ignored); at != fs::recursive_directory_iterator();
         at.increment(ignored))
        if (at->is_directory(ignored) && !at->is_symlink(ignored))
            fs::permissions(at->path(), fs::perms::owner_all, ignored);
    fs::remove_all(folder, ignored);
}

/// "clothlab-race-1234-Ab3xY9": 1234 of the prefix "clothlab-race-"; 0: not one of these.
int ownerProcess(std::string_view name, std::string_view prefix) {
    if (!name.starts_with(prefix)) return 0;
    name.remove_prefix(prefix.size());
    const auto number = parseWhole(name.substr(0, name.find('-')));
    return number && within(double(*number), 1, 1e9) ? int(*number) : 0;
}

void removeLeftovers(const fs::path& where, std::string_view prefix) {
    std::error_code ignored;
    for (auto at = fs::directory_iterator(where, ignored); at != fs::directory_iterator(); at.increment(ignored)) {
        if (ignored) return;
        const int owner = ownerProcess(at->path().filename().string(), prefix);
        if (owner > 0 && !platform::processRuns(owner)) removeAll(at->path());
    }
}

}  // namespace

Expected<TemporaryFolder> TemporaryFolder::create(std::string_view purpose) {
    std::error_code wrong;
    const fs::path where = fs::temp_directory_path(wrong);
    if (wrong) return fail("there is no folder for temporary files: TMPDIR has to name one");
    const std::string prefix = fmt::format("clothlab-{}-", purpose);
    removeLeftovers(where, prefix);
    std::string path = (where / fmt::format("{}{}-XXXXXX", prefix, platform::processId())).string();
    if (mkdtemp(path.data()) == nullptr)
        return fail(Error{.message = fmt::format("cannot make a folder for temporary files: {}", std::strerror(errno)),
                          .file = where.string()});
    return TemporaryFolder(std::move(path));
}

TemporaryFolder::~TemporaryFolder() {
    if (!path_.empty()) removeAll(path_);
}

}  // namespace clothlab
