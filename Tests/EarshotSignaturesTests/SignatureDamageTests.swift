import EarshotCore
import EarshotSignatures
import Foundation
import TestSupport
import Testing

@Suite("Damaged signatures")
struct SignatureDamageTests {
    private static let signature = Signature.random(seed: 71, seconds: 6)
    private static let bytes = [UInt8](signature.data)

    private func codeOfReading(_ bytes: [UInt8]) -> EarshotError.Code? {
        code { _ = try Signature(data: Data(bytes)) }
    }

    @Test("Every truncation is refused")
    func truncated() {
        for length in 0..<Self.bytes.count {
            #expect(codeOfReading(Array(Self.bytes.prefix(length))) == .signatureInvalid)
        }
        #expect(codeOfReading(Self.bytes + [0]) == .signatureInvalid)
    }

    @Test("Two thousand mutations are refused, each with its error")
    func mutated() {
        property("mutated", rounds: 2_000) { generator in
            let changed = generator.mutated(Self.bytes)
            return codeOfReading(changed) == (changed == Self.bytes ? nil : .signatureInvalid)
        }
    }

    @Test("With a checksum that fits, they are refused or give a signature that can be used")
    func mutatedAndSealed() {
        property("mutated and sealed", rounds: 2_000) { generator in
            let changed = SignatureFileTests.sealed(generator.mutated(Self.bytes))
            do {
                let signature = try Signature(data: Data(changed))
                // Readers pass over the minor version; everything else has one form only.
                guard signature.data.dropFirst(12).dropLast(4) == Data(changed).dropFirst(12).dropLast(4) else {
                    return false
                }
                let length = MediaTime(value: 1, timescale: 2)
                for slice in signature.slices(duration: length, stride: length * 4).prefix(100) {
                    guard slice.signature.landmarks.allSatisfy({ $0.time < 250 }) else { return false }
                }
                return signature.landmarks.allSatisfy { $0.frequency < 1_920 }
            } catch {
                return (error as? EarshotError)?.code == .signatureInvalid
            }
        }
    }

    @Test("What breaks a rule of the format is refused although its checksum fits")
    func rules() {
        func landmarks(_ change: (inout [UInt8]) -> Void) -> EarshotError.Code? {
            var bytes = Self.bytes
            change(&bytes)
            return codeOfReading(SignatureFileTests.sealed(bytes))
        }
        let blocks = Int(Self.bytes[28]) | Int(Self.bytes[29]) << 8
        let first = 36 + blocks
        #expect(landmarks { _ in } == nil)
        // A time scale below one, a time below zero, more than a hundred hours.
        #expect(landmarks { $0.replaceSubrange(24..<28, with: [0, 0, 0, 0]) } == .signatureInvalid)
        #expect(landmarks { $0.replaceSubrange(24..<28, with: [0, 0, 0, 0x80]) } == .signatureInvalid)
        #expect(landmarks { $0[23] = 0x80 } == .signatureInvalid)
        #expect(landmarks { $0[20] = 1 } == .signatureInvalid)
        // Landmarks behind the end of the audio.
        #expect(landmarks { $0[16] = 1 } == .signatureInvalid)
        // A frequency beyond the axis, and landmarks out of order.
        #expect(landmarks { $0.replaceSubrange(first..<first + 3, with: [0xF0, 0x7F, 0]) } == .signatureInvalid)
        #expect(landmarks { $0.replaceSubrange(first..<first + 3, with: [0, 0, 0xFF]) } == .signatureInvalid)
        // A count that belongs to another block.
        #expect(landmarks { $0[36 + blocks - 1] = 0 } == .signatureInvalid)
        #expect(landmarks { $0[36] += 1 } == .signatureInvalid)
    }

    @Test("A last block without landmarks is refused: one signature has one form")
    func emptyLastBlock() {
        var bytes = Self.bytes
        let blocks = bytes[28]
        bytes[28] = blocks + 1
        bytes.insert(0, at: 36 + Int(blocks))
        #expect(codeOfReading(SignatureFileTests.sealed(bytes)) == .signatureInvalid)
    }
}
