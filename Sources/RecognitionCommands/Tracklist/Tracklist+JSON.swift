import CommandKit
import EarshotCatalogs
import EarshotCore

extension Tracklist {
    /// The tracklist as JSON.
    struct Record: Encodable {
        /// A part of the recording in which nothing was found.
        struct Gap: Encodable {
            let queryBegin, queryEnd: Double
        }

        let schemaVersion = ResultSchema.version
        /// The recording, as it was named.
        let clip: String
        var duration: Double?
        /// The plays in order of the recording, each followed by its duplicates.
        var matches: [MatchRecord]?
        var unknown: [Gap]?
        var error: ErrorRecord?
    }

    /// The tracklist as JSON.
    var record: Record {
        Record(
            clip: recording,
            duration: ResultSchema.rounded(duration),
            matches: entries.flatMap { [$0.play] + $0.duplicates }.map { MatchRecord($0) },
            unknown: unknown.map {
                Record.Gap(
                    queryBegin: ResultSchema.rounded($0.lowerBound),
                    queryEnd: ResultSchema.rounded($0.upperBound)
                )
            }
        )
    }
}
