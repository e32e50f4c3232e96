import EarshotCore
import Foundation

/// A row of a table of tracks.
struct TableRow {
    let cells: [TableColumn: TableCell]
    let taxonomies: Taxonomies
    let unknown: UnknownDescriptors?

    /// The description in the row.
    ///
    /// - Throws: `metadataInvalid` for a missing or unreadable value.
    func description() throws(EarshotError) -> TrackDescription {
        guard let title = try name(.title, .title, reading: .titleReading) else { throw missing("title") }
        var track = TrackDescription(title: title)
        track.id = try text(.trackID).map { EntityID($0) }
        if var name = try name(.artist, .artist, reading: .artistReading) {
            name.alternates = try list(.artistAlternates)
            track.artist = .init(name, id: try text(.artistID).map { EntityID($0) })
        }
        if let name = try text(.albumArtist) {
            track.albumArtist = .init(Name(name), id: try text(.albumArtistID).map { EntityID($0) })
        }
        guard track.artist != nil || track.albumArtist != nil else { throw missing("artist") }
        let albumID: EntityID<Album>? = try text(.albumID).map { EntityID($0) }
        if let name = try name(.album, .album, reading: .albumReading) ?? albumID.map({ _ in Name("") }) {
            track.album = .init(name, id: albumID)
        }
        try readNumbers(&track)
        track.genres = try descriptor(.genre, .genre).map { [$0] } ?? []
        track.mood = try descriptor(.mood, .mood)
        track.tempo = try descriptor(.tempo, .tempo)
        track.origin = try descriptor(.origin, .origin)
        track.era = try descriptor(.era, .era)
        track.artistType = try descriptor(.artistType, .artistType)
        try readTexts(&track)
        return track
    }

    private func readNumbers(_ track: inout TrackDescription) throws(EarshotError) {
        let count = "a number above zero"
        let place = try value(.trackNumber, count) { FieldText.place($0) }
        (track.number, track.trackCount) = (place?.number, place?.count)
        track.disc = try value(.disc, count) { FieldText.place($0)?.number }
        track.trackCount = try value(.trackCount, count) { FieldText.place($0)?.number } ?? track.trackCount
        let year = try value(.year, "a year, as in 1999") { FieldText.date($0) }
        track.date = try value(.date, "a date, as in 1999, 1999-05 or 1999-05-31") { FieldText.date($0) } ?? year
        track.duration = try value(.duration, "a length: seconds (194.5), m:ss (3:14) or h:mm:ss") {
            FieldText.duration($0)
        }
        let share = try value(.popularity, "a number from 0 to 1") { text in
            FieldText.decimal(text).flatMap { $0 <= 1 ? $0 : nil }
        }
        track.popularity = share ?? 0
        let isrc = try value(.isrc, "an ISRC, as in GBAYE0601498") { MusicIdentifier(.isrc, $0) }
        track.identifiers = Set([isrc].compactMap(\.self))
        if let barcode = try value(
            .barcode,
            "a bar code with a right check digit",
            { MusicIdentifier(.barcode, $0) }
        ) {
            track.album?.identifiers = [barcode]
        }
    }

    private func readTexts(_ track: inout TrackDescription) throws(EarshotError) {
        // Languages are told for each text; of one without, nothing is known.
        var review: [String: [String]] = [:]
        var biography: [String: [String]] = [:]
        review["und"] = cells[.plain(.albumReview)].map(Self.paragraphs)
        biography["und"] = cells[.plain(.artistBiography)].map(Self.paragraphs)
        for (column, cell) in cells.sorted(by: { "\($0.key)" < "\($1.key)" }) {
            switch column {
            case .review(let code): review[code] = Self.paragraphs(cell)
            case .biography(let code): biography[code] = Self.paragraphs(cell)
            case .link(let source):
                track.links.append(try Self.link(source, oneText(cell, named: "link_\(source)")))
            case .albumLink(let source):
                track.albumLinks.append(try Self.link(source, oneText(cell, named: "album_link_\(source)")))
            case .plain, .translation: break
            }
        }
        if !review.isEmpty { track.review = Paragraphs(review) }
        if !biography.isEmpty { track.biography = Paragraphs(biography) }
    }

