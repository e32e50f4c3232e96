import ArgumentParser
import BenchmarkSupport
import Earshot
import Foundation

struct Adversarial: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "adversarial",
        abstract: "Ask a catalog for what is no music, and for two tracks at once.",
        discussion: """
            Tones, noise, clicks, hum, a drum machine and speech must not be answered; silence may also be refused. Two \
            tracks mixed at equal level, in some pairs one of them 4 % fast or slow, should both be found.

            EXAMPLE
              trials adversarial --catalog music.earcat --music music.csv --speech speech
            """
    )

    @Option(help: "The catalog to ask.")
    var catalog: String

    @Option(help: "A list or folder of the music in the catalog, for mixed pairs.")
    var music: String?

    @Option(help: "Only rows of the list that have this value: column=value.")
    var only: String?

    @Option(help: "A folder of recordings of speech.")
    var speech: String?

    @Flag(help: "Look beneath what was found.")
    var thorough = false

    @Option(help: "Mixed pairs.")
    var pairs = 20

    @Option(help: "The number from which all that is drawn follows.")
    var seed: UInt64 = 1

    @Option(help: "Write the results to this JSON file.")
    var json: String?

    private struct Sound: Codable {
        var name: String
        var queries: Int
        var refused: Int
        var answered: Int
        var highest: Double
        /// What was answered: seconds asked, reference, its score, and landmarks that fit.
        var answers: [String] = []
    }

    private struct Pair: Codable {
        var first: String
        var second: String
        var speedOfSecond: Double
        var found: [Bool]
    }

    private struct Result: Encodable {
        var sounds: [Sound]
        var pairs: [Pair]
    }

    func run() throws {
        let catalog = try Catalog(contentsOf: URL(fileURLWithPath: self.catalog))
        var sounds = try TestSound.all(seed: seed).map { try ask($0.name, [$0.recording], in: catalog) }
        if let speech {
            let recordings = try MusicList(speech).tracks.map { try Recording(contentsOf: $0.url) }
            let cuts = recordings.flatMap { recording in
                stride(from: 0, to: min(recording.seconds, 60) - 10, by: 10).map {
                    recording.piece(from: Int($0) * Recording.sampleRate, count: 10 * Recording.sampleRate)
                }
            }
            sounds.append(try ask("speech", cuts, in: catalog))
        }
        Output.table(
            [["sound", "queries", "refused as silent", "answered", "highest score", ""]]
                + sounds.map {
                    [$0.name, "\($0.queries)", "\($0.refused)", "\($0.answered)", Output.number($0.highest)]
                        + [$0.answered == 0 ? "as it should be" : "WRONG"]
                }
        )
        for sound in sounds where !sound.answers.isEmpty {
            print("\n\(sound.name): \(sound.answers.joined(separator: ", "))", terminator: "")
        }
        print("")
        let mixed = try music.map { try mix(of: $0, in: catalog) } ?? []
        if !mixed.isEmpty {
            print("")
            Output.table(
                [["two at once", "", "speed of the second", "first found", "second found"]]
                    + mixed.map {
                        [$0.first, $0.second, Output.number($0.speedOfSecond)] + $0.found.map { $0 ? "yes" : "no" }
                    }
            )
            let both = mixed.count { $0.found[0] && $0.found[1] }
            let one = mixed.count { $0.found[0] != $0.found[1] }
            print(
                "\nof \(mixed.count) pairs both were found in \(both), one in \(one), none in \(mixed.count - both - one)"
            )
        }
        if let json { try Output.write(Result(sounds: sounds, pairs: mixed), to: json) }
    }

    /// Asks for the first 2, 3, 5 and 10 s of recordings.
    private func ask(_ name: String, _ recordings: [Recording], in catalog: Catalog) throws -> Sound {
        var sound = Sound(name: name, queries: 0, refused: 0, answered: 0, highest: 0)
        for recording in recordings {
            for seconds in [2, 3, 5, 10] {
                let query = try recording.piece(from: 0, count: seconds * Recording.sampleRate).signature()
                sound.queries += 1
                do {
                    let answer = try Answer(of: catalog, to: query)
                    if answer.isAnswered {
                        sound.answered += 1
                        let evidence = "\(answer.matched) of \(answer.inside) landmarks"
                        let score = Output.number(answer.score)
                        sound.answers.append("\(seconds) s: \(answer.id ?? "") \(score) (\(evidence))")
                    }
                    sound.highest = max(sound.highest, answer.score)
                } catch let error as EarshotError where error.code == .signatureInvalid {
                    sound.refused += 1
                }
            }
        }
        return sound
    }

    /// Pairs of ten seconds of two tracks each, the second of every other pair 4 % fast or slow.
    private func mix(of list: String, in catalog: Catalog) throws -> [Pair] {
        let known = Set(catalog.referenceIDs.map { Self.stem($0.rawValue) })
        let tracks = try MusicList(list, filter: only).tracks.filter { known.contains(Self.stem($0.id)) }
        guard tracks.count >= 2 else { throw Failure("\(list) has no two tracks that are in the catalog.") }
        var random = SeededGenerator(seed: seed)
        var results: [Pair] = []
        while results.count < pairs {
            let first = tracks[random.integer(in: 0..<tracks.count)]
            let second = tracks[random.integer(in: 0..<tracks.count)]
            guard first.group != second.group else { continue }
            let speed = [1, 1.04, 1, 0.96][results.count % 4]
            let parts = try [(first, 1), (second, speed)].map { try Self.excerpt($0, speed: $1, &random) }
            guard let one = parts[0], let other = parts[1] else { continue }
            let query = try one.mixed(with: other, ratio: 0).signature()
            let answered = try Answer(of: catalog, to: query, isThorough: thorough).answered.map(Self.stem)
            results.append(
                Pair(
                    first: first.id,
                    second: second.id,
                    speedOfSecond: speed,
                    found: [first, second].map { answered.contains(Self.stem($0.id)) }
                )
            )
        }
        return results
    }

    /// Ten seconds with sound; nothing when a few attempts find none.
    private static func excerpt(
        _ track: MusicList.Track,
        speed: Double,
        _ random: inout SeededGenerator
    ) throws -> Recording? {
        let recording = try Recording(contentsOf: track.url)
        let count = 10 * Recording.sampleRate
        let taken = Int(Double(count) * speed) + 4
        guard recording.samples.count > taken else { return nil }
        for _ in 0..<20 {
            let piece = recording.piece(from: random.integer(in: 0..<recording.samples.count - taken), count: taken)
            guard piece.hasSound else { continue }
            if speed == 1 { return piece.piece(from: 0, count: count) }
            // Between samples by a cubic; above 5 kHz that is coarse, and landmarks lie below.
            let samples = piece.samples
            return Recording(
                (0..<count).map { index in
                    let place = 1 + Double(index) * speed
                    let whole = min(Int(place), samples.count - 3)
                    let t = Float(place - Double(whole))
                    let (a, b) = (samples[whole - 1], samples[whole])
                    let (c, d) = (samples[whole + 1], samples[whole + 2])
                    return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)))
                }
            )
        }
        return nil
    }

    private static func stem(_ name: String) -> String {
        URL(fileURLWithPath: name).deletingPathExtension().lastPathComponent
    }
}
