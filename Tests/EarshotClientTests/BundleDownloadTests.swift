import EarshotAPI
import EarshotCore
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EarshotClient

@Suite("Fetching bundles")
struct BundleDownloadTests {
    private static let bytes = Data((0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    /// SHA-256 of the bytes.
    private static let tag = "1960fc83dfe55d502c2c17295c2aacdb2cb91b4bf5df44a8a47eafda65c604b8"

    private static var description: BundleDescription {
        BundleDescription(
            id: "ads",
            version: 3,
            size: bytes.count,
            references: 2,
            sha256: tag,
            published: Date(timeIntervalSince1970: 1_800_000_000)
        )
    }

    private func service(_ server: StubServer) throws -> HTTPRecognitionService {
        var options = ServiceServer.patient
        options.retry = RetryPolicy(attempts: 4, firstDelay: MediaTime(value: 1, timescale: 1000))
        let configuration = try ClientConfiguration(clientIdentifier: ServiceServer.identifier)
        return HTTPRecognitionService(server.url, configuration: configuration, options: options)
    }

    /// A service that breaks off each answer behind some bytes.
    private static func handler(
        cut: Int?,
        tag: @escaping @Sendable (Int) -> String = { _ in tag }
    ) -> StubServer.Handler {
        let count = Mutex(0)
        return { request in
            if request.path == "/v1/tokens" { return ServiceServer.tokens(request) }
            if request.path == "/v1/bundles" { return ServiceServer.json(BundleList([description])) }
            let number = count.withLock { count in
                count += 1
                return count
            }
            let begin = request.headers["range"].flatMap { Int($0.dropFirst(6).dropLast()) } ?? 0
            let isSame = request.headers["if-range"].map { $0 == "\"\(tag(number))\"" } ?? true
            let body = isSame ? Data(bytes.dropFirst(begin)) : bytes
            return StubServer.Response(
                status: isSame && begin > 0 ? 206 : 200,
                headers: [("etag", "\"\(tag(number))\"")],
                body: body,
                cutLength: cut.flatMap { $0 < body.count ? $0 : nil }
            )
        }
    }

    @Test("a download that breaks off goes on where it was", .requirements("R-ACR-193"))
    func resumes() async throws {
        try await StubServer.with(Self.handler(cut: 3_000)) { server in
            var all = Data()
            for try await part in try service(server).bundle("ads") { all += part }
            #expect(all == Self.bytes)
            let ranges = server.requests.filter { $0.path.hasSuffix("/ads") }.map { $0.headers["range"] ?? "" }
            #expect(ranges == ["", "bytes=3000-", "bytes=6000-", "bytes=9000-"])
        }
    }

    @Test("bytes of another version are not put behind those of the first")
    func changed() async throws {
        try await StubServer.with(Self.handler(cut: 3_000, tag: { $0 == 1 ? "one" : "two" })) { server in
            await #expect {
                for try await _ in try service(server).bundle("ads") {}
            } throws: {
                ($0 as? EarshotError)?.code == .downloadFailed
            }
        }
    }

    @Test("a fetch into a file goes on in another process, and leaves nothing beside it", .requirements("R-ACR-193"))
    func file() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("ads.earbundle")
            // Each piece comes, and then the server is gone for good.
            try await StubServer.with(Self.handler(cut: 0)) { server in
                await #expect(throws: EarshotError.self) { try await service(server).download("ads", to: url) }
            }
            #expect(!FileManager.default.fileExists(atPath: url.path))
            let partial = url.appendingPathExtension("\(Self.tag.prefix(16)).partial")
            try Self.bytes.prefix(4_000).write(to: partial)
            try await StubServer.with(Self.handler(cut: nil)) { server in
                let record = try await service(server).download("ads", to: url)
                #expect(record == Self.description)
                let ranges = server.requests.compactMap { $0.headers["range"] }
                #expect(ranges == ["bytes=4000-"])
            }
            #expect(try Data(contentsOf: url) == Self.bytes)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["ads.earbundle"])
        }
    }

    @Test("what is of the right length and not what was announced is refused, thrown away, and fetched anew")
    func damaged() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("ads.earbundle")
            try Data("the one before".utf8).write(to: url)
            var start = Data(Self.bytes.prefix(4_000))
            start[17] ^= 1
            try start.write(to: url.appendingPathExtension("\(Self.tag.prefix(16)).partial"))
            // What is left of another version.
            try start.write(to: url.appendingPathExtension("0123456789abcdef.partial"))
            try await StubServer.with(Self.handler(cut: nil)) { server in
                await #expect {
                    try await service(server).download("ads", to: url)
                } throws: {
                    ($0 as? EarshotError)?.code == .downloadFailed
                }
                #expect(try Data(contentsOf: url) == Data("the one before".utf8))
                try await service(server).download("ads", to: url)
            }
            #expect(try Data(contentsOf: url) == Self.bytes)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["ads.earbundle"])
        }
    }

    @Test("two do not fetch into one file at once")
    func two() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("ads.earbundle")
            let first = try PartialBundle(of: url, Self.description)
            #expect(throws: EarshotError.self) { try PartialBundle(of: url, Self.description) }
            try first.write(Self.bytes)
            try first.finish()
            #expect(try Data(contentsOf: url) == Self.bytes)
        }
    }

    @Test("limits without an end are limits of a day")
    func limits() throws {
        var options = HTTPRecognitionService.Options()
        (options.requestLimit, options.connectLimit) = (.positiveInfinity, MediaTime(value: .max, timescale: 1))
        let configuration = try ClientConfiguration(clientIdentifier: ServiceServer.identifier)
        let url = try #require(URL(string: "http://127.0.0.1:9"))
        _ = HTTPRecognitionService(url, configuration: configuration, options: options)
    }

    @Test("a bundle that is not offered is named")
    func unknown() async throws {
        try await StubServer.with(Self.handler(cut: nil)) { server in
            try await withTemporaryFolder { folder in
                await #expect {
                    try await service(server).download("other", to: folder.appendingPathComponent("x"))
                } throws: {
                    ($0 as? EarshotError)?.code == .entityNotFound
                }
            }
        }
    }
}
