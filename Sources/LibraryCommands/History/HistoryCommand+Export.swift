import ArgumentParser
import CommandKit
import EarshotCore
import EarshotRecognition
import Foundation

/// The format in which a history is written, on the command line.
enum HistoryFormat: String, ExpressibleByArgument, CaseIterable {
    case listenbrainz, lastfm
    case scrobblerLog = "scrobbler-log"
    case csv, json
}

/// The treatment of entries without a known time of listening, on the command line.
enum UnheardArgument: String, ExpressibleByArgument, CaseIterable {
    case include, exclude

    var policy: ListenRule.Policy { self == .include ? .include : .exclude }
}

extension HistoryCommand {
    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Write the history for services that count listens, for tables, or for programs.",
            discussion: """
                listenbrainz    bodies of POST /1/submit-listens, one a line, up to 1,000 listens each
                lastfm          parameters of track.scrobble in batches of 50, as JSON; the sender signs them
                scrobbler-log   the file .scrobbler.log of portable players, which other programs submit
                csv             a table, safe to open in a spreadsheet
                json            all values

                For the first three the time of an entry is that at which the track began to play, and entries count that \
                were heard for half their length or four minutes; where it is not known how long, --unknown decides.

                EXAMPLES
                  earshot history export --format listenbrainz -o listens.json
                  curl https://api.listenbrainz.org/1/submit-listens -H "Authorization: Token $TOKEN" --json @listens.json
                  earshot history export --format csv -o history.csv
                """
        )

        @Option(name: .long, help: "What to write.")
        var format: HistoryFormat

        @Option(name: .shortAndLong, help: "The file, or - for standard output.", completion: .file())
        var output: String

        @Option(name: .long, help: "Only entries with a number above this one: those since an earlier export.")
        var after: Int?

        @Option(name: .long, help: "Whether entries count of which it is not known how long they were heard.")
        var unknown = UnheardArgument.include

        @Flag(name: .long, help: "Write the covers too, as Base64; with json.")
        var covers = false

        @Flag(name: .long, help: "Replace an existing file.")
        var replace = false

        @OptionGroup var result: JSONOption

        @OptionGroup var database: HistoryDatabase

        func validate() throws {
            if result.json, output == "-" {
                throw ValidationError("--json tells of a file; with -o - the output is the history itself.")
            }
            if covers, format != .json { throw ValidationError("--covers goes with --format json.") }
        }

        func run() async throws {
            let after = after ?? 0
            let entries = try await database.store.entries().filter { $0.id > after }
            var omissions: [HistoryOmission] = []
            var bytes: Data
            var count = entries.count
            switch format {
            case .listenbrainz:
                let export = ListenBrainzExport(version: version, rule: ListenRule(unknown: unknown.policy))
                let result = export.documents(entries)
                (count, omissions) = (result.count, result.omissions)
                bytes = Data(result.documents.map { $0 + Data("\n".utf8) }.joined())
            case .lastfm:
                let result = ScrobbleExport(rule: scrobbles).batches(entries)
                omissions = result.omissions
                count -= omissions.count
                bytes = Data((try JSON.document(["batches": result.batches]) + "\n").utf8)
            case .scrobblerLog:
                let result = ScrobbleExport(client: "Earshot \(version)", rule: scrobbles).log(entries)
                (count, omissions) = (result.count, result.omissions)
                bytes = Data(result.text.utf8)
            case .csv: bytes = Data(HistoryDocument.csv(entries).utf8)
            case .json: bytes = try HistoryDocument.json(entries, coverArt: covers) + Data("\n".utf8)
            }
            if output == "-" {
                Terminal.write(String(decoding: bytes, as: UTF8.self), to: .standardOutput)
            } else {
                try AtomicFile.write([UInt8](bytes), to: URL(fileURLWithPath: output), replacing: replace)
                try result.print(
                    "\(output): \(DisplayText.plural(count, "entry", "entries"))",
                    ["output": .string(output), "entries": .integer(count), "omitted": .integer(omissions.count)]
                )
            }
            if !result.json { tell(omissions) }
        }

        private var version: String { CommandVersion.text }
        private var scrobbles: ListenRule { ListenRule(minimumDuration: 30, unknown: unknown.policy) }

        /// Says how many are left out, and why.
        private func tell(_ omissions: [HistoryOmission]) {
            for reason in HistoryOmission.Reason.allCases {
                let count = omissions.count { $0.reason == reason }
                guard count > 0 else { continue }
                let cause =
                    switch reason {
                    case .nameMissing: "no artist or title"
                    case .notHeard: "too short, or not heard for long enough"
                    case .tooOld: "before October 2002"
                    case .tooLarge: "names too long for the service"
                    case .lengthMissing: "the length of the track is not known"
                    }
                Terminal.note("\(DisplayText.plural(count, "entry", "entries")) left out: \(cause).")
            }
        }
    }
}
