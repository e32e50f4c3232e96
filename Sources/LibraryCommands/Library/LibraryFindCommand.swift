import ArgumentParser
import CommandKit
import EarshotCore
import EarshotLibrary
import Foundation

struct LibraryFindCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "find",
        abstract:
            "Find albums, artists and tracks in folders that were scanned, by words or by a typed or spoken command.",
        discussion: """
            The commands: play album …, play track …, play artist …, play …, next track, line in, USB, CD, FM; other words are \
            looked for among all names. Numbers may be digits, words or Roman numerals, and what stands in brackets at the end may \
            be left out. A track without a title goes by the name of its file. Where nothing has all the words, one of them may be \
            mistyped, in another number, or with "ue" for "ü". What is meant without question is marked.

            EXAMPLES
              earshot library find ace of spades
              earshot library find "play album more friends"
              earshot library find "play track nineteen thirty one go out dancing part one" --json

            Exit status 3: nothing is found.
            """
    )

    @Argument(help: "The words, or the command; several words need no quotes.")
    var words: [String]

    @OptionGroup var known: KnownItems
    @OptionGroup var output: OutputOptions

    /// A candidate, for programs.
    struct Candidate: Encodable {
        let kind, name: String
        let artist, album: String?
        let reason: String
        let score: Double
        let isChoice: Bool
        let items: [MusicItem]
    }

    /// The files that were found, for programs.
    struct Answer: Encodable {
        let command: String
        let isAmbiguous: Bool
        let candidates: [Candidate]
    }

    func run() async throws {
        let text = words.joined(separator: " ")
        let command: LibraryCommand
        do throws(EarshotError) {
            command = try LibraryCommand(searching: text)
        } catch {
            throw ValidationError(error.message)
        }
        guard command.name != nil else {
            // It names nothing that would have to be found.
            Terminal.print(
                output.json || output.jsonl
                    ? try JSON.line(Answer(command: text, isAmbiguous: false, candidates: [])) : text
            )
            return
        }
        let resolution = CommandResolver(LibraryIndex(try await known.items())).resolve(command)
        let candidates = resolution.candidates.map { Candidate($0, isChoice: $0 == resolution.choice) }
        if output.json {
            let answer = Answer(command: text, isAmbiguous: resolution.isAmbiguous, candidates: candidates)
            Terminal.print(try JSON.document(answer))
        } else if output.jsonl {
            for candidate in candidates { Terminal.print(try JSON.line(candidate)) }
        } else {
            for candidate in candidates { Terminal.print(Self.line(candidate)) }
            if candidates.isEmpty { Terminal.print("Nothing is called so.") }
        }
        if candidates.isEmpty { throw ExitCode(3) }
    }

    private static func line(_ candidate: Candidate) -> String {
        let name = [candidate.artist, candidate.name].compactMap(\.self).joined(separator: " – ")
        let kind = candidate.kind + String(repeating: " ", count: max(0, 7 - candidate.kind.count))
        let extent =
            candidate.kind == "track" ? "" : "  " + DisplayText.plural(candidate.items.count, "track", "tracks")
        let album = candidate.kind == "track" ? candidate.album.map { "  [\($0)]" } ?? "" : ""
        return (candidate.isChoice ? "> " : "  ") + String(format: "%3.0f %%  ", candidate.score * 100) + kind
            + Terminal.shown(name + album) + extent
    }
}

extension LibraryFindCommand.Candidate {
    fileprivate init(_ candidate: LibraryCandidate, isChoice: Bool) {
        let (kind, artist, album): (String, String?, String?) =
            switch candidate.subject {
            case .album(let album): ("album", album.artist ?? album.tracks.first?.artist, album.title)
            case .artist: ("artist", nil, nil)
            case .track(let item): ("track", item.artist, item.album)
            }
        self.init(
            kind: kind,
            name: candidate.name,
            artist: artist,
            album: album,
            reason: candidate.reason.rawValue,
            score: candidate.score,
            isChoice: isChoice,
            items: candidate.items
        )
    }
}
