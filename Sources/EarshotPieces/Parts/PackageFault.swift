import EarshotCore

/// The errors of packages, each with the name of the file.
struct PackageFault: Sendable {
    /// What the package is called in errors.
    let name: String

    /// A package that breaks a rule.
    ///
    /// - Parameter reason: What is wrong, as a part of a sentence.
    func invalid(_ reason: String) -> EarshotError {
        EarshotError(.pieceInvalid, "\(name) is no package that can be used: \(reason).")
    }

    /// A package that ends, or changes, while it is read.
    func unreadable(_ cause: (any Error)? = nil) -> EarshotError {
        EarshotError(.readFailed, "\(name) cannot be read to its end: get it again.", cause: cause)
    }

    /// A name for an error, whatever it holds.
    static func quoted(_ text: String) -> String {
        let shown = text.unicodeScalars.prefix(80).map { scalar in
            scalar.properties.generalCategory == .control ? "\u{FFFD}" : Character(scalar)
        }
        return "\"\(String(shown))\""
    }
}
