import Foundation

extension Tonality {
    /// The major or minor key of a name such as `A minor`, `Eb major` or `F#`; nothing for any other text.
    public init?(name: String) {
        let words = name.split(separator: " ")
        guard let note = words.first, words.count <= 2, let letter = note.first,
            let place = ["c": 0, "d": 2, "e": 4, "f": 5, "g": 7, "a": 9, "b": 11][letter.lowercased()]
        else { return nil }
        var pitch = place
        for sign in note.dropFirst() {
            switch sign {
            case "#", "\u{266F}": pitch += 1
            case "b", "\u{266D}": pitch -= 1
            default: return nil
            }
        }
        let root = PitchClass.c.raised(by: pitch)
        switch words.dropFirst().first?.lowercased() {
        case nil, "major"?: self = .major(root)
        case "minor"?: self = .minor(root)
        default: return nil
        }
    }

    /// The keys that sound well beside this one: itself, the one of the same notes, and their neighbours by a fifth. Nothing else where
    /// it is no major or minor key.
    public var compatible: [Tonality] {
        guard case .tonal(_, let root) = self else { return [self] }
        switch self {
        case .major(root):
            return [self, .minor(root.raised(by: 9)), .major(root.raised(by: 7)), .major(root.raised(by: 5))]
        case .minor(root):
            return [self, .major(root.raised(by: 3)), .minor(root.raised(by: 7)), .minor(root.raised(by: 5))]
        default: return [self]
        }
    }
}
