import ArgumentParser
import CommandKit
import EarshotCore
import EarshotLibrary
import Foundation

struct LibraryListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the items of folders that were scanned.",
        discussion: """
            EXAMPLES
              earshot library list
              earshot library list --in ~/Music --title the
              earshot library list --title the --whole-words --count
              earshot library list --kind podcast --jsonl

            Exit status 3: there are none.
            """
    )

    @OptionGroup var known: KnownItems

    @Option(name: .long, help: "Only these kinds: song, podcast, audiobook.")
    var kind: String?

    @Option(name: .long, help: "Only items whose title holds this text; letter case does not count.")
    var title: String?

    @Flag(name: .long, help: "The text has to stand in the title as words of its own.")
    var wholeWords = false

    @Flag(name: .long, help: "Say how many there are, and nothing else.")
    var count = false

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let test = title.map { TitleTest($0, wholeWords ? .wholeWords : .substring) }
        let items = try await known.items().filter { item in
            (kind.map { item.kind.rawValue == $0 } ?? true) && (test?.matches(item.title) ?? true)
        }
        if count {
            Terminal.print(output.json || output.jsonl ? try JSON.line(["count": items.count]) : "\(items.count)")
        } else if output.json {
            Terminal.print(try JSON.document(["items": items]))
        } else if output.jsonl {
            for item in items { Terminal.print(try JSON.line(item)) }
        } else {
            for item in items { Terminal.print(Self.line(item)) }
        }
        if items.isEmpty { throw ExitCode(3) }
    }

    /// An item in a line: artist, title and album, or the name of its file.
    static func line(_ item: MusicItem) -> String {
        let name = [item.artist, item.title ?? item.assetURL?.lastPathComponent].compactMap(\.self)
            .joined(separator: " – ")
        let album = item.album.map { "  [\($0)" + (item.trackNumber.map { " \($0)" } ?? "") + "]" } ?? ""
        let length = item.duration.map { $0.label } ?? "--:--"
        return String(repeating: " ", count: max(0, 8 - length.count)) + length + "  " + Terminal.shown(name + album)
    }
}
