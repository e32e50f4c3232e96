package import EarshotRecognition

/// Puts files together that are likely to be of one album: by what their tags say, by their folders, and by how many files one
/// question takes.
///
/// Three and more files of one folder with one album in their tags make a group, discs in folders of their own (`CD 1`, `Disc 2`)
/// together; what else is in the folder joins the album that is the only one there, or makes a group together. Groups of different folders whose albums and
/// artists are the same are one. What is more than a question takes is cut, at a folder's end where there is one.
package struct FileGrouping: Sendable {
    /// The most files of a group.
    package var limit: Int
    /// `true` if tags count.
    package var usesTags: Bool
    /// `true` if folders count.
    package var usesFolders: Bool

    /// Rules.
    ///
    /// - Parameters:
    ///   - limit: The most files of a group, at least 1.
    ///   - evidence: Tags and names count where they are among it.
    package init(limit: Int = 100, evidence: AlbumEvidence = .all) {
        self.limit = max(1, limit)
        usesTags = evidence.contains(.tags)
        usesFolders = evidence.contains(.names)
    }

    /// The groups, each in the order of a list of files; together they hold every file once.
    package func groups(_ files: [FileAttributes]) -> [[FileAttributes]] {
        let described = files.map { Described($0, self) }.sorted { $0.order.lexicographicallyPrecedes($1.order) }
        var groups: [Group] = []
        var byFolder: [[String]: [Described]] = [:]
        for file in described { byFolder[file.folder, default: []].append(file) }
        for folder in byFolder.keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            groups += parts(of: byFolder[folder] ?? [])
        }
        return merged(groups).flatMap { cut($0) }.map { group in group.files.map(\.file) }
    }

    // MARK: - Files and groups

    private struct Described {
        let file: FileAttributes
        /// The folders without that of a disc.
        let folder: [String]
        let album: TextKey?
        let artist: TextKey?
        /// The medium, as tags or the folder say it.
        let disc: Int?
        /// Folders, disc, number and name: as a person would list them.
        let order: [String]

        init(_ file: FileAttributes, _ grouping: FileGrouping) {
            self.file = file
            var folder = grouping.usesFolders ? Array(file.path.dropLast()) : []
            var disc = file.discNumber
            if let last = folder.last {
                if let number = FolderNameParser.disc(last) {
                    folder.removeLast()
                    disc = disc ?? number
                } else if let (rest, number) = FolderNameParser.trailingDisc(last) {
                    folder[folder.count - 1] = rest
                    disc = disc ?? number
                }
            }
            self.folder = folder
            self.disc = disc
            album = grouping.usesTags ? TextKey(file.album) : nil
            // Guests make no other album.
            artist =
                grouping.usesTags
                ? TextKey(file.albumArtist ?? (file.isCompilation ? "Various Artists" : file.artist)) : nil
            func padded(_ number: Int?) -> String {
                let digits = String(number ?? 0)
                return String(repeating: "0", count: max(0, 6 - digits.count)) + digits
            }
            // Without an album a number says nothing beside those of other albums.
            let number = album == nil ? nil : file.trackNumber
            order = folder + ["", padded(disc), padded(number), file.path.last ?? "", file.id]
        }
    }

    private struct Group {
        var files: [Described]
        let folder: [String]
        let album: TextKey?
        let hasAlbumArtist: Bool
        /// The artist of most files.
        let artist: TextKey?

        init(_ files: [Described]) {
            self.files = files
            folder = files.first?.folder ?? []
            album = Self.album(of: files)
            hasAlbumArtist = files.contains { $0.file.albumArtist != nil || $0.file.isCompilation }
            var counts: [TextKey: Int] = [:]
            for file in files { if let artist = file.artist { counts[artist, default: 0] += 1 } }
            artist = counts.max { ($0.value, $1.key.folded) < ($1.value, $0.key.folded) }?.key
        }

        /// The album that most of the files name, where it is more than half of those that name any.
        private static func album(of files: [Described]) -> TextKey? {
            var counts: [String: (key: TextKey, count: Int)] = [:]
            for case let album? in files.lazy.map(\.album) { counts[album.bare, default: (album, 0)].count += 1 }
            let named = counts.values.reduce(0) { $0 + $1.count }
            return counts.values.first { $0.count * 2 > named }?.key
        }
    }

    /// Divides the files of one folder into groups.
    private func parts(of files: [Described]) -> [Group] {
        var albums: [(key: TextKey, files: [Described])] = []
        var places: [String: Int] = [:]
        var others: [Described] = []
        for file in files {
            guard let album = file.album else {
                others.append(file)
                continue
            }
            // A heap of hundreds of albums has no mistakes that could be told from other albums.
            let place =
                places[album.bare]
                ?? albums.prefix(Self.mostCompared).firstIndex { $0.key.likeness(album) >= Self.sameTitleNearby }
            if let place {
                albums[place].files.append(file)
            } else {
                albums.append((album, [file]))
            }
            places[album.bare] = place ?? albums.count - 1
        }
        // One or two files with an album of their own are mistakes in its name, or loose: they go with what is beside them, and a
        // heap of singles is not a question each.
        let large = albums.filter { $0.files.count >= Self.fewest }
        let rest = albums.filter { $0.files.count < Self.fewest }.flatMap(\.files) + others
        guard !rest.isEmpty else { return large.map { Group($0.files) } }
        if large.count == 1 { return [Group(ordered(large[0].files + rest))] }
        return large.map { Group($0.files) } + [Group(ordered(rest))]
    }

    /// Groups of one album in several folders are one.
    private func merged(_ groups: [Group]) -> [Group] {
        var merged: [Group] = []
        var places: [String: [Int]] = [:]
        for group in groups {
            guard let album = group.album else {
                merged.append(group)
                continue
            }
            let known = (places[album.bare] ?? []).suffix(Self.mostCompared)
            if let index = known.first(where: { isSameAlbum(merged[$0], group) }) {
                merged[index] = Group(merged[index].files + group.files)
            } else {
                places[album.bare, default: []].append(merged.count)
                merged.append(group)
            }
        }
        return merged
    }

    /// "Greatest Hits" of two artists are two albums, and so are two copies of one, each complete.
    private func isSameAlbum(_ left: Group, _ right: Group) -> Bool {
        guard let artist = left.artist, let other = right.artist, artist.likeness(other) >= Self.sameTitle else {
            return false
        }
        struct Place: Hashable {
            var disc: Int?
            var number: Int
        }
        func places(_ group: Group) -> Set<Place> {
            Set(
                group.files.compactMap { file in
                    file.file.trackNumber.map { Place(disc: file.disc, number: $0) }
                }
            )
        }
        return places(left).isDisjoint(with: places(right))
    }

    private func cut(_ group: Group) -> [Group] {
        guard group.files.count > limit else { return [group] }
        var parts: [[Described]] = []
        var part: [Described] = []
        var begin = 0
        while begin < group.files.count {
            // The files of one folder stay together where they fit.
            let end =
                group.files[begin...].firstIndex { $0.file.path.dropLast() != group.files[begin].file.path.dropLast() }
                ?? group.files.count
            if !part.isEmpty, part.count + end - begin > limit {
                parts.append(part)
                part = []
            }
            part += group.files[begin..<end]
            while part.count > limit {
                parts.append(Array(part.prefix(limit)))
                part.removeFirst(limit)
            }
            begin = end
        }
        if !part.isEmpty { parts.append(part) }
        return parts.map { Group($0) }
    }

    private func ordered(_ files: [Described]) -> [Described] {
        files.sorted { $0.order.lexicographicallyPrecedes($1.order) }
    }

    /// The least likeness of two titles that are one, spelled differently: anywhere, and in one folder
    /// (`sameTitleNearby`).
    private static let sameTitle = 0.88
    /// The least number of files with which an album of a folder is a group of its own.
    private static let fewest = 3
    /// The number of other titles that a title is compared with.
    private static let mostCompared = 64
    private static let sameTitleNearby = 0.75
}
