import AsyncHTTPClient
import EarshotAPI
import EarshotBroadcast
import EarshotCatalogs
import EarshotCore
import EarshotFingerprints
@testable import EarshotLibrary
import EarshotNodes
import EarshotPieces
import EarshotRecognition
import EarshotSQLite
import EarshotSignatures
import Foundation
import Logging
import NIOCore
import NIOHTTP1
import Synchronization
import TestSupport
import Testing

@testable import EarshotServer

/// A service on the loopback interface with made-up music, and whoever asks it.
struct TestService: Sendable {
    /// What came back.
    struct Reply: Sendable {
        let status: Int
        let headers: HTTPHeaders
        let bytes: Data

        func decoded<Value: Decodable>(_ type: Value.Type) throws -> Value {
            try ServiceAPI.decoder().decode(type, from: bytes)
        }

        /// The code of the failure that it tells.
        var code: String? { (try? decoded(Failure.self))?.error.code }
        var matches: [MusicMatch] { (try? decoded(MatchList.self))?.matches ?? [] }
    }

    let base: String
    /// The address at which the state of the service is told, where the settings have a port for that.
    let operations: String?
    let admin: String
    let accounts: SQLiteAccountStore
    let music: SQLiteMusicStore
    let fingerprints: FingerprintLibrary
    let folder: URL
    let server: RecognitionServer
    /// The service's time.
    let time: TestTime

