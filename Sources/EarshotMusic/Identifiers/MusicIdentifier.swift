/// An identifier of the music trade or of a public database, such as an ISRC: in its canonical form, with a valid check digit.
public struct MusicIdentifier: Hashable, Sendable, CustomStringConvertible {
    /// The scheme of an identifier: the kind of entity, and the rules of its form.
    public enum Scheme: String, Hashable, Sendable, Codable, CaseIterable {
        /// A recording: International Standard Recording Code (ISO 3901), 12 characters.
        case isrc
        /// A musical work: International Standard Musical Work Code (ISO 15707), `T` and 10 digits.
        case iswc
        /// A product for sale: a bar code of 8, 12, 13 or 14 digits (GTIN).
        case barcode
        /// A person or group that is credited: International Standard Name Identifier (ISO 27729), 16 characters.
        case isni
        /// A recording at MusicBrainz: a UUID, as are all following identifiers.
        case musicBrainzRecording
        /// A track of a release at MusicBrainz.
        case musicBrainzTrack
        /// A release at MusicBrainz.
        case musicBrainzRelease
        /// A release group at MusicBrainz.
        case musicBrainzReleaseGroup
        /// An artist at MusicBrainz.
        case musicBrainzArtist
        /// A work at MusicBrainz.
        case musicBrainzWork
        /// A track at AcoustID: a UUID.
        case acoustID
        /// An item of Wikidata: `Q` and a number.
        case wikidata
        /// An artist at Discogs: a number. Likewise the others below.
        case discogsArtist
        /// A release at Discogs.
        case discogsRelease
        /// A master at Discogs: what its releases have in common.
        case discogsMaster
    }

    /// The scheme.
    public let scheme: Scheme
    /// The identifier without spaces and separators, letters in their usual case; a UUID with its hyphens.
    public let value: String

    /// Parses an identifier in any of its usual notations.
    ///
    /// - Parameters:
    ///   - scheme: The scheme.
    ///   - text: The identifier, with or without spaces, hyphens and other separators.
    /// - Returns: `nil` if the text does not have the scheme's form, or a check digit is wrong.
    public init?(_ scheme: Scheme, _ text: some StringProtocol) {
        guard text.utf8.count <= 64 else { return nil }
        let characters = text.utf8.filter { !Self.separators.contains($0) }.map(Self.uppercased)
        let form = String(decoding: characters, as: UTF8.self)
        let value: String? =
            switch scheme {
            case .isrc: Self.isISRC(characters) ? form : nil
            case .iswc: Self.isISWC(characters) ? form : nil
            case .barcode: Self.isBarcode(characters) ? form : nil
            case .isni: Self.isISNI(characters) ? form : nil
            case .musicBrainzRecording, .musicBrainzTrack, .musicBrainzRelease, .musicBrainzReleaseGroup,
                .musicBrainzArtist, .musicBrainzWork, .acoustID:
                Self.uuid(characters)
            case .wikidata: characters.first == UInt8(ascii: "Q") && Self.isNumber(characters.dropFirst()) ? form : nil
            case .discogsArtist, .discogsRelease, .discogsMaster: Self.isNumber(characters[...]) ? form : nil
            }
        guard let value else { return nil }
        self.scheme = scheme
        self.value = value
    }

    /// The scheme and the value, as in `isrc:GBAYE0601498`.
    public var description: String { "\(scheme.rawValue):\(value)" }

    /// Returns the identifier that an address of Wikidata or Discogs holds: of `https://www.wikidata.org/wiki/Q42` it is `Q42`.
    ///
    /// - Parameter address: The address of a page, http or https.
    /// - Returns: `nil` for pages of others, and of other things than items, artists, releases and masters.
    public init?(address: some StringProtocol) {
        guard address.utf8.count <= 500, let start = address.firstRange(of: "://")?.upperBound,
            ["http", "https"].contains(address[..<address.index(start, offsetBy: -3)].lowercased())
        else { return nil }
        // Behind a question mark or a number sign is nothing of the page's name.
        let path = address[start...].prefix { $0 != "?" && $0 != "#" }.split(separator: "/")
        guard path.count >= 3, let last = path.last else { return nil }
        switch (path[0].lowercased(), path[path.count - 2]) {
        case ("www.wikidata.org", "wiki"), ("www.wikidata.org", "entity"), ("wikidata.org", "wiki"):
            self.init(.wikidata, last)
        case ("www.discogs.com", let kind), ("discogs.com", let kind):
            let schemes: [String: Scheme] = [
                "artist": .discogsArtist, "release": .discogsRelease, "master": .discogsMaster,
            ]
            guard let scheme = schemes[String(kind)] else { return nil }
            // The name of the artist may follow behind the number: 108713-Name.
            self.init(scheme, last.prefix { $0 != "-" })
        default: return nil
        }
    }

