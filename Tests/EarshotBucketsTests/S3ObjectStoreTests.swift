import EarshotCore
import EarshotNodes
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

    // MARK: - Lists

    /// An answer as S3 and stores like it write it.
    private static func list(_ objects: [(key: String, size: Int, modified: String)], next: String? = nil) -> Data {
        let contents = objects.map { key, size, modified in
            """
            <Contents><Key>\(key)</Key><LastModified>\(modified)</LastModified><ETag>&quot;9b2c&quot;</ETag><Size>\(size)</Size>\
            <Owner><ID>1</ID><DisplayName>Key</DisplayName></Owner><StorageClass>STANDARD</StorageClass></Contents>
            """
        }
        let token = next.map { "<NextContinuationToken>\($0)</NextContinuationToken>" } ?? ""
        return Data(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>bucket</Name><Prefix>a/songs/</Prefix>
            \(token)<KeyCount>\(objects.count)</KeyCount><MaxKeys>1000</MaxKeys><IsTruncated>\(next != nil)</IsTruncated>
            \(contents.joined())</ListBucketResult>
            """.utf8
        )
    }

    @Test("objects are listed below the prefix, page after page")
    func listing() async throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        let store = try store(server)
        let path = "/bucket?list-type=2&max-keys=1000&prefix=a%2Fsongs%2F"
        let following = "/bucket?continuation-token=1%2B%2F%3D&list-type=2&max-keys=1000&prefix=a%2Fsongs%2F"
        let first = [("a/songs/a&amp;b", 7, "2009-10-12T17:50:30.000Z"), ("a/songs/c", 0, "2009-10-12T17:50:31Z")]
        server.publish(Self.list(first, next: "1+/="), at: path)
        server.publish(Self.list([("a/songs/d", 1 << 40, "2009-10-12T17:50:32.500Z")]), at: following)
        let page = try await store.list("songs/", after: nil)
        let begin = Date(timeIntervalSince1970: 1_255_369_830)
        #expect(
            page.objects == [
                ObjectPage.Object(key: "songs/a&b", size: 7, modified: begin),
                ObjectPage.Object(key: "songs/c", size: 0, modified: begin + 1),
            ]
        )
        #expect(page.next == "1+/=")
        let last = try await store.list("songs/", after: page.next)
        #expect(last == ObjectPage(objects: [.init(key: "songs/d", size: 1 << 40, modified: begin + 2.5)]))
        #expect(server.exchanges.map(\.path) == [path, following])
    }

    @Test("a list that is damaged, or goes on without saying where, is refused")
    func damagedList() async throws {
        let list = Self.list([("a/songs/a", 7, "2009-10-12T17:50:30.000Z")], next: "1")
        let whole = String(decoding: list, as: UTF8.self)
        #expect(S3ListParser.page(Data(whole.utf8), below: "a/") != nil)
        for (text, other) in [
            ("<NextContinuationToken>1</NextContinuationToken>", ""), ("<Size>7</Size>", "<Size>seven</Size>"),
            ("<Size>7</Size>", "<Size>-7</Size>"), ("<Key>a/songs/a</Key>", ""), ("<Key>a/", "<Key>b/"),
            ("2009-10-12T", "yesterday "), ("</ListBucketResult>", ""), ("ListBucketResult", "Error"),
            ("<ListBucketResult", "<!DOCTYPE a [<!ENTITY b \"c\">]><ListBucketResult"),
        ] {
            let damaged = whole.replacingOccurrences(of: text, with: other)
            #expect(damaged != whole && S3ListParser.page(Data(damaged.utf8), below: "a/") == nil, "\(other)")
        }
        let server = try LoopbackServer()
        defer { server.stop() }
        let store = try store(server)
        server.publish(Data("<html>".utf8), at: "/bucket?list-type=2&max-keys=1000&prefix=a%2F")
        let error = await #expect(throws: EarshotError.self) { try await store.list("", after: nil) }
        #expect(error?.code == .storeUnavailable)
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

    @Test("a query is signed as the published example says")
    func signedQuery() {
        // "Example: Get Bucket (List Objects)" of the same page.
        let signature = AWSSignature(
            accessKey: "AKIAIOSFODNN7EXAMPLE",
            secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
            region: "us-east-1"
        )
        let fields = signature.fields(
            "GET",
            host: "examplebucket.s3.amazonaws.com",
            path: "/",
            query: AWSSignature.query(["prefix": "J", "max-keys": "2"]),
            payload: AWSSignature.emptyDigest,
            at: Date(timeIntervalSince1970: 1_369_353_600)
        )
        #expect(
            fields["authorization"]?
                .hasSuffix("Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7") == true
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
