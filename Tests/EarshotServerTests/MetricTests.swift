import CoreMetrics
import EarshotCore
import Foundation
import NIOHTTP1
import Instrumentation
import ServiceContextModule
import Synchronization
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Figures and traces")
struct MetricTests {
    @Test("figures are written in Prometheus' text format")
    func format() {
        let registry = MetricRegistry()
        registry.makeCounter(label: "http_requests", dimensions: [("path", "/a\"b\\"), ("method", "GET")]).increment(
            by: 3
        )
        registry.makeMeter(label: "waiting", dimensions: []).set(Int64(2))
        let timer = registry.makeTimer(label: "duration", dimensions: [])
        timer.recordNanoseconds(2_000_000)
        timer.recordNanoseconds(700_000_000)
        timer.recordNanoseconds(90_000_000_000)
        let lines = registry.text.split(separator: "\n").map(String.init)
        #expect(lines.contains("# TYPE http_requests_total counter"))
        #expect(lines.contains(#"http_requests_total{method="GET",path="/a\"b\\"} 3"#))
        #expect(lines.contains("waiting 2"))
        #expect(lines.contains("# TYPE duration_seconds histogram"))
        #expect(lines.contains(#"duration_seconds_bucket{le="0.001"} 0"#))
        #expect(lines.contains(#"duration_seconds_bucket{le="0.0025"} 1"#))
        #expect(lines.contains(#"duration_seconds_bucket{le="1"} 2"#))
        #expect(lines.contains(#"duration_seconds_bucket{le="60"} 2"#))
        #expect(lines.contains(#"duration_seconds_bucket{le="+Inf"} 3"#))
        #expect(lines.contains("duration_seconds_count 3"))
    }

    @Test("no value of a label ends its line or its quotation marks, whatever follows them")
    func escaping() {
        let registry = MetricRegistry()
        registry.makeCounter(label: "x", dimensions: [("a", "1\r\n2\"\u{301}3")]).increment(by: 1)
        let lines = registry.text.utf8.split(separator: UInt8(ascii: "\n"))
        #expect(lines.count == 2)
        #expect(Array(lines[1]) == Array("x_total{a=\"1\r\\n2\\\"\u{301}3\"} 1".utf8))
    }

    @Test("a label with too many values does not fill the memory")
    func limit() {
        let registry = MetricRegistry()
        for number in 0..<(MetricRegistry.seriesLimit + 100) {
            registry.makeCounter(label: "x", dimensions: [("n", "\(number)")]).increment(by: 1)
        }
        #expect(registry.text.split(separator: "\n").count == MetricRegistry.seriesLimit + 1)
    }

    @Test("work with a database is timed by kind, and failures are counted by kind and code")
    func database() {
        let registry = MetricRegistry()
        registry.countDatabaseWork("read", seconds: 0.002, failure: nil)
        registry.countDatabaseWork("read", seconds: 3, failure: .timedOut)
        registry.countDatabaseWork("write", seconds: nil, failure: .storeUnavailable)
        let lines = registry.text.split(separator: "\n").map(String.init)
        #expect(lines.contains(#"earshot_database_duration_seconds_count{kind="read"} 2"#))
        #expect(lines.contains(#"earshot_database_duration_seconds_bucket{kind="read",le="0.0025"} 1"#))
        #expect(lines.contains(#"earshot_database_failures_total{code="timedOut",kind="read"} 1"#))
        #expect(lines.contains(#"earshot_database_failures_total{code="storeUnavailable",kind="write"} 1"#))
        // What is refused at once would make a silent database a fast one.
        #expect(!lines.contains { $0.hasPrefix("earshot_database_duration") && $0.contains("write") })
    }

    @Test("requests to a bucket are timed by operation, with their bytes and failures")
    func bucket() async throws {
        let folder = try TemporaryFolder()
        let bucket = folder.url.appendingPathComponent("bucket")
        try FileManager.default.createDirectory(at: bucket, withIntermediateDirectories: true)
        let (objects, registry) = (FolderObjectStore(bucket), MetricRegistry())
        let now = Mutex(0)
        // Each look at the clock is half a second after the one before.
        let clock = MediaClock(
            read: {
                now.withLock { now in
                    now += 1
                    return MediaTime(value: Int64(now), timescale: 2)
                }
            },
            wait: { _ in }
        )
        let store = MeasuredObjectStore(objects, metrics: registry, clock: clock)
        #expect(store.name == objects.name && store.largest == objects.largest)
        let (file, copy) = (folder.url.appendingPathComponent("file"), folder.url.appendingPathComponent("copy"))
        try Data(count: 300).write(to: file)
        try await store.keep(file, size: 300, sha256: "", as: "a")
        try await store.fetch("a", to: copy)
        try await store.fetch("a", to: copy)
        try await store.remove("a")
        let missing = await #expect(throws: EarshotError.self) { try await store.fetch("a", to: copy) }
        #expect(missing?.code == .entityNotFound)
        objects.isAway.withLock { $0 = true }
        let away = await #expect(throws: EarshotError.self) { try await store.remove("a") }
        #expect(away?.code == .storeUnavailable)
        await #expect(throws: EarshotError.self) { try await store.check() }
        let lines = registry.text.split(separator: "\n").map(String.init)
        #expect(lines.contains(#"earshot_bucket_bytes_total{operation="put"} 300"#))
        #expect(lines.contains(#"earshot_bucket_bytes_total{operation="get"} 600"#))
        #expect(lines.contains(#"earshot_bucket_duration_seconds_count{operation="get"} 3"#))
        #expect(lines.contains(#"earshot_bucket_duration_seconds_sum{operation="put"} 0.5"#))
        #expect(lines.contains(#"earshot_bucket_failures_total{code="entityNotFound",operation="get"} 1"#))
        #expect(lines.contains(#"earshot_bucket_failures_total{code="storeUnavailable",operation="delete"} 1"#))
        #expect(lines.filter { $0.hasPrefix("earshot_bucket_failures_total") }.count == 2)
    }

    @Test("the metrics of a service are served, and count by the pattern of a path")
    func served() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.token()
            _ = try await service.ask(.GET, "/v1/tracks/lantern", token: token)
            _ = try await service.ask(.GET, "/v1/tracks/other", token: token)
            let reply = try await service.ask(.GET, "/metrics")
            let text = String(decoding: reply.bytes, as: UTF8.self)
            #expect(text.contains(#"http_requests_total{method="GET",path="/v1/tracks/{id}",status="200"} 1"#))
            #expect(text.contains(#"http_requests_total{method="GET",path="/v1/tracks/{id}",status="404"} 1"#))
            #expect(text.contains("earshot_catalog_references 16"))
            #expect(text.contains("earshot_leases_held 0"))
            // One database in files has no connections, and a catalog that is not shared no segments of a bucket.
            #expect(!text.contains("earshot_database") && !text.contains("earshot_bucket"))
            #expect(!text.contains("earshot_catalog_segments"))
            #expect(!text.contains("lantern"))
        }
    }

    @Test(
        "a caller's trace is read by the W3C's form",
        arguments: [
            ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", true),
            ("cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-x", true),
            ("00-00000000000000000000000000000000-b7ad6b7169203331-01", false),
            ("00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01", false),
            ("ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", false),
            ("00-0AF7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", false),
            ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-x", false), ("", false), ("00-1-2-3", false),
        ]
    )
    func traces(text: String, isOne: Bool) {
        let trace = TraceContext(text)
        #expect((trace != nil) == isOne)
        if let trace {
            #expect(TraceContext(trace.description) == trace)
            #expect(trace.isSampled)
        }
    }
}
