import EarshotCore
import EarshotMusic
public import Foundation

/// A history as bodies of requests `POST /1/submit-listens` to ListenBrainz, and to what understands the same.
///
/// The sender adds the header `Authorization: Token …` with the user's token. The oldest listens come first. The time of a
/// listen is that at which the track began to play, as the service asks for, not that of its recognition; sent again, the
/// same listens are the same to the service.
public struct ListenBrainzExport: Sendable {
    /// The type of a submission.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Listens of the past, many a request.
        case `import`
        /// One listen a request, when it has just been heard.
        case single
    }

    /// The request bodies, and the entries that were left out.
    public struct Result: Sendable {
        /// Bodies of requests: JSON in UTF-8.
        public var documents: [Data] = []
        /// The number of listens in the bodies.
        public var count = 0
        /// Entries that are in none.
        public var omissions: [HistoryOmission] = []
    }

    /// The most listens of a request.
    public static let maximumCount = 1_000
    /// A listen takes fewer bytes than this.
    public static let maximumSize = 10_240
    /// The service takes no listens before this day, 2002-10-01, in seconds since 1970.
    public static let earliest = 1_033_430_400

    /// The program that sends, as the service shows it.
    public var client: String
    /// The version of the program that sends.
    public var version: String?
    /// The address of the stream that the music came from.
    public var origin: String?
    /// The rule for which entries count as listens. The service itself requires no minimum duration.
    public var rule: ListenRule

    /// An export.
    ///
    /// - Parameters:
    ///   - client: The program that sends.
    ///   - version: Its version.
    ///   - origin: The address of the stream that the music came from.
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

    /// The bodies for some entries, in any order.
    ///
    /// - Parameters:
    ///   - entries: The entries.
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
