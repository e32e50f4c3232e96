/// Rules for file names.
enum FileNames {
    /// Returns `true` if a name begins with a mark that combines with the previous character, as an accent does.
    ///
    /// After a slash the two would be one character, so a search by characters would not find the slash.
    static func beginsJoined(_ name: some StringProtocol) -> Bool {
        guard let first = name.unicodeScalars.first else { return false }
        var text = "/"
        text.unicodeScalars.append(first)
        return text.count == 1
    }
}
