import EarshotCore
import EarshotSharedCatalogs
import Foundation
import TestSupport
import Testing

@Suite("Numbers of removed references as bytes")
struct RemovedNumbersTests {
    @Test("numbers come back", arguments: [[], [0], [0, 1, 2], [5, 300, 70_000], [9_999_999]] as [Set<Int>])
    func roundTrip(numbers: Set<Int>) throws {
        let bytes = RemovedNumbers.bytes(numbers)
        #expect(try RemovedNumbers.numbers(bytes, below: 10_000_000) == numbers)
    }

    @Test("the bytes are these")
    func vector() { #expect(RemovedNumbers.bytes([300, 5, 301]) == Data([5, 0xA7, 2, 1])) }

    @Test(
        "damage is refused",
        arguments: [[0x80], [3, 0], [100], [99, 1], Array(repeating: 0xFF, count: 12)] as [[UInt8]]
    )
    func damage(bytes: [UInt8]) {
        let error = #expect(throws: EarshotError.self) { try RemovedNumbers.numbers(Data(bytes), below: 100) }
        #expect(error?.code == .storeDamaged)
    }
}
