import Foundation
import TestSupport
import Testing

@testable import EarshotAlbums

@Suite("earshot-fpcalc")
struct FingerprintCommandTests {
    private let tool = Tool("earshot-fpcalc")
    private let music = packageFolder.appendingPathComponent("Samples/Music")

    @Test("It writes what fpcalc writes", arguments: Vector.all)
    func same(_ vector: Vector) async throws {
        let outcome = try await tool.run(vector.options + [vector.url.path])
        #expect(outcome.output == "DURATION=\(vector.seconds)\nFINGERPRINT=\(vector.text)\n")
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        let raw = try await tool.run(vector.options + ["-raw", "-json", vector.url.path])
        let numbers = vector.values.map(String.init).joined(separator: ",")
        #expect(raw.output.hasSuffix("\"fingerprint\": [\(numbers)]}\n"))
        #expect(raw.output.hasPrefix("{\"duration\": \(vector.seconds)."))
    }

    @Test("Stretches come as they do from fpcalc")
    func chunks() async throws {
        let file = music.appendingPathComponent("win-game.ogg").path
        let json = try await tool.run(["-json", "-chunk", "5", "-overlap", "-length", "22", file])
        #expect(json.output == (try String(contentsOf: Vector.fixture("chunks.json"), encoding: .utf8)))
        let text = try await tool.run(["-chunk", "5", "-length", "22", "-raw", "-signed", file])
        #expect(text.output == (try String(contentsOf: Vector.fixture("chunks.txt"), encoding: .utf8)))
    }

    @Test("Standard input, several files, and short names of options")
    func inputs() async throws {
        let vector = Vector.all[0]
        let data = try Data(contentsOf: vector.url)
        let piped = try await tool.run(["-plain", "-t", "30", "-"], input: data)
        #expect(piped.output == vector.text + "\n")
        let both = try await tool.run(["-plain", "-length", "30", "--", vector.url.path, Vector.all[1].url.path])
        #expect(both.output == vector.text + "\n" + Vector.all[1].text + "\n")
    }

    @Test("Raw samples, whose form the options tell")
    func rawSamples() async throws {
        // Ten seconds of two tones by turns, in one channel at 22,050 Hz.
        let samples = (0..<220_500).map { (frame: Int) -> Int16 in
            let step = frame / 11_025 % 2 == 0 ? 0.12 : 0.17
            return Int16(8_000 * sin(Double(frame) * step))
        }
        let bytes = samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        let outcome = try await tool.run(
            ["-format", "s16le", "-rate", "22050", "-channels", "1", "-raw", "-plain", "-"],
            input: Data(bytes)
        )
        #expect(outcome.status == 0)
        // As many as fpcalc gives: ten seconds, less the 2.7 that decide the first.
        #expect(outcome.output.split(separator: ",").count == 59)
    }

    @Test(
        "Mistakes end with 2 and one line that says which",
        arguments: [
            ([], "No input files"), (["-bogus", "x"], "Unknown option -bogus"), (["-length"], "Unknown option -length"),
            (["-length", "-3", "x"], "The argument for -length must be a positive number"),
            (["-channels", "0", "x"], "The argument for -channels must be a non-zero positive number"),
            (["-algorithm", "6", "x"], "The argument for -algorithm must be 1 - 5"),
            (["-algorithm", "0", "x"], "The argument for -algorithm must be 1 - 5"),
            (["-algorithm", "-99999999999999999999", "x"], "The argument for -algorithm must be 1 - 5"),
            (["-format", "nonsense", "x"], "Invalid format"),
            (["/nowhere/at all.ogg"], "Could not open the input file ("),
        ] as [([String], String)]
    )
    func mistakes(_ arguments: [String], _ message: String) async throws {
        let outcome = try await tool.run(arguments)
        #expect(outcome.status == 2)
        #expect(outcome.errors.hasPrefix("ERROR: \(message)"))
        #expect(outcome.errors.hasSuffix("\n") && outcome.output.isEmpty)
    }

    @Test("A file with a damaged part ends with 3, and one without sound with 2")
    func damaged() async throws {
        try await withTemporaryFolder { folder in
            var bytes = try [UInt8](Data(contentsOf: Vector.all[0].url))
            // Cut in the midst of a page.
            bytes.removeLast(bytes.count / 3)
            for place in 60_000..<60_400 { bytes[place] ^= 0x5A }
            let file = folder.appendingPathComponent("damaged.ogg")
            try Data(bytes).write(to: file)
            let outcome = try await tool.run([file.path])
            #expect(outcome.status == 3)
            #expect(outcome.output.hasPrefix("DURATION="))
            #expect(outcome.errors.hasPrefix("ERROR: Error decoding audio frame ("))
            let ignoring = try await tool.run(["-ignore-errors", file.path])
            #expect(ignoring.status == 0 && ignoring.output == outcome.output)
        }
    }

    @Test("The version is told as programs look for it, and help says every option")
    func help() async throws {
        let version = try await tool.run(["-version"])
        #expect(version.output.contains(/^fpcalc version \d+\.\d+\.\d+ \(FFmpeg Lavc/))
        let help = try await tool.run(["-h"])
        for option in [
            "-length", "-rate", "-channels", "-chunk", "-overlap", "-ts", "-raw", "-signed", "-json", "-text", "-plain",
            "-algorithm", "-format", "-version",
        ] {
            #expect(help.output.contains("  \(option) "))
        }
        #expect(help.status == 0 && version.status == 0)
    }

    @Test("Times since 1970 stand with each stretch when they are asked for")
    func timestamps() async throws {
        let file = music.appendingPathComponent("win-game.ogg").path
        let outcome = try await tool.run(["-ts", "-chunk", "5", "-length", "12", file])
        let times = outcome.output.split(separator: "\n").filter { $0.hasPrefix("TIMESTAMP=") }
            .compactMap { Double($0.dropFirst(10)) }
        // The third, of two seconds, is too short for a fingerprint.
        #expect(times.count == 2)
        #expect(times.allSatisfy { $0 > 1_700_000_000 })
    }
}
