import Crypto
import EarshotAPI
import EarshotBroadcast
import EarshotCatalogs
import EarshotCore
import EarshotFingerprints
import EarshotMusic
import EarshotRecognition
import EarshotSignatures
import EarshotStations
import Foundation
import Logging
import Synchronization

/// What all requests of a service share.
final class ServiceCore: Sendable {
    static let adminTokenPrefix = "earshot-admin-"
    static let adminName = "admin"
    private static let contentKeyName = "contentKey"
    /// For how long a client is taken to be as it was last read, in seconds: the operator's command may change it.
    private static let clientMemory = 2.0

    let settings: ServiceSettings
    let music: any MusicStore
    let accounts: any AccountStore
    let catalog: CatalogProvider
    let guide: any GuideStore
    /// The last hours of the channels that are fed to the service.
    let live: LiveChannels
    let bundles: BundleRepository
    /// What is done with media folders; nothing where there are none.
    let media: MediaService?
    let decoder: any UploadDecoder
    let pictures: (any PictureMaker)?
    let folder: URL
    let logger: Logger
    let metrics: MetricRegistry
    let now: @Sendable () -> Date
    let fetcher: SafeFetcher

    let queue: WorkQueue
    /// Recordings that arrive as they are made: their decoders mostly wait.
    let liveQueue: WorkQueue
    /// Pictures that are made to fit.
    let pictureQueue: WorkQueue
    let gate: ConcurrencyLimiter
    /// For requests that go on for hours: as many as there may be channels.
    let lastingGate: ConcurrencyLimiter
    let quota: QuotaMeter
    /// Fingerprints of whole files, for clients of AcoustID's protocol; nothing where they are not served.
    let fingerprints: FingerprintLibrary?
    /// Requests in a second of each of those clients.
    let pace: RateLimiter
    /// Requests in a second of each address that they come from; nothing where these are not limited.
    let addressPace: RateLimiter?
    /// Told that there is something to import.
    let submitted: AsyncStream<Void>
    private let submittedInput: AsyncStream<Void>.Continuation
    let tokens: TokenIssuer
    let jobs: JobQueue
    let pieces: PieceService
    /// Counts wrong passwords.
    let logins = LoginGuard()
    /// Passwords are compared here: each takes 32 MiB.
    let loginQueue = WorkQueue(width: 2, limit: 32)
    private let contentKey: SymmetricKey
    private let known = Mutex<[String: (client: ServiceClient?, read: Date)]>([:])
    private let stopping = Mutex(false)

    init(_ parts: RecognitionServer.Parts) async throws(EarshotError) {
        settings = parts.settings
        music = parts.music
        accounts = parts.accounts
        catalog = parts.catalog
        guide = parts.guide
        live = LiveChannels(
            folder: parts.folder,
            hours: parts.settings.liveHours,
            now: parts.now(),
            logger: parts.logger
        )
        bundles = BundleRepository(folder: parts.folder)
        media = try MediaService(parts)
        decoder = parts.decoder
        pictures = parts.pictures
        folder = parts.folder
        logger = parts.logger
        metrics = parts.metrics
        now = parts.now
        fetcher = SafeFetcher(mayReachPrivateAddresses: settings.mayFetchPrivateAddresses)
        queue = WorkQueue(width: settings.workers, limit: settings.queueLimit)
        liveQueue = WorkQueue(width: settings.workers * 8, limit: settings.queueLimit)
        pictureQueue = WorkQueue(width: settings.workers, limit: 4 * settings.queueLimit)
        gate = ConcurrencyLimiter(limit: settings.requestsPerClient)
        lastingGate = ConcurrencyLimiter(limit: LiveIndex.Options().channelLimit)
        quota = QuotaMeter(accounts)
        fingerprints = parts.fingerprints
        pace = RateLimiter(limit: settings.fingerprintRequestsPerSecond)
        let perAddress = settings.fingerprintRequestsPerAddress
        addressPace = perAddress > 0 ? RateLimiter(limit: perAddress) : nil
        (submitted, submittedInput) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        tokens = TokenIssuer(
            accounts,
            lifetime: settings.tokenLifetime.seconds,
            keyLifetime: settings.keyLifetime.seconds
        )
        pieces = PieceService(parts)
        jobs = JobQueue(accounts, now: now, logger: logger)
        if let key = try await accounts.value(Self.contentKeyName) {
            contentKey = SymmetricKey(data: key)
        } else {
            let key = Secrets.bytes(32)
            try await accounts.setValue(key, for: Self.contentKeyName)
            contentKey = SymmetricKey(data: key)
        }
        try await tokens.rotate(at: now())
    }

    /// Whether the service is about to end.
    var isStopping: Bool {
        get { stopping.withLock { $0 } }
        set { stopping.withLock { $0 = newValue } }
    }

    /// Has submitted fingerprints imported, in their turn.
    func importFingerprints() { submittedInput.yield() }

    // MARK: - Recognition

