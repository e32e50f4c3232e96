import EarshotCore
import Foundation

extension MusicBrainzTables {
    /// The rows that rows of `artist` refer to.
    struct ArtistLookup: Sendable {
        private let types, genders, areas: [Int32: String]
        private var codes: [Int32: [String]] = [:]
        private var aliases: [Int32: [MusicBrainzLine.Alias]] = [:]
        private var isnis: [Int32: [String]] = [:]
        private let links: [Int32: [MusicBrainzLine.Relation]]

        init(_ tables: MusicBrainzTables) throws(EarshotError) {
            types = try tables.names(of: "artist_type")
            genders = try tables.names(of: "gender")
            var (areas, codes): ([Int32: String], [Int32: [String]]) = ([:], [:])
            // Its second column is the UUID, as of all entities.
            try tables.forEachRow(of: "area", columns: 3) { row in
                if let id = row.number(0), let name = row[2] { areas[id] = name }
            }
            try tables.forEachRow(of: "iso_3166_1", columns: 2) { row in
                if let area = row.number(0), let code = row[1] { codes[area, default: []].append(code) }
            }
            var aliases: [Int32: [MusicBrainzLine.Alias]] = [:]
            try tables.forEachRow(of: "artist_alias", columns: 15) { row in
                guard let artist = row.number(1), let name = row[2] else { return }
                let alias = MusicBrainzLine.Alias(name: name, locale: row[3], primary: row.isTrue(14))
                aliases[artist, default: []].append(alias)
            }
            var isnis: [Int32: [String]] = [:]
            try tables.forEachRow(of: "artist_isni", columns: 2) { row in
                if let artist = row.number(0), let isni = row[1] { isnis[artist, default: []].append(isni) }
            }
            (self.areas, self.codes, self.aliases, self.isnis) = (areas, codes, aliases, isnis)
            links = try tables.links(of: "l_artist_url")
        }

        /// The artist of a row, in the form of the JSON dumps.
        func line(_ row: MusicBrainzRow) throws(EarshotError) -> MusicBrainzLine.Artist {
            guard let id = row.number(0), let gid = row.uuid(1), let name = row.text(2) else {
                throw MusicBrainzTables.invalid("The row has no id, UUID or name of an artist")
            }
            let area = row.number(11)
            return MusicBrainzLine.Artist(
                id: gid.text,
                name: name,
                sortName: row.text(3),
                type: row.number(10).flatMap { types[$0] },
                gender: row.number(12).flatMap { genders[$0]?.lowercased() },
                area: area.map { MusicBrainzLine.Area(name: areas[$0], codes: codes[$0]) },
                lifeSpan: MusicBrainzLine.LifeSpan(begin: row.date(4)),
                aliases: aliases[id],
                isnis: isnis[id],
                relations: links[id]
            )
        }
    }

    /// The rows that rows of `release` refer to.
    struct ReleaseLookup: Sendable {
        private let credits: [Int32: [MusicBrainzLine.Credit]]
        private let groups: [Int32: UUID]
        private var secondaryTypes: [Int32: [String]] = [:]
        private var dates: [Int32: String] = [:]
        private var media: [Int32: [MusicBrainzLine.Medium]] = [:]
        private let links: [Int32: [MusicBrainzLine.Relation]]

        init(_ tables: MusicBrainzTables) throws(EarshotError) {
            credits = try tables.credits()
            groups = try tables.identifiers(of: "release_group")
            let types = try tables.names(of: "release_group_secondary_type")
            var secondaryTypes: [Int32: [String]] = [:]
            try tables.forEachRow(of: "release_group_secondary_type_join", columns: 2) { row in
                guard let group = row.number(0), let type = row.number(1).flatMap({ types[$0] }) else { return }
                secondaryTypes[group, default: []].append(type)
            }
            var dates: [Int32: String] = [:]
            // The first date of any country. A year alone comes before its months.
            for (table, column) in [("release_country", 2), ("release_unknown_country", 1)] {
                try tables.forEachRow(of: table, columns: column + 3) { row in
                    guard let release = row.number(0), let date = row.date(column) else { return }
                    dates[release] = dates[release].map { min($0, date) } ?? date
                }
            }
            let formats = try tables.names(of: "medium_format")
            var media: [Int32: [MusicBrainzLine.Medium]] = [:]
            try tables.forEachRow(of: "medium", columns: 8) { row in
                guard let release = row.number(1) else { return }
                let medium = MusicBrainzLine.Medium(
                    position: row.number(2).map { Int($0) },
                    format: row.number(3).flatMap { formats[$0] },
                    title: row.text(4),
                    trackCount: row.number(7).map { Int($0) }
                )
                media[release, default: []].append(medium)
            }
            (self.secondaryTypes, self.dates) = (secondaryTypes, dates)
            self.media = media.mapValues { media in media.sorted { ($0.position ?? 0) < ($1.position ?? 0) } }
            links = try tables.links(of: "l_release_url")
        }

