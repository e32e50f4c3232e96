import Foundation

/// The tempo and key in the name of a file or folder, and the rest of the name.
struct ParsedName {
    private(set) var tempo: FixedTempo?
    private(set) var tonality: Tonality?
    /// The spelling of the key's root; `nil` for the usual one.
    private(set) var rootSpelling: NoteSpelling?
    /// The name without tempo and key; the whole name if it has nothing else.
    let rest: String

    init(_ name: String) {
        let words = name.split { " _()[]".contains($0) }.map(String.init)
        var left: [String] = []
        var place = 0
        var isBehindTempo = false
        while place < words.count {
            let next = place + 1 < words.count ? words[place + 1] : nil
            if tempo == nil, let (found, count) = Self.tempo(words[place], next) {
                tempo = found
                place += count
                isBehindTempo = true
            } else if tonality == nil, let (found, spelling, count) = Self.tonality(words[place], next),
                // Am and Em are words too. Alone they are a key only next to a tempo, or at the end.
                count == 2 || words[place].utf8.count > 2 || isBehindTempo
                    || Self.isEndOrTempo(words[(place + count)...])
            {
                (tonality, rootSpelling) = (found, spelling)
                place += count
            } else {
                left.append(words[place])
                isBehindTempo = isBehindTempo && Self.isDash(words[place])
                place += 1
            }
        }
        // Separators between the words and tempo or key are removed. A name without tempo and key stays unchanged.
        let hasFacts = tempo != nil || tonality != nil
        let joined = left.joined(separator: " ").trimmingCharacters(in: CharacterSet(charactersIn: " -–,"))
        rest = hasFacts && !joined.isEmpty ? joined : name
    }

    /// Returns `true` if the rest is empty, consists of dashes, or begins with a tempo.
    private static func isEndOrTempo(_ words: ArraySlice<String>) -> Bool {
        let words = words.drop { Self.isDash($0) }
        guard let word = words.first else { return true }
        return Self.tempo(word, words.dropFirst().first) != nil
    }

    private static func isDash(_ word: String) -> Bool {
        word.unicodeScalars.allSatisfy { "-–,".unicodeScalars.contains($0) }
    }

    /// Parses `120bpm`, `92.5 BPM` or `bpm120`, and returns the number of words used; `nil` if it is no tempo.
    private static func tempo(_ word: String, _ next: String?) -> (FixedTempo, Int)? {
        func value(_ text: Substring) -> FixedTempo? {
            guard (1...7).contains(text.utf8.count), text.utf8.allSatisfy({ (46...57).contains($0) && $0 != 47 }),
                let number = Double(text), FixedTempo.range.contains(number)
            else { return nil }
            return FixedTempo(number)
        }
        let small = word.lowercased()
        if small.hasSuffix("bpm"), let tempo = value(small.dropLast(3)) { return (tempo, 1) }
        if small.hasPrefix("bpm"), let tempo = value(small.dropFirst(3)) { return (tempo, 1) }
        if next?.lowercased() == "bpm", let tempo = value(small[...]) { return (tempo, 2) }
        return nil
    }

    /// Parses `Am`, `F#min`, `Ebmaj`, `a-Moll`, or a note and the name of a mode, and returns the number of words used.
    /// A note alone is not a key here, because many titles contain an A.
    private static func tonality(_ word: String, _ next: String?) -> (Tonality, NoteSpelling?, Int)? {
        let isNote = word.utf8.count <= 4 && word.first.map { "ABCDEFGHabcdefgh".contains($0) } == true
        if isNote, let next, next.utf8.count > 2, let tonality = Tonality(name: "\(word) \(next)") {
            return (tonality, NoteSpelling(rootOf: "\(word) \(next)"), 2)
        }
        let modes = ["m", "min", "minor", "maj", "major", "dur", "moll"]
        guard word.first?.isUppercase == true || word.contains("-"),
            modes.contains(where: { word.lowercased().hasSuffix($0) }), let tonality = Tonality(name: word)
        else { return nil }
        return (tonality, NoteSpelling(rootOf: word), 1)
    }
}
