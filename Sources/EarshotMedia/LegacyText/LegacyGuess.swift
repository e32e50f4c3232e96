/// Guesses which encoding texts of tags have that do not say it.
///
/// It is careful: what may be Latin-1 stays Latin-1 unless the texts are full of characters that are common in another encoding.
/// The letters of "Motörhead" would make rare Chinese characters, each alone among Latin ones.
struct LegacyGuess {
    /// Characters of two bytes that are frequent in titles and names.
    private static let hangul = pairs(
        """
        이가다는에을의하고지도사기리로한인서나어자대해그를시라수은일정주있아보부스장제상전구비원성유오우공여동과치만소바모세무미마경으거신문화물면게조들국관안위재
        영심중실선계생연분방속양발말러너래때랑니요네내날눈노별봄밤꽃길꿈빛달람늘처럼같없않당린널난더왜또참잘못것첫끝혼추억안녕좋음악피곡집트번째년월
        """,
        .eucKR
    )
    private static let hanzi = pairs(
        """
        的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看
        定天分还进好小部其些主样理心她本前开但因只从想实日者意无力它与长把机十第公此已工使情明性知全三又关点正外将两高间由问很最重并物手应向头文体美相见被什二
        等或新己身果加西月话合回代内信表化老给世位次度门任常先海通儿原东声提立及比解水名真走各入几口认平气活尔更别打女变四神总何电安少才结反受太再感做场期直命
        山金许区保至形空马五眼书听白却光放像难思王完色路记南住北边死张交万望觉今让爱歌曲梦夜星雨风花雪春秋红蓝黑城街酒泪恋吻舞音乐唱片精选专辑朋友孤独寂寞永远忆离
        """,
        .gb18030
    )

    private static func pairs(_ text: String, _ encoding: LegacyEncoding) -> Set<UInt16> {
        // Going the other way: all pairs of the plane that the characters stand in.
        var pairs: Set<UInt16> = []
        let wanted = Set(text.unicodeScalars.filter { $0.value > 0x7F })
        for lead in UInt8(0xB0)...0xF7 {
            for trail in UInt8(0xA1)...0xFE {
                guard let scalar = encoding.text([lead, trail])?.unicodeScalars.first, wanted.contains(scalar) else {
                    continue
                }
                pairs.insert(UInt16(lead) << 8 | UInt16(trail))
            }
        }
        return pairs
    }

    /// The encoding of texts, all of which have the same; those in ASCII say nothing.
    static func encoding(of texts: [[UInt8]]) -> LegacyEncoding {
        let foreign = texts.filter { $0.contains { $0 >= 0x80 } }
        guard !foreign.isEmpty else { return .latin1 }
        if isJapanese(foreign) { return .shiftJIS }
        let (korean, chinese) = (koreanShare(foreign), chineseShare(foreign))
        guard let best = [korean, chinese].compactMap(\.self).max() else { return .latin1 }
        return korean == best ? .eucKR : .gb18030
    }

    /// The encoding of UTF-16 that lacks its mark; `nil` if bytes do not look like it.
    static func utf16(_ bytes: [UInt8]) -> LegacyEncoding? {
        guard bytes.count >= 2, bytes.count % 2 == 0 else { return nil }
        // In either order, how many units are letters of a script in common use.
        func share(_ low: Int) -> Double {
            let units = stride(from: 0, to: bytes.count, by: 2).map {
                UInt16(bytes[$0 + low]) | UInt16(bytes[$0 + 1 - low]) << 8
            }
            let usual = units.filter {
                switch $0 {
                case 0x20..<0x7F, 0xA0..<0x250, 0x370..<0x530, 0x2010..<0x2040, 0x3000..<0x3100, 0x4E00..<0xA000,
                    0xAC00..<0xD7A4, 0xFF00..<0xFFF0:
                    true
                default: false
                }
            }
            return Double(usual.count) / Double(units.count)
        }
        let zeros = (0...1).map { parity in
            stride(from: parity, to: bytes.count, by: 2).count { bytes[$0] == 0 }
        }
        let (little, big) = (share(0), share(1))
        if zeros[0] != zeros[1] {
            let isLittle = zeros[1] > zeros[0]
            return (isLittle ? little : big) >= 0.8 ? (isLittle ? .utf16LittleEndian : .utf16BigEndian) : nil
        }
        // The kana stand in one row, so that their other byte is the same again and again.
        func repeated(_ parity: Int) -> Int {
            Dictionary(grouping: stride(from: parity, to: bytes.count, by: 2).map { bytes[$0] }) { $0 }.values
                .map(\.count).max() ?? 0
        }
        guard max(little, big) >= 0.8 else { return nil }
        if abs(little - big) > 0.1 { return little > big ? .utf16LittleEndian : .utf16BigEndian }
        return repeated(1) >= repeated(0) ? .utf16LittleEndian : .utf16BigEndian
    }

