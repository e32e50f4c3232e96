import EarshotAPI
import EarshotAlbums
import EarshotCore
import EarshotFingerprints
import EarshotMusic
import Foundation

/// Answers requests other than lookups and submissions: tracks of recordings, fingerprints, users.
struct AcoustIDDirectory {
    private static let mostRecordings = 1_000
    /// The most tracks of a recording in an answer.
    private static let mostTracks = 100
    private static let mostVersionScalars = 100

    let request: AcoustIDRequest

    // MARK: - Tracks and fingerprints

    func tracksByRecording() async throws -> JSONValue {
        try request.countAnonymous()
        let form = request.form
        let texts = form.all("mbid").filter { !$0.isEmpty }
        guard !texts.isEmpty else { throw AcoustIDError.missing("mbid") }
        guard texts.count <= Self.mostRecordings else { throw AcoustIDError.tooLarge }
        let recordings = try texts.map { try FormParameters.uuid($0, "mbid") }
        let tellsDisabled = (form.integer("disabled") ?? 0) != 0
        let isBatch = (form.integer("batch") ?? 0) != 0
        // One request to the store for all recordings.
        let links = try await request.services.library.store.tracks(
            linkedTo: isBatch ? recordings : [recordings[0]],
            limit: Self.mostTracks
        )
        func tracks(_ recording: UUID) -> JSONValue { Self.tracks(links[recording] ?? [], tellsDisabled) }
        guard isBatch else { return ["tracks": tracks(recordings[0])] }
        return ["mbids": .array(recordings.map { ["mbid": .string($0.text), "tracks": tracks($0)] })]
    }

    private static func tracks(_ links: [(track: UUID, isDisabled: Bool)], _ tellsDisabled: Bool) -> JSONValue {
        .array(
            links.filter { tellsDisabled || !$0.isDisabled }.map { link in
                var value: JSONValue = ["id": .string(link.track.text)]
                if link.isDisabled { value["disabled"] = true }
                return value
            }
        )
    }

    /// Answers with no tracks: PUIDs belong to a service that ended in 2013.
    func tracksByPUID() throws -> JSONValue {
        try request.countAnonymous()
        guard try request.form.uuid("puid") != nil else { throw AcoustIDError.missing("puid") }
        return ["tracks": []]
    }

    func fingerprint() async throws -> JSONValue {
        try request.countAnonymous()
        guard let number = request.form.integer("id"), number > 0 else { throw AcoustIDError.missing("id") }
        guard let stored = try await request.services.library.store.fingerprint(UInt64(number)) else {
            throw AcoustIDError.fingerprintNotFound
        }
        return [
            "fingerprint": [
                "id": .integer(number),
                "duration": .integer(stored.duration),
                // Only the part that is ever compared: a file of a day would have 700,000 numbers.
                "hashes": .array(try stored.fingerprint().compared.values.map { .integer(Int(Int32(bitPattern: $0))) }),
            ]
        ]
    }

    // MARK: - Users

    func user() async throws -> JSONValue {
        try request.countAnonymous()
        _ = try await request.user()
        return ["user": ["apikey": .string(request.form["user"] ?? "")]]
    }

    func newAnonymousUser() async throws -> JSONValue {
        let client = try await request.client()
        let version = request.form["clientversion"].map { AcoustIDSubmit.cut($0, Self.mostVersionScalars) }
        let (_, serialised, _) = try await request.services.users.register(of: client, appVersion: version)
        return ["user": ["apikey": .string(serialised)]]
    }

    /// Refuses to register a user of MusicBrainz: proving the account would need a request to MusicBrainz, which this service never sends.
    func newMusicBrainzUser() throws -> JSONValue {
        try request.countAnonymous()
        guard request.form["access_token"] != nil else { throw AcoustIDError.missing("access_token") }
        guard request.services.settings.isSecure else { throw AcoustIDError.insecure }
        throw AcoustIDError.notAllowed
    }
}
