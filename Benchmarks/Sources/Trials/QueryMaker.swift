import BenchmarkSupport
import Earshot
import Foundation

/// Cuts excerpts out of tracks and lays noise over them.
struct QueryMaker: Sendable {
    /// An excerpt that is asked for.
    struct Query: Sendable {
        var cell: Plan.Cell
        /// Where in its track it begins, in seconds.
        var start: Double
        /// The recording of noise; empty for none.
        var noise: String
        var signature: Signature
    }

    /// A track read, with the queries out of it.
    struct Track: Sendable {
        var id: String
        var group: String
        /// Of the whole track, as a catalog would keep it; nothing when it could not be read.
        var signature: Signature?
        var queries: [Query] = []
        /// Excerpts that were not made, because no place with sound was found.
        var silent = 0
        /// Why the track could not be read.
        var failure: String?
    }

    /// How often a place is drawn before a track is taken to have no sound.
    private static let attempts = 40

    let cells: [Plan.Cell]
    let seed: UInt64
    /// Queries in all, and tracks that they come from.
    let count: Int
    let tracks: [MusicList.Track]
    private let noises: [(name: String, recording: Recording)]
    private let order: [String: Int]

    init(_ plan: Plan, tracks: [MusicList.Track]) throws {
        cells = try plan.cells()
        seed = plan.seed
        count = plan.count
        self.tracks = tracks
        order = Dictionary(uniqueKeysWithValues: tracks.enumerated().map { ($1.id, $0) })
        guard let folder = plan.noise else {
            noises = []
            return
        }
        let list = try MusicList(folder)
        noises = try Parallel.map(list.tracks, jobs: plan.jobs) { track in
            (track.id, try Recording(contentsOf: track.url))
        }
    }

    /// Reads a track twice: as a catalog would, and at 16 kHz for the excerpts, which are made at once, so that no audio is
    /// kept.
    func read(_ track: MusicList.Track) -> Track {
        var result = Track(id: track.id, group: track.group)
        do {
            result.signature = try Recording.signature(of: track.url)
            let recording = try Recording(contentsOf: track.url)
            var random = SeededGenerator(seed: seed, name: track.id)
            // Track t makes the queries t, t + n, t + 2n, … of all; the cells go round over them.
            let index = order[track.id] ?? 0
            for (turn, _) in stride(from: index, to: count, by: tracks.count).enumerated() {
                let cell = cells[(index + turn) % cells.count]
                if let query = try query(from: recording, cell: cell, &random) {
                    result.queries.append(query)
                } else {
                    result.silent += 1
                }
            }
        } catch {
            result.failure = "\(error)"
        }
        return result
    }

    private func query(
        from recording: Recording,
        cell: Plan.Cell,
        _ random: inout SeededGenerator
    ) throws -> Query? {
        let length = Int(cell.length * Double(Recording.sampleRate))
        guard recording.samples.count > length else { return nil }
        for _ in 0..<Self.attempts {
            let start = random.integer(in: 0..<recording.samples.count - length)
            let excerpt = recording.piece(from: start, count: length)
            guard excerpt.hasSound else { continue }
            let (noisy, name) = noisy(excerpt, cell, &random)
            return Query(
                cell: cell,
                start: Double(start) / Double(Recording.sampleRate),
                noise: name,
                signature: try noisy.signature()
            )
        }
        return nil
    }

    private func noisy(
        _ excerpt: Recording,
        _ cell: Plan.Cell,
        _ random: inout SeededGenerator
    ) -> (Recording, String) {
        guard let ratio = cell.ratio, !noises.isEmpty else { return (excerpt, "") }
        for _ in 0..<Self.attempts {
            let (name, noise) = noises[random.integer(in: 0..<noises.count)]
            guard noise.samples.count > excerpt.samples.count else { continue }
            let start = random.integer(in: 0..<noise.samples.count - excerpt.samples.count)
            let piece = noise.piece(from: start, count: excerpt.samples.count)
            guard piece.power > 1e-9 else { continue }
            return (excerpt.mixed(with: piece, ratio: ratio), name)
        }
        return (excerpt, "none long enough")
    }
}
