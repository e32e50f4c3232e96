import EarshotAPI
import EarshotCore
import EarshotFingerprints
import EarshotMusic
import EarshotRecognition
import Foundation

/// Answers `/v2/lookup` and the older `/lookup`: the tracks of fingerprints.
struct AcoustIDLookup {
    private static let mostFingerprints = 20
    private static let mostTracks = 100

    /// The subject of a lookup.
    private enum Query {
        case fingerprint(FileFingerprint)
        case track(UUID)
    }

    /// An entry of a batch. Its index is `nil` for parameters without a suffix.
    private struct Entry {
        let index: Int?
        let query: Query
    }

    let request: AcoustIDRequest

    func answer() async throws -> JSONValue {
        let form = request.form
        let client = try await request.client()
        var difference = AcoustIDMatcher.durationDifference
        if let given = form.integer("maxdurationdiff") {
            guard FingerprintSearchOptions.durationDifferences.contains(given) else {
                throw AcoustIDError.invalidDurationDifference
            }
            difference = given
        }
        let isBatch = (form.integer("batch") ?? 0) != 0
        let entries = try entries(isBatch: isBatch)
        return try await request.services.requests.serve(WorkOwner(client: client.id)) {
            try await request.countUse(of: client)
            return try await results(entries, difference: difference, isBatch: isBatch)
        }
    }

    // MARK: - Reading

    private func entries(isBatch: Bool) throws(AcoustIDError) -> [Entry] {
        let suffixes = request.form.suffixes(of: "fingerprint", "trackid")
        guard !suffixes.isEmpty else { throw .missing("fingerprint") }
        var entries: [Entry] = []
        var (fingerprints, tracks) = (0, 0)
        for (place, suffix) in suffixes.enumerated() {
            do throws(AcoustIDError) {
                let query = try query(suffix)
                switch query {
                case .fingerprint: fingerprints += 1
                case .track: tracks += 1
                }
                guard fingerprints <= Self.mostFingerprints, tracks <= Self.mostTracks else { throw .tooLarge }
                entries.append(Entry(index: suffix.isEmpty ? nil : Int(suffix.dropFirst()), query: query))
            } catch {
                // An invalid entry is skipped if there are others.
                if error == .tooLarge || (entries.isEmpty && place == suffixes.count - 1) { throw error }
            }
            // Without `batch`, only the first entry is answered.
            if !isBatch, !entries.isEmpty { break }
        }
        return entries
    }

    private func query(_ suffix: String) throws(AcoustIDError) -> Query {
        if let track = try request.form.uuid("trackid" + suffix) { return .track(track) }
        // In this protocol, 0 counts as missing.
        let duration = request.version.durationName + suffix
        guard let seconds = request.form.integer(duration), seconds != 0 else { throw .missing(duration) }
        guard request.form["fingerprint" + suffix] != nil else { throw .missing("fingerprint" + suffix) }
        guard (1...Int(Int32.max)).contains(seconds) else { throw .invalidDuration(duration) }
        return .fingerprint(try request.fingerprint(suffix, seconds: seconds))
    }

    // MARK: - Answering

    private func results(_ entries: [Entry], difference: Int, isBatch: Bool) async throws -> JSONValue {
        var found: [[AcoustIDMatcher.Result]] = []
        for entry in entries { found.append(try await tracks(entry.query, difference)) }
        var metadata = AcoustIDMetadata(
            music: request.services.music,
            fingerprints: request.services.library.store,
            layout: request.version.layout(request.form["meta"])
        )
        let members = try await metadata.members(of: found.flatMap { $0.map(\.track) })
        let values = found.map { results in
            JSONValue.array(
                results.map { result in
                    var value = members[result.track] ?? [:]
                    if let recordings = value.removeValue(forKey: "recordings") {
                        value[request.version.recordingsName] = recordings
                    }
                    value["id"] = .string(result.track.text)
                    value["score"] = .number(result.score)
                    return .object(value)
                }
            )
        }
        guard isBatch else { return ["results": values.first ?? []] }
        return [
            "fingerprints": .array(
                zip(entries, values).map { entry, results in
                    ["index": entry.index.map(JSONValue.integer) ?? .null, "results": results]
                }
            )
        ]
    }

    private func tracks(_ query: Query, _ difference: Int) async throws(EarshotError) -> [AcoustIDMatcher.Result] {
        switch query {
        case .track(let id):
            let track = try await request.services.library.store.track(id)
            return track.map { [AcoustIDMatcher.Result(track: $0, score: 1)] } ?? []
        case .fingerprint(let fingerprint):
            let library = request.services.library
            let matches = try await request.services.queue.run { () throws(EarshotError) in
                try library.matches(for: fingerprint, durationDifference: difference)
            }
            return try await library.results(of: matches)
        }
    }
}
