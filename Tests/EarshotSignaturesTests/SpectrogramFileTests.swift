import EarshotCore
import EarshotSignatures
import Foundation
import TestSupport
import Testing

@testable import EarshotSignatures

@Suite("The spectrogram in a signature file")
struct SpectrogramFileTests {
    private static let music = SyntheticMusic(seed: 73, duration: 6)
    private static let signature = Result { try music.signature() }

    private static func holding(_ levels: QueryLevels, seconds: Int64 = 60) -> Signature {
        Signature(
            configuration: .standard,
            duration: MediaTime(value: seconds, timescale: 1),
            landmarks: [],
            levels: levels
        )
    }

    private static func failure(_ bytes: [UInt8]) -> String? {
        do {
            _ = try Signature(data: Data(bytes))
            return nil
        } catch {
            return error.code == .signatureInvalid ? error.message : "\(error.code)"
        }
    }

    @Test("It is read as it was written, whatever it holds")
    func anything() {
        property("levels", rounds: 60) { generator in
            let rows = Int.random(in: 1...40, using: &generator)
            let most = UInt8.random(in: 0...QueryLevels.highest, using: &generator)
            let values = (0..<rows * QueryLevels.bins).map { _ in UInt8.random(in: 0...most, using: &generator) }
            let signature = Self.holding(QueryLevels(values: values))
            let read = try Signature(data: signature.dataWithSpectrogram)
            return read.levels?.values == values && read.hasSpectrogram && read.bits == nil
                && read.dataWithSpectrogram == signature.dataWithSpectrogram
        }
    }

    @Test("Of a recording it is the one that was heard, in at most 6 kB a second")
    func music() throws {
        let signature = try Self.signature.get()
        let data = signature.dataWithSpectrogram
        let read = try Signature(data: data)
        #expect(read.levels?.values == signature.levels?.values)
        #expect(read.bits == signature.bits && read == signature)
        #expect(data.count - signature.data.count <= 6 * 6_000)
        #expect(!(try Signature(data: signature.data)).hasSpectrogram)
    }

    @Test("The layout is that of the format page")
    func golden() throws {
        let signature = Signature(
            configuration: .standard,
            duration: MediaTime(value: 2, timescale: 10),
            landmarks: [],
            levels: QueryLevels(values: Array(repeating: 0, count: 240))
        )
        // By hand: of 240 zeros where zeros are likely, the first two take a one and a remainder of one bit, all others a one.
        let vector =
            "4541525348534947" + "0300" + "0000" + "01000000" + "0200000000000000" + "0a000000" + "00000000"
            + "00000000"
            + "00000000" + "01000000" + "1f000000" + "f5" + String(repeating: "ff", count: 29) + "03"
        #expect(SignatureFileTests.digits(signature.dataWithSpectrogram).dropLast(8) == vector)
    }

    @Test("A cell far from what was likely is kept too")
    func jumps() throws {
        var values = [UInt8](repeating: 0, count: 240 * 3)
        for index in stride(from: 0, to: values.count, by: 61) { values[index] = 63 }
        let read = try Signature(data: Self.holding(QueryLevels(values: values)).dataWithSpectrogram)
        #expect(read.levels?.values == values)
    }

    @Test("More rows than the recording lasts, or than a minute has, are refused", arguments: [(1, 130), (100, 3_751)])
    func tooLong(seconds: Int64, rows: Int) {
        let levels = QueryLevels(values: Array(repeating: 0, count: rows * 240))
        let data = Self.holding(levels, seconds: seconds).file(with: levels)
        #expect(Self.failure([UInt8](data))?.contains("breaks the rules") == true)
    }

    @Test("Every other form of the same is refused")
    func forms() {
        let levels = QueryLevels(values: Array(repeating: 0, count: 240))
        let bytes = [UInt8](Self.holding(levels).dataWithSpectrogram)
        func changed(_ change: (inout [UInt8]) -> Void) -> String? {
            var bytes = bytes
            change(&bytes)
            return Self.failure(SignatureFileTests.sealed(bytes))
        }
        #expect(changed { _ in } == nil)
        // A one behind the last cell.
        #expect(changed { $0[$0.count - 5] |= 0x80 }?.contains("breaks the rules") == true)
        // A byte more than the cells need, a byte less, no rows, a row more.
        #expect(
            changed {
                $0[44] += 1; $0.insert(0, at: $0.count - 4)
            }?.contains("breaks the rules") == true
        )
        #expect(
            changed {
                $0[44] -= 1; $0.remove(at: $0.count - 5)
            }?.contains("breaks the rules") == true
        )
        #expect(changed { $0[40] = 0 }?.contains("breaks the rules") == true)
        #expect(changed { $0[40] = 2 }?.contains("breaks the rules") == true)
        // A length beyond the end.
        #expect(changed { $0[44] += 1 }?.contains("cut short") == true)
    }

    @Test("Damaged ones whose checksum fits are refused or can be used")
    func damaged() throws {
        let bytes = [UInt8](try Self.music.signature(from: 1, seconds: 1).dataWithSpectrogram)
        property("mutated and sealed", rounds: 1_000) { generator in
            let changed = SignatureFileTests.sealed(generator.mutated(bytes))
            do {
                let signature = try Signature(data: Data(changed))
                let again = signature.dataWithSpectrogram
                guard again.dropFirst(12).dropLast(4) == Data(changed).dropFirst(12).dropLast(4) else { return false }
                return signature.levels?.values.allSatisfy { $0 <= QueryLevels.highest } ?? true
            } catch {
                return (error as? EarshotError)?.code == .signatureInvalid
            }
        }
    }

    @Test("One that is elsewhere is not sent, and its parts say so too")
    func elsewhere() throws {
        let signature = try Self.signature.get().withSpectrogramElsewhere()
        #expect(!signature.hasSpectrogram && signature.canAddSpectrogram)
        #expect(signature.dataWithSpectrogram == signature.data)
        let part = signature.slice(from: MediaTime(value: 1, timescale: 1), duration: MediaTime(value: 2, timescale: 1))
        #expect(part.signature.canAddSpectrogram && !part.signature.hasSpectrogram)
    }
}
