import EarshotCore
import Testing

@Suite("Hexadecimal digits")
struct HexadecimalTests {
    @Test("bytes become two digits each, and come back")
    func roundTrip() {
        let bytes = [UInt8](0...255)
        #expect(bytes.hexadecimal.hasPrefix("000102") && bytes.hexadecimal.hasSuffix("fdfeff"))
        #expect([UInt8](hexadecimal: bytes.hexadecimal) == bytes)
        #expect([UInt8](hexadecimal: bytes.hexadecimal.uppercased()) == bytes)
        #expect([UInt8](hexadecimal: "") == [])
    }

    @Test("other text gives no bytes", arguments: ["0", "0g", "+f", " 0", "é0", "0x"])
    func invalid(text: String) {
        #expect([UInt8](hexadecimal: text) == nil)
    }

    @Test("numbers keep their zeros")
    func numbers() {
        #expect(
            UInt32(0xAB).hexadecimal == "000000ab" && UInt8(7).hexadecimal == "07" && UInt16.max.hexadecimal == "ffff"
        )
    }
}
