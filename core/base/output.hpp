#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/errors.hpp"
#include "base/file_system.hpp"

/// All files that the program writes for a user.
///
/// A regular file is written under a temporary name next to its own, `NAME.clothlab-PROCESS.part`, and renamed when it
/// is complete: an existing file is lost only to a complete successor, the last of two processes wins, and the next
/// start with the same output removes leftovers of dead processes. There are two kinds. An OutputFile is all or nothing
/// (pictures, scenes, systems). A GrowingFile is worth having in part (reports, positions): on a full disk, a signal or
/// an error its complete records get the final name.
///
/// `-` and /dev/stdout (standard output), /dev/null and pipes are written through. Everything else is refused: folders,
/// other devices, and the inputs of the same command.
namespace clothlab {

/// The end of a chain of links, also if its target does not exist yet: writing to a link keeps the link.
std::string followed(const std::string& path);

/// Whether two outputs are one file (or both standard output); /dev/null may be shared.
bool sameOutput(const std::string& a, const std::string& b);

/// An output of a command, with its name in messages: "the report".
struct NamedOutput {
    std::string_view what;
    std::string path;  ///< empty: no output
};
/// An Error if two outputs of a command are one file, also under different names.
Expected<void> checkDistinct(std::span<const NamedOutput> outputs);

/// The files that a command reads; an output that is one of them, also under another name, is refused.
class InputFiles {
public:
    void add(const std::string& path);
    bool has(const std::string& path) const;

private:
    struct Input {
        std::string path;
        platform::FileIdentity identity;
    };
    std::vector<Input> files_;
};

/// Quick is for files written many times a second (frames, the window's state): it neither waits for the disk nor
/// removes leftovers of dead processes. Keeping is for a user's own work: leftovers are kept.
enum class Care { Full, Quick, Keeping };

/// Temporary files of an output that dead processes left.
std::vector<std::string> findLeftovers(const std::string& path);
/// Whether a process, this one included, is writing an output of this name.
bool isBeingWritten(const std::string& path);

/// The target of the bytes, shared by OutputFile and GrowingFile, which create it.
class OutputTarget {
public:
    static Expected<OutputTarget> open(const std::string& path, const InputFiles& inputs, Care care);
    OutputTarget(OutputTarget&& other) noexcept;
    OutputTarget& operator=(OutputTarget&&) = delete;
    /// Removes the temporary file.
    ~OutputTarget();

    /// An Error as soon as the disk refuses the bytes.
    Expected<void> write(std::string_view bytes);
    Expected<void> flush();
    /// Flushes and gives the file its name.
    Expected<void> finish();

    bool direct() const { return temporary_.empty(); }  ///< written through: cannot be undone
    bool isOpen() const { return file_ != nullptr; }
    std::FILE* file() { return file_; }
    const std::string& path() const { return path_; }
    const std::string& temporary() const { return temporary_; }
    tl::unexpected<Error> failure(int code) const;

private:
    OutputTarget(std::string path, std::string final, std::string temporary, std::FILE* file, Care care)
        : path_(std::move(path)),
          final_(std::move(final)),
          temporary_(std::move(temporary)),
          file_(file),
          care_(care) {}
    void close();

    std::string path_;       ///< as the user gave it
    std::string final_;      ///< with links followed
    std::string temporary_;  ///< empty when written through
    std::FILE* file_;
    Care care_;
};

/// A file that is complete or absent. Without finish() nothing changes on the disk.
class OutputFile {
public:
    static Expected<OutputFile> create(const std::string& path, const InputFiles& inputs, Care care = Care::Full);

    Expected<void> write(std::string_view bytes) { return target_.write(bytes); }
    /// Flushes to the disk, so that failures show before the first of several files is renamed.
    Expected<void> flush() { return target_.flush(); }
    Expected<void> finish() { return target_.finish(); }
    /// For an encoder that writes the file itself; empty if the output is a pipe or a device.
    const std::string& temporary() const { return target_.temporary(); }

private:
    explicit OutputFile(OutputTarget target) : target_(std::move(target)) {}
    OutputTarget target_;
};

/// A file that grows by records and is worth having in part.
class GrowingFile {
public:
    static Expected<GrowingFile> create(const std::string& path, const InputFiles& inputs, Care care = Care::Full);
    GrowingFile(GrowingFile&&) = default;
    /// As finish(), if the file has a record.
    ~GrowingFile();

    /// Appends the whole record or nothing; it is on its way to the disk when this returns.
    Expected<void> append(std::string_view record);
    Expected<void> line(std::string_view text);
    /// Overwrites the first bytes of the first append: a header that counts the records. Not for pipes.
    Expected<void> replaceStart(std::string_view bytes);
    Expected<void> finish();

    bool direct() const { return target_.direct(); }
    std::int64_t records() const { return records_; }

private:
    explicit GrowingFile(OutputTarget target) : target_(std::move(target)) {}
    OutputTarget target_;
    std::uint64_t bytes_ = 0;
    std::int64_t records_ = 0;
    bool broken_ = false;
};

/// A folder for several files. All of them are checked before the work begins, and the folder is removed if nothing was
/// written.
class OutputFolder {
public:
    /// Makes the folder and those above it. `names` are the files that will be written.
    static Expected<OutputFolder> create(const std::string& path, std::span<const std::string_view> names,
                                         const InputFiles& inputs);
    OutputFolder(OutputFolder&&) noexcept = default;
    OutputFolder& operator=(OutputFolder&&) = delete;
    /// Removes the folders that create() made, as far as they are empty.
    ~OutputFolder();

    const std::string& path() const { return path_; }
    std::string file(std::string_view name) const { return path_ + "/" + std::string(name); }
    /// For outputs that are written quickly and whose names are not known beforehand: removes leftovers of dead
    /// processes that begin with `prefix`.
    void clearLeftoversWith(std::string_view prefix) const;
    /// Writes all of them or none.
    Expected<void> write(std::span<const std::pair<std::string_view, std::string>> files) const;

private:
    OutputFolder(std::string path, std::vector<std::string> made, InputFiles inputs)
        : path_(std::move(path)), made_(std::move(made)), inputs_(std::move(inputs)) {}

    std::string path_;
    std::vector<std::string> made_;  ///< innermost first
    InputFiles inputs_;
};

/// An OutputFile with this content.
Expected<void> writeFile(const std::string& path, std::string_view content, const InputFiles& inputs,
                         Care care = Care::Full);

/// Why an output would be refused, before the work begins; nothing is made or changed.
Expected<void> checkOutput(const std::string& path, const InputFiles& inputs);

/// Removes leftovers of dead processes in a folder ("": the current one) for the outputs that `isOurs`: for a series of
/// files that are written quickly and whose names are not known beforehand.
void clearLeftovers(const std::string& folder, const std::function<bool(std::string_view output)>& isOurs);

/// `-` and /dev/stdout.
bool isStandardOutput(const std::string& path);
/// Writes to standard output and flushes it.
Expected<void> writeStandardOutput(std::string_view text);

}  // namespace clothlab
