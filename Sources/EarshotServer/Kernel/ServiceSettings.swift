package import EarshotRecognition
package import Foundation

/// The settings of a service. The default settings serve only the local machine, on loopback.
package struct ServiceSettings: Sendable {
    /// The clients that may request covers by the paths of the Cover Art Archive.
    package enum CoverArtAccess: String, Hashable, Sendable, CaseIterable {
        /// Clients that are entitled to covers, with a token.
        case clients
        /// Everybody: programs that were written for the archive send no token.
        case everybody
    }

    /// The people for whom there are pages.
    package enum Pages: String, Hashable, Sendable, CaseIterable {
        /// Everybody may recognize and search; who signs in has a history.
        case open
        /// People who have signed in, and those who sign in.
        case accounts
        /// Nobody: there are none, but for those of pieces and log-ins.
        case off
    }

    /// The address to listen at.
    package var host = "127.0.0.1"
    /// The port to listen at; 0 lets the system choose.
    package var port = 8080
    /// The address at which the state of the service is told, where there is an ``operationsPort``.
    package var operationsHost = "127.0.0.1"
    /// The port for `/health`, `/ready` and `/metrics`, which ``port`` then has no more; 0 lets the system choose, `nil` leaves them there.
    package var operationsPort: Int?
    /// The address at which other nodes have this one search a shared catalog; `nil` for a node that holds all of it and answers alone.
    /// Together with ``cacheBytes``.
    package var clusterAddress: NodeAddress?
    /// The bytes of segments of a shared catalog that this node keeps where no node keeps all of them.
    package var cacheBytes: Int?
    /// The address at which clients reach the service, such as `https://music.example`; `nil` to take it from each
    /// request's `Host`.
    package var publicURL: String?
    /// The proxies whose word counts for where a request comes from.
    package var trustedProxies = TrustedProxies.none
    /// The contact for reports of security faults; `nil` to serve no `security.txt`.
    package var securityText: SecurityText?
    /// The people for whom there are pages.
    package var pages = Pages.open
    /// A folder with files of pages that stand in for the program's own, read at each request; `nil` for none.
    package var pagesFolder: URL?
    /// A certificate chain in PEM form, for TLS; together with ``privateKeyFile``.
    package var certificateFile: String?
    /// The private key of the certificate in PEM form.
    package var privateKeyFile: String?
    /// Origins of web pages that may use the service: `https://app.example`, or `*` for all.
    package var allowedOrigins: [String] = []

    /// The number of bytes that stay free on the disk. Requests that write are refused below it. `nil` for a twentieth
    /// of the disk, within the bounds of ``DiskReserve``.
    package var reservedSpace: Int?
    /// The most bytes of audio that one request may carry.
    package var uploadLimit = 64 << 20
    /// The most bytes of a recording of which a tracklist is made.
    package var tracklistLimit = 1 << 30
    /// The most bytes of all recordings that arrive or wait for their tracklist.
    package var tracklistTotalLimit = 16 << 30
    /// The most bytes of JSON that one request may carry.
    package var documentLimit = 1 << 20
    /// The longest time for a request's body to arrive. Default: 60 s.
    package var uploadTime: Duration = .seconds(60)
    /// The longest time without data on a connection. Default: 30 s.
    package var idleTime: Duration = .seconds(30)
    /// The longest time for running requests when the service ends. Default: 90 s.
    package var shutdownTime: Duration = .seconds(90)
    /// The largest number of open connections. Default: 2,048.
    package var connectionLimit = 2048
    /// The largest number of concurrent requests of one client. Default: 32.
    package var requestsPerClient = 32
    /// The number of refusals that one sender receives without delay in a second; further ones are held back for a
    /// moment. 0 for any number. Default: 50.
    package var failuresPerSecond = 50
    /// The number of requests by AcoustID's protocol that one client may make in a second, on average. Default: 10.
    package var fingerprintRequestsPerSecond = 10
    /// The number of requests by AcoustID's protocol that one address may make in a second, on average, for all clients
    /// together; 0 for no limit. Addresses of this machine have no limit. Default: 4.
    package var fingerprintRequestsPerAddress = 4
    /// The number of recognitions that run concurrently. Default: one for each processor core.
    package var workers = max(1, ProcessInfo.processInfo.activeProcessorCount)
    /// The largest number of waiting recognitions; further ones are refused. Default: 64.
    package var queueLimit = 64
    /// The longest time for reading and decoding one upload. Default: 20 s.
    package var decodingTime: Duration = .seconds(20)

    /// The validity of a token.
    package var tokenLifetime: Duration = .seconds(3600)
    /// The validity of the address of a picture or a text.
    package var contentLifetime: Duration = .seconds(3600)
    /// The lifetime of the key of tokens. Default: 30 days.
    package var keyLifetime: Duration = .seconds(30 * 86_400)
    /// The number of recognitions of a user that are stored. Default: 1,000.
    package var historyLimit = 1_000
    /// The clients that may request covers by the paths of the Cover Art Archive.
    package var coverArtAccess = CoverArtAccess.clients
    /// The hours of each live channel that are kept. Default: 6.
    package var liveHours = 6
    /// The criteria by which candidates are ranked.
    package var criteria = MatchCriterion.standard
    /// The most bytes of sound that a part of a piece may have.
    package var pieceLimit = 512 << 20
    /// The most bytes of sound that the stems of a piece besides its mix may have together; 0 takes none.
    package var pieceStemsLimit = 2 << 30
    /// The largest number of concurrent drops of an author. Default: 32.
    package var pieceDrafts = 32
    /// The most bytes that the parts of all pieces of an author may have together.
    package var pieceAuthorLimit = 20 << 30
    /// The most bytes that the parts of all pieces of the service may have together.
    package var pieceTotalLimit = 1 << 40
    /// The most bytes of parts that are announced and not yet sent, of all authors together; never more than the disk has room for.
    package var pieceAnnouncedLimit = 64 << 30
    /// The number of bytes of replaceable files of pieces that stay in the folder: conversions, and files that an
    /// object store has too. Default: 10 GiB.
    package var pieceCache = 10 << 30
    /// Folders of media whose files may be read, converted and analyzed; without any the service has nothing to do with files.
    package var mediaRoots: [MediaRoot] = []
    /// The folder for exports of media; `nil` to export nothing.
    package var exportFolder: URL?
    /// The access mode of exported files; `nil` for that of the process.
    package var exportMode: mode_t?
    /// The number of exports that run concurrently. Default: one for each processor core.
    package var exportWorkers = max(1, ProcessInfo.processInfo.activeProcessorCount)
    /// The number of ended exports that are kept of each client. The file of an export is deleted with it. Default:
    /// 100.
    package var exportsKept = 100
    /// The number of files that are analyzed concurrently. Default: half of the processor cores, at least 1.
    package var analysisWorkers = max(1, ProcessInfo.processInfo.activeProcessorCount / 2)
    /// `true` to allow references from addresses of private networks. For tests and closed networks only.
    package var mayFetchPrivateAddresses = false

    /// The settings that serve a machine of its own.
    package init() {}

    /// `true` if the service is reached over TLS.
    var isSecure: Bool { certificateFile != nil }

    /// `true` if it listens on loopback only.
    package var isLocal: Bool { Self.isLocal(host) }

    /// Returns whether a name is always that of this very machine.
    static func isLocal(_ host: String) -> Bool {
        let name = host.lowercased().trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        if name == "localhost" || name.hasSuffix(".localhost") || name == "::1" { return true }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}

extension Duration {
    /// The duration in seconds.
    var seconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) * 1e-18
    }
}
