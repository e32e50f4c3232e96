import EarshotMusic
import EarshotRecognition
import Foundation

extension AlbumChoice {
    /// Returns the reasons for and against an outcome, the weightiest first.
    func reasons(for outcome: Outcome, file: FileEvidence) -> [MatchReason] {
        let album = albums[outcome.album]
        let slot = album.slots[outcome.slot]
        var scoring = PairScoring(weights)
        let parts = scoring.score(file, slot, of: album, explained: true).parts ?? []
        var reasons = parts.filter { abs($0.weight) >= 0.05 }.map { part in
            let weight = (part.weight * 100).rounded() / 100
            return sentence(part, slot, album).reason(part.kind, weight: weight)
        }
        if outcome.company > 1 {
            let tracks = album.slots.count == 1 ? "1 track" : "\(album.slots.count) tracks"
            let share = ReasonSentence(
                "company-count",
                "\(outcome.company) files are of this album, which has \(tracks)",
                ["files": "\(outcome.company)", "tracks": "\(album.slots.count)"]
            )
            reasons.append(share.reason(.company))
        }
        return reasons.enumerated().sorted {
            (abs($0.element.weight), $1.offset) > (abs($1.element.weight), $0.offset)
        }.map(\.element)
    }

    /// Returns the reasons why a file has no match: the nearest track, and the reasons for and against it.
    func reasons(forNothingBut nearest: Outcome?, file: FileEvidence) -> [MatchReason] {
        guard let nearest else {
            return [ReasonSentence("nearest-none", "nothing that is known is like it").reason(.nearest)]
        }
        let album = albums[nearest.album]
        let track = album.slots[nearest.slot].track
        let artist = (track.credits.isEmpty ? album.album.credits : track.credits).displayName
        let by = artist.isEmpty ? "" : " by \(artist)"
        let sentence = ReasonSentence(
            artist.isEmpty ? "nearest-title" : "nearest-track",
            "nearest is \(track.title.text)\(by) on \(album.album.title.text), which is not enough",
            ["title": track.title.text, "artist": artist, "album": album.album.title.text]
        )
        var outcome = nearest
        outcome.company = 1
        return [sentence.reason(.nearest)] + reasons(for: outcome, file: file)
    }

    private func sentence(
        _ part: PairScore.Part,
        _ slot: AlbumCandidate.Slot,
        _ album: AlbumCandidate
    ) -> ReasonSentence {
        let isFor = part.weight > 0
        switch part.kind {
        case .sound:
            guard isFor else { return ReasonSentence("sound-other", "it sounds like another recording") }
            return .likeness("sound-same", part.value) { "it sounds the same (\($0) %)" }
        case .identifier:
            return isFor
                ? ReasonSentence("identifier-same", "it carries the same identifier")
                : ReasonSentence("identifier-other", "it carries another recording's identifier")
        case .title:
            guard !isFor || part.value < 0.96 else { return ReasonSentence("title-same", "the title is the same") }
            return .likeness("title-similar", part.value) { "the titles are \($0) % alike" }
        case .name:
            guard part.value < 0.96 else { return ReasonSentence("name-same", "the file is named after the title") }
            return .likeness("name-similar", part.value) { "file name and title are \($0) % alike" }
        case .version:
            return part.value == 0 && part.weight <= -2
                ? ReasonSentence("version-other", "it is another version")
                : ReasonSentence("version-additions", "the additions to the title differ")
        case .artist:
            return isFor
                ? ReasonSentence("artist-same", "the artist is the same")
                : ReasonSentence("artist-other", "the artist is another")
        case .length: return length(part.value)
        case .number:
            let number = "\(Int(part.value))"
            guard !isFor else { return ReasonSentence("number-same", "it is number \(number)", ["number": number]) }
            guard let other = slot.number.map({ "\($0)" }) else {
                return ReasonSentence("number-none", "it says number \(number), not none", ["number": number])
            }
            return ReasonSentence(
                "number-other",
                "it says number \(number), not \(other)",
                ["number": number, "other": other]
            )
        case .disc:
            let number = "\(Int(part.value))"
            guard !isFor else { return ReasonSentence("disc-same", "it is on disc \(number)", ["number": number]) }
            return ReasonSentence(
                "disc-other",
                "it says disc \(number), not \(slot.medium)",
                ["number": number, "other": "\(slot.medium)"]
            )
        case .album:
            switch part.value {
            case 2: return ReasonSentence("album-identifier", "it carries the album's identifier")
            case 3: return ReasonSentence("album-tracks", "the album has as many tracks as the file says")
            case 4: return ReasonSentence("album-year", "the year is the same")
            default: break
            }
            guard !isFor || part.value < 0.96 else { return ReasonSentence("album-same", "the album is the same") }
            return .likeness("album-similar", part.value) { "the album titles are \($0) % alike" }
        case .folder: return ReasonSentence("folder", "the folder is named after the album")
        case .company: return ReasonSentence("company", "the files beside it are of the album")
        case .nearest: return ReasonSentence("nearest-none", "")
        }
    }

    private func length(_ difference: Double) -> ReasonSentence {
        let seconds = abs(difference)
        guard seconds >= 1 else { return ReasonSentence("length-same", "it is as long") }
        let shown = seconds < 10 ? String(format: "%.1f", seconds) : "\(Int(seconds.rounded()))"
        return difference > 0
            ? ReasonSentence("length-longer", "it is \(shown) s longer", ["seconds": shown])
            : ReasonSentence("length-shorter", "it is \(shown) s shorter", ["seconds": shown])
    }
}

/// A reason in English, with what programs need to say it in another language.
struct ReasonSentence {
    /// The stable name of the sentence.
    let code: String
    let text: String
    /// The values in the sentence by name.
    let values: [String: String]

    init(_ code: String, _ text: String, _ values: [String: String] = [:]) {
        (self.code, self.text, self.values) = (code, text, values)
    }

    /// Returns a sentence about a likeness.
    ///
    /// - Parameters:
    ///   - code: The name of the sentence.
    ///   - share: The likeness, from 0 to 1.
    ///   - text: Makes the sentence of the percentage.
    static func likeness(_ code: String, _ share: Double, _ text: (String) -> String) -> ReasonSentence {
        let percent = "\(Int((share * 100).rounded()))"
        return ReasonSentence(code, text(percent), ["percent": percent])
    }

    /// Returns the sentence as a reason.
    func reason(_ kind: MatchReason.Kind, weight: Double = 0) -> MatchReason {
        MatchReason(kind, weight: weight, text: text, code: code, values: values.isEmpty ? nil : values)
    }
}
