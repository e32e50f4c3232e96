import EarshotServer
import Foundation
import TestSupport
import Testing

@testable import ServiceCommands

@Suite("Limits of earshot serve")
struct ServeLimitTests {
    @Test(
        "connections are as many as are wanted, or as there are files for",
        arguments: [
            (2_048, 20_000, 2_048), (2_048, 2_304, 2_048), (2_048, 2_303, 2_047), (2_048, 1_024, 768),
            (2_048, 256, 16), (2_048, 64, 16), (4, 64, 4), (4, 20_000, 4),
        ]
    )
    func connections(wanted: Int, files: Int, taken: Int) {
        #expect(OpenFileLimit.connections(wanted, files: files) == taken)
    }

    @Test("a system that grants few open files is told in the log, and the service answers")
    func fewFiles() async throws {
        try await withTemporaryFolder { folder in
            let service = try await RunningService(data: folder.appendingPathComponent("data"), openFiles: 400)
            #expect(service.log.contains("400 open files: 144 connections"), "\(service.log)")
            #expect(try HeldConnection(service.base).ask("/health").hasPrefix("HTTP/1.1 200"))
            #expect(await service.stop() == 0)
        }
    }

    @Test("settings are told as they are, with the origin of each, and without what is secret")
    func records() throws {
        try withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("settings.json")
            let text = #"{"queueLimit": 5, "publicURL": "https://me:word@music.example", "mediaRoots": ["a=/tmp"]}"#
            try Data(text.utf8).write(to: file)
            let configuration = try ServeConfiguration(
                options: [
                    .port: "9000", .queueLimit: "7",
                    .database: "postgresql://ada:secret@db-1:5432,db-2:5432/x?password=secret",
                ],
                file: file.path
            )
            let records = configuration.records(try configuration.settings())
            func record(_ name: String) -> SettingRecord? { records.first { $0.name == name } }
            #expect(record("port")?.value == "9000" && record("port")?.source == .option)
            #expect(record("queueLimit")?.value == "7" && record("queueLimit")?.source == .option)
            #expect(record("publicURL")?.value == "https://music.example" && record("publicURL")?.source == .file)
            #expect(record("publicURL")?.variable == "EARSHOT_PUBLIC_URL")
            #expect(record("database")?.value == "postgresql://ada@db-1:5432,db-2:5432/x")
            #expect(record("mediaRoots")?.value == "a=/tmp")
            #expect(record("uploadTime")?.value == "60" && record("uploadTime")?.source == .standard)
            #expect(record("certificate")?.value == nil)
            #expect(records.count == ServeConfiguration.Key.allCases.count)
        }
    }

    @Test("work that does not end is not waited for beyond the deadline")
    func deadline() async throws {
        let logger = try ServeConfiguration(options: [.logLevel: "critical"], file: nil).logger()
        let status = await withCheckedContinuation { continuation in
            ShutdownDeadline(seconds: 0, logger: logger, end: { continuation.resume(returning: $0) }).start()
        }
        #expect(status == 1)
    }

    @Test(
        "a sender that never comes to an end keeps the service from ending as long as it may, and no longer",
        .timeLimit(.minutes(1))
    )
    func unendingRequest() async throws {
        try await withTemporaryFolder { folder in
            let service = try await RunningService(
                data: folder.appendingPathComponent("data"),
                environment: [
                    "EARSHOT_SHUTDOWN_TIME": "1", "EARSHOT_UPLOAD_TIME": "3600", "EARSHOT_IDLE_TIME": "3600",
                ]
            )
            let held = try HeldConnection(service.base)
            // The service says that it reads the body before it is told to end.
            let head = "POST /v1/tokens HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
            let told = try held.send(head + "Content-Length: 100\r\nExpect: 100-continue\r\n\r\n")
            #expect(told.hasPrefix("HTTP/1.1 100"), "\(told)")
            await service.stop()
            withExtendedLifetime(held) {}
        }
    }
}
