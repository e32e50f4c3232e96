package import EarshotCore

/// A failure as JSON.
package struct ErrorRecord: Encodable, Sendable {
    package let code: String
    package let message: String
    /// The number of the failure, as `0x8001`, where failures have numbers: in lines of monitors.
    package var number: String?

    package init(_ error: EarshotError) {
        (code, message) = (error.code.rawValue, error.message)
    }

    /// A failure with its number.
    package static func numbered(_ error: EarshotError) -> ErrorRecord {
        var record = ErrorRecord(error)
        record.number = error.code.hexadecimal
        return record
    }
}
