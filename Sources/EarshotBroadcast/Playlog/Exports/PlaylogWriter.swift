public import EarshotCore
import EarshotMusic
public import Foundation

/// Writes plays one by one in an export format. Memory use does not depend on their number.
///
/// Plays are written in the given order. For ``PlaylogFormat/list``, write one channel after the other, each in order
/// of time.
public struct PlaylogWriter: ~Copyable {
    /// The format.
    public let format: PlaylogFormat
    /// The time zone of days and times in the list. Other formats use UTC.
    public let timeZone: TimeZone
    private let output: (Data) throws(EarshotError) -> Void
    private var hasBegun = false
    private var heading = ""

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - format: The format.
    ///   - timeZone: The time zone of days and times in the list.
    ///   - output: Receives the output in chunks.
    public init(
        _ format: PlaylogFormat,
        timeZone: TimeZone = .gmt,
        output: @escaping (Data) throws(EarshotError) -> Void
    ) {
        self.format = format
        self.timeZone = timeZone
        self.output = output
    }

    /// Creates a writer to a file or a pipe.
    ///
    /// - Parameters:
    ///   - format: The format.
    ///   - timeZone: The time zone of days and times in the list.
    ///   - handle: The file to write. It stays open.
    public init(_ format: PlaylogFormat, timeZone: TimeZone = .gmt, to handle: FileHandle) {
        self.init(format, timeZone: timeZone) { data throws(EarshotError) in
            do {
                try handle.write(contentsOf: data)
            } catch {
                throw EarshotError(.writeFailed, "The plays could not be written: check the disk.", cause: error)
            }
        }
    }

    /// Writes a play. The playlist skips plays that are not final or have no reference.
    ///
    /// - Throws: `metadataInvalid` for a number that JSON cannot represent, and the errors of the output.
    public mutating func write(_ record: PlayRecord) throws(EarshotError) {
        try begin()
        switch format {
        case .csv: try put(PlayTable.line(record))
        case .jsonLines:
            var line = try PlaylogJSON.encode(record)
            line.append(0x0A)
            try output(line)
        case .m3u: if let entry = Self.entry(record) { try put(entry) }
        case .list: try list(record)
        }
    }

    /// Finishes the output: writes the header if there was no play.
    ///
    /// - Throws: The errors of the output.
    public mutating func finish() throws(EarshotError) { try begin() }

    private mutating func begin() throws(EarshotError) {
        guard !hasBegun else { return }
        hasBegun = true
        switch format {
        case .csv: try put(PlayTable.header)
        case .m3u: try put("#EXTM3U\n")
        case .jsonLines, .list: break
        }
    }

    private func put(_ text: String) throws(EarshotError) { try output(Data(text.utf8)) }

    // MARK: - Lists

    private static func entry(_ record: PlayRecord) -> String? {
        guard record.state == .final, let reference = record.referenceID else { return nil }
        var address = oneLine(reference.rawValue)
        // A line that begins with a number sign would be a comment.
        if address.hasPrefix("#") { address = "./" + address }
        let seconds = Int(min(1e9, max(0, record.playedDuration.isFinite ? record.playedDuration : 0)).rounded())
        return "#EXTINF:\(seconds),\(oneLine(record.caption))\n\(address)\n"
    }

    private mutating func list(_ record: PlayRecord) throws(EarshotError) {
        let local = PlaylogTime.date(PlaylogTime.bounded(record.start))
        let offset = timeZone.secondsFromGMT(for: local)
        let text = PlaylogTime.text(local.addingTimeInterval(Double(offset)))
        let zone = timeZone == .gmt ? "UTC" : timeZone.identifier
        let heading = "# \(Self.oneLine(record.channel.name)) \(text.prefix(10)) \(zone)\n"
        if heading != self.heading {
            try put((self.heading.isEmpty ? "" : "\n") + heading)
            self.heading = heading
        }
        try put("\(text.dropFirst(11).prefix(8)) \(Self.oneLine(record.caption))\n")
    }

    /// Replaces line breaks and other control characters by spaces.
    private static func oneLine(_ text: String) -> String {
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let isBreak = scalar.properties.generalCategory == .control || scalar == "\u{2028}" || scalar == "\u{2029}"
            line.append(isBreak ? " " : scalar)
        }
        return String(line)
    }
}

extension PlaylogStore {
    /// Writes the plays that match a query, in order of their start; for ``PlaylogFormat/list`` channel by channel.
    ///
    /// - Parameters:
    ///   - query: The plays to export.
    ///   - writer: The writer, which is finished.
    /// - Returns: The number of plays passed to the writer.
    /// - Throws: The errors of store and writer.
    @discardableResult
    public func export(_ query: PlayQuery, with writer: consuming PlaylogWriter) async throws(EarshotError) -> Int {
        var queries = [query]
        if writer.format == .list {
            let channels = try await totals(query, by: .channel).map(\.key)
            queries = channels.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { channel in
                var query = query
                query.channels = [EntityID(channel)]
                return query
            }
        }
        var count = 0
        for query in queries {
            var cursor: PlayCursor?
            repeat {
                let page = try await records(query, after: cursor, limit: 1_000)
                for record in page.items { try writer.write(record) }
                count += page.items.count
                cursor = page.next
            } while cursor != nil
        }
        try writer.finish()
        return count
    }
}
