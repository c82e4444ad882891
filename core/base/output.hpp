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

/// Everything that the program writes for a user goes through here.
///
/// A regular file is written under a temporary name beside its own, `NAME.clothlab-PROCESS.part`, made for this process
/// alone, and renamed when it is whole: what stood there before is lost only to a complete successor, of two processes
/// the last one wins, and a start with the same output removes what dead processes left. There are two kinds. An
/// OutputFile is all or nothing (pictures, scenes, systems). A GrowingFile is worth having in part (reports,
/// positions): when the disk is full, a signal comes or an error ends the command, the whole records that it has get
/// the final name.
///
/// `-` and /dev/stdout (standard output), /dev/null and pipes are written through. Everything else is refused: folders,
/// other devices, and what the same command reads.
namespace clothlab {

/// Where a path leads over its links, to the last one whose target is not there yet: a link that is written to stays a
/// link.
std::string followed(const std::string& path);

/// Whether two outputs are one file (or standard output both); /dev/null takes any number.
bool sameOutput(const std::string& a, const std::string& b);

/// An output of a command, and what messages call it: "the report".
struct NamedOutput {
    std::string_view what;
    std::string path;  ///< empty: there is none
};
/// An Error where two outputs of a command are one file, by whatever names.
Expected<void> checkDistinct(std::span<const NamedOutput> outputs);

/// The files that a command reads; an output that leads to one of them, by whatever name, is refused.
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

/// Quick is for what is written many times a second (frames, the window's state): it neither waits for the disk nor
/// looks for what dead processes left. Keeping is for what a user has made: what a dead process left of it stays.
enum class Care { Full, Quick, Keeping };

/// Temporary files of an output that processes which are gone have left.
std::vector<std::string> leftoversOf(const std::string& path);
/// Whether a process, this one too, is writing an output of this name.
bool isBeingWritten(const std::string& path);

/// Where bytes go: what OutputFile and GrowingFile share. Made by them.
class OutputTarget {
public:
    static Expected<OutputTarget> open(const std::string& path, const InputFiles& inputs, Care care);
    OutputTarget(OutputTarget&& other) noexcept;
    OutputTarget& operator=(OutputTarget&&) = delete;
    /// Removes the temporary file.
    ~OutputTarget();

    /// An Error as soon as the disk does not take it.
    Expected<void> write(std::string_view bytes);
    Expected<void> flush();
    /// Flushes and gives the file its name.
    Expected<void> finish();

    bool direct() const { return temporary_.empty(); }  ///< written through: no going back
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

    std::string path_;       ///< as the user says it
    std::string final_;      ///< with links followed
    std::string temporary_;  ///< empty when written through
    std::FILE* file_;
    Care care_;
};

/// A file that is whole or not there. Without finish() nothing has changed on the disk.
class OutputFile {
public:
    static Expected<OutputFile> create(const std::string& path, const InputFiles& inputs, Care care = Care::Full);

    Expected<void> write(std::string_view bytes) { return target_.write(bytes); }
    /// Hands all of it to the disk: what can fail has failed before the first of several files is renamed.
    Expected<void> flush() { return target_.flush(); }
    Expected<void> finish() { return target_.finish(); }
    /// For an encoder that writes the file itself; empty where the output is a pipe or a device.
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
    /// Gives the file its name when it has a record, as finish() does.
    ~GrowingFile();

    /// The whole record or nothing of it; on its way to the disk when this returns.
    Expected<void> append(std::string_view record);
    Expected<void> line(std::string_view text);
    /// Writes over the first bytes, which an append has made: a header that counts the records. Not for pipes.
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

/// A folder that takes several files. All that it will take is checked before the work begins, and a folder that got
/// nothing goes again.
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
    /// For outputs whose names are not known beforehand, and which are written quickly: removes what dead processes
    /// left of those that begin with `prefix`.
    void clearLeftoversOf(std::string_view prefix) const;
    /// All of them or none.
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

/// Removes what dead processes left of those outputs in a folder ("": the current one) that `isOurs`: for a series of
/// files, whose names are not known beforehand and which are written quickly.
void clearLeftovers(const std::string& folder, const std::function<bool(std::string_view output)>& isOurs);

/// `-` and /dev/stdout.
bool isStandardOutput(const std::string& path);
/// Writes to standard output and makes sure that it has arrived.
Expected<void> writeStandardOutput(std::string_view text);

}  // namespace clothlab
