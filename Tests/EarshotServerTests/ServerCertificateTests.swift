import AsyncHTTPClient
import EarshotCore
import Foundation
import Logging
import NIOCore
import NIOHTTP1
import NIOSSL
import Synchronization
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Certificates that are replaced")
struct ServerCertificateTests {
    /// A log that keeps the levels of its lines.
    private struct LevelLog: LogHandler {
        final class Levels: Sendable {
            let lines = Mutex<[Logger.Level]>([])
            var all: [Logger.Level] { lines.withLock { $0 } }
        }

        let levels: Levels
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { levels.lines.withLock { $0.append(event.level) } }
    }

    private static func certificate(
        _ folder: URL,
        _ levels: LevelLog.Levels = LevelLog.Levels()
    ) throws -> ServerCertificate {
        try ServerCertificate(
            TestCertificate.certificateFile(folder).path,
            key: TestCertificate.keyFile(folder).path,
            logger: Logger(label: "test") { _ in LevelLog(levels: levels) }
        )
    }

    @Test("a new pair is used once two looks have found it")
    func replaced() throws {
        try withTemporaryFolder { folder in
            let levels = LevelLog.Levels()
            try TestCertificate.first.write(folder)
            let certificate = try Self.certificate(folder, levels)
            let first = certificate.context
            for _ in 0..<3 { certificate.reload() }
            #expect(certificate.context === first)
            try TestCertificate.second.write(folder)
            certificate.reload()
            #expect(certificate.context === first, "it may not be whole yet")
            certificate.reload()
            let second = certificate.context
            #expect(second !== first)
            for _ in 0..<3 { certificate.reload() }
            #expect(certificate.context === second)
            #expect(levels.all == [.info])
        }
    }

    @Test(
        "a pair that cannot be used leaves the old one, and is logged once",
        arguments: ["another key", "no PEM", "no key", "no certificate"]
    )
    func unusable(_ what: String) throws {
        let first = TestCertificate.first
        let second = TestCertificate.second
        let pair =
            switch what {
            case "another key": TestCertificate(certificate: second.certificate, key: first.key)
            case "no PEM": TestCertificate(certificate: "certificate", key: "key")
            case "no key": TestCertificate(certificate: second.certificate, key: "")
            default: TestCertificate(certificate: "", key: second.key)
            }
        try withTemporaryFolder { folder in
            let levels = LevelLog.Levels()
            try first.write(folder)
            let certificate = try Self.certificate(folder, levels)
            let context = certificate.context
            try pair.write(folder)
            for _ in 0..<5 { certificate.reload() }
            #expect(certificate.context === context)
            #expect(levels.all == [.warning])
            // Whatever was wrong, a good pair is taken then.
            try second.write(folder)
            for _ in 0..<2 { certificate.reload() }
            #expect(certificate.context !== context)
        }
    }

    @Test("files that are gone for a moment are as if they were there")
    func gone() throws {
        try withTemporaryFolder { folder in
            let levels = LevelLog.Levels()
            try TestCertificate.first.write(folder)
            let certificate = try Self.certificate(folder, levels)
            let first = certificate.context
            try FileManager.default.removeItem(at: TestCertificate.keyFile(folder))
            certificate.reload()
            try TestCertificate.first.write(folder)
            for _ in 0..<2 { certificate.reload() }
            #expect(certificate.context === first)
            #expect(levels.all.isEmpty)
        }
    }

    @Test("a service does not begin with a pair that cannot be used")
    func beginning() throws {
        try withTemporaryFolder { folder in
            try TestCertificate(certificate: TestCertificate.first.certificate, key: TestCertificate.second.key)
                .write(folder)
            let error = #expect(throws: EarshotError.self) { try Self.certificate(folder) }
            #expect(error?.code == .configurationInvalid && error?.message.contains("PEM") == true)
        }
    }

    // MARK: - Over the wire

    /// A client that takes one certificate only.
    private static func client(trusting trusted: TestCertificate) throws -> HTTPClient {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(trusted.certificate.utf8)))
        var configuration = HTTPClient.Configuration(tlsConfiguration: tls)
        // What is not trusted once is not trusted later.
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(configuration: configuration)
    }

    private static func isAnswered(_ client: HTTPClient, _ url: String) async -> Bool {
        let response = try? await client.execute(HTTPClientRequest(url: url), timeout: .seconds(30))
        _ = try? await response?.body.collect(upTo: 1 << 20)
        return response?.status == .ok
    }

    @Test("connections that are open go on with the old certificate, and new ones begin with the new one")
    func connections() async throws {
        try await withTemporaryFolder { folder in
            try TestCertificate.first.write(folder)
            var settings = ServiceSettings()
            settings.certificateFile = TestCertificate.certificateFile(folder).path
            settings.privateKeyFile = TestCertificate.keyFile(folder).path
            try await TestService.run(settings) { (service: TestService) async throws in
                let url = service.base.replacing("http://", with: "https://") + "/health"
                let clients = [
                    try Self.client(trusting: .first), try Self.client(trusting: .second),
                    try Self.client(trusting: .first),
                ]
                var answers = [await Self.isAnswered(clients[0], url), await Self.isAnswered(clients[1], url)]
                try TestCertificate.second.write(folder)
                for _ in 0..<2 { service.server.certificate?.reload() }
                // The first has its connection still.
                for client in clients { answers.append(await Self.isAnswered(client, url)) }
                for client in clients { try await client.shutdown() }
                #expect(answers == [true, false, true, true, false])
            }
        }
    }
}
