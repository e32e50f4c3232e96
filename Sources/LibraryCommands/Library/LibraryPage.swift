import CommandKit
import EarshotCatalogs
import EarshotCore
import EarshotMusic
import EarshotRecognition
import Foundation

/// A collection as a page.
struct LibraryPage {
    /// An album with all its tracks, where they are known, and its cover as an address that holds the bytes.
    struct Part {
        let album: LibraryReport.AlbumPart
        let tracks: [Track]?
        let cover: String?
    }

    let title: String
    let parts: [Part]
    let report: LibraryReport

    var html: String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="\(Self.policy)">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(Self.escaped(title))</title>
        <style>\(Self.style)</style>
        </head>
        <body>
        <header><h1>\(Self.escaped(title))</h1><p>\(summary)</p></header>
        <main>
        \(parts.map(html).joined(separator: "\n"))
        </main>
        \(others)
        </body>
        </html>

        """
    }

    /// The content policy of the page: its own covers and style. No script runs, nothing is loaded.
    private static let policy =
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

    private var summary: String {
        let files = report.albums.reduce(0) { $0 + $1.files.count }
        let complete = report.albums.count { $0.trackCount == $0.found }
        let copies = report.albums.reduce(0) { $0 + $1.files.count { $0.duplicateOf != nil } }
        var words = [
            DisplayText.plural(report.albums.count, "album", "albums"), "\(complete) of them complete",
            DisplayText.plural(files, "file", "files"),
        ]
        if copies > 0 { words.append("\(copies) of them copies") }
        if !report.unmatched.isEmpty { words.append("\(report.unmatched.count) not known") }
        if !report.failed.isEmpty { words.append("\(report.failed.count) not readable") }
        return words.joined(separator: ", ")
    }

    // MARK: - Albums

    private func html(_ part: Part) -> String {
        let album = part.album
        let name = Self.escaped(album.title ?? "Untitled")
        let artist = Self.escaped(album.artist ?? "")
        let cover =
            part.cover.map { "<img src=\"\(Self.escaped($0))\" alt=\"\">" }
            ?? "<div class=\"cover\">\(Self.escaped(Self.initials(album.title ?? "?")))</div>"
        return """
            <section>
            \(cover)
            <div class="album">
            <h2>\(name)</h2>
            <p>\(artist)\(album.year.map { " · \(Self.escaped($0))" } ?? "") · \(album.extent) · \(meter(album.confidence))</p>
            <table>
            \(rows(part).joined(separator: "\n"))
            </table>
            </div>
            </section>
            """
    }

    private func rows(_ part: Part) -> [String] {
        var files: [String: [LibraryReport.File]] = [:]
        for file in part.album.files { files[file.trackID ?? "", default: []].append(file) }
        guard let tracks = part.tracks, !tracks.isEmpty else { return part.album.files.map { row($0, $0.trackNumber) } }
        let hasSeveral = tracks.contains { ($0.place?.medium ?? 1) > 1 }
        return tracks.flatMap { track -> [String] in
            let number = track.place?.number
            let shown = (hasSeveral ? "\(track.place?.medium ?? 1)-" : "") + (number.map(String.init) ?? "")
            guard let found = files[track.id.rawValue] else {
                return [
                    "<tr class=\"missing\"><td>\(shown)</td><td>\(Self.escaped(track.title.text))</td>"
                        + "<td>missing</td><td></td></tr>"
                ]
            }
            return found.map { row($0, shown) }
        }
    }

    private func row(_ file: LibraryReport.File, _ number: Int?) -> String { row(file, number.map(String.init) ?? "") }

    private func row(_ file: LibraryReport.File, _ number: String) -> String {
        let reasons = file.reasons.map { "<li>\(Self.escaped($0.text))</li>" }.joined()
        let copy =
            file.duplicateOf.map { "<p>a copy of \(Self.escaped($0))</p>" }
            ?? file.contradiction.map { "<p class=\"doubtful\">\(Self.escaped($0))</p>" } ?? ""
        return "<tr><td>\(number)</td><td>\(Self.escaped(file.title ?? "untitled"))</td>"
            + "<td><details><summary>\(Self.escaped(file.file))</summary>\(copy)<ul>\(reasons)</ul></details></td>"
            + "<td>\(meter(file.confidence))</td></tr>"
    }

    private func meter(_ share: Double) -> String {
        let percent = Int((share * 100).rounded(.down))
        let kind = share >= 0.9 ? "sure" : share >= 0.6 ? "likely" : "doubtful"
        return "<span class=\"\(kind)\">\(percent)&nbsp;%</span>"
    }

    // MARK: - The rest

    private var others: String {
        var html = ""
        if !report.unmatched.isEmpty {
            let items = report.unmatched.map { unknown in
                let reasons = unknown.reasons.map { "<li>\(Self.escaped($0.text))</li>" }.joined()
                return "<li><details><summary>\(Self.escaped(unknown.file))</summary><ul>\(reasons)</ul></details></li>"
            }.joined()
            html += "<aside><h2>Not known</h2><ul>\(items)</ul></aside>"
        }
        if !report.failed.isEmpty {
            let items = report.failed.map { "<li>\(Self.escaped($0.file)): \(Self.escaped($0.message))</li>" }.joined()
            html += "<aside><h2>Not readable</h2><ul>\(items)</ul></aside>"
        }
        return html
    }

    private static func initials(_ title: String) -> String {
        title.split(separator: " ").compactMap(\.first).filter { $0.isLetter || $0.isNumber }.prefix(2).map(String.init)
            .joined().uppercased()
    }

    /// Text as it may stand in a page: a file's name is somebody else's.
    static func escaped(_ text: String) -> String {
        MarkupText.html(text)
    }

    private static let style = """
        :root { color-scheme: light dark; font: 15px/1.45 system-ui, sans-serif; }
        body { max-width: 72rem; margin: 0 auto; padding: 1.5rem; }
        header p, section p { opacity: .75; margin: .2rem 0 .8rem; }
        section { display: grid; grid-template-columns: 9rem 1fr; gap: 1.2rem; padding: 1.2rem 0; border-top: 1px solid #8884; }
        section img, .cover { width: 9rem; height: 9rem; object-fit: cover; border-radius: 6px; }
        .cover { display: grid; place-items: center; background: #8883; font-size: 2.6rem; opacity: .6; }
        h2 { margin: 0; font-size: 1.25rem; }
        table { border-collapse: collapse; width: 100%; table-layout: fixed; }
        td { padding: .15rem .6rem .15rem 0; vertical-align: top; overflow-wrap: anywhere; }
        td:first-child { width: 3rem; text-align: right; opacity: .6; }
        td:last-child { width: 4.5rem; text-align: right; }
        .missing { opacity: .45; font-style: italic; }
        summary { cursor: pointer; }
        details ul { margin: .3rem 0; padding-left: 1.2rem; opacity: .8; }
        .sure { color: #2a8a3e; } .likely { color: #b07a10; } .doubtful { color: #c0392b; }
        aside { border-top: 1px solid #8884; padding: 1rem 0; overflow-wrap: anywhere; }
        @media (max-width: 40rem) { section { grid-template-columns: 1fr; } }
        """
}
