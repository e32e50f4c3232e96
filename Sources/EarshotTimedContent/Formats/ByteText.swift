extension StringProtocol {
    // By bytes: taken as characters, a sign with an accent behind it would be another sign.

    /// Returns `true` if a text stands inside this one.
    func holds(_ text: String) -> Bool {
        let (bytes, wanted) = (Array(utf8), Array(text.utf8))
        guard !wanted.isEmpty, bytes.count >= wanted.count else { return wanted.isEmpty }
        return (0...bytes.count - wanted.count).contains { bytes[$0] == wanted[0] && bytes[$0...].starts(with: wanted) }
    }

    /// The text with one text put in place of another, from the front.
    func exchanging(_ old: String, for new: String, atMost limit: Int = .max) -> String {
        let (bytes, wanted) = (Array(utf8), Array(old.utf8))
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var (place, count) = (0, 0)
        while place < bytes.count {
            if count < limit, bytes[place] == wanted[0], bytes[place...].starts(with: wanted) {
                result += Array(new.utf8)
                place += wanted.count
                count += 1
            } else {
                result.append(bytes[place])
                place += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The runs between spaces and tabs.
    var words: [String] {
        utf8.split { $0 == 0x20 || $0 == 0x09 }.map { String(decoding: $0, as: UTF8.self) }
    }
}
