import Earshot
import EarshotAPI
import EarshotServer
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("earshot signature and its spectrogram")
struct SignatureCommandTests {
    private let earshot = Workshop.earshot

    @Test("a signature is made of a part of a recording, and shown", .requirements("R-CC-106"))
    func parts() async throws {
        let workshop = try await Workshop.shared()
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("part.earsig")
            let made = try await earshot.run(
                ["signature", workshop.foreign.path, "--from", "1", "--to", "3.5", "-o", file.path]
            )
            #expect(made.status == 0, "\(made.errors)")
            #expect(abs(try Signature(contentsOf: file).duration.seconds - 2.5) < 0.05)
            let shown = try Document(try await earshot.run(["signature", file.path, "--json"]).output)
            #expect(abs((shown["seconds"] as? Double ?? 0) - 2.5) < 0.05)
            #expect(shown["landmarks"] as? Int ?? 0 > 0)
        }
    }

    @Test(
        "the spectrogram is written only where it is asked for, and from a signature that has it",
        .requirements("R-CC-012")
    )
    func spectrogram() async throws {
        let workshop = try await Workshop.shared()
        try await withTemporaryFolder { folder in
            func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
            func make(_ input: String, _ output: String, _ more: String...) async throws -> Tool.Outcome {
                try await earshot.run(["signature", input, "-o", path(output)] + more)
            }
            func hasSpectrogram(_ name: String) throws -> Bool {
                try Signature(contentsOf: folder.appendingPathComponent(name)).hasSpectrogram
            }
            let clip = workshop.foreign.path
            #expect(try await make(clip, "plain.earsig", "--to", "4").status == 0)
            #expect(try await make(clip, "full 音.earsig", "--to", "4", "--spectrogram").status == 0)
            #expect(try await make(path("full 音.earsig"), "copy.earsig", "--spectrogram").status == 0)
            #expect(try !hasSpectrogram("plain.earsig") && hasSpectrogram("full 音.earsig"))
            let copies = [try Data(contentsOf: folder.appendingPathComponent("copy.earsig"))]
            #expect(copies == [try Data(contentsOf: folder.appendingPathComponent("full 音.earsig"))])
            let refused = try await make(path("plain.earsig"), "none.earsig", "--spectrogram")
            #expect(refused.status == 1 && refused.errors.contains("no spectrogram"), "\(refused.errors)")
            #expect(!FileManager.default.fileExists(atPath: path("none.earsig")))
        }
    }

    @Test("a decoder that has been taken over finds no path, no network and no other process")
    func confinement() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("file")
            try Data("x".utf8).write(to: file)
            let escapes = try await Confinement.escapes(of: earshot.url, ["decode-upload"], file: file)
            #if os(Linux)
                // Landlock closes paths; what it cannot, seccomp closes everywhere.
                #expect(Set(escapes).isSubset(of: Confinement.hasLandlock ? [] : ["read", "write"]), "\(escapes)")
            #else
                #expect(escapes.contains("read"))
            #endif
        }
    }

    @Test("what a service decodes in a process of its own has its spectrogram")
    func decoder() async throws {
        let workshop = try await Workshop.shared()
        let decoder = ProcessDecoder(executable: earshot.url, arguments: ["decode-upload"], memory: 8 << 30)
        let file = try FileHandle(forReadingFrom: workshop.foreign)
        let signature = try await decoder.signature(reading: file, limit: MediaTime(value: 5, timescale: 1))
        #expect(signature.hasSpectrogram)
        #expect(abs(signature.duration.seconds - 5) < 0.1)
    }

    @Test("a file of a media folder is read in a process of its own as in the service")
    func files() async throws {
        let workshop = try await Workshop.shared()
        let decoder = ProcessFileDecoder(executable: earshot.url, arguments: ["decode-upload"], memory: 8 << 30)
        let here = InProcessFileDecoder()
        for task in [
            FileTask.reading, .digest, .waveform(framesPerBucket: 4_096),
            .analyses(["loudness"], item: "a", stamp: "b"),
        ] {
            let made = try await decoder.run(task, on: workshop.foreign)
            #expect(made.count > 10)
            // The order of members in JSON is any.
            #expect(try await here.run(task, on: workshop.foreign).count == made.count, "\(task)")
        }
        try await withTemporaryFolder { folder in
            let other = folder.appendingPathComponent("damaged.mp3")
            try Data("no music".utf8).write(to: other)
            let error = await #expect(throws: EarshotError.self) { _ = try await decoder.run(.record, on: other) }
            #expect(error?.code == .assetUnreadable)
            #expect(error?.message.contains(other.path) == true)
        }
    }

    @Test("a file of a media folder is exported in a process of its own, which tells how far it is")
    func export() async throws {
        let workshop = try await Workshop.shared()
        let decoder = ProcessFileDecoder(executable: earshot.url, arguments: ["decode-upload"], memory: 8 << 30)
        try await withTemporaryFolder { folder in
            func export(_ name: String, limit: Int = 1 << 30) -> FileExport {
                let request = ExportRequest(asset: "music/x", type: "flac")
                let folder = folder.appendingPathComponent(name)
                try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
                return FileExport(request, to: folder.appendingPathComponent("x"), duration: nil, sizeLimit: limit)
            }
            let reports = Mutex<[ExportRecord.Progress]>([])
            let (there, here) = (export("there"), export("here"))
            let made = try await decoder.export(there, of: workshop.foreign) { report in
                reports.withLock { $0.append(report) }
            }
            let expected = try await InProcessFileDecoder().export(here, of: workshop.foreign) { _ in }
            #expect(made.duration == expected.duration)
            #expect(made.progress.frames == expected.progress.frames)
            #expect(reports.withLock { $0.last?.fraction } == 1)
            #expect(try Data(contentsOf: there.destination) == Data(contentsOf: here.destination))
            let small = export("small", limit: 1_000)
            let error = await #expect(throws: EarshotError.self) {
                _ = try await decoder.export(small, of: workshop.foreign) { _ in }
            }
            #expect(error?.code == .writeFailed)
            #expect(!FileManager.default.fileExists(atPath: small.destination.path))
        }
    }

    #if os(Linux)
        @Test("an exporter writes in the folder of its result only", .enabled(if: Confinement.hasLandlock))
        func otherFolder() async throws {
            let workshop = try await Workshop.shared()
            func work(_ output: URL, _ destination: URL) throws -> Int32 {
                let request = ExportRequest(asset: "music/x", type: "wav")
                let export = FileExport(request, to: destination, duration: nil, sizeLimit: 1 << 30)
                let task = try JSONEncoder().encode(FileTask.export(export)).base64EncodedString()
                let process = Process()
                process.executableURL = earshot.url
                process.arguments = [
                    "decode-upload", "--seconds", "20", "--memory", "\(8 << 30)", "--size", "\(1 << 30)", "--task",
                    task,
                    "--file", workshop.foreign.path, "--output", output.path,
                ]
                process.standardInput = try FileHandle(forReadingFrom: workshop.foreign)
                (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
                try process.run()
                process.waitUntilExit()
                return process.terminationStatus
            }
            try withTemporaryFolder { folder in
                let own = folder.appendingPathComponent("own")
                try FileManager.default.createDirectory(at: own, withIntermediateDirectories: false)
                let (inside, outside) = (own.appendingPathComponent("x"), folder.appendingPathComponent("x"))
                #expect(try work(inside, inside) == 0)
                #expect(try work(inside, outside) == 1)
                #expect(!FileManager.default.fileExists(atPath: outside.path))
            }
        }

        @Test("a decoder of a file opens no other file", .enabled(if: Confinement.hasLandlock))
        func otherFile() async throws {
            let workshop = try await Workshop.shared()
            let task = try JSONEncoder().encode(FileTask.record).base64EncodedString()
            func work(_ name: String, _ input: URL) throws -> Int32 {
                let process = Process()
                process.executableURL = earshot.url
                process.arguments = [
                    "decode-upload", "--seconds", "20", "--memory", "\(8 << 30)", "--size", "0", "--task", task,
                    "--file", name,
                ]
                process.standardInput = try FileHandle(forReadingFrom: input)
                (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
                try process.run()
                process.waitUntilExit()
                return process.terminationStatus
            }
            try withTemporaryFolder { folder in
                // The same sound under another name, and not the file that was opened.
                let copy = folder.appendingPathComponent("copy.wav")
                try FileManager.default.copyItem(at: workshop.foreign, to: copy)
                #expect(try work(workshop.foreign.path, workshop.foreign) == 0)
                #expect(try work(copy.path, workshop.foreign) == 1)
            }
        }
    #endif
}
