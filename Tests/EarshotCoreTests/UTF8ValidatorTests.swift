import EarshotCore
import TestSupport
import Testing

@Suite("Bytes of UTF-8")
struct UTF8ValidatorTests {
    private func isValid(_ bytes: [UInt8]) -> Bool {
        var validator = UTF8Validator()
        return bytes.allSatisfy { validator.take($0) } && validator.isComplete
    }

    @Test("It says what the standard library says")
    func agreement() {
        property("bytes of UTF-8", rounds: 3_000) { generator in
            var bytes = Array("aé€😀\u{10FFFF}\u{D7FF}\u{E000}".utf8.shuffled(using: &generator).prefix(6))
            if Bool.random(using: &generator) { bytes = Array("zé€😀".utf8) }
            if let place = bytes.indices.randomElement(using: &generator), Bool.random(using: &generator) {
                bytes[place] = UInt8.random(in: 0...255, using: &generator)
            }
            return isValid(bytes) == (String(validating: bytes, as: UTF8.self) != nil)
        }
        #expect(isValid(Array("Zürich 日本".utf8)))
        #expect(!isValid([0xC0, 0x80]) && !isValid([0xED, 0xA0, 0x80]) && !isValid([0xF4, 0x90, 0x80, 0x80]))
        #expect(!isValid([0xE2, 0x82]))
    }
}