    // MARK: - Forms

    private static let separators = Array(" -.".utf8)

    private static func uppercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) ? byte - 32 : byte
    }

    private static func digit(_ byte: UInt8) -> Int? {
        (0x30...0x39).contains(byte) ? Int(byte) - 0x30 : nil
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }

    /// Two letters, three letters or digits, seven digits.
    private static func isISRC(_ text: [UInt8]) -> Bool {
        text.count == 12 && text[..<2].allSatisfy(isLetter)
            && text[2..<5].allSatisfy { isLetter($0) || digit($0) != nil }
            && text[5...].allSatisfy { digit($0) != nil }
    }

    /// `T`, nine digits, and a check digit that brings 1 + the sum of the digits by their places to a multiple of ten.
    private static func isISWC(_ text: [UInt8]) -> Bool {
        let digits = text.dropFirst().compactMap(digit)
        guard text.count == 11, text.first == UInt8(ascii: "T"), digits.count == 10 else { return false }
        let sum = digits.prefix(9).enumerated().reduce(1) { $0 + ($1.offset + 1) * $1.element }
        return (sum + digits[9]) % 10 == 0
    }

    /// GTIN: from the right the digits count once and three times in turn, and add up to a multiple of ten.
    private static func isBarcode(_ text: [UInt8]) -> Bool {
        let digits = text.compactMap(digit)
        guard [8, 12, 13, 14].contains(text.count), digits.count == text.count else { return false }
        let sum = digits.reversed().enumerated().reduce(0) { $0 + ($1.offset % 2 == 0 ? 1 : 3) * $1.element }
        return sum % 10 == 0 && digits.contains { $0 != 0 }
    }

    /// Fifteen digits and a check character by ISO 7064 MOD 11-2, `X` standing for ten.
    private static func isISNI(_ text: [UInt8]) -> Bool {
        let digits = text.dropLast().compactMap(digit)
        guard text.count == 16, digits.count == 15, let last = text.last else { return false }
        let sum = digits.reduce(0) { ($0 + $1) * 2 % 11 }
        let check = (12 - sum) % 11
        return check == 10 ? last == UInt8(ascii: "X") : digit(last) == check
    }

    /// One to twelve digits that do not begin with zero.
    private static func isNumber(_ text: ArraySlice<UInt8>) -> Bool {
        (1...12).contains(text.count) && text.first != UInt8(ascii: "0") && text.allSatisfy { digit($0) != nil }
    }

    /// 32 hexadecimal digits in the usual five groups, in lower case.
    private static func uuid(_ text: [UInt8]) -> String? {
        guard text.count == 32, text.allSatisfy({ digit($0) != nil || (0x41...0x46).contains($0) }) else { return nil }
        let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
        return groups.map { String(decoding: text[$0], as: UTF8.self).lowercased() }.joined(separator: "-")
    }
}

extension MusicIdentifier: Codable {
    /// Reads the form of ``description``.
    ///
    /// - Throws: `DecodingError` if the scheme is unknown or the identifier is malformed.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        let parts = text.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, let scheme = Scheme(rawValue: String(parts[0])),
            let identifier = MusicIdentifier(scheme, parts[1])
        else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription:
                    "\"\(text.prefix(80))\" is no identifier: write scheme and value, as in isrc:GBAYE0601498."
            )
        }
        self = identifier
    }

    /// Writes the form of ``description``.
    ///
    /// - Throws: The encoder's errors.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
