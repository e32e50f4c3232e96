/// Rules for names of files, whatever they are names of.
enum FileNames {
    /// Returns `true` if a name begins with what joins the character before it, as an accent does.
    ///
    /// Behind a slash the two would be one character, in which nobody finds the slash who looks for characters.
    static func beginsJoined(_ name: some StringProtocol) -> Bool {
        guard let first = name.unicodeScalars.first else { return false }
        var text = "/"
        text.unicodeScalars.append(first)
        return text.count == 1
    }
}
