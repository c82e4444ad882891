#include "architecture/citations.hpp"

#include <algorithm>
#include <functional>
#include <regex>
#include <sstream>

namespace clothlab::architecture {
namespace {

using Match = std::smatch;

void forEachMatch(const std::string& text, const std::regex& what, const std::function<void(const Match&)>& f) {
    for (std::sregex_iterator it(text.begin(), text.end(), what), end; it != end; ++it) f(*it);
}

std::vector<std::string> linesOf(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

void replaceAll(std::string& text, const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
}

/// A name for comparison: without accents and BibTeX's braces.
std::string plain(std::string text) {
    for (const auto& [from, to] : {std::pair{"{\\\"o}", "o"}, {"{\\\"u}", "u"}, {"ö", "o"}, {"ü", "u"}, {"ä", "a"}})
        replaceAll(text, from, to);
    return text;
}

/// The comment and the strings in a line of C++ or GLSL.
std::string proseOf(const std::string& line) {
    std::string prose;
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (!quoted && line.compare(i, 2, "//") == 0) return prose + line.substr(i);
        if (quoted && line[i] == '\\') {
            ++i;
        } else if (line[i] == '"') {
            quoted = !quoted;
            prose += ' ';
        } else if (quoted) {
            prose += line[i];
        }
    }
    return prose;
}

bool isCode(const std::string& path) {
    const auto endsWith = [&path](const std::string& ending) {
        return path.size() > ending.size() && path.compare(path.size() - ending.size(), ending.size(), ending) == 0;
    };
    return endsWith(".cpp") || endsWith(".hpp") || endsWith(".vert") || endsWith(".frag") || endsWith(".glsl");
}

Library::Work workOf(const std::string& entry) {
    static const std::regex id(R"(^\w+\{(\w+),)"), author(R"(author\s*=\s*\{([^\n]*)\})"),
        year(R"(year\s*=\s*\{(\d+))");
    Library::Work work;
    Match found;
    if (std::regex_search(entry, found, id)) work.id = found[1];
    if (std::regex_search(entry, found, year)) work.year = found[1];
    if (!std::regex_search(entry, found, author)) return work;
    std::string names = found[1];
    replaceAll(names, " and ", "\n");
    for (const std::string& name : linesOf(names)) work.surnames.push_back(name.substr(0, name.find(',')));
    return work;
}

std::vector<Library::Work> worksOf(const std::string& bibliography) {
    std::vector<Library::Work> works;
    std::string text = plain(bibliography);
    for (std::size_t at = text.find('@'); at != std::string::npos;) {
        const std::size_t next = text.find("\n@", at);
        works.push_back(workOf(text.substr(at + 1, next == std::string::npos ? next : next - at - 1)));
        at = next == std::string::npos ? next : next + 1;
    }
    return works;
}

/// The citations of one line, `before` being the two lines above it.
class Line {
public:
    Line(const Library& library, const std::string& text, const std::string& before,
         const std::function<void(const std::string&)>& breach)
        : library_(library), text_(text), before_(before), breach_(breach) {}

    void check() const {  // most lines cite nothing: a search for words first is ten times as fast
        if (has("ethods ") || has("§")) checkSections();
        if (has("racle")) checkOracles();
        if (has("E-")) checkErrata();
        if (has("[")) checkKeys();
        if (has("19") || has("20") || has(" others") || has(" et al")) checkWorks();
    }

private:
    bool has(const char* word) const { return text_.find(word) != std::string::npos; }

    void checkSections() const {
        static const std::regex section(R"([Mm]ethods §\s?(\d+(\.\d+)*))"), without(R"([Mm]ethods \d+\.\d)");
        static const std::regex owner(R"([Mm]ethods|\[[A-Z][A-Za-z]*\])");
        forEachMatch(text_, section, [&](const Match& m) {
            if (!library_.sections.contains(m[1])) breach_("there is no section " + m[1].str() + " in docs/methods");
        });
        forEachMatch(text_, without,
                     [&](const Match& m) { breach_("\"" + m.str() + "\": a section is cited with §"); });
        for (std::size_t at = text_.find("§"); at != std::string::npos; at = text_.find("§", at + 1))
            if (!std::regex_search(before_ + " " + text_.substr(0, at), owner))
                breach_("§ of what? \"methods §9.3\" or \"[B] §3.4\"");
    }

    void checkOracles() const {
        static const std::regex oracle(R"(\b[Oo]racles? (\d+[a-z]?)((,| and|, and) \d+[a-z]?)*)"),
            number(R"(\d+[a-z]?)");
        forEachMatch(text_, oracle, [&](const Match& m) {
            forEachMatch(m.str(), number, [&](const Match& n) {
                if (!library_.oracles.contains(n.str())) breach_("there is no oracle " + n.str());
            });
        });
    }

