import EarshotCatalogs
import EarshotCore
import EarshotMetadata

/// Finds the albums that files may be of: by what they sound like, by identifiers, by titles of albums, by titles of tracks.
struct AlbumSearch: Sendable {
    let music: any MusicStore
    let limits: AlbumDecider.Limits

    /// Albums with their tracks, the likeliest first.
    func albums(for files: [FileEvidence]) async throws(EarshotError) -> [AlbumCandidate] {
        var votes = Votes()
        for file in files {
            try await addHeard(file, &votes)
            try await addIdentified(file, &votes)
        }
        try await addByAlbum(files, &votes)
        try await addByTitle(files, &votes)
        var candidates: [AlbumCandidate] = []
        var room = limits.tracks
        for id in votes.best(limits.albums) {
            guard let album = try await music.album(id) else { continue }
            let tracks = try await music.tracks(of: album.id)
            guard !tracks.isEmpty, tracks.count <= room,
                !candidates.contains(where: { $0.album.id == album.id })
            else { continue }
            candidates.append(AlbumCandidate(album, tracks: tracks))
            room -= tracks.count
        }
        return candidates
    }

    /// Votes for albums: of each file the best that it says of one.
    private struct Votes {
        private var byFile: [EntityID<Album>: [String: Double]] = [:]

        mutating func add(_ album: EntityID<Album>?, by file: FileEvidence, _ weight: Double) {
            guard let album else { return }
            var weights = byFile[album] ?? [:]
            weights[file.attributes.id] = max(weights[file.attributes.id] ?? 0, weight)
            byFile[album] = weights
        }

        func best(_ count: Int) -> [EntityID<Album>] {
            var sums: [(id: EntityID<Album>, votes: Double)] = []
            for (id, weights) in byFile { sums.append((id, weights.values.reduce(0, +))) }
            sums.sort { $0.votes != $1.votes ? $0.votes > $1.votes : $0.id < $1.id }
            return sums.prefix(count).map(\.id)
        }

        func isKnown(_ file: FileEvidence) -> Bool {
            byFile.values.contains { $0[file.attributes.id] != nil }
        }
    }

    private func addHeard(_ file: FileEvidence, _ votes: inout Votes) async throws(EarshotError) {
        for (id, confidence) in file.heard {
            votes.add(try await music.track(id)?.place?.album, by: file, 3 * confidence)
        }
    }

    private func addIdentified(_ file: FileEvidence, _ votes: inout Votes) async throws(EarshotError) {
        let attributes = file.attributes
        if let id = attributes.albumID, let album = try await music.album(id) { votes.add(album.id, by: file, 3) }
        if let id = attributes.trackID { votes.add(try await music.track(id)?.place?.album, by: file, 3) }
        for identifier in attributes.identifiers.sorted(by: { $0.description < $1.description }) {
            switch identifier.scheme {
            case .musicBrainzRecording, .musicBrainzTrack, .isrc, .acoustID:
                for track in try await music.tracks(with: identifier) { votes.add(track.place?.album, by: file, 3) }
            case .musicBrainzRelease, .barcode:
                for album in try await music.albums(with: identifier) { votes.add(album.id, by: file, 3) }
            case .musicBrainzReleaseGroup:
                for album in try await music.albums(with: identifier) { votes.add(album.id, by: file, 2) }
            case .musicBrainzArtist, .musicBrainzWork, .iswc, .isni: break
            }
        }
    }

    /// Searches for each album that tags or folders name, once.
    private func addByAlbum(_ files: [FileEvidence], _ votes: inout Votes) async throws(EarshotError) {
        struct Named: Hashable {
            var artist: String?
            var album: String
        }
        var named: [Named: [FileEvidence]] = [:]
        for file in files {
            if let album = file.attributes.album {
                let artist =
                    file.attributes.albumArtist ?? (file.attributes.isCompilation ? nil : file.attributes.artist)
                named[Named(artist: artist, album: album), default: []].append(file)
            }
            for album in file.folder.albums.prefix(2) {
                for artist in file.folder.artists.prefix(2) {
                    named[Named(artist: artist, album: album), default: []].append(file)
                }
                named[Named(artist: nil, album: album), default: []].append(file)
            }
        }
        // The most frequent first; a folder of singles names an album each.
        let ordered = named.sorted {
            ($0.value.count, $1.key.album, $1.key.artist ?? "") > ($1.value.count, $0.key.album, $0.key.artist ?? "")
        }
        for (name, files) in ordered.prefix(limits.titleSearches) {
            for artist in name.artist == nil ? [nil] : [name.artist, nil] {
                let query = MusicQuery(artist: artist, album: name.album, limit: 10)
                let hits = try await music.search(query)
                for case .album(let id) in hits.map(\.entity) {
                    for file in files { votes.add(id, by: file, artist == nil ? 0.6 : 1) }
                }
                if !hits.isEmpty { break }
            }
        }
    }

    /// Searches for files of which no album is known yet by their titles.
    private func addByTitle(_ files: [FileEvidence], _ votes: inout Votes) async throws(EarshotError) {
        var searches = 0
        for file in files where !votes.isKnown(file) {
            var queries: [MusicQuery] = []
            if let title = file.attributes.title {
                if let artist = file.attributes.artist ?? file.attributes.albumArtist {
                    queries.append(MusicQuery(artist: artist, track: title, limit: 20))
                }
                queries.append(MusicQuery(track: title, limit: 20))
            }
            if let name = file.attributes.path.last {
                for reading in NameReading.readings(of: name).prefix(3) {
                    let artist = reading.artist ?? file.folder.artists.first
                    if let artist { queries.append(MusicQuery(artist: artist, track: reading.title, limit: 20)) }
                    if reading.artist == nil { queries.append(MusicQuery(track: reading.title, limit: 20)) }
                }
            }
            for query in queries {
                guard searches < limits.titleSearches else { return }
                searches += 1
                let hits = try await music.search(query)
                for case .track(let id) in hits.map(\.entity) {
                    votes.add(try await music.track(id)?.place?.album, by: file, query.artist == nil ? 0.3 : 0.8)
                }
                if votes.isKnown(file) { break }
            }
        }
    }
}
