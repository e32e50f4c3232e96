import EarshotCore

/// The JSON record of one input of `identify`: its matches, or the error.
struct ClipRecord: Encodable, Sendable {
    /// The version of the form, on a line of its own; `nil` within a document, which has it.
    var schemaVersion: Int?
    /// The input, as it was named; of a file in a folder, the folder with the path below it.
    let clip: String
    var duration: Double?
    var matches: [MatchRecord]?
    var error: ErrorRecord?

    /// The same as a line of its own.
    var line: ClipRecord {
        var record = self
        record.schemaVersion = ResultSchema.version
        return record
    }
}

/// The JSON document of all inputs of `identify`.
struct ClipDocument: Encodable {
    let schemaVersion = ResultSchema.version
    let clips: [ClipRecord]
}
