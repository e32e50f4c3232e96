public import EarshotCore
public import Foundation

/// Turns the tables of a MusicBrainz database dump into changes to a store, as ``MusicBrainzReader`` does with JSON dumps.
///
/// The dump `mbdump.tar.bz2` has a file for each table, without a suffix, in the text form of PostgreSQL's `COPY`
/// (https://musicbrainz.org/doc/MusicBrainz_Database/Download). Rows of three tables become entities; what they refer to is read
/// into memory first. Columns are told by their place, and those that later schemas add behind them are passed over.
public struct MusicBrainzTables: Sendable {
    /// A table whose rows are imported, in the order in which they are.
    public enum Table: String, Hashable, Sendable, CaseIterable {
        /// Artists.
        case artist
        /// Releases: albums.
        case release
        /// Tracks of releases.
        case track

        /// The number of columns that a row needs.
        var columns: Int {
            switch self {
            case .artist: 19
            case .release: 14
            case .track: 12
            }
        }
    }

    /// The folder of the tables: `mbdump`.
    public let folder: URL

    /// The tables of a folder.
    ///
    /// - Throws: `assetNotFound` if a table is missing without which nothing can be imported.
    public init(folder: URL) throws(EarshotError) {
        self.folder = folder
        for name in Table.allCases.map(\.rawValue) + ["artist_credit_name", "medium", "recording"] where !has(name) {
            throw EarshotError(
                .assetNotFound,
                "There is no table \(name) in \(folder.path): unpack mbdump.tar.bz2, and name its folder mbdump."
            )
        }
    }

    /// The path of the file of a table.
    public func path(of table: Table) -> String { folder.appendingPathComponent(table.rawValue).path }

    /// Reads what the rows of a table refer to, and returns what turns a row into changes. Blocks.
    ///
    /// - Parameters:
    ///   - table: The table whose rows are imported.
    ///   - descriptors: The lookup of origins and types in the store.
    /// - Returns: A function for ``MusicImport/run(_:name:rejected:progress:changes:)``, which throws `metadataInvalid` for a row
    ///   that cannot be used.
    /// - Throws: `assetUnreadable`, `readFailed`, `cancelled`.
    public func changes(
        of table: Table,
        descriptors: MusicBrainzReader.Descriptors = .none
    ) throws(EarshotError) -> @Sendable (Data) throws(EarshotError) -> [MusicChange] {
        let reader = MusicBrainzReader(descriptors: descriptors)
        switch table {
        case .artist:
            let lookup = try ArtistLookup(self)
            return { (line: Data) throws(EarshotError) in
                [.artist(reader.artist(try lookup.line(try Self.row(line, of: table))))]
            }
        case .release:
            let lookup = try ReleaseLookup(self)
            return { (line: Data) throws(EarshotError) in
                reader.release(try lookup.line(try Self.row(line, of: table)))
            }
        case .track:
            let lookup = try TrackLookup(self)
            return { (line: Data) throws(EarshotError) in
                guard let place = try lookup.track(try Self.row(line, of: table)) else { return [] }
                return [.track(reader.track(place.line, on: place.album, medium: place.medium))]
            }
        }
    }

    // MARK: - Files

    private static func row(_ line: Data, of table: Table) throws(EarshotError) -> MusicBrainzRow {
        let row = MusicBrainzRow(line)
        guard row.count >= table.columns else {
            throw invalid("The row has \(row.count) columns, and the table \(table.rawValue) has \(table.columns)")
        }
        return row
    }

    static func invalid(_ reason: String) -> EarshotError {
        EarshotError(.metadataInvalid, "\(reason): is the dump whole?")
    }

    private func has(_ table: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.appendingPathComponent(table).path)
    }

    /// Calls a function with each row of a table that rows refer to; with none where the dump does not have it. Rows with fewer
    /// columns are left out: what refers to them then does without.
    func forEachRow(
        of table: String,
        columns: Int,
        _ body: (MusicBrainzRow) -> Void
    ) throws(EarshotError) {
        guard has(table) else { return }
        let file = try LineFile(path: folder.appendingPathComponent(table).path, maximumLineSize: 1 << 20)
        while true {
            if Task.isCancelled {
                let message = "Reading the table \(table) was canceled; the import can be gone on with."
                throw EarshotError(.cancelled, message)
            }
            let lines = try file.lines(atMost: 10_000)
            guard !lines.isEmpty else { return }
            for bytes in lines.compactMap(\.bytes) {
                let row = MusicBrainzRow(bytes)
                if row.count >= columns { body(row) }
            }
        }
    }

    /// The names of a small table of them, by id.
    func names(of table: String) throws(EarshotError) -> [Int32: String] {
        var names: [Int32: String] = [:]
        try forEachRow(of: table, columns: 2) { row in
            if let id = row.number(0), let name = row[1] { names[id] = name }
        }
        return names
    }

    /// The UUIDs of the entities of a table, by id.
    func identifiers(of table: String) throws(EarshotError) -> [Int32: UUID] {
        var identifiers: [Int32: UUID] = [:]
        try forEachRow(of: table, columns: 2) { row in
            if let id = row.number(0), let gid = row.uuid(1) { identifiers[id] = gid }
        }
        return identifiers
    }

    /// The artists of each artist credit, in order.
    func credits() throws(EarshotError) -> [Int32: [MusicBrainzLine.Credit]] {
        let artists = try identifiers(of: "artist")
        var credits: [Int32: [(position: Int32, credit: MusicBrainzLine.Credit)]] = [:]
        try forEachRow(of: "artist_credit_name", columns: 5) { row in
            guard let id = row.number(0), let artist = row.number(2), let name = row[3] else { return }
            let entity = artists[artist].map { MusicBrainzLine.Entity(id: $0.text) }
            let credit = MusicBrainzLine.Credit(name: name, joinphrase: row[4], artist: entity)
            credits[id, default: []].append((row.number(1) ?? 0, credit))
        }
        return credits.mapValues { $0.sorted { $0.position < $1.position }.map(\.credit) }
    }

    /// The pages at Discogs and Wikidata that the entities of a table lead to.
    ///
    /// - Parameter table: The table of relations, whose second side is the address: `l_artist_url`.
    func links(of table: String) throws(EarshotError) -> [Int32: [MusicBrainzLine.Relation]] {
        var addresses: [Int32: MusicBrainzLine.Relation] = [:]
        try forEachRow(of: "url", columns: 3) { row in
            guard let id = row.number(0), let address = row[2], let identifier = MusicIdentifier(address: address)
            else { return }
            addresses[id] = MusicBrainzLine.Relation(
                type: identifier.scheme == .wikidata ? "wikidata" : "discogs",
                url: .init(resource: address)
            )
        }
        var links: [Int32: [MusicBrainzLine.Relation]] = [:]
        try forEachRow(of: table, columns: 4) { row in
            guard let entity = row.number(2), let link = row.number(3).flatMap({ addresses[$0] }) else { return }
            links[entity, default: []].append(link)
        }
        return links
    }
}

extension UUID {
    /// The UUID in lower case, as MusicBrainz writes it.
    var text: String { uuidString.lowercased() }
}