    // MARK: - Cells

    private func oneText(_ cell: TableCell, named name: String) throws(EarshotError) -> String {
        switch cell {
        case .text(let text):
            let trimmed = text.trimmed
            // Only longer texts have lines; elsewhere a quotation mark was left open, and the next row is in here too.
            guard !trimmed.contains(where: \.isNewline) else {
                throw EarshotError(
                    .metadataInvalid,
                    "\"\(name)\" holds a line break: close its quotation mark, or take the line break out."
                )
            }
            return trimmed
        case .list(let list):
            guard list.count == 1 else {
                throw EarshotError(.metadataInvalid, "\"\(name)\" has \(list.count) values: give one.")
            }
            return list[0]
        }
    }

    private func text(_ column: TableColumn.Plain) throws(EarshotError) -> String? {
        guard let cell = cells[.plain(column)] else { return nil }
        return try oneText(cell, named: column.rawValue)
    }

    private func value<Value>(
        _ column: TableColumn.Plain,
        _ wanted: String,
        _ read: (String) -> Value?
    ) throws(EarshotError) -> Value? {
        guard let text = try text(column) else { return nil }
        guard let value = read(text) else {
            throw EarshotError(.metadataInvalid, "\"\(column.rawValue)\" is \"\(text.prefix(40))\": write \(wanted).")
        }
        return value
    }

    private func name(
        _ column: TableColumn.Plain,
        _ named: TableColumn.Named,
        reading: TableColumn.Plain
    ) throws(EarshotError) -> Name? {
        guard let text = try text(column) else { return nil }
        var name = Name(text, reading: try self.text(reading))
        for (column, cell) in cells {
            guard case .translation(named, let code) = column else { continue }
            name.translations[code] = try oneText(cell, named: "\(named.rawValue)_\(code)")
        }
        return name
    }

    private func list(_ column: TableColumn.Plain) throws(EarshotError) -> [String] {
        switch cells[.plain(column)] {
        case .list(let list): list
        case .text(let text): Self.array(text) ?? text.split(separator: ";").map { $0.trimmed }.filter { !$0.isEmpty }
        case nil: []
        }
    }

    private func descriptor(_ column: TableColumn.Plain, _ kind: DescriptorKind) throws(EarshotError) -> String? {
        guard let text = try text(column) else { return nil }
        if let node = taxonomies.node(kind, matching: text) { return node.id }
        unknown?.add(text, kind)
        return nil
    }

    private func missing(_ name: String) -> EarshotError {
        EarshotError(.metadataInvalid, "\"\(name)\" is missing: each track needs one.")
    }

    private static func link(_ source: String, _ id: String) -> ExternalLink {
        ExternalLink(source: source, id: id, address: id.contains("://") ? id : nil)
    }

    private static func paragraphs(_ cell: TableCell) -> [String] {
        switch cell {
        case .list(let list): return list
        case .text(let text):
            if let list = array(text) { return list }
            var paragraphs: [[Substring]] = [[]]
            for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
                if line.allSatisfy(\.isWhitespace) {
                    paragraphs.append([])
                } else {
                    paragraphs[paragraphs.count - 1].append(line)
                }
            }
            return paragraphs.filter { !$0.isEmpty }.map { $0.joined(separator: "\n").trimmed }
        }
    }

    /// A list that is written as JSON inside a field of CSV.
    private static func array(_ text: String) -> [String]? {
        guard text.trimmed.hasPrefix("[") else { return nil }
        return try? JSONDecoder().decode([String].self, from: Data(text.utf8))
    }
}

extension StringProtocol {
    /// The text without the spaces around it.
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
