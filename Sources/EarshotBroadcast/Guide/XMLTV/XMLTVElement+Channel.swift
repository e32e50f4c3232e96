import EarshotMusic

extension XMLTVElement {
    /// Returns the channel that an element describes; `nil` without an identifier.
    ///
    /// Guides write number and call sign as further names: `5.1` is a number, and a word of capitals and digits after
    /// the first name is a call sign. All others are alternative spellings.
    func channel() -> BroadcastChannel? {
        guard let id = attribute("id") else { return nil }
        var number: String?
        var callSign: String?
        var names: [(text: String, language: String?)] = []
        for child in all("display-name") {
            guard let text = child.line else { continue }
            let language = child.attribute("lang")
            if number == nil, language == nil, Self.isNumber(text) {
                number = text
            } else if callSign == nil, language == nil, !names.isEmpty, Self.isCallSign(text) {
                callSign = text
            } else {
                names.append((text, language))
            }
        }
        var channel = BroadcastChannel(
            id: EntityID(id),
            name: Self.name(names) ?? Name(number ?? id),
            callSign: callSign,
            number: number
        )
        channel.icon = all("icon").lazy.compactMap { $0.attribute("src") }.first
        channel.address = all("url").lazy.compactMap(\.line).first
        channel.externalIdentifiers = [.xmltv(id)]
        return channel
    }

    /// Returns `true` for a number such as `5`, `5.1` or `5-1`, with at most five digits in each part.
    static func isNumber(_ text: String) -> Bool {
        let parts = text.utf8.split(omittingEmptySubsequences: false) {
            $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-")
        }
        return (1...2).contains(parts.count)
            && parts.allSatisfy { (1...5).contains($0.count) && $0.allSatisfy { $0 &- 0x30 < 10 } }
    }

    /// Returns `true` for a word of capitals, digits, `-` and `+` that begins with a letter and has two to ten
    /// characters.
    static func isCallSign(_ text: String) -> Bool {
        let letters = UInt8(ascii: "A")...UInt8(ascii: "Z")
        guard (2...10).contains(text.utf8.count), let first = text.utf8.first, letters.contains(first) else {
            return false
        }
        return text.utf8.allSatisfy {
            letters.contains($0) || $0 &- 0x30 < 10 || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+")
        }
    }
}