        /// The release of a row, in the form of the JSON dumps, without tracks.
        func line(_ row: MusicBrainzRow) throws(EarshotError) -> MusicBrainzLine.Release {
            guard let id = row.number(0), let gid = row.uuid(1), let title = row.text(2) else {
                throw MusicBrainzTables.invalid("The row has no id, UUID or title of a release")
            }
            let group = row.number(4)
            return MusicBrainzLine.Release(
                id: gid.text,
                title: title,
                date: dates[id],
                barcode: row.text(9),
                credits: row.number(3).flatMap { credits[$0] },
                group: group.flatMap { groups[$0] }.map { gid in
                    MusicBrainzLine.Group(id: gid.text, secondaryTypes: group.flatMap { secondaryTypes[$0] })
                },
                media: media[id],
                relations: links[id]
            )
        }
    }

    /// The rows that rows of `track` refer to.
    struct TrackLookup: Sendable {
        /// A track with the album that it is on.
        struct Place {
            let line: MusicBrainzLine.Track
            let album: Album
            let medium: Int
        }

        private let credits: [Int32: [MusicBrainzLine.Credit]]
        private var releases: [Int32: (gid: UUID, credit: Int32)] = [:]
        private var media: [Int32: (release: Int32, position: Int32)] = [:]
        private var recordings: [Int32: (gid: UUID, length: Int32?)] = [:]
        private var codes: [Int32: [String]] = [:]

        init(_ tables: MusicBrainzTables) throws(EarshotError) {
            credits = try tables.credits()
            var releases: [Int32: (gid: UUID, credit: Int32)] = [:]
            try tables.forEachRow(of: "release", columns: 4) { row in
                guard let id = row.number(0), let gid = row.uuid(1), let credit = row.number(3) else { return }
                releases[id] = (gid, credit)
            }
            var media: [Int32: (release: Int32, position: Int32)] = [:]
            try tables.forEachRow(of: "medium", columns: 3) { row in
                guard let id = row.number(0), let release = row.number(1), let position = row.number(2) else { return }
                media[id] = (release, position)
            }
            var recordings: [Int32: (gid: UUID, length: Int32?)] = [:]
            try tables.forEachRow(of: "recording", columns: 5) { row in
                guard let id = row.number(0), let gid = row.uuid(1) else { return }
                recordings[id] = (gid, row.number(4))
            }
            var codes: [Int32: [String]] = [:]
            try tables.forEachRow(of: "isrc", columns: 3) { row in
                if let recording = row.number(1), let code = row[2] { codes[recording, default: []].append(code) }
            }
            (self.releases, self.media, self.recordings, self.codes) = (releases, media, recordings, codes)
        }

        /// The track of a row, in the form of the JSON dumps; `nil` for a track of data, which is no audio.
        func track(_ row: MusicBrainzRow) throws(EarshotError) -> Place? {
            guard !row.isTrue(11) else { return nil }
            guard let gid = row.uuid(1), let title = row.text(6), let medium = row.number(3).flatMap({ media[$0] }),
                let release = releases[medium.release]
            else {
                throw MusicBrainzTables.invalid(
                    "The row has no UUID or title of a track, or is on no medium of a release"
                )
            }
            let credit = row.number(7)
            let recording = row.number(2)
            let known = recording.flatMap { recordings[$0] }
            let line = MusicBrainzLine.Track(
                id: gid.text,
                title: title,
                position: row.number(4).map { Int($0) },
                length: (row.number(8) ?? known?.length).map { Double($0) },
                // What says no more than the album is left to it.
                credits: credit == release.credit ? nil : credit.flatMap { credits[$0] },
                recording: known.map { known in
                    MusicBrainzLine.Recording(id: known.gid.text, isrcs: recording.flatMap { codes[$0] })
                }
            )
            let album = Album(id: EntityID(release.gid.text), title: Name(""))
            return Place(line: line, album: album, medium: Int(medium.position))
        }
    }
}
