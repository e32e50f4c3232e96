import EarshotCore
import Foundation
import TestSupport
import Testing

@testable import EarshotBuckets

@Suite("A bucket by S3's protocol", .timeLimit(.minutes(1)))
struct S3ObjectStoreTests {
    /// A store whose bucket is served by a test.
    private func store(
        _ server: LoopbackServer,
        silence: Int64 = 60_000,
        at date: Date = Date()
    ) throws -> S3ObjectStore {
        S3ObjectStore(
            try S3Settings(address: server.url("/bucket/a").absoluteString, accessKey: "open", secretKey: "sesame"),
            silence: silence
        ) { date }
    }

    @Test("an object is fetched below the prefix, and once more after an answer that may pass")
    func fetching() async throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        let store = try store(server, at: Date(timeIntervalSince1970: 1_369_353_600))
        let data = Data("notes".utf8)
        server.publish(data, at: "/bucket/a/piece/part")
        server.fail("/bucket/a/piece/part", .status(503))
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("part")
            try await store.fetch("piece/part", to: file)
            #expect(FileManager.default.contents(atPath: file.path) == data)
        }
        let requests = server.exchanges(at: "/bucket/a/piece/part")
        #expect(requests.map(\.status) == [503, 200])
        let code = requests.last?.headers["authorization"]
        #expect(code?.hasPrefix("AWS4-HMAC-SHA256 Credential=open/20130524/us-east-1/s3/aws4_request") == true)
    }

    @Test("a line that falls silent in the middle of an object is given up, and the object is fetched anew")
    func silence() async throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        // Without the limit this waits for a minute, which is the limit of the suite.
        let store = try store(server, silence: 1_000)
        let data = Data("notes".utf8)
        server.publish(data, at: "/bucket/a/part")
        server.fail("/bucket/a/part", .stalled(after: 2))
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("part")
            try await store.fetch("part", to: file)
            #expect(FileManager.default.contents(atPath: file.path) == data)
        }
        #expect(server.exchanges.count >= 2)
    }

    @Test("what the bucket lacks is not found, and leaves no file")
    func lacking() async throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        let store = try store(server)
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("part")
            let error = await #expect(throws: EarshotError.self) { try await store.fetch("piece/part", to: file) }
            #expect(error?.code == .entityNotFound)
            #expect(!FileManager.default.fileExists(atPath: file.path))
        }
    }

    @Test("a bucket that is not there, or does not let the service in, is a wrong setting")
    func checking() async throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        let store = try store(server)
        var error = await #expect(throws: EarshotError.self) { try await store.check() }
        #expect(error?.code == .configurationInvalid)
        server.publish(Data(), at: "/bucket")
        try await store.check()
        server.fail("/bucket", .status(403))
        error = await #expect(throws: EarshotError.self) { try await store.check() }
        #expect(error?.code == .configurationInvalid)
    }

    @Test("requests are signed as the published example says")
    func signature() {
        // "Example: GET Object" of "Signature Calculations for the Authorization Header", Amazon S3 API Reference.
        let signature = AWSSignature(
            accessKey: "AKIAIOSFODNN7EXAMPLE",
            secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
            region: "us-east-1"
        )
        let fields = signature.fields(
            "GET",
            host: "examplebucket.s3.amazonaws.com",
            path: "/test.txt",
            fields: ["range": "bytes=0-9"],
            payload: AWSSignature.emptyDigest,
            at: Date(timeIntervalSince1970: 1_369_353_600)
        )
        #expect(
            fields["authorization"]?
                .hasSuffix("Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41") == true
        )
    }

    @Test("a bucket is named by an address, and its keys are not told")
    func bucket() throws {
        let settings = try S3Settings(
            address: "https://objects.example:9000/bucket/a/b",
            accessKey: "open",
            secretKey: "sesame"
        )
        #expect(settings.bucket == "bucket" && settings.prefix == "a/b/")
        #expect(settings.endpoint.absoluteString == "https://objects.example:9000")
        #expect(!"\(settings)".contains("sesame") && !String(reflecting: settings).contains("sesame"))
        // Clients do not send the port that is the scheme's own: signing it would fit no request.
        for (address, endpoint) in [
            ("https://host:443/b", "https://host"), ("http://host:80/b", "http://host"),
            ("http://host:443/b", "http://host:443"),
        ] {
            let settings = try S3Settings(address: address, accessKey: "a", secretKey: "b")
            #expect(settings.endpoint.absoluteString == endpoint)
        }
        for address in [
            "", "bucket", "ftp://host/bucket", "https://host", "https://host/", "https://host/b?x=1",
            "https://host/../b",
        ] {
            let error = #expect(throws: EarshotError.self) {
                try S3Settings(address: address, accessKey: "a", secretKey: "b")
            }
            #expect(error?.code == .configurationInvalid)
        }
        let error = #expect(throws: EarshotError.self) {
            try S3Settings(address: "https://host/bucket", accessKey: nil, secretKey: "b")
        }
        #expect(error?.message.contains("AWS_ACCESS_KEY_ID") == true)
    }
}
