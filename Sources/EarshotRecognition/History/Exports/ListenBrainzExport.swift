import EarshotCore
import EarshotMusic
public import Foundation

/// Exports a history as request bodies for `POST /1/submit-listens` of ListenBrainz and compatible services.
///
/// The sender adds the header `Authorization: Token …` with the user's token. The oldest listens come first. The time
/// of a listen is that at which the track began to play, as the service requires, not that of its recognition. The
/// service detects listens that are sent again.
public struct ListenBrainzExport: Sendable {
    /// The type of a submission.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Past listens, many in each request.
        case `import`
        /// A listen that has just ended, one in each request.
        case single
    }

    /// The request bodies, and the entries that were left out.
    public struct Result: Sendable {
        /// The bodies of requests: JSON in UTF-8.
        public var documents: [Data] = []
        /// The number of listens in the bodies.
        public var count = 0
        /// The entries that were left out, with the reasons.
        public var omissions: [HistoryOmission] = []
    }

    /// The largest number of listens in a request.
    public static let maximumCount = 1_000
    /// The size that a listen in JSON must not reach, in bytes.
    public static let maximumSize = 10_240
    /// The earliest time of a listen that the service accepts, 2002-10-01, in seconds since 1970.
    public static let earliest = 1_033_430_400

    /// The name of the submitting program, as the service shows it.
    public var client: String
    /// The version of the submitting program; `nil` to omit it.
    public var version: String?
    /// The address of the stream that the music came from; `nil` to omit it.
    public var origin: String?
    /// The rule for which entries count as listens. The service itself requires no minimum duration.
    public var rule: ListenRule

    /// Creates an export.
    ///
    /// - Parameters:
    ///   - client: The name of the submitting program.
    ///   - version: The version of the submitting program; `nil` to omit it.
    ///   - origin: The address of the stream that the music came from; `nil` to omit it.
    ///   - rule: The rule for which entries count as listens.
    public init(
        client: String = "Earshot",
        version: String? = nil,
        origin: String? = nil,
        rule: ListenRule = ListenRule()
    ) {
        self.client = client
        self.version = version
        self.origin = origin
        self.rule = rule
    }

    /// Returns the request bodies for entries, and the entries that were left out.
    ///
    /// - Parameters:
    ///   - entries: The entries, in any order.
    ///   - kind: The type of the submission.
    public func documents(_ entries: [HistoryEntry], kind: Kind = .import) -> Result {
        var result = Result()
        var listens: [(beginning: Int, json: Data)] = []
        for entry in entries {
            switch listen(entry) {
            case .success(let listen): listens.append(listen)
            case .failure(let omission): result.omissions.append(HistoryOmission(id: entry.id, reason: omission.reason))
            }
        }
        listens.sort { $0.beginning < $1.beginning }
        result.count = listens.count
        let size = kind == .single ? 1 : Self.maximumCount
        for begin in stride(from: 0, to: listens.count, by: size) {
            let part = listens[begin..<min(begin + size, listens.count)].map(\.json)
            var body = Data("{\"listen_type\":\"\(kind.rawValue)\",\"payload\":[".utf8)
            body.append(contentsOf: part.joined(separator: Data(",".utf8)))
            body.append(contentsOf: Data("]}".utf8))
            result.documents.append(body)
        }
        return result
    }

    // MARK: - Listens

    private struct Refusal: Error {
        let reason: HistoryOmission.Reason
    }

    private func listen(_ entry: HistoryEntry) -> Swift.Result<(beginning: Int, json: Data), Refusal> {
        guard let listen = HistoryListen(entry) else { return .failure(Refusal(reason: .nameMissing)) }
        guard rule.counts(duration: listen.duration, heard: entry.heard) else {
            return .failure(Refusal(reason: .notHeard))
        }
        guard listen.beginning >= Self.earliest else { return .failure(Refusal(reason: .tooOld)) }
        let info = information(listen)
        // Where all of it is too long, the names alone may not be.
        for (album, info) in [(listen.album, info), (nil, bare(info)), (nil, nil)] {
            let track = Track(
                artistName: listen.artist,
                trackName: listen.title,
                releaseName: album,
                additionalInfo: info
            )
            let encoder = JSONEncoder.sorted()
            encoder.keyEncodingStrategy = .convertToSnakeCase
            guard let json = try? encoder.encode(Listen(listenedAt: listen.beginning, trackMetadata: track)) else {
                continue
            }
            if json.count < Self.maximumSize { return .success((listen.beginning, json)) }
        }
        return .failure(Refusal(reason: .tooLarge))
    }

    private func information(_ listen: HistoryListen) -> Information {
        Information(
            recordingMbid: listen.recording,
            releaseMbid: listen.release,
            artistMbids: listen.artists.isEmpty ? nil : listen.artists,
            isrc: listen.isrc,
            tracknumber: listen.trackNumber.map(String.init),
            durationMs: listen.duration.map { Int(($0 * 1_000).rounded()) },
            durationPlayed: listen.entry.heard.flatMap { $0 < 1e9 ? Int($0.rounded()) : nil },
            submissionClient: client,
            submissionClientVersion: version,
            originUrl: origin
        )
    }

    /// Returns the fields of bounded length: without those that callers name, and with at most 20 artist identifiers.
    private func bare(_ information: Information) -> Information {
        var bare = information
        (bare.originUrl, bare.submissionClient, bare.submissionClientVersion) = (nil, nil, nil)
        bare.artistMbids = bare.artistMbids.map { Array($0.prefix(20)) }
        return bare
    }

    // The names are those of the service, which writes `recording_mbid` for `recordingMbid`.

    private struct Listen: Encodable {
        let listenedAt: Int
        let trackMetadata: Track
    }

    private struct Track: Encodable {
        let artistName, trackName: String
        let releaseName: String?
        let additionalInfo: Information?
    }

    private struct Information: Encodable {
        let recordingMbid, releaseMbid: String?
        var artistMbids: [String]?
        let isrc, tracknumber: String?
        let durationMs, durationPlayed: Int?
        var submissionClient, submissionClientVersion, originUrl: String?
    }
}
