import EarshotCore

/// The JSON record of one input of `identify`: its matches, or the error.
package struct ClipRecord: Encodable, Sendable {
    /// The version of the form, on a line of its own; `nil` within a document, which has it.
    package var schemaVersion: Int?
    /// The input, as it was named; of a file in a folder, the folder with the path below it.
    package let clip: String
    package var duration: Double?
    package var matches: [MatchRecord]?
    /// The part of a service's catalog that was searched; `nil` if all of it was.
    package var searched: SearchedRecord?
    package var error: ErrorRecord?

    package init(clip: String, error: ErrorRecord? = nil) { (self.clip, self.error) = (clip, error) }

    /// The same as a line of its own.
    package var line: ClipRecord {
        var record = self
        record.schemaVersion = ResultSchema.version
        return record
    }
}

/// The part of a catalog that was searched.
package struct SearchedRecord: Encodable, Sendable {
    /// The number of references that were searched.
    package let references: Int
    /// The number of all references.
    package let of: Int

    package init(references: Int, of all: Int) { (self.references, of) = (references, all) }
}

/// The JSON document of all inputs of `identify`.
package struct ClipDocument: Encodable {
    package let schemaVersion = ResultSchema.version
    package let clips: [ClipRecord]

    package init(clips: [ClipRecord]) { self.clips = clips }
}
