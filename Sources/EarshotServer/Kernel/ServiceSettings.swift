package import EarshotRecognition
package import Foundation

/// How a service is set up. What it starts with serves a machine of its own on loopback.
package struct ServiceSettings: Sendable {
    /// Who may ask for covers by the Cover Art Archive's paths.
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
    /// How clients reach the service, as `https://music.example`; taken from each request's `Host` where it is not set.
    package var publicURL: String?
    /// The proxies whose word counts for where a request comes from.
    package var trustedProxies = TrustedProxies.none
    /// Where faults that concern security are reported; `nil` to serve no `security.txt`.
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

    /// How many bytes of the disk stay free: what writes is refused below; `nil` for a twentieth of the disk, within
    /// the bounds of ``DiskReserve``.
    package var reservedSpace: Int?
    /// The most bytes of audio that one request may carry.
    package var uploadLimit = 64 << 20
    /// The most bytes of a recording of which a tracklist is made.
    package var tracklistLimit = 1 << 30
    /// The most bytes of all recordings that arrive or wait for their tracklist.
    package var tracklistTotalLimit = 16 << 30
    /// The most bytes of JSON that one request may carry.
    package var documentLimit = 1 << 20
    /// How long a request's body may take to arrive.
    package var uploadTime: Duration = .seconds(60)
    /// How long a connection may be silent.
    package var idleTime: Duration = .seconds(30)
    /// How long requests under way may take when the service is told to end.
    package var shutdownTime: Duration = .seconds(90)
    /// How many connections are open at the same time, at most.
    package var connectionLimit = 2048
    /// How many requests of one client are under way at the same time, at most.
    package var requestsPerClient = 32
    /// How many refusals in a second one sender gets at once; those beyond are held back for a moment. 0 for any number.
    package var failuresPerSecond = 50
    /// How many requests of AcoustID's protocol one client may make in a second, on average.
    package var fingerprintRequestsPerSecond = 10
    /// How many requests of AcoustID's protocol one address may make in a second, on average, whichever clients it names; 0 for as
    /// many as it likes. This machine's own addresses may always.
    package var fingerprintRequestsPerAddress = 4
    /// How many recognitions are worked on at the same time.
    package var workers = max(1, ProcessInfo.processInfo.activeProcessorCount)
    /// How many recognitions wait, at most; those beyond are told to come back.
    package var queueLimit = 64
    /// How long reading and decoding one upload may take.
    package var decodingTime: Duration = .seconds(20)

    /// For how long a token is valid.
    package var tokenLifetime: Duration = .seconds(3600)
    /// For how long the address of a picture or a text is valid.
    package var contentLifetime: Duration = .seconds(3600)
    /// How often tokens get a new key.
    package var keyLifetime: Duration = .seconds(30 * 86_400)
    /// How many recognitions of a user are remembered.
    package var historyLimit = 1_000
    /// Who may ask for covers by the Cover Art Archive's paths.
    package var coverArtAccess = CoverArtAccess.clients
    /// How many hours of each channel that is fed to the service are kept: 6.
    package var liveHours = 6
    /// What makes one candidate better than another.
    package var criteria = MatchCriterion.standard
    /// The most bytes of sound that a part of a piece may have.
    package var pieceLimit = 512 << 20
    /// The most bytes of sound that the stems of a piece besides its mix may have together; 0 takes none.
    package var pieceStemsLimit = 2 << 30
    /// How many drops of an author may be under way at the same time.
    package var pieceDrafts = 32
    /// The most bytes that the parts of all pieces of an author may have together.
    package var pieceAuthorLimit = 20 << 30
    /// The most bytes that the parts of all pieces of the service may have together.
    package var pieceTotalLimit = 1 << 40
    /// The most bytes of parts that are announced and not yet sent, of all authors together; never more than the disk has room for.
    package var pieceAnnouncedLimit = 64 << 30
    /// How many bytes of pieces that can be had again stay in the folder: what was made in other formats, and what is kept elsewhere too.
    package var pieceCache = 10 << 30
    /// Folders of media whose files may be read, converted and analyzed; without any the service has nothing to do with files.
    package var mediaRoots: [MediaRoot] = []
    /// Where exports of media go; without it nothing is exported.
    package var exportFolder: URL?
    /// Who may read and write exported files; as the process makes files where it is not set.
    package var exportMode: mode_t?
    /// How many exports run at the same time.
    package var exportWorkers = max(1, ProcessInfo.processInfo.activeProcessorCount)
    /// How many exports that are over are kept of each client; the file of the oldest goes with it.
    package var exportsKept = 100
    /// How many files are analyzed at the same time.
    package var analysisWorkers = max(1, ProcessInfo.processInfo.activeProcessorCount / 2)
    /// Whether references may be fetched from addresses of private networks. For tests and closed networks only.
    package var mayFetchPrivateAddresses = false

    /// The settings that serve a machine of its own.
    package init() {}

    /// Whether the service is reached over TLS.
    var isSecure: Bool { certificateFile != nil }

    /// Whether it listens to this machine only.
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