    void checkErrata() const {
        static const std::regex erratum(R"(\bE-\d+\b)");
        forEachMatch(text_, erratum, [&](const Match& m) {
            if (!library_.errata.contains(m.str())) breach_(m.str() + " is not in docs/errata.md");
        });
    }

    /// "[Y]", but not a subscript, a link or "[SCENE]".
    void checkKeys() const {
        static const std::regex key(R"((^|[^\w\])`.])\[([A-Z][a-z]*([A-Z][a-z]+)*)\](?![(\[\w]))");
        forEachMatch(text_, key, [&](const Match& m) {
            if (!library_.keys.contains(m[2]))
                breach_("[" + m[2].str() + "] is not in the key of docs/methods/README.md");
        });
    }

    /// "Steele and others 2014", "Duff and Reid (1983)"; "Ament and others" without a year.
    void checkWorks() const {
        static const std::regex dated(
            R"(\b([A-Z][a-z]+)(-[A-Z][a-z]+)?((,? and |, | & )[A-Z][A-Za-z-]+)*( and others)?,? \(?((19|20)\d\d)\b)");
        static const std::regex others(R"(\b([A-Z][a-z]+)( and others| et al))");
        const std::string text = plain(text_);
        forEachMatch(text, dated, [&](const Match& m) {
            const bool there = std::ranges::any_of(library_.works, [&](const Library::Work& work) {
                return !work.surnames.empty() && work.surnames.front() == m[1].str() + m[2].str() && work.year == m[6];
            });
            if (!there) breach_("\"" + m.str() + "\" is not in docs/references.bib");
        });
        forEachMatch(text, others, [&](const Match& m) {
            const bool there = std::ranges::any_of(library_.works, [&](const Library::Work& work) {
                return std::ranges::find(work.surnames, m[1].str()) != work.surnames.end();
            });
            if (!there) breach_("\"" + m.str() + "\": docs/references.bib has no such author");
        });
    }

    const Library& library_;
    const std::string& text_;
    const std::string& before_;
    const std::function<void(const std::string&)>& breach_;
};

}  // namespace

Library readLibrary(const std::vector<SourceFile>& pages, const std::string& bibliography) {
    static const std::regex heading(R"(^#+ (\d+)(\.\d+)*\b)"), oracle(R"(^\| (\d+[a-z]?) \|)"),
        erratum(R"(^\| (E-\d+) \|)");
    static const std::regex keyRow(R"(^\| (\[[^|]*\]) \|(.*))"), key(R"(\[(\w+)\])"), id(R"(`(\w+)`)");
    Library library;
    library.works = worksOf(bibliography);
    for (const SourceFile& page : pages)
        for (const std::string& line : linesOf(page.text)) {
            Match found;
            if (std::regex_search(line, found, heading)) {
                const std::string all = found.str();
                library.sections.insert(found[1]);
                library.sections.insert(all.substr(all.find_first_of("0123456789")));
            } else if (page.path == "docs/methods/oracles.md" && std::regex_search(line, found, oracle)) {
                library.oracles.insert(found[1]);
            } else if (std::regex_search(line, found, erratum)) {
                library.errata.insert(found[1]);
            } else if (std::regex_search(line, found, keyRow)) {
                const std::string cell = found[1], works = found[2];
                forEachMatch(cell, key, [&](const Match& m) { library.keys.insert(m[1]); });
                forEachMatch(works, id, [&](const Match& m) {
                    if (std::ranges::find(library.works, m[1].str(), &Library::Work::id) == library.works.end())
                        library.flaws.push_back(page.path + ": " + m[1].str() + " is not in docs/references.bib");
                });
            }
        }
    return library;
}

std::vector<std::string> citationBreaches(const Library& library, const std::vector<SourceFile>& files) {
    std::vector<std::string> found = library.flaws;
    for (const SourceFile& file : files) {
        std::vector<std::string> lines = linesOf(file.text);
        if (isCode(file.path))
            for (std::string& line : lines) line = proseOf(line);
        for (std::size_t n = 0; n < lines.size(); ++n) {
            const std::string before = (n > 1 ? lines[n - 2] + " " : "") + (n > 0 ? lines[n - 1] : "");
            const std::string place = file.path + ":" + std::to_string(n + 1) + ": ";
            Line(library, lines[n], before, [&](const std::string& what) { found.push_back(place + what); }).check();
        }
    }
    return found;
}

}  // namespace clothlab::architecture
