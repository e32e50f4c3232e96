import EarshotCore
import EarshotMusic
import EarshotRecognition

/// The weight of the evidence that a file is a track, in nats.
struct PairScore: Sendable {
    /// The weight of sound, identifiers and titles, which tell one piece from another.
    private(set) var identity = 0.0
    /// The weight of lengths, numbers and artists.
    private(set) var support = 0.0
    /// The weight of what names the album for every file beside it: its title, the folder, the year.
    private(set) var context = 0.0
    /// `true` if sound or an identifier says so, not words alone.
    private(set) var isProven = false
    /// `true` if the artist is the same.
    private var hasArtist = false
    /// `true` if the album's title or identifier is.
    private var hasAlbum = false
    /// `true` if the length is another one.
    private var hasOtherLength = false
    /// One by one, where they are wanted: there are many more pairs than answers.
    private(set) var parts: [Part]?

    struct Part: Sendable {
        var kind: MatchReason.Kind
        var weight: Double
        /// The value that was compared: a likeness, seconds, a number.
        var value: Double
    }

    var total: Double { identity + support + context }

    /// `true` if a file may be the track without others beside it that are of the album. A title alone is anybody's,
    /// and a title and an artist are a working title as soon as the length is another one.
    var standsAlone: Bool { isProven || hasAlbum || hasArtist && !hasOtherLength }

    init(explained: Bool = false) { parts = explained ? [] : nil }

    mutating func identify(_ kind: MatchReason.Kind, _ weight: Double, _ value: Double = 0) {
        identity += weight
        if (kind == .sound || kind == .identifier) && weight > 0 { isProven = true }
        parts?.append(Part(kind: kind, weight: weight, value: value))
    }

    mutating func support(_ kind: MatchReason.Kind, _ weight: Double, _ value: Double = 0) {
        support += weight
        if kind == .artist && weight > 0 { hasArtist = true }
        if kind == .length && weight < 0 { hasOtherLength = true }
        parts?.append(Part(kind: kind, weight: weight, value: value))
    }

    mutating func surround(_ kind: MatchReason.Kind, _ weight: Double, _ value: Double = 0) {
        context += weight
        if weight >= Self.corroborating { hasAlbum = true }
        parts?.append(Part(kind: kind, weight: weight, value: value))
    }

    /// The least weight at which evidence by itself names the file's album: a title or an identifier does, a year does
    /// not.
    private static let corroborating = 0.9
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
            score.surround(.album, weights.albumIdentifier, 2)
        } else if common.contains(where: { $0.scheme == .musicBrainzReleaseGroup }) {
            score.surround(.album, weights.groupIdentifier, 2)
        }
    }

    /// The comparison of one spelling of a title with another.
    private struct Spelling {
        var likeness: Double
        /// The weight of titles of this likeness, as a share of that of equal titles.
        var share: Double
        /// The weight of another version, in nats; 0 or less.
        var penalty: Double
        /// The rank among the spellings of one title.
        var worth: Double { 4 * share + penalty }
    }

    private mutating func spelling(_ text: TextKey?, _ title: TextKey) -> Spelling? {
        guard let text, let likeness = cache.likeness(text, title) else { return nil }
        let share = DecisionWeights.share(ofLikeness: likeness)
        var penalty = 0.0
        // Titles that have nothing in common are of no versions of one piece.
        if share > 0 {
            switch text.versionDifference(title) {
            case .none: break
            case .additions: penalty = weights.otherAddition
            case .versions: penalty = weights.otherVersion
            }
        }
        return Spelling(likeness: likeness, share: share, penalty: penalty)
    }

    /// - Returns: The reading of the name that fits best.
    private mutating func addTitles(
        _ file: FileEvidence,
        _ slot: AlbumCandidate.Slot,
        _ score: inout PairScore
    ) -> FileEvidence.NamedTitle? {
        var tagged: Spelling?
        var named: (reading: FileEvidence.NamedTitle, spelling: Spelling)?
        for title in [slot.title].compactMap(\.self) + slot.spellings {
            if let spelling = spelling(file.title, title), spelling.worth > tagged?.worth ?? -.infinity {
                tagged = spelling
            }
            for reading in file.names {
                guard let spelling = spelling(reading.title, title),
                    spelling.worth > named?.spelling.worth ?? -.infinity
                else { continue }
                named = (reading, spelling)
            }
        }
        // The two mostly come from one source; the better of them counts.
        let byTag = tagged.map { weights.title * $0.share + $0.penalty }
        let byName = named.map { weights.name * $0.spelling.share + $0.spelling.penalty }
        if let byTag, let tagged, byTag >= byName ?? -.infinity {
            score.identify(.title, weights.title * tagged.share, tagged.likeness)
            if tagged.penalty < 0 { score.identify(.version, tagged.penalty) }
        } else if let byName, let named {
            // A name that says nothing speaks against no track: "Track 03", "audio_17".
            let isPlain = byTag == nil && byName < 0 && named.spelling.penalty == 0
            score.identify(.name, isPlain ? 0 : weights.name * named.spelling.share, named.spelling.likeness)
            if named.spelling.penalty < 0 { score.identify(.version, named.spelling.penalty) }
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
            score.surround(.album, weights.trackCount, 3)
        }
    }

    private mutating func addAlbum(_ file: FileEvidence, _ album: AlbumCandidate, _ score: inout PairScore) {
        let tagged = album.titles.compactMap { cache.likeness(file.album, $0) }.max()
        if let tagged {
            let share = DecisionWeights.share(ofLikeness: tagged)
            score.surround(.album, share > 0 ? share * weights.album : weights.otherAlbum, tagged)
        }
        var folder = 0.0
        for name in file.folderAlbums {
            for title in album.titles { folder = max(folder, cache.likeness(name, title) ?? 0) }
        }
        if folder >= 0.6 {
            let weight = weights.folder * DecisionWeights.share(ofLikeness: folder)
            // Folders are mostly named after the tags.
            score.surround(.folder, (tagged ?? 0) >= 0.8 ? weight / 3 : weight, folder)
        }
        let year = file.attributes.date?.year ?? file.folder.year
        if let year, year == album.album.date?.year { score.surround(.album, weights.year, 4) }
    }
}
