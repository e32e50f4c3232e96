/// The requested picture of a release and its size: `front`, `back-250`, `4711`, `4711-500.jpg`.
struct CoverArtName: Hashable, Sendable {
    /// The choice of the picture.
    enum Choice: Hashable, Sendable {
        case front, back
        case number(UInt64)
    }

    /// The available sizes: the longest side in pixels.
    static let sides = [250, 500, 1_200]
    /// The extensions that names may have. They are ignored: the type is in the response.
    private static let suffixes: Set = ["jpg", "jpeg", "png", "gif", "webp", "bmp"]

    let choice: Choice
    /// The longer side in pixels; `nil` for the picture as stored.
    let side: Int?

    /// - Returns: `nil` if the text is no such name.
    init?(_ text: some StringProtocol) {
        var name = String(text)
        if let dot = name.firstIndex(of: ".") {
            guard Self.suffixes.contains(name[name.index(after: dot)...].lowercased()) else { return nil }
            name = String(name[..<dot])
        }
        let parts = name.split(separator: "-", omittingEmptySubsequences: false)
        switch parts.count {
        case 1: side = nil
        case 2:
            guard let known = Self.sides.first(where: { String($0) == parts[1] }) else { return nil }
            side = known
        default: return nil
        }
        switch parts[0] {
        case "front": choice = .front
        case "back": choice = .back
        case let digits:
            guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt64(digits) else {
                return nil
            }
            choice = .number(number)
        }
    }
}
