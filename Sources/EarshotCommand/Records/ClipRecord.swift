import EarshotCore

/// What is said about one input of `identify`, as JSON: its matches, or why there is no answer.
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

/// What is said about all inputs of `identify`, as one JSON document.
struct ClipDocument: Encodable {
    let schemaVersion = ResultSchema.version
    let clips: [ClipRecord]
}
