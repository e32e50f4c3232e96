package import EarshotRecognition
package import Foundation

/// The settings of a service. The default settings serve only the local machine, on loopback.
package struct ServiceSettings: Sendable {
    /// The clients that may request covers by the paths of the Cover Art Archive.
    package enum CoverArtAccess: String, Hashable, Sendable, CaseIterable {
        /// Clients that are entitled to covers, with a token.
        case clients
        /// Everybody, without a token, as programs for the archive send none.
        case everybody
    }

    /// The users for whom the service has web pages.
    package enum Pages: String, Hashable, Sendable, CaseIterable {
        /// Everybody may recognize and search; signed-in users have a history.
        case open
        /// Signed-in users only, besides the pages for signing in.
        case accounts
        /// No pages, except those of pieces and of logins.
        case off
    }

    /// The address to listen at.
    package var host = "127.0.0.1"
    /// The port to listen at; 0 lets the system choose.
    package var port = 8080
    /// The address to listen at for ``operationsPort``.
    package var operationsHost = "127.0.0.1"
    /// A separate port for `/health`, `/ready` and `/metrics`; 0 lets the system choose; `nil` to serve them on ``port``.
    package var operationsPort: Int?
    /// The address at which other nodes send searches of a shared catalog to this one; `nil` for a node that holds the whole catalog.
    /// Together with ``cacheBytes``.
    package var clusterAddress: NodeAddress?
    /// The bytes of catalog segments that this node caches; `nil` for a node that holds the whole catalog.
    package var cacheBytes: Int?
    /// The address at which clients reach the service, such as `https://music.example`; `nil` to take it from each
    /// request's `Host`.
    package var publicURL: String?
    /// The proxies whose headers about the origin of a request are trusted.
    package var trustedProxies = TrustedProxies.none
    /// The contact for reports of security faults; `nil` to serve no `security.txt`.
    package var securityText: SecurityText?
    /// The users for whom the service has web pages.
    package var pages = Pages.open
    /// A folder with files that replace the built-in ones of the pages, read at each request; `nil` for none.
    package var pagesFolder: URL?
    /// A certificate chain in PEM form, for TLS, together with ``privateKeyFile``; `nil` for no TLS.
    package var certificateFile: String?
    /// The private key of the certificate in PEM form; `nil` for no TLS.
    package var privateKeyFile: String?
    /// Origins of web pages that may use the service: `https://app.example`, or `*` for all.
    package var allowedOrigins: [String] = []

    /// The number of bytes that stay free on the disk. Requests that write are refused below it. `nil` for a twentieth
    /// of the disk, within the bounds of ``DiskReserve``.
    package var reservedSpace: Int?
    /// The largest audio upload of a request, in bytes. Default: 64 MiB.
    package var uploadLimit = 64 << 20
    /// The largest recording for a tracklist, in bytes. Default: 1 GiB.
    package var tracklistLimit = 1 << 30
    /// The largest total size of recordings that arrive or wait for their tracklist, in bytes. Default: 16 GiB.
    package var tracklistTotalLimit = 16 << 30
    /// The largest JSON body of a request, in bytes. Default: 1 MiB.
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
    /// The average number of requests a second in AcoustID's protocol that one client may send. Default: 10.
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

    /// The lifetime of a token. Default: 1 h.
    package var tokenLifetime: Duration = .seconds(3600)
    /// The lifetime of the address of a picture or a text. Default: 1 h.
    package var contentLifetime: Duration = .seconds(3600)
    /// The time after which the signing key is replaced. Default: 30 days.
    package var keyLifetime: Duration = .seconds(30 * 86_400)
    /// The number of recognitions of a user that are stored. Default: 1,000.
    package var historyLimit = 1_000
    /// The clients that may request covers by the paths of the Cover Art Archive.
    package var coverArtAccess = CoverArtAccess.clients
    /// The hours of each live channel that are kept. Default: 6.
    package var liveHours = 6
    /// The criteria by which candidates are ranked.
    package var criteria = MatchCriterion.standard
    /// The largest audio file of a part of a piece, in bytes. Default: 512 MiB.
    package var pieceLimit = 512 << 20
    /// The largest total size of the stems of a piece besides its mix, in bytes; 0 allows none. Default: 2 GiB.
    package var pieceStemsLimit = 2 << 30
    /// The largest number of concurrent drops of an author. Default: 32.
    package var pieceDrafts = 32
    /// The largest total size of the parts of all pieces of an author, in bytes. Default: 20 GiB.
    package var pieceAuthorLimit = 20 << 30
    /// The largest total size of the parts of all pieces of the service, in bytes. Default: 1 TiB.
    package var pieceTotalLimit = 1 << 40
    /// The largest total size of announced parts that have not arrived, of all authors, in bytes; limited by the free disk space too. Default: 64 GiB.
    package var pieceAnnouncedLimit = 64 << 30
    /// The number of bytes of replaceable files of pieces that stay in the folder: conversions, and files that an
    /// object store has too. Default: 10 GiB.
    package var pieceCache = 10 << 30
    /// Media folders whose files may be read, converted and analyzed. Default: none.
    package var mediaRoots: [MediaRoot] = []
    /// The folder for exports of media; `nil` to allow no exports.
    package var exportFolder: URL?
    /// The access mode of exported files; `nil` for the default mode of the process.
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

    /// Creates the default settings, which serve the local machine only.
    package init() {}

    /// `true` if the service is reached over TLS.
    var isSecure: Bool { certificateFile != nil }

    /// `true` if the service listens on the loopback address only.
    package var isLocal: Bool { Self.isLocal(host) }

    /// Returns `true` for loopback addresses and `localhost`.
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