    /// The recognition service as somebody sees it.
    ///
    /// - Parameters:
    ///   - identity: Who asks.
    ///   - base: How the service is reached.
    func service(for identity: Identity, base: String) -> LocalRecognitionService {
        let (queue, catalog, live, now) = (queue, catalog, live, now)
        var service = LocalRecognitionService(
            music: music,
            limits: catalog.catalog.queryLimits,
            entitlements: identity.entitlements,
            criteria: settings.criteria,
            addresses: addresses(base: base),
            pictures: pictures
        ) { signature throws(EarshotError) in
            try await queue.run { () throws(EarshotError) in try catalog.catalog.match(signature) }
        }
        service.references = { track, artist throws(EarshotError) in
            try await queue.run { () throws(EarshotError) in
                try catalog.catalog.references(ofTrack: track, artist: artist)
            }
        }
        let order = identity.client?.searchOrder ?? ServiceClient.standardOrder
        service.broadcast = BroadcastSources(guide: guide, order: order) { signature throws(EarshotError) in
            let date = now()
            return try await queue.run { () throws(EarshotError) in try live.places(of: signature, heard: date) }
        }
        return service
    }

    /// The addresses of pictures and texts.
    ///
    /// - Parameter base: How the service is reached.
    func addresses(base: String) -> SignedContentAddresses {
        SignedContentAddresses(
            key: contentKey,
            base: base,
            lifetime: settings.contentLifetime.seconds,
            now: now
        )
    }

    /// What nobody else can write over a text: forms of the service's own pages carry it.
    func seal(_ text: String) -> String {
        let code = HMAC<SHA256>.authenticationCode(for: Data("form\n\(text)".utf8), using: contentKey)
        return Data(code).base64URL
    }

    // MARK: - Who asks

    /// Who a token speaks for.
    ///
    /// - Throws: `tokenRejected`, `clientIdentifierRejected`.
    func identity(bearing token: String) async throws(EarshotError) -> Identity {
        if token.hasPrefix(Self.adminTokenPrefix) {
            guard let digest = try await accounts.value(Self.adminName), Secrets.matches(token, digest) else {
                throw EarshotError(
                    .tokenRejected,
                    "The token is not the operator's: make a new one with `earshot admin token`."
                )
            }
            return .admin
        }
        let claims = try await tokens.claims(of: token, at: now())
        guard let client = try await client(claims.client), client.isEnabled else { throw Self.rejected }
        guard let id = claims.user else { return .client(client, user: nil) }
        guard let user = try await accounts.user(id) else {
            throw EarshotError(.tokenRejected, "The user of this token is no longer registered.")
        }
        return .client(client, user: user)
    }

    /// The client of an identifier.
    ///
    /// - Throws: `clientIdentifierRejected`.
    func client(presenting identifier: ClientIdentifier) async throws(EarshotError) -> ServiceClient {
        let client = try await accounts.client(identifier.id)
        // The tag is compared for a client that is not there too, so that the time does not tell which there are.
        let isRight = Secrets.matches(identifier.tag, client?.tagDigest ?? Data(count: 32))
        guard let client, isRight, client.isEnabled else { throw Self.rejected }
        return client
    }

    static var rejected: EarshotError {
        EarshotError(
            .clientIdentifierRejected,
            "The service does not know this client identifier, or no longer serves it."
        )
    }

    private func client(_ id: String) async throws(EarshotError) -> ServiceClient? {
        let time = now()
        if let entry = known.withLock({ $0[id] }), abs(time.timeIntervalSince(entry.read)) < Self.clientMemory {
            return entry.client
        }
        let client = try await accounts.client(id)
        known.withLock { known in
            if known.count > 10_000 { known = [:] }
            known[id] = (client, time)
        }
        return client
    }

    /// Forgets what is remembered of a client that has changed.
    func forget(_ client: String) { known.withLock { $0[client] = nil } }
}

/// Who asks.
enum Identity: Sendable {
    /// Nobody in particular.
    case nobody
    /// A client, or a user of it.
    case client(ServiceClient, user: ServiceUser?)
    /// The operator.
    case admin

    var entitlements: Set<Entitlement> {
        switch self {
        case .nobody: []
        case .client(let client, _): client.entitlements
        case .admin: Set(Entitlement.allCases)
        }
    }

    var client: ServiceClient? {
        if case .client(let client, _) = self { client } else { nil }
    }

    var user: String? {
        if case .client(_, let user) = self { user?.id } else { nil }
    }

    /// The kinds of queries that are answered.
    var modules: Set<Registration.Module> {
        switch self {
        case .nobody: []
        case .client(let client, let user): client.modules.intersection(user?.modules ?? client.modules)
        case .admin: Set(Registration.Module.allCases)
        }
    }

    /// The name under which requests are counted and jobs are kept.
    var name: String {
        switch self {
        case .nobody: "nobody"
        case .client(let client, _): client.id
        case .admin: "operator"
        }
    }

    var mayChangeReferences: Bool {
        switch self {
        case .nobody: false
        case .client(let client, _): client.mayChangeReferences
        case .admin: true
        }
    }
}
