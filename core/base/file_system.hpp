#pragma once

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

/// What files need of the operating system beyond std::filesystem. Nothing here throws; what can fail says so by its
/// result and leaves the reason in errno.
namespace clothlab::platform {

enum class FileType { Missing, Regular, Folder, Pipe, Device, Null };  ///< Pipe: also a socket; Null: /dev/null itself

/// Which file a path leads to, links followed. Two paths lead to the same file when device and number agree.
struct FileIdentity {
    FileType type = FileType::Missing;
    std::uint64_t device = 0, number = 0;
    unsigned mode = 0;  ///< permissions

    bool sameAs(const FileIdentity& other) const {
        return type != FileType::Missing && other.type != FileType::Missing && device == other.device &&
               number == other.number;
    }
};

/// Nothing when the path cannot be followed (a loop of links, no right to look, a name too long); errno says why.
std::optional<FileIdentity> identify(const std::string& path);
bool mayWrite(const std::string& path);

int processId();
/// Whether a process of this number runs, as far as this machine can tell.
bool processRuns(int id);

/// A new file that nobody else has, opened for writing and locked for as long as it is open; null with EEXIST when the
/// name is taken.
std::FILE* createExclusively(const std::string& path, unsigned mode);
/// Opens for writing at the end, made when missing, and locks it; null with EWOULDBLOCK when another program holds it.
std::FILE* openToAppend(const std::string& path);
/// Opens a pipe or a device for writing, without waiting for a lock.
std::FILE* openToWrite(const std::string& path);
/// Whether another program that runs holds the file locked.
bool isLocked(const std::string& path);

/// Writes all of the bytes past the stream's buffer, which must be empty. A signal that comes while a pipe is full does
/// not cut a write in two: it goes on when the reader does. A reader that takes nothing for two seconds after the
/// signal makes it fail.
bool writeAll(std::FILE* file, std::string_view bytes);
/// Writes over the start of a file; the next writeAll goes on where the last one ended.
bool writeOverStart(std::FILE* file, std::string_view bytes);

/// Hands what was written to the disk. False when the disk did not take it.
bool flushToDisk(std::FILE* file);
/// Cuts an open file to so many bytes.
bool truncateTo(std::FILE* file, std::uint64_t bytes);

/// Before anything else is opened: what the caller closed of stdin, stdout and stderr is held by a place that takes
/// nothing, so that no file gets its number; writing to a closed pipe or beyond a limit on the size of files is an
/// error and not our end.
void prepareStandardStreams();

}  // namespace clothlab::platform
