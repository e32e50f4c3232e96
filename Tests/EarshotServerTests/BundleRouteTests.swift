import EarshotAPI
import EarshotClient
import EarshotCore
import EarshotMonitor
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Bundles over HTTP")
struct BundleRouteTests {
    private func bundle(_ version: UInt64, _ service: TestService) throws -> Data {
        let url = service.folder.appendingPathComponent("made-\(version)-\(UUID().uuidString)")
        try TestBundles.write(version: version, to: url)
        return try Data(contentsOf: url)
    }

    private func publish(_ data: Data, _ id: String, _ service: TestService) async throws -> TestService.Reply {
        try await service.ask(
            .PUT,
            "/v1/bundles/\(id)",
            token: service.admin,
            type: ServiceAPI.bundleType,
            body: data
        )
    }

    /// The files of a folder with their bytes, without the lock.
    private func contents(of folder: URL) throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0 != "lock" }
        return Dictionary(
            uniqueKeysWithValues: try names.map { ($0, try Data(contentsOf: folder.appendingPathComponent($0))) }
        )
    }

    @Test(
        "a bundle is published, listed and fetched, and a monitor's store takes it as it comes",
        .requirements("R-ACR-128")
    )
    func whole() async throws {
        try await TestService.run { (service: TestService) async throws in
            let data = try bundle(1, service)
            let record = try (try await publish(data, "ads", service)).decoded(BundleDescription.self)
            #expect(record.size == data.count && record.version == 1 && record.references == 1)
            let client = try await service.client()
            let http = HTTPRecognitionService(
                try #require(URL(string: service.base)),
                configuration: try ClientConfiguration(clientIdentifier: client.identifier ?? "")
            )
            #expect(try await http.bundles() == [record])
            let store = BundleStore(folder: service.folder.appendingPathComponent("store"))
            let report = try await store.ingest(StreamBundleSource(http.bundle("ads")))
            #expect(report.bundle.id == "ads")
            #expect(try store.lookup(try TestMusic.query(60)).first?.reference == "spot")
            // From a file the same store is made as from the network.
            let file = service.folder.appendingPathComponent("ads.earbundle")
            try data.write(to: file)
            let other = service.folder.appendingPathComponent("other-store")
            _ = try await BundleStore(folder: other).ingest(try FileBundleSource(file))
            let made = try contents(of: other)
            let fetched = try contents(of: service.folder.appendingPathComponent("store"))
            #expect(made.count >= 3 && made == fetched)
            let removed = try await service.ask(.DELETE, "/v1/bundles/ads", token: service.admin)
            #expect(removed.status == 204)
            #expect(try await http.bundles().isEmpty)
            #expect(try await service.ask(.DELETE, "/v1/bundles/ads", token: service.admin).status == 404)
        }
    }

    @Test("parts of a bundle are sent, of the version that is asked for", .requirements("R-ACR-193"))
    func ranges() async throws {
        try await TestService.run { (service: TestService) async throws in
            let data = try bundle(1, service)
            _ = try await publish(data, "ads", service)
            let token = try await service.token()
            func ask(_ headers: (String, String)...) async throws -> TestService.Reply {
                try await service.ask(.GET, "/v1/bundles/ads", token: token, headers: headers)
            }
            let all = try await ask()
            #expect(all.status == 200 && all.bytes == data)
            let tag = try #require(all.headers.first(name: "ETag"))
            #expect(all.headers.first(name: "Accept-Ranges") == "bytes")
            let rest = try await ask(("Range", "bytes=100-"), ("If-Range", tag))
            #expect(rest.status == 206 && rest.bytes == data.dropFirst(100))
            #expect(rest.headers.first(name: "Content-Range") == "bytes 100-\(data.count - 1)/\(data.count)")
            #expect(try await ask(("Range", "bytes=10-19")).bytes == data[10..<20])
            #expect(try await ask(("Range", "bytes=-7")).bytes == data.suffix(7))
            #expect(try await ask(("Range", "bytes=\(data.count)-")).status == 416)
            #expect(try await ask(("Range", "bytes=5-"), ("If-Range", "\"other\"")).status == 200)
            #expect(try await ask(("If-None-Match", tag)).status == 304)
            // A later version has another tag: what was begun is told from its begin.
            _ = try await publish(try bundle(2, service), "ads", service)
            let changed = try await ask(("Range", "bytes=100-"), ("If-Range", tag))
            #expect(changed.status == 200 && changed.headers.first(name: "ETag") != tag)
        }
    }

    @Test("what is no bundle, is another's, or is older is refused, and leaves nothing")
    func refusals() async throws {
        try await TestService.run { (service: TestService) async throws in
            let (first, second) = (try bundle(1, service), try bundle(2, service))
            #expect(try await publish(second, "ads", service).status == 200)
            // The same once more is no change.
            #expect(try await publish(second, "ads", service).status == 200)
            #expect(try await publish(first, "ads", service).status == 409)
            #expect(try await publish(second, "other", service).status == 422)
            #expect(try await publish(Data("nonsense".utf8), "ads", service).code == "bundleInvalid")
            #expect(try await publish(second.dropLast(3), "ads", service).code == "bundleInvalid")
            let client = try await service.token()
            #expect(try await service.ask(.PUT, "/v1/bundles/ads", token: client, body: second).status == 403)
            let shelf = service.folder.appendingPathComponent("bundle-shelf")
            let names = try FileManager.default.contentsOfDirectory(atPath: shelf.path).sorted()
            #expect(names.count == 2 && names.last == "ads.json" && names.first?.hasPrefix("ads-") == true)
            #expect(try await service.ask(.GET, "/v1/bundles/..%2Faccounts", token: client).status == 404)
        }
    }

    @Test("a bundle whose bytes were lost is put back, and a copy takes the place of a later version")
    func healing() async throws {
        try await TestService.run { (service: TestService) async throws in
            let (first, second) = (try bundle(1, service), try bundle(2, service))
            #expect(try await publish(first, "ads", service).status == 200)
            let shelf = BundleRepository(folder: service.folder)
            let file = shelf.url(try #require(shelf.bundle("ads")))
            try first.prefix(100).write(to: file)
            #expect(try await publish(first, "ads", service).status == 200)
            #expect(try Data(contentsOf: file) == first)
            let copy = service.folder.appendingPathComponent("copy")
            try shelf.copy(to: copy)
            #expect(try await publish(second, "ads", service).status == 200)
            try BundleRepository(folder: copy).copy(to: service.folder)
            #expect(shelf.bundle("ads")?.version == 1)
            #expect(try Data(contentsOf: file) == first)
        }
    }

    @Test(
        "ranges are read as their standard says",
        arguments: [
            (nil, .whole), ("bytes=0-", .part(0..<100)), ("bytes=0-0", .part(0..<1)), ("bytes=90-500", .part(90..<100)),
            ("bytes=-5", .part(95..<100)), ("bytes=-500", .part(0..<100)), ("bytes=-0", .unsatisfiable),
            ("bytes=100-", .unsatisfiable), ("bytes=5-4", .whole), ("bytes=1-2,4-5", .whole), ("lines=1-2", .whole),
            ("bytes=", .whole), ("bytes=-", .whole), ("bytes=a-b", .whole), ("bytes=99999999999999999999-", .whole),
            ("BYTES=1-1", .part(1..<2)),
        ] as [(String?, ByteRange)]
    )
    func syntax(header: String?, range: ByteRange) {
        #expect(ByteRange(header: header, size: 100) == range)
    }
}
