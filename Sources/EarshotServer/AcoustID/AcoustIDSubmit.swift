import EarshotAPI
import EarshotCore
import EarshotFingerprints
import EarshotRecognition
import Foundation

/// Answers `/v2/submit`, the older `/submit` and `/v2/submission_status`: accepts fingerprints, and reports their state.
struct AcoustIDSubmit {
    /// The most entries of a request. Clients fill requests by bytes, so the limit of the body is usually reached first.
    private static let mostEntries = 2_000
    /// The most recordings of an entry.
    private static let mostRecordings = 20
    /// The longest time for which a request waits until its submissions are imported, in seconds.
    private static let longestWait = 10
    /// The most Unicode scalars of a stored text. Not characters, because a single one may have any length.
    static let mostTextScalars = 1_000

    let request: AcoustIDRequest

    private struct Entry {
        /// The index, as text for compatibility with clients.
        let index: String
        let submission: FingerprintSubmission
    }

    // MARK: - Submitting

    func answer() async throws -> JSONValue {
        let client = try await request.client()
        let user = try await request.user()
        return try await request.services.requests.serve(WorkOwner(client: client.id)) {
            let entries = try entries(client, user)
            try await request.countUse(of: client)
            return try await submit(entries)
        }
    }

    private func submit(_ entries: [Entry]) async throws -> JSONValue {
        // An entry without recordings, PUID and metadata says nothing about its fingerprint, and is dropped.
        let submissions = entries.filter { entry in
            !entry.submission.recordings.isEmpty || entry.submission.puid != nil || entry.submission.metadata != nil
        }
        let numbers = try await request.services.library.store.submit(submissions.map(\.submission))
        request.services.importer.start()
        let wait = min(max(0, request.form.integer("wait") ?? 0), Self.longestWait)
        let states = try await states(of: numbers, waiting: wait)
        return [
            "submissions": .array(
                zip(numbers, submissions).map { number, submission in
                    var value = Self.value(number, states[number])
                    if !submission.index.isEmpty { value["index"] = .string(submission.index) }
                    return value
                }
            )
        ]
    }

    private func states(of numbers: [Int], waiting: Int) async throws -> [Int: FingerprintSubmission.State] {
        guard waiting > 0 else { return [:] }
        // The state is read twenty times a second.
        for _ in 0..<waiting * 20 {
            let states = try await request.services.library.states(ofSubmissions: numbers)
            if states.values.allSatisfy({ $0 != .pending }) { return states }
            try await Task.sleep(for: .milliseconds(50))
        }
        return try await request.services.library.states(ofSubmissions: numbers)
    }

    private static func value(_ number: Int, _ state: FingerprintSubmission.State?) -> JSONValue {
        var value: JSONValue = ["id": .integer(number), "status": "pending"]
        // A refused submission stays `pending`: the protocol has no state for it.
        if case .imported(let track) = state {
            value["status"] = "imported"
            value["result"] = ["id": .string(track.text)]
        }
        return value
    }

    private func entries(_ client: ServiceClient, _ user: ServiceUser) throws(AcoustIDError) -> [Entry] {
        let suffixes = request.form.suffixes(of: "fingerprint")
        guard !suffixes.isEmpty else { throw .missing("fingerprint") }
        guard suffixes.count <= Self.mostEntries else { throw .tooLarge }
        var entries: [Entry] = []
        for (place, suffix) in suffixes.enumerated() {
            do throws(AcoustIDError) {
                entries.append(try entry(suffix, client, user))
            } catch {
                if error == .tooLarge || (entries.isEmpty && place == suffixes.count - 1) { throw error }
            }
        }
        return entries
    }

    private func entry(
        _ suffix: String,
        _ client: ServiceClient,
        _ user: ServiceUser
    ) throws(AcoustIDError) -> Entry {
        let form = request.form
        let puid = try form.uuid("puid" + suffix)
        let foreignID = text("foreignid" + suffix)
        if let foreignID, !Self.isForeignID(foreignID) { throw .invalidForeignID("foreignid" + suffix) }
        var recordings: [UUID] = []
        for text in form.all("mbid" + suffix) where !text.isEmpty {
            let recording = try FormParameters.uuid(text, "mbid" + suffix)
            guard !recordings.contains(recording) else { continue }
            guard recordings.count < Self.mostRecordings else { throw .tooLarge }
            recordings.append(recording)
        }
        let duration = request.version.durationName + suffix
        guard let text = form[duration] else { throw .missing(duration) }
        guard let seconds = Int(text), (1...32_767).contains(seconds) else { throw .invalidDuration(duration) }
        let fingerprint = try request.fingerprint(suffix, seconds: seconds)
        let bitRate = form.integer("bitrate" + suffix)
        if let bitRate, bitRate < 0 { throw .invalidBitRate("bitrate" + suffix) }
        var submission = FingerprintSubmission(
            // Encoded anew: without bytes that some clients append, and only the part that is ever compared.
            fingerprint: fingerprint.compared.text,
            duration: seconds,
            application: client.id,
            submitter: user.id,
            date: request.services.now()
        )
        submission.recordings = recordings
        submission.puid = puid
        submission.foreignID = foreignID
        submission.bitRate = bitRate == 0 ? nil : bitRate
        submission.fileFormat = self.text(request.version.fileFormatName + suffix)
        submission.applicationVersion = self.text("clientversion")
        let metadata = metadata(suffix)
        submission.metadata = metadata.isEmpty ? nil : metadata
        return Entry(index: String(suffix.dropFirst()), submission: submission)
    }

    private func metadata(_ suffix: String) -> SubmittedMetadata {
        // In this protocol, 0 counts as missing.
        func number(_ name: String) -> Int? {
            request.form.integer(name + suffix).flatMap { (1...99_999).contains($0) ? $0 : nil }
        }
        var metadata = SubmittedMetadata()
        metadata.track = text("track" + suffix)
        metadata.artist = text("artist" + suffix)
        metadata.album = text("album" + suffix)
        metadata.albumArtist = text("albumartist" + suffix)
        metadata.trackNumber = number("trackno")
        metadata.discNumber = number("discno")
        metadata.year = number("year")
        return metadata
    }

    private func text(_ name: String) -> String? {
        request.form[name].map { Self.cut($0, Self.mostTextScalars) }
    }

    /// Returns the beginning of a text, of at most `most` Unicode scalars.
    static func cut(_ text: String, _ most: Int) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(most)))
    }

    /// Returns `true` if a text has the form `vendor:id`.
    static func isForeignID(_ text: String) -> Bool {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].isEmpty, text.utf8.count <= 255 else { return false }
        return (1...64).contains(parts[0].utf8.count)
            && parts[0].utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "_")
            }
    }

    // MARK: - Asking for them

    func status() async throws -> JSONValue {
        _ = try await request.client()
        let numbers = request.form.all("id").compactMap { Int($0) }
        guard !numbers.isEmpty else { throw AcoustIDError.missing("id") }
        guard numbers.count <= 1_000 else { throw AcoustIDError.tooLarge }
        let states = try await request.services.library.states(ofSubmissions: numbers)
        return ["submissions": .array(numbers.map { Self.value($0, states[$0]) })]
    }
}