    // MARK: - Languages

    /// Pairs of bytes as an encoding forms them, and how many bytes can be seen; `nil` if a text is not in it.
    private static func doubles(
        _ texts: [[UInt8]],
        lead: (UInt8) -> Bool,
        trail: (UInt8) -> Bool,
        single: (UInt8) -> Bool = { _ in false }
    ) -> (pairs: [UInt16], singles: Int, visible: Int)? {
        var (pairs, singles, visible): ([UInt16], Int, Int) = ([], 0, 0)
        for text in texts {
            var place = 0
            while place < text.count {
                let byte = text[place]
                place += 1
                if byte > 0x20 { visible += 1 }
                if byte < 0x80 { continue }
                if lead(byte), place < text.count, trail(text[place]) {
                    pairs.append(UInt16(byte) << 8 | UInt16(text[place]))
                    visible += 1
                    place += 1
                } else if single(byte) {
                    singles += 1
                } else {
                    return nil
                }
            }
        }
        return (pairs, singles, visible)
    }

    private static func isJapanese(_ texts: [[UInt8]]) -> Bool {
        guard
            let (pairs, singles, visible) = doubles(
                texts,
                lead: { (0x81...0x9F).contains($0) || (0xE0...0xFC).contains($0) },
                trail: { (0x40...0x7E).contains($0) || (0x80...0xFC).contains($0) },
                single: { (0xA1...0xDF).contains($0) }
            ), singles <= pairs.count, pairs.count * 2 * 3 >= visible
        else { return false }
        let kana = pairs.count { (0x829F...0x82F1).contains($0) || (0x8340...0x8396).contains($0) }
        let kanji = pairs.count { (0x889F...0x9872).contains($0) }
        let signs = pairs.count { (0x8140...0x81FC).contains($0) || (0x824F...0x829A).contains($0) }
        guard (kana + kanji + signs) * 4 >= pairs.count * 3 else { return false }
        return kana >= 1 || kanji >= 2
    }

    /// The share of frequent characters; `nil` if the texts are not in the encoding.
    private static func koreanShare(_ texts: [[UInt8]]) -> Double? {
        guard let pairs = plane(texts) else { return nil }
        let letters = pairs.filter { $0 >= 0xB000 }
        let syllables = letters.count { $0 < 0xC900 }
        guard letters.count >= 2, syllables * 10 >= letters.count * 9 else { return nil }
        let share = Double(letters.count { hangul.contains($0) }) / Double(letters.count)
        return share >= 0.4 ? share : nil
    }

    private static func chineseShare(_ texts: [[UInt8]]) -> Double? {
        guard let pairs = plane(texts) else { return nil }
        let letters = pairs.filter { $0 >= 0xB000 }
        let usual = letters.count { $0 < 0xD800 }
        guard letters.count >= 2, usual * 4 >= letters.count * 3 else { return nil }
        let share = Double(letters.count { hanzi.contains($0) }) / Double(letters.count)
        return share > 0 || letters.count >= 4 ? share : nil
    }

    /// The pairs of the plane that GB 2312 and KS X 1001 share.
    private static func plane(_ texts: [[UInt8]]) -> [UInt16]? {
        let isHigh: (UInt8) -> Bool = { (0xA1...0xFE).contains($0) }
        guard let (pairs, _, visible) = doubles(texts, lead: isHigh, trail: isHigh), pairs.count * 2 * 3 >= visible
        else { return nil }
        return pairs
    }
}
