import EarshotCore

/// The errors of a package, with its name.
struct PackageFault: Sendable {
    /// The name of the package in errors.
    let name: String

    /// Returns the error for a package that breaks a rule.
    ///
    /// - Parameter reason: The fault, as a clause.
    func invalid(_ reason: String) -> EarshotError {
        EarshotError(.pieceInvalid, "\(name) is no package that can be used: \(reason).")
    }

    /// Returns the error for a package that ends or changes while it is read.
    func unreadable(_ cause: (any Error)? = nil) -> EarshotError {
        EarshotError(.readFailed, "\(name) cannot be read to its end: get it again.", cause: cause)
    }

    /// Returns a text in quotation marks for an error: at most 80 code points, without control characters.
    static func quoted(_ text: String) -> String {
        let shown = text.unicodeScalars.prefix(80).map { scalar in
            scalar.properties.generalCategory == .control ? "\u{FFFD}" : Character(scalar)
        }
        return "\"\(String(shown))\""
    }
}
