extension String {
    /// Returns the text with some Unicode scalars replaced.
    ///
    /// Use it for quoting: `replacing(_:with:)` compares characters, and does not see a quotation mark that a combining
    /// mark follows.
    package func replacingScalars(_ replacements: [Unicode.Scalar: String]) -> String {
        var result = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if let replacement = replacements[scalar] {
                result.append(contentsOf: replacement.unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }
}
