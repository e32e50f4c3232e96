import Earshot
import EarshotServer
import Foundation
import TestSupport
import Testing

@Suite("earshot signature and its spectrogram")
struct SignatureCommandTests {
    private let earshot = Workshop.earshot

    @Test("the spectrogram is written only where it is asked for, and from a signature that has it")
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
}
