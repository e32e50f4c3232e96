import EarshotCore
import EarshotSignatures
import Foundation
import TestSupport
import Testing

@Suite("Signatures as files")
struct SignatureFileTests {
    /// Two landmarks in the first block, one in the third.
    private static let small = Signature(
        configuration: .standard,
        duration: MediaTime(value: 132_300, timescale: 44_100),
        landmarks: [
            Landmark(time: 5, frequency: 1_919, tier: 0),
            Landmark(time: 511, frequency: 0, tier: 9),
            Landmark(time: 1_025, frequency: 384, tier: 3),
        ]
    )

    /// ``small`` as version 1.0 writes it; worked out by hand from `Docs/formats/signature.md`, but for the checksum.
    private static let vector =
        "4541525348534947" + "0100" + "0000" + "01000000" + "cc04020000000000" + "44ac0000" + "03000000" + "03000000"
        + "020001" + "f0f702" + "0980ff" + "039800" + "9d848eb4"

    static func bytes(_ digits: String) -> [UInt8] {
        let digits = Array(digits)
        return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
    }

    static func digits(_ data: Data) -> String {
        data.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    @Test("A file of version 1.0 stays readable and is written the same", .requirements("R-CC-010"))
    func golden() throws {
        #expect(Self.digits(Self.small.data) == Self.vector)
        #expect(try Signature(data: Data(Self.bytes(Self.vector))) == Self.small)
    }

    @Test("What was written is read again")
    func roundTrip() {
        property("round trip", rounds: 60) { generator in
            let seconds = Int.random(in: 1...20, using: &generator)
            let density = Int.random(in: 0...100, using: &generator)
            let signature = Signature.random(seed: generator.next(), seconds: seconds, density: density)
            let data = signature.data
            // Data with an offset of its own must do as well.
            let shifted = (Data([1, 2, 3]) + data).dropFirst(3)
            return try Signature(data: data) == signature && Signature(data: shifted) == signature
                && Signature(data: data).data == data
        }
    }

    @Test("Music, silence and nothing survive")
    func real() throws {
        for signature in [try SyntheticMusic(seed: 61, duration: 1).signature(), try .of([]), try .of([0, 0])] {
            #expect(try Signature(data: signature.data) == signature)
        }
    }

    @Test("A newer version is refused by its number", .requirements("R-CC-014"))
    func newer() {
        var bytes = Self.bytes(Self.vector)
        bytes[8] = 4
        bytes[10] = 7
        let failure = #expect(throws: EarshotError.self) { try Signature(data: Data(bytes)) }
        #expect(failure?.code == .signatureInvalid)
        #expect(failure?.message.contains("version 4.7") == true)
        // Also when it is shorter than any file of version 1.
        #expect(throws: EarshotError.self) { try Signature(data: Data(bytes.prefix(12))) }
    }

    @Test("A higher minor version is read")
    func minor() throws {
        let bytes = Self.sealed(Self.vector) { $0[10] = 3 }
        #expect(try Signature(data: Data(bytes)) == Self.small)
    }

    @Test("A configuration that is not known is refused by its number")
    func configuration() {
        let bytes = Self.sealed(Self.vector) { $0[12] = 9 }
        let failure = #expect(throws: EarshotError.self) { try Signature(data: Data(bytes)) }
        #expect(failure?.code == .signatureInvalid)
        #expect(failure?.message.contains("configuration 9") == true)
    }

    @Test("Other files are called what they are")
    func otherFiles() {
        for text in ["", "E", "EARSHSI", "RIFF....WAVEfmt ", "EARSHCAT\u{1}\u{0}\u{0}\u{0}"] {
            let failure = #expect(throws: EarshotError.self) { try Signature(data: Data(text.utf8)) }
            #expect(failure?.code == .signatureInvalid)
            #expect(failure?.message.contains("is not a signature") == true)
        }
    }

    @Test("Writing refuses to overwrite unless told so")
    func overwriting() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("a.earsig")
            try Self.small.write(to: url)
            #expect(try Signature(contentsOf: url) == Self.small)
            let other = Signature.random(seed: 1, seconds: 2)
            #expect(code { try other.write(to: url) } == .destinationExists)
            #expect(try Signature(contentsOf: url) == Self.small)
            try other.write(to: url, replacing: true)
            #expect(try Signature(contentsOf: url) == other)
            #expect(code { try other.write(to: folder.appendingPathComponent("no/a.earsig")) } == .writeFailed)
        }
    }

    @Test("Errors name the file")
    func names() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("a.earsig")
            let missing = #expect(throws: EarshotError.self) { try Signature(contentsOf: url) }
            #expect(missing?.code == .assetNotFound)
            #expect(missing?.message.contains(url.path) == true)
            try Data("no".utf8).write(to: url)
            let wrong = #expect(throws: EarshotError.self) { try Signature(contentsOf: url) }
            #expect(wrong?.code == .signatureInvalid)
            #expect(wrong?.message.contains(url.path) == true)
            #expect(code { _ = try Signature(contentsOf: folder) } == .assetNotFound)
        }
    }

    /// The bytes after a change, with a checksum that fits them.
    static func sealed(_ digits: String, _ change: (inout [UInt8]) -> Void) -> [UInt8] {
        var bytes = bytes(digits)
        change(&bytes)
        return sealed(bytes)
    }

    static func sealed(_ bytes: [UInt8]) -> [UInt8] {
        let content = Array(bytes.dropLast(4))
        let checksum = CRC32C.checksum(content)
        return content + (0..<4).map { UInt8(truncatingIfNeeded: checksum >> ($0 * 8)) }
    }
}
