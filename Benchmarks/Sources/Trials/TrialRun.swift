import BenchmarkSupport
import Earshot
import Foundation

/// Reads the music, makes the queries, asks catalogs.
struct TrialRun {
    let plan: Plan
    /// Tracks that could be read.
    private(set) var tracks: [QueryMaker.Track]

    init(_ plan: Plan) throws {
        self.plan = plan
        let list = try MusicList(plan.music, filter: plan.only)
        let maker = try QueryMaker(plan, tracks: list.tracks)
        let line = ProgressLine("reading", total: list.tracks.count)
        let read = try Parallel.map(list.tracks, jobs: plan.jobs, progress: line.show) { maker.read($0) }
        for track in read {
            if let failure = track.failure { Output.note("\(track.id) is left out: \(failure)") }
            if track.silent > 0 { Output.note("\(track.id): \(track.silent) queries left out for want of sound") }
        }
        tracks = read.filter { $0.failure == nil && $0.signature?.isEmpty == false }
        guard !tracks.isEmpty else { throw Failure("None of the music of \(plan.music) could be read.") }
    }

    /// Leaves a part of the groups out in turn, and asks the catalog of the others for what was left out.
    func leavingOut(parts: Int) throws -> [Trial] {
        var groups = Array(Set(tracks.map(\.group))).sorted()
        guard groups.count >= parts else {
            throw Failure("\(groups.count) groups cannot be left out in \(parts) parts: give more music.")
        }
        var random = SeededGenerator(seed: plan.seed)
        groups.shuffle(using: &random)
        let part = Dictionary(uniqueKeysWithValues: groups.enumerated().map { ($1, $0 % parts) })
        var trials: [Trial] = []
        for out in 0..<parts {
            let kept = tracks.filter { part[$0.group] != out }
            let asked = tracks.filter { part[$0.group] == out }
            let name = "part \(out + 1) of \(parts)"
            trials += try ask(asked, in: try catalog(of: kept), named: name)
        }
        return trials
    }

    /// Asks the catalog of all for parts of them.
    func keepingAll() throws -> [Trial] {
        try ask(tracks, in: try catalog(of: tracks), named: "queries")
    }

    private func catalog(of tracks: [QueryMaker.Track]) throws -> Catalog {
        var catalog = Catalog()
        for track in tracks {
            guard let signature = track.signature else { continue }
            try catalog.add(signature, representing: [], id: ReferenceID(track.id))
        }
        return catalog
    }

    private func ask(_ tracks: [QueryMaker.Track], in catalog: Catalog, named name: String) throws -> [Trial] {
        let queries = tracks.flatMap { track in track.queries.map { (track: track, query: $0) } }
        let groups = Dictionary(uniqueKeysWithValues: self.tracks.map { ($0.id, $0.group) })
        let line = ProgressLine(name, total: queries.count)
        // The index is built by the first query; the others wait for it.
        return try Parallel.map(queries, jobs: plan.jobs, progress: line.show) { track, query in
            var answer: Answer
            do {
                answer = try Answer(of: catalog, to: query.signature)
            } catch let error as EarshotError where error.code == .signatureInvalid {
                answer = Answer()
            }
            return Trial(
                track: track.id,
                group: track.group,
                cell: query.cell,
                start: query.start,
                noise: query.noise,
                answer: answer,
                isRight: answer.id.flatMap { groups[$0] } == track.group
            )
        }
    }
}
