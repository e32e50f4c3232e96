import EarshotCatalogs
public import EarshotCore
public import Foundation

extension Timeline {
    /// Reads a timeline from the contents of a file.
    ///
    /// - Parameters:
    ///   - data: The contents of the file.
    ///   - format: The format of the file; `nil` to detect it.
    ///   - name: The name of the file, for its extension and for error messages; `nil` if unknown.
    /// - Throws: `timelineInvalid`, naming the line, or the value of a JSON document, and what to do.
    public init(
        data: Data,
        format: TimedContentFormat? = nil,
        name: String? = nil
    ) throws(EarshotError) {
        do throws(TimedContentFault) {
            let text = try TextLines.text(data)
            let lines = TextLines(text)
            guard let format = format ?? TimedContentFormat.detect(lines, name: name) else {
                throw TimedContentFault(
                    "the form of the timed content is not known: name it, one of "
                        + TimedContentFormat.allCases.map(\.rawValue).joined(separator: ", ") + "."
                )
            }
            let draft: TimelineDraft
            switch format {
            case .json: draft = try TimelineDocument.read(text)
            case .vtt: draft = try WebVTT.read(lines)
            case .lrc: draft = try LRCLyrics.read(lines)
            case .chapters: draft = try PodcastChapters.read(text)
            case .csv: draft = try CSVTable.read(text)
            case .ffmetadata: draft = try FFMetadata.read(lines)
            }
            self = try draft.timeline()
        } catch {
            throw error.error(in: name)
        }
    }

    /// Returns the contents of a file with the timeline.
    ///
    /// - Parameter format: The format of the file. What it does not support is left out: see
    ///   `Docs/formats/timed-content.md`.
    /// - Returns: The contents in UTF-8, with lines ended by a line feed.
    /// - Throws: `internalError` if the timeline cannot be encoded as JSON.
    public func data(as format: TimedContentFormat) throws(EarshotError) -> Data {
        do {
            let text =
                switch format {
                case .json: try JSONValue(document: document).text(isPretty: true) + "\n"
                case .vtt: try WebVTT.text(of: self)
                case .lrc: LRCLyrics.text(of: self)
                case .chapters: try PodcastChapters.text(of: self)
                case .csv: try CSVTable.text(of: self)
                case .ffmetadata: FFMetadata.text(of: self)
                }
            return Data(text.utf8)
        } catch {
            throw EarshotError(
                .internalError,
                "The timeline cannot be written as JSON: please report this.",
                cause: error
            )
        }
    }

    /// The end of an entry, for a format that requires one: its own end, that of the next entry of its lane, or five
    /// seconds after its start; never before its last part or answer.
    func closedEnd(of index: Int) -> MediaTime {
        let entry = entries[index]
        if let end = entry.end { return end }
        let next = laneIndex.first { $0.number == entry.lane }.flatMap { lane in
            let place = lane.entries.count(whileAt: { entries[lane.entries[$0]].start <= entry.start })
            return place < lane.entries.count ? entries[lane.entries[place]].start : nil
        }
        let end = next ?? min(entry.start + MediaTime(value: 5, timescale: 1), Self.maximumTime)
        let last = [
            entry.parts.last.map { $0.start + MediaTime(value: 1, timescale: 1000) }, entry.answerRange?.upperBound,
        ]
        return min(max(end, last.compactMap { $0 }.max() ?? end), Self.maximumTime)
    }
}

extension TextLines {
    init(_ text: String) { lines = Self.lines(of: text) }
}

/// Entries as they were read, and where they stand.
struct TimelineDraft {
    private(set) var entries: [TimedEntry] = []
    private var places: [String] = []
    private var ids: Set<String> = []
    var reference: ReferenceID?
    var metadata: [String: PropertyValue] = [:]

    /// Adds an entry that stands on a line; one with an empty id gets a number that is free in the end.
    mutating func append(_ entry: TimedEntry, line: Int) throws(TimedContentFault) {
        try append(entry, at: "line \(line)")
    }

    /// The same for one that stands at a place.
    mutating func append(_ entry: TimedEntry, at place: String) throws(TimedContentFault) {
        guard entries.count < Timeline.maximumEntryCount else {
            throw TimedContentFault(place: place, "more than 100,000 entries: split the file.")
        }
        entries.append(entry)
        places.append(place)
        if !entry.id.isEmpty { ids.insert(entry.id) }
    }

    /// Changes the last entry.
    mutating func changeLast(_ change: (inout TimedEntry) -> Void) {
        guard !entries.isEmpty else { return }
        change(&entries[entries.count - 1])
    }

    mutating func changeAll(_ change: (inout TimedEntry) -> Void) {
        for index in entries.indices { change(&entries[index]) }
    }

    /// The timeline. Errors name the position of the entry.
    func timeline() throws(TimedContentFault) -> Timeline {
        // Numbers go by time; mistakes are looked for in the order of the file.
        var entries = entries
        var number = 0
        let order = entries.indices.sorted { entries[$0].start < entries[$1].start }
        for index in order where entries[index].id.isEmpty {
            repeat { number += 1 } while ids.contains(String(number))
            entries[index].id = String(number)
        }
        do throws(TimedContentFault) {
            return try Timeline.checked(entries, reference: reference, metadata: metadata)
        } catch {
            var fault = error
            fault.place = fault.entry.map { places[$0] }
            throw fault
        }
    }
}
