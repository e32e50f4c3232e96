import ArgumentParser
import Earshot
import Foundation

struct IdentifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "identify",
        abstract: "Say what recordings are.",
        discussion: """
            A clip may be any file or address with audio, a signature (.earsig), or - for standard input. Clips of any \
            length are taken; one longer than 15 s is searched from end to end. `earshot tracklist` lists what a \
            long one is made of.

            With --server a recognition service is asked in place of a catalog, about the first 20 s of each clip; \
            --lang, --country and --cover say what it is to tell.

            EXAMPLES
              earshot identify clip.wav --catalog music.earcat
              earshot identify concert.mp4 --catalog music.earcat --all
              ffmpeg -i http://… -t 10 -f wav - | earshot identify - --catalog music.earcat --json
              earshot identify clip.wav --server https://music.example --client 12345678-ABC…

            Exit status 3: everything could be read, and nothing matched.
            """
    )

    @Argument(help: "Recordings.", completion: .file())
    var clips: [String]

    @Option(name: .shortAndLong, help: "The catalog to search.", completion: .file(extensions: ["earcat", "earstore"]))
    var catalog: String?

    @OptionGroup(title: "Service") var service: ServiceOptions

    @Option(name: [.customLong("lang"), .long], help: "With --server: name things in this language: jpn, de.")
    var language: String?

    @Option(name: .long, help: "With --server: name the genres of this country: JPN, DEU, USA.")
    var country: String?

    @Flag(name: .long, help: "With --server: tell the address of the cover.")
    var cover = false

    @Flag(name: .long, help: "Show every play in order of time, and other places that fit.")
    var all = false

    @Flag(name: .long, help: "Add what signatures and standard input are to the history: `earshot history`.")
    var history = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard catalog == nil || service.server == nil else {
            throw ValidationError("Choose --catalog or --server, not both.")
        }
        guard catalog != nil || service.address != nil else {
            throw ValidationError("Name a --catalog to search, or the --server of a recognition service.")
        }
        if history, catalog == nil {
            throw ValidationError("The history is of what a catalog knows: give --catalog.")
        }
        if history, let file = clips.first(where: { HistoryKeeper.operation(of: $0) == nil }) {
            throw ValidationError("\(file) is a file: the history is of signatures (.earsig) and standard input (-).")
        }
    }

    func run() async throws {
        guard let path = self.catalog else { return try await runOnService() }
        let catalog = try Catalog(contentsOf: URL(fileURLWithPath: path))
        var answers: [Answer] = []
        var failed = false
        for clip in clips {
            let began = Date()
            do {
                let answer = try await identify(clip, in: catalog)
                answers.append(answer)
                if history { try await HistoryKeeper.add(answer.plays.first, of: clip, at: began) }
                if output.jsonl {
                    Console.say(try JSON.line(answer))
                } else if !output.json {
                    answer.print(all: all)
                }
            } catch let error as EarshotError where error.code != .catalogInvalid && clips.count > 1 {
                // One bad clip does not stop the others.
                Console.complain("\(clip): \(error.message)")
                failed = true
            }
        }
        if output.json { Console.say(try JSON.document(["clips": answers])) }
        if failed { throw ExitCode(1) }
        if answers.allSatisfy(\.plays.isEmpty) { throw ExitCode(3) }
    }

    private func identify(_ clip: String, in catalog: Catalog) async throws -> Answer {
        let signature = try await Clip.signature(clip, toleratesCut: true)
        let plays = try RecordingSearch.plays(in: signature, named: clip, catalog: catalog)
        return Answer(clip: clip, duration: signature.duration, plays: all ? plays : Answer.best(of: plays))
    }
}

extension IdentifyCommand {
    /// What is said about one clip.
    struct Answer {
        let clip: String
        let duration: MediaTime
        let plays: [Play]

        /// The longest play of each reference, longest first.
        static func best(of plays: [Play]) -> [Play] {
            var seen: Set<ReferenceID> = []
            func length(_ play: Play) -> Double {
                (play.recordingRange.upperBound - play.recordingRange.lowerBound).seconds
            }
            // Of plays about as long as each other the surer one comes first.
            let order = plays.enumerated().sorted {
                let (first, second) = (length($0.element).rounded(), length($1.element).rounded())
                if plays.count > 1, first > 15 || second > 15, first != second { return first > second }
                if $0.element.score != $1.element.score { return $0.element.score > $1.element.score }
                return $0.offset < $1.offset
            }
            return order.map(\.element).filter { seen.insert($0.id).inserted }
        }

        func print(all: Bool) {
            Console.say(Console.dim("\(clip) (\(Wording.length(duration)))"))
            guard !plays.isEmpty else {
                Console.say("  Nothing matched.")
                return
            }
            for play in plays {
                Console.say("  " + Console.bold(Wording.name(play.id, play.items)))
                var place = "    at \(Wording.position(play.offset)) of \(play.referenceDuration.label)"
                if duration.seconds > 15 || all {
                    place =
                        "    heard \(play.recordingRange.lowerBound.label) to \(play.recordingRange.upperBound.label), "
                        + "from \(Wording.position(play.referenceRange.lowerBound)) of \(play.referenceDuration.label)"
                }
                let skew = Wording.skew(speed: play.speedSkew, pitch: play.pitchSkew)
                Console.say("\(place), \(skew), confidence \(Int((play.confidence * 100).rounded(.down))) %")
                if let other = play.duplicateOf {
                    Console.say(Console.dim("    the same audio as \(other)"))
                }
                if all, !play.alternatives.isEmpty {
                    let places = play.alternatives.map(Wording.position).joined(separator: ", ")
                    Console.say(Console.dim("    fits as well at \(places)"))
                }
            }
        }
    }
}

extension IdentifyCommand.Answer: Encodable {
    private struct Found: Encodable {
        let id: String
        let title, artist, album: String?
        let offset, referenceDuration: Double
        let speedSkew, pitchSkew, confidence, score: Double
        let queryRange, referenceRange: [Double]
        let alternatives: [Double]
        let items: [[String: JSONValue]]
        let duplicateOf: String?

        init(_ play: Play) {
            id = play.id.rawValue
            title = play.items.first?.title
            artist = play.items.first?.artist
            album = play.items.first?.album
            offset = Self.round(play.offset.seconds)
            referenceDuration = Self.round(play.referenceDuration.seconds)
            speedSkew = Self.round(play.speedSkew)
            pitchSkew = Self.round(play.pitchSkew)
            confidence = Self.round(play.confidence)
            score = Self.round(play.score)
            queryRange = [play.recordingRange.lowerBound, play.recordingRange.upperBound].map { Self.round($0.seconds) }
            referenceRange = [play.referenceRange.lowerBound, play.referenceRange.upperBound]
                .map { Self.round($0.seconds) }
            alternatives = play.alternatives.map { Self.round($0.seconds) }
            items = play.items.map(JSONValue.object)
            duplicateOf = play.duplicateOf?.rawValue
        }

        private static func round(_ value: Double) -> Double { (value * 100_000).rounded() / 100_000 }
    }

    private enum Keys: String, CodingKey { case clip, duration, matches }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(clip, forKey: .clip)
        try container.encode(duration.seconds, forKey: .duration)
        try container.encode(plays.map(Found.init), forKey: .matches)
    }
}
