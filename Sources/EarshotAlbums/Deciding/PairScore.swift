import EarshotCatalogs
import EarshotCore
import EarshotMetadata

/// What speaks for one file's being one track.
struct PairScore: Sendable {
    /// What says which piece it is: sound, identifiers, titles.
    private(set) var identity = 0.0
    /// What fits with it: lengths, numbers, names of artists and albums.
    private(set) var support = 0.0
    /// One by one, where they are wanted: there are many more pairs than answers.
    private(set) var parts: [Part]?

    struct Part: Sendable {
        var kind: MatchReason.Kind
        var weight: Double
        /// What was compared: likeness, seconds, a number.
        var value: Double
    }

    var total: Double { identity + support }

    init(explained: Bool = false) { parts = explained ? [] : nil }

    mutating func identify(_ kind: MatchReason.Kind, _ weight: Double, _ value: Double = 0) {
        identity += weight
        parts?.append(Part(kind: kind, weight: weight, value: value))
    }

    mutating func support(_ kind: MatchReason.Kind, _ weight: Double, _ value: Double = 0) {
        support += weight
        parts?.append(Part(kind: kind, weight: weight, value: value))
    }
}

/// Holds files against tracks.
struct PairScoring {
    let weights: DecisionWeights
    var cache = LikenessCache()

    init(_ weights: DecisionWeights = DecisionWeights()) { self.weights = weights }

    mutating func score(
        _ file: FileEvidence,
        _ slot: AlbumCandidate.Slot,
        of album: AlbumCandidate,
        explained: Bool = false
    ) -> PairScore {
        var score = PairScore(explained: explained)
        addSound(file, slot, &score)
        addIdentifiers(file, slot, album, &score)
        let named = addTitles(file, slot, &score)
        addArtists(file, slot, album, named, &score)
        addLength(file, slot, &score)
        addNumbers(file, slot, album, named, &score)
        addAlbum(file, album, &score)
        return score
    }

    private func addSound(_ file: FileEvidence, _ slot: AlbumCandidate.Slot, _ score: inout PairScore) {
        if let confidence = file.heard[slot.track.id] {
            score.identify(.sound, weights.soundAlike * confidence, confidence)
        } else if let best = file.heard.values.max() {
            score.identify(.sound, weights.soundsLikeAnother * best, -best)
        }
    }

    private func addIdentifiers(
        _ file: FileEvidence,
        _ slot: AlbumCandidate.Slot,
        _ album: AlbumCandidate,
        _ score: inout PairScore
    ) {
        let own = file.attributes.identifiers
        let ofTrack = own.filter { $0.scheme == .musicBrainzTrack }
        if file.attributes.trackID == slot.track.id || !ofTrack.isDisjoint(with: slot.track.identifiers) {
            score.identify(.identifier, weights.trackIdentifier)
        } else if !file.recordings.isDisjoint(with: slot.recordings) {
            score.identify(.identifier, weights.recordingIdentifier)
        } else if !file.recordings.isEmpty, !slot.recordings.isEmpty {
            score.identify(.identifier, weights.otherIdentifier)
        }
        let common = own.intersection(album.album.identifiers)
        if file.attributes.albumID == album.album.id
            || common.contains(where: { $0.scheme == .musicBrainzRelease || $0.scheme == .barcode })
        {
            score.support(.album, weights.albumIdentifier, 2)
        } else if common.contains(where: { $0.scheme == .musicBrainzReleaseGroup }) {
            score.support(.album, weights.groupIdentifier, 2)
        }
    }

    /// - Returns: The reading of the name that fits best.
    private mutating func addTitles(
        _ file: FileEvidence,
        _ slot: AlbumCandidate.Slot,
        _ score: inout PairScore
    ) -> FileEvidence.NamedTitle? {
        var tagged: Double?
        var named: (reading: FileEvidence.NamedTitle, likeness: Double)?
        for title in [slot.title].compactMap(\.self) + slot.spellings {
            if let likeness = cache.likeness(file.title, title) { tagged = max(tagged ?? 0, likeness) }
            for reading in file.names {
                guard let likeness = cache.likeness(reading.title, title), likeness > named?.likeness ?? -1 else {
                    continue
                }
                named = (reading, likeness)
            }
        }
        // The two mostly come from one source; the better of them counts.
        let byTag = tagged.map { weights.title * DecisionWeights.share(ofLikeness: $0) }
        let byName = named.map { weights.name * DecisionWeights.share(ofLikeness: $0.likeness) }
        if let byTag, let tagged, byTag >= byName ?? -.infinity {
            score.identify(.title, byTag, tagged)
        } else if let byName, let named {
            // A name that says nothing speaks against no track: "Track 03", "audio_17".
            score.identify(.name, byTag == nil ? max(byName, 0) : byName, named.likeness)
        }
        return named?.reading
    }

