import EarshotCore
import Foundation
import TestSupport
import Testing

@testable import CommandKit
@testable import RecognitionCommands
@testable import ServiceCommands

@Suite("earshot doctor")
struct DoctorTests {
    private struct Report: Decodable {
        struct Entry: Decodable {
            let name: String
            let state: String
            let found: String
            let remedy: String?
        }

        let isComplete: Bool
        let findings: [Entry]

        subscript(_ name: String) -> Entry? { findings.first { $0.name == name } }
    }

    /// Runs the command with files of its own, and with no setting of this machine.
    private func run(
        _ arguments: [String],
        in folder: URL,
        _ environment: [String: String] = [:]
    ) async throws -> (status: Int32, report: Report) {
        let none = ["EARSHOT_SERVER", "EARSHOT_DATABASE", "EARSHOT_BUCKET", "EARSHOT_DATA"].map { ($0, "") }
        let all = userEnvironment(home: folder).merging(none) { $1 }.merging(environment) { $1 }
        let outcome = try await Workshop.earshot.run(["doctor", "--json"] + arguments, environment: all)
        let report = try JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8))
        return (outcome.status, report)
    }

    @Test("a machine that can build this has what is needed, and what is not set up is no fault")
    func here() async throws {
        try await withTemporaryFolder { folder in
            let (status, report) = try await run([], in: folder)
            #expect(status == 0)
            #expect(report.isComplete)
            for name in ["FFmpeg", "TagLib", "libebur128", "Chromaprint", "SQLite", "libpq", "reading", "disk"] {
                #expect(report[name]?.state == "good", "\(name)")
            }
            for name in ["database", "bucket", "service"] { #expect(report[name]?.state == "unused", "\(name)") }
            #expect(report.findings.allSatisfy { $0.state == "good" || $0.remedy?.isEmpty == false })
        }
    }

    @Test("a database, a bucket and a service that are named and do not answer are missing, and the status is 1")
    func absent() async throws {
        try await withTemporaryFolder { folder in
            let (status, report) = try await run(
                [
                    "--database", "postgresql://earshot@127.0.0.1:1/earshot", "--bucket", "http://127.0.0.1:1/bucket",
                    "--server", "http://127.0.0.1:1",
                ],
                in: folder,
                ["AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "secret"]
            )
            #expect(status == 1)
            #expect(!report.isComplete)
            for name in ["database", "bucket", "service"] {
                #expect(report[name]?.state == "missing", "\(name)")
                #expect(report[name]?.remedy?.isEmpty == false, "\(name)")
            }
        }
    }

    @Test("a service that runs in the folder is found, and is ready")
    func running() async throws {
        try await withTemporaryFolder { folder in
            let data = folder.appendingPathComponent("service")
            let service = try await RunningService(data: data)
            let (status, report) = try await run(["--data", data.path], in: folder)
            #expect(status == 0)
            #expect(report["service"]?.state == "good")
            #expect(report["service"]?.found.hasPrefix(service.base.absoluteString) == true)
            #expect(report["database"]?.state == "good")
            _ = service
        }
    }

    @Test("a file with a setting that is none is told by name")
    func settings() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("service.json")
            try Data(#"{"prot": 8080}"#.utf8).write(to: file)
            let (status, report) = try await run(["--config", file.path], in: folder)
            #expect(status == 1)
            #expect(report["settings"]?.state == "missing")
            #expect(report["settings"]?.found.contains("prot") == true)
        }
    }

    @Test("only what is missing makes a diagnosis incomplete")
    func states() {
        let advice = Finding.advice("microphone", "There is none.", remedy: "Connect one.")
        let unused = Finding.unused("bucket", "None is set.", remedy: "Set one.")
        #expect(Diagnosis([.good("FFmpeg", "5.1"), advice, unused]).isComplete)
        #expect(!Diagnosis([.missing("disk", "/ may not be written.", remedy: "Correct its rights.")]).isComplete)
    }

    @Test("a line has its state, and below it stands what to do")
    func text() {
        let text = Diagnosis([.good("FFmpeg", "5.1"), .missing("disk", "full", remedy: "Make room.")]).text
        #expect(text == "ok       FFmpeg  5.1\nMISSING  disk    full\n                 Make room.")
    }

    @Test("formats that FFmpeg lacks are named: to read they are needed, to write they are not")
    func formats() {
        #expect(MachineCheckup.reading(unreadable: ["MP3"]).state == .missing)
        #expect(MachineCheckup.reading(unreadable: ["MP3"]).found.contains("MP3"))
        #expect(MachineCheckup.writing(unwritable: ["Opus"]).state == .advice)
        #expect(MachineCheckup.reading(unreadable: []).state == .good)
    }

    @Test("without libavdevice the library is named, with it the devices")
    func microphone() {
        let absent = MachineCheckup.microphone([], ("libavdevice.so.59", false))
        #expect(absent.state == .advice)
        #expect(absent.found.contains("libavdevice.so.59"))
        #expect(MachineCheckup.microphone([], ("libavdevice.so.59", true)).state == .advice)
        #expect(MachineCheckup.microphone(["a", "b", "c"], ("x", true)) == .good("microphone", "a and 2 more"))
    }

    @Test("the folder of a file system that is not there is looked at above")
    func disk() throws {
        try withTemporaryFolder { folder in
            #expect(MachineCheckup.disk(folder.appendingPathComponent("a/b/c")).state != .missing)
        }
    }

    @Test(
        "the answer of GET /ready decides",
        arguments: [(200, "good"), (404, "good"), (503, "missing"), (502, "missing")]
    )
    func answers(status: Int, state: String) {
        #expect(ServiceCheckup.finding(of: "http://127.0.0.1:1", status: status).state.rawValue == state)
    }
}
