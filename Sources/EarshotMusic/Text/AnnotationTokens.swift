/// The words by which an addition to a title is known.
enum AnnotationTokens {
    /// Returns `true` if what stands in brackets or after a dash is an addition, and no part of the title.
    static func isAnnotation(_ text: ArraySlice<UInt32>, inBrackets: Bool, _ table: ScalarTable) -> Bool {
        let folded = KeyScalars.composed(KeyScalars.folded(KeyScalars.words(text, table)), table)
        // What is longer tells a story.
        guard !folded.isEmpty, folded.count <= 200 else { return false }
        let key = KeyScalars.text(folded)
        let words = key.split(separator: " ").map(String.init)
        guard let first = words.first, let last = words.last else { return false }
        if words.contains(where: alone.contains),
            words.allSatisfy({ alone.contains($0) || connecting.contains($0) || isNumber($0) })
        {
            return true
        }
        if endings.contains(last) { return true }
        if words.count > 1 {
            if guests.contains(first) { return true }
            if inBrackets, first == "with" || first == "from" { return true }
            if openings[first]?.contains(words[1]) ?? false { return true }
            if first.hasPrefix("remaster") || first.hasPrefix("remix"), isNumber(words[1]) { return true }
        }
        guard folded.contains(where: { $0 >= 0x3041 }) else { return false }
        return unspaced.contains { holds(folded, $0) } || unspacedEndings.contains { key.hasSuffix($0) }
            || unspacedWhole.contains(key)
    }

    private static func holds(_ text: [UInt32], _ part: [UInt32]) -> Bool {
        text.indices.contains { text[$0] == part[0] && text[$0...].starts(with: part) }
    }

    private static func isNumber(_ word: String) -> Bool {
        word.utf8.first.map { $0 &- 0x30 < 10 } ?? false
    }

    private static let guests: Set<String> = ["feat", "ft", "featuring"]

    /// One of these is an addition, with numbers and `connecting` words around it or without.
    private static let alone: Set<String> = [
        "live", "remaster", "remastered", "remasterizado", "remix", "remixed", "demo", "demos", "acoustic", "akustik",
        "acustico", "acoustique", "instrumental", "mono", "stereo", "bonus", "explicit", "unplugged", "karaoke",
        "deluxe",
        "expanded", "extended", "edition", "version", "ver", "edit", "mix", "outtake", "reissue", "rerecorded",
        "unreleased", "ost", "soundtrack", "acapella", "visualizer",
    ]

    private static let connecting: Set<String> = [
        "radio", "single", "album", "original", "official", "video", "audio", "music", "track", "tracks", "digital",
        "digitally", "anniversary", "special", "alternate", "alternative", "studio", "hd", "hq", "session", "sessions",
        "take",
    ]

    /// The last word of an addition.
    private static let endings: Set<String> = [
        "version", "versions", "versione", "ver", "edit", "edition", "mix", "remix", "remixes", "remaster",
        "remastered",
        "session", "sessions", "soundtrack", "ost", "dub", "demo", "recording", "cover", "rework", "bootleg", "cut",
        "fassung", "outtake", "karaoke",
    ]

    /// First words that make an addition together with the second.
    private static let openings: [String: Set<String>] = [
        "live": ["at", "in", "on", "from", "with", "acoustic", "a", "im", "aus", "bei", "au", "en"],
        "recorded": ["at", "in", "live"], "remastered": ["by", "in"], "remixed": ["by"], "remix": ["by"],
        "prod": ["by"], "produced": ["by"], "original": ["motion", "soundtrack", "broadway", "cast"],
        "en": ["vivo", "direct"],
        "ao": ["vivo"], "instrumental": ["of"], "demo": ["from"], "acoustic": ["at", "from"], "a": ["cappella"],
        "official": ["video", "audio", "music", "lyric", "lyrics"], "music": ["video"], "lyric": ["video"],
        "tv": ["size"],
    ]

    /// Parts of additions in scripts without spaces, kana as hiragana.
    private static let unspaced: [[UInt32]] = [
        "らいぶ", "りみっくす", "りますた", "ばーじょん", "ゔぁーじょん", "えでぃしょん", "いんすとぅるめんたる", "からおけ", "あこーすてぃっく", "ぼーなすとらっく",
        "さうんどとらっく", "ふぃーちゃりんぐ", "限定盤", "通常盤", "初回盤", "豪華盤", "現場", "现场", "伴奏", "混音", "重制", "重製", "라이브", "리믹스", "리마스터",
        "버전",
    ].map { $0.unicodeScalars.map(\.value) }

    /// Ends of additions in such scripts.
    private static let unspacedEndings = ["版", "盤", "みっくす", "さいず"]

    /// Whole additions in such scripts.
    private static let unspacedWhole: Set<String> = ["でも", "いんすと", "さんとら"]
}