    /// A log that nobody reads.
    static var silentLogger: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }

    /// Runs a service for as long as a test needs it.
    static func run(
        _ settings: ServiceSettings = ServiceSettings(),
        decoder: any UploadDecoder = InProcessDecoder(),
        converter: any StemConverter = InProcessStemConverter(),
        files: (any FileDecoder)? = nil,
        partStore: (any ObjectStore)? = nil,
        accounts given: SQLiteAccountStore? = nil,
        pieces: (any PieceStore)? = nil,
        leases: any LeaseStore = MemoryLeaseStore(),
        publications: SharedPublications? = nil,
        live: (any LiveChannelStore)? = nil,
        pages: ServiceSettings.Pages = .off,
        stations: StationSources? = nil,
        prepare: (inout RecognitionServer.Parts) async throws -> Void = { _ in },
        _ body: (TestService) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let accounts = try given ?? SQLiteAccountStore.inMemory()
            let music = try SQLiteMusicStore.inMemory()
            try await music.apply(TestMusic.changes())
            let store = try CatalogStore.create(at: folder.appendingPathComponent("catalog.earstore"))
            try store.add(try TestMusic.references())
            let admin = try await ClientRegister(accounts).renewAdminToken()
            let time = TestTime()
            var settings = settings
            settings.port = 0
            settings.pages = pages
            // However full the disk of the machine is.
            if settings.reservedSpace == nil { settings.reservedSpace = 0 }
            var logger = silentLogger
            logger.logLevel = .critical
            var parts = RecognitionServer.Parts(
                music: music,
                accounts: accounts,
                catalog: CatalogProvider(store),
                decoder: decoder,
                pictures: FFmpegPictureMaker(),
                folder: folder,
                logger: logger
            )
            parts.now = { time.now }
            parts.pieces = try pieces ?? SQLitePieceStore.inMemory()
            parts.leases = leases
            parts.publications = publications
            // Nobody tells of changes: the service looks.
            parts.liveChannels = live.map { ($0, AsyncStream { $0.finish() }) }
            parts.pieceCatalog = try CatalogStore.create(at: folder.appendingPathComponent("pieces.earstore"))
            parts.stemConverter = converter
            parts.partStore = partStore
            parts.fileDecoder = files
            parts.stations = stations
            let guide = MemoryGuideStore()
            try await guide.apply(TestGuide.changes)
            parts.guide = guide
            let fingerprints = FingerprintLibrary(
                index: try FingerprintIndex(at: folder.appendingPathComponent("fingerprints"), access: .writing),
                store: try SQLiteFingerprintStore.inMemory()
            )
            parts.fingerprints = fingerprints
            try await prepare(&parts)
            let (ports, told) = AsyncStream.makeStream(of: Int.self)
            parts.onRunning = { told.yield($0) }
            let (operationsPorts, operationsTold) = AsyncStream.makeStream(of: Int.self)
            parts.onOperationsRunning = { operationsTold.yield($0) }
            let server = try await RecognitionServer(settings, parts)
            let running = Task {
                defer {
                    told.finish()
                    operationsTold.finish()
                }
                try await server.run()
            }
            var iterator = ports.makeAsyncIterator()
            guard let port = await iterator.next() else {
                // The reason, where there is one.
                try await running.value
                throw EarshotError(.internalError, "The service did not begin.")
            }
            var operations: String?
            if settings.operationsPort != nil {
                var iterator = operationsPorts.makeAsyncIterator()
                operations = "http://127.0.0.1:\(try #require(await iterator.next(), "the service did not begin"))"
            }
            let service = TestService(
                base: "http://127.0.0.1:\(port)",
                operations: operations,
                admin: admin,
                accounts: accounts,
                music: music,
                fingerprints: fingerprints,
                folder: folder,
                server: server,
                time: time
            )
            do {
                try await body(service)
            } catch {
                running.cancel()
                _ = await running.result
                throw error
            }
            running.cancel()
            _ = await running.result
        }
    }

    /// The endpoints that the service's own description names.
    var described: [Endpoint] { server.endpoints.filter(\.isDescribed) }

    // MARK: - Asking

    func ask(
        _ method: HTTPMethod = .GET,
        _ path: String,
        token: String? = nil,
        type: String? = nil,
        body: Data? = nil,
        headers: [(String, String)] = []
    ) async throws -> Reply {
        var request = HTTPClientRequest(url: path.hasPrefix("http") ? path : base + path)
        request.method = method
        if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
        if let type { request.headers.add(name: "Content-Type", value: type) }
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        if let body { request.body = .bytes(ByteBuffer(bytes: body)) }
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
        let buffer = try await response.body.collect(upTo: 64 << 20)
        return Reply(
            status: Int(response.status.code),
            headers: response.headers,
            bytes: Data(buffer.readableBytesView)
        )
    }

    func ask(_ method: HTTPMethod, _ path: String, token: String? = nil, json: some Encodable) async throws -> Reply {
        try await ask(
            method,
            path,
            token: token,
            type: "application/json",
            body: try ServiceAPI.encoder().encode(json)
        )
    }

    /// A new client's identifier.
    func client(_ change: ClientChange = ClientChange()) async throws -> ClientRecord {
        let reply = try await ask(.POST, "/v1/admin/clients", token: admin, json: change)
        #expect(reply.status == 201)
        return try reply.decoded(ClientRecord.self)
    }

    /// A token of a client, and of a user of it.
    func token(_ client: ClientRecord, user: String? = nil) async throws -> String {
        let reply = try await ask(.POST, "/v1/tokens", json: TokenRequest(client: client.identifier ?? "", user: user))
        #expect(reply.status == 200)
        return try reply.decoded(TokenAnswer.self).token
    }

    /// A token of a new client.
    func token(_ change: ClientChange = ClientChange()) async throws -> String {
        try await token(try await client(change))
    }

    /// A token of a new user of a client.
    func userToken(_ client: ClientRecord) async throws -> String {
        let reply = try await ask(.POST, "/v1/users", token: try await token(client))
        #expect(reply.status == 201)
        return try await token(client, user: try reply.decoded(UserRecord.self).serialised)
    }

    /// Adds a piece of the made-up music to the catalog under a name.
    func add(_ seed: UInt64, as id: String) async throws {
        let reply = try await ask(
            .PUT,
            "/v1/references/\(id)",
            token: admin,
            type: ServiceAPI.signatureType,
            body: try TestMusic.whole(seed).data
        )
        #expect(reply.status == 201)
    }

    /// Asks what is on.
    func whatIsOn(_ seed: UInt64, token: String, _ parameters: String = "") async throws -> Reply {
        try await ask(
            .POST,
            "/v1/broadcasts/recognitions?\(parameters)",
            token: token,
            type: ServiceAPI.signatureType,
            body: try TestMusic.query(seed).data
        )
    }

    /// A license for clients, as the operator's command makes it.
    func license(_ clients: [ClientRecord], expires: Date? = nil) throws -> String {
        try License(
            service: base,
            clients: clients.map { License.Client(id: $0.id, modules: Set($0.modules)) },
            expires: expires
        ).text
    }

    /// Asks what a piece of the made-up music is.
    func recognize(_ seed: UInt64, token: String, _ parameters: String = "") async throws -> Reply {
        try await ask(
            .POST,
            "/v1/recognitions?\(parameters)",
            token: token,
            type: ServiceAPI.signatureType,
            body: try TestMusic.query(seed).data
        )
    }
}

/// A time that tests set.
final class TestTime: Sendable {
    private let state = Mutex(Date(timeIntervalSince1970: 1_800_000_000))
    var now: Date { state.withLock { $0 } }
    func advance(_ seconds: Double) { state.withLock { $0 += seconds } }
}