    private mutating func addArtists(
        _ file: FileEvidence,
        _ slot: AlbumCandidate.Slot,
        _ album: AlbumCandidate,
        _ named: FileEvidence.NamedTitle?,
        _ score: inout PairScore
    ) {
        let tagged = [
            cache.likeness(file.artist, slot.artist), cache.likeness(file.artist, album.artist),
            cache.likeness(file.albumArtist, album.artist),
        ].compactMap(\.self).max()
        var read = [cache.likeness(named?.artist, slot.artist)]
        for artist in file.folderArtists {
            read.append(cache.likeness(artist, album.artist))
            read.append(cache.likeness(artist, slot.artist))
        }
        let byName = read.compactMap(\.self).max()
        if let likeness = [tagged, byName.map { $0 >= 0.8 ? $0 : 0 }].compactMap(\.self).max() {
            if likeness >= 0.8 {
                score.support(.artist, weights.artist * (likeness - 0.6) / 0.4, likeness)
            } else if tagged != nil, likeness < 0.5 {
                score.support(.artist, weights.otherArtist, likeness)
            }
        }
    }

    private func addLength(_ file: FileEvidence, _ slot: AlbumCandidate.Slot, _ score: inout PairScore) {
        guard let length = file.attributes.duration, let wanted = slot.track.duration else { return }
        let difference = (length - wanted).seconds
        guard difference.isFinite, let step = weights.lengths.first(where: { abs(difference) <= $0.seconds }) else {
            return
        }
        score.support(.length, step.weight, difference)
    }

    private func addNumbers(
        _ file: FileEvidence,
        _ slot: AlbumCandidate.Slot,
        _ album: AlbumCandidate,
        _ named: FileEvidence.NamedTitle?,
        _ score: inout PairScore
    ) {
        let hasSeveral = album.slots.contains { $0.medium != 1 }
        func fits(_ number: Int) -> Bool { number == slot.number || (hasSeveral && number == slot.running) }
        if let number = file.attributes.trackNumber {
            score.support(.number, fits(number) ? weights.number : weights.otherNumber, Double(number))
        } else if let number = named?.number ?? file.names.first?.number {
            score.support(.number, fits(number) ? weights.nameNumber : weights.otherNameNumber, Double(number))
        }
        if hasSeveral, let disc = file.disc {
            score.support(.disc, disc == slot.medium ? weights.disc : weights.otherDisc, Double(disc))
        }
        if let count = file.attributes.trackCount, count == album.trackCount(onMedium: slot.medium) {
            score.support(.album, weights.trackCount, 3)
        }
    }

    private mutating func addAlbum(_ file: FileEvidence, _ album: AlbumCandidate, _ score: inout PairScore) {
        let tagged = album.titles.compactMap { cache.likeness(file.album, $0) }.max()
        if let tagged {
            let share = DecisionWeights.share(ofLikeness: tagged)
            score.support(.album, share > 0 ? share * weights.album : weights.otherAlbum, tagged)
        }
        var folder = 0.0
        for name in file.folderAlbums {
            for title in album.titles { folder = max(folder, cache.likeness(name, title) ?? 0) }
        }
        if folder >= 0.6 {
            let weight = weights.folder * DecisionWeights.share(ofLikeness: folder)
            // Folders are mostly named after the tags.
            score.support(.folder, (tagged ?? 0) >= 0.8 ? weight / 3 : weight, folder)
        }
        let year = file.attributes.date?.year ?? file.folder.year
        if let year, year == album.album.date?.year { score.support(.album, weights.year, 4) }
    }
}
