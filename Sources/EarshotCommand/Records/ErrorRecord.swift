import EarshotCore

/// A failure as JSON.
struct ErrorRecord: Encodable, Sendable {
    let code: String
    let message: String
    /// The number of the failure, as `0x8001`, where failures have numbers: in lines of monitors.
    var number: String?

    init(_ error: EarshotError) {
        (code, message) = (error.code.rawValue, error.message)
    }

    /// A failure with its number.
    static func numbered(_ error: EarshotError) -> ErrorRecord {
        var record = ErrorRecord(error)
        record.number = error.code.hexadecimal
        return record
    }
}
