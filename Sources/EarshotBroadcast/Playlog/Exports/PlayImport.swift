public import EarshotCore
import EarshotMusic
public import Foundation

/// Reads plays from a table or from JSON Lines, one by one. Invalid lines are reported and skipped.
public enum PlayImport {
    /// The largest size of a line, in bytes: 1 MiB.
    public static let maximumLineSize = 1 << 20

    /// A line that was skipped.
    public struct Fault: Sendable {
        /// The number of the line, from 1.
        public let line: Int
        /// The error of the line.
        public let reason: EarshotError
    }

    /// Reads a file to its end. It blocks, so do not call it on a thread of the task pool.
    ///
    /// - Parameters:
    ///   - path: The path of the file; `-` for standard input.
    ///   - format: `csv` or `jsonLines`.
    ///   - body: Receives each play as it is in the file, before ``PlayRecord/checked()``.
    /// - Returns: The lines that were skipped, at most the first thousand.
    /// - Throws: `assetNotFound`, `assetIsDirectory`, `assetUnreadable`, `readFailed`; `metadataInvalid` for a format
    ///   that cannot be read, and for a table whose first line does not name the columns channel and start; the errors
    ///   of `body`.
    @discardableResult
    public static func read(
        _ path: String,
        _ format: PlaylogFormat,
        _ body: (PlayRecord) throws(EarshotError) -> Void
    ) throws(EarshotError) -> [Fault] {
        let file = try LineFile(path: path, maximumLineSize: maximumLineSize)
        var reading = try Reading(format)
        if format == .csv { file.separator = UInt8(ascii: ",") }
        while true {
            let lines = try file.lines(atMost: 256)
            if lines.isEmpty { return reading.faults }
            for line in lines { try reading.take(line.bytes, line.number, body) }
        }
    }

    /// Reads a document.
    ///
    /// - Parameters:
    ///   - data: The whole document.
    ///   - format: `csv` or `jsonLines`.
    /// - Returns: The plays, and the lines that were skipped.
    /// - Throws: `metadataInvalid` for a format that cannot be read, and for a table whose first line does not name the
    ///   columns channel and start.
    public static func records(
        in data: Data,
        _ format: PlaylogFormat
    ) throws(EarshotError) -> (records: [PlayRecord], faults: [Fault]) {
        var reading = try Reading(format)
        var records: [PlayRecord] = []
        if format == .csv {
            for row in CSV.table(String(decoding: data, as: UTF8.self)).rows {
                try reading.take(row.fields, row.line) { records.append($0) }
            }
        } else {
            for (index, line) in data.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
                let line = line.last == 0x0D ? line.dropLast() : line
                if !line.isEmpty { try reading.take(Data(line), index + 1) { records.append($0) } }
            }
        }
        return (records, reading.faults)
    }

    /// The state of reading a document.
    private struct Reading {
        let format: PlaylogFormat
        var header: PlayTable.Header?
        var faults: [Fault] = []

        init(_ format: PlaylogFormat) throws(EarshotError) {
            guard format == .csv || format == .jsonLines else {
                throw EarshotError(
                    .metadataInvalid,
                    "Plays cannot be imported from \(format.rawValue): give csv or jsonl."
                )
            }
            self.format = format
        }

        mutating func take(
            _ line: Data?,
            _ number: Int,
            _ body: (PlayRecord) throws(EarshotError) -> Void
        ) throws(EarshotError) {
            guard let line, line.count <= PlayImport.maximumLineSize else {
                return fault(number, EarshotError(.metadataInvalid, "The line has more than 1 MiB: leave it out."))
            }
            if format == .csv {
                let rows = CSV.rows(String(decoding: line, as: UTF8.self))
                for fields in rows { try take(fields, number, body) }
                return
            }
            let record: PlayRecord
            do throws(EarshotError) {
                record = try PlaylogJSON.decode(PlayRecord.self, from: line)
            } catch {
                return fault(number, error)
            }
            try body(record)
        }

        mutating func take(
            _ fields: [String],
            _ number: Int,
            _ body: (PlayRecord) throws(EarshotError) -> Void
        ) throws(EarshotError) {
            guard let header else {
                header = try PlayTable.Header(fields)
                return
            }
            let record: PlayRecord
            do throws(EarshotError) {
                record = try header.record(fields)
            } catch {
                return fault(number, error)
            }
            try body(record)
        }

        private mutating func fault(_ line: Int, _ reason: EarshotError) {
            if faults.count < 1_000 { faults.append(Fault(line: line, reason: reason)) }
        }
    }
}
