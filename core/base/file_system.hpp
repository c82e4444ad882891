#pragma once

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

/// File operations beyond std::filesystem. Nothing here throws; a failure shows in the result and leaves its reason in
/// errno.
namespace clothlab::platform {

enum class FileType { Missing, Regular, Folder, Pipe, Device, Null };  ///< Pipe: also a socket; Null: /dev/null itself

/// The file that a path leads to, links followed. Two paths lead to the same file when device and number agree.
struct FileIdentity {
    FileType type = FileType::Missing;
    std::uint64_t device = 0, number = 0;
    unsigned mode = 0;  ///< permissions

    bool sameAs(const FileIdentity& other) const {
        return type != FileType::Missing && other.type != FileType::Missing && device == other.device &&
               number == other.number;
    }
};

/// Empty when the path cannot be followed (a loop of links, no right to look, a name too long); errno says why.
std::optional<FileIdentity> identify(const std::string& path);
bool mayWrite(const std::string& path);

int processId();
/// Whether a process of this number runs, as far as this machine can tell.
bool processRuns(int id);

/// A new file, opened for writing and locked while it is open; null with EEXIST when the name is taken.
std::FILE* createExclusively(const std::string& path, unsigned mode);
/// Opens for writing at the end, made when missing, and locks it; null with EWOULDBLOCK when another program holds it.
std::FILE* openToAppend(const std::string& path);
/// Opens a pipe or a device for writing, without waiting for a lock.
std::FILE* openToWrite(const std::string& path);
/// Whether another running program holds a lock on the file.
bool isLocked(const std::string& path);

/// Writes all of the bytes past the stream's buffer, which must be empty. A signal during a write to a full pipe does
/// not cut it in two: it continues when the reader does. It fails if the reader accepts nothing for two seconds after
/// the signal.
bool writeAll(std::FILE* file, std::string_view bytes);
/// Writes over the start of a file; the next writeAll continues where the last one ended.
bool writeOverStart(std::FILE* file, std::string_view bytes);

/// Flushes the file to the disk. False on failure.
bool flushToDisk(std::FILE* file);
/// Truncates an open file to this many bytes.
bool truncateTo(std::FILE* file, std::uint64_t bytes);

/// To be called before anything is opened: a closed stdin, stdout or stderr becomes a descriptor on which every use
/// fails, so that no file gets its number; writing to a closed pipe or beyond a file size limit becomes an error
/// instead of ending the process.
void prepareStandardStreams();

}  // namespace clothlab::platform
