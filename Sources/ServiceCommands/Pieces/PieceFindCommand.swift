import ArgumentParser
import CommandKit
import EarshotAPI
import EarshotClient
import EarshotCore
import EarshotPieces
import Foundation

struct PieceFindCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "find",
        abstract: "Look for pieces of a service.",
        discussion: """
            EXAMPLES
              earshot piece find night
              earshot piece find --key "A minor" --compatible --tempo 88-96
              earshot piece find --author me

            Exit status: 0 found, 3 nothing fits.
            """
    )

    @Argument(help: "Words of the title.")
    var words: [String] = []

    @Option(name: .long, help: "Who published it; me for your own.")
    var author: String?

    @Option(name: .long, help: "Its key, such as \"A minor\".")
    var key: String?

    @Flag(name: .long, help: "Keys that go with it, too.")
    var compatible = false

    @Option(name: .long, help: "Its tempo, such as 120 or 100-120.")
    var tempo: TempoArgument?

    @Option(name: .long, help: "The shortest, in seconds or m:ss.")
    var minLength: TimeArgument?

    @Option(name: .long, help: "The longest, in seconds or m:ss.")
    var maxLength: TimeArgument?

    @Option(name: .long, help: "What it is based on.")
    var basedOn: String?

    @Option(name: .long, help: "How many are shown.")
    var limit = 20

    @Option(name: .long, help: "How many are left out before.")
    var offset = 0

    @OptionGroup
    var connection: PieceConnection

    @OptionGroup
    var output: OutputOptions

    func validate() throws {
        guard (1...100).contains(limit) else { throw ValidationError("--limit must be 1 to 100.") }
        guard offset >= 0 else { throw ValidationError("--offset must not be negative.") }
        if compatible, key == nil { throw ValidationError("--compatible goes with --key.") }
    }

    func run() async throws {
        var search = PieceQuery(words.isEmpty ? nil : words.joined(separator: " "))
        search.author = author
        search.key = try key.map { name in
            _ = try PieceKeyCommand.named(name)
            return name
        }
        search.includesCompatibleKeys = compatible
        search.tempo = tempo?.range
        search.minLength = minLength.map { $0.microseconds ?? Microseconds(Int64.max) }
        search.maxLength = maxLength.map { $0.microseconds ?? Microseconds(Int64.max) }
        search.basedOn = try basedOn.map { try connection.piece($0) }
        (search.offset, search.limit) = (offset, limit)
        let page = try await connection.client(mayLogIn: author == "me").search(search)
        if output.json {
            Terminal.print(try JSON.document(page))
        } else if output.jsonl {
            for piece in page.pieces { Terminal.print(try JSON.line(piece)) }
        } else {
            for piece in page.pieces { Terminal.print(PieceText.line(piece)) }
            let rest = page.total - page.offset - page.pieces.count
            if rest > 0 { Terminal.note("\(rest) more: --offset \(page.offset + page.pieces.count).") }
            if page.pieces.isEmpty { Terminal.print("Nothing fits.") }
        }
        if page.pieces.isEmpty { throw ExitCode(3) }
    }
}

/// A tempo, or a range of tempos.
struct TempoArgument: ExpressibleByArgument {
    let range: ClosedRange<Double>

    init?(argument: String) {
        let parts = argument.split(separator: "-", omittingEmptySubsequences: false).map { Double($0) }
        guard let first = parts.first ?? nil, let last = parts.last ?? nil, parts.count <= 2, first > 0, first <= last,
            last.isFinite
        else { return nil }
        // What is written without decimals means all that rounds to it.
        range = parts.count == 1 ? first - 0.5...first + 0.5 : first...last
    }
}
