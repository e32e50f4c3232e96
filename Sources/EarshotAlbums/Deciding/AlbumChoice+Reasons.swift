import EarshotMusic
import EarshotRecognition
import Foundation

extension AlbumChoice {
    /// What speaks for an outcome and against it, the weightiest first.
    func reasons(for outcome: Outcome, file: FileEvidence) -> [MatchReason] {
        let album = albums[outcome.album]
        let slot = album.slots[outcome.slot]
        var scoring = PairScoring(weights)
        let parts = scoring.score(file, slot, of: album, explained: true).parts ?? []
        var reasons = parts.filter { abs($0.weight) >= 0.05 }.map { part in
            MatchReason(part.kind, weight: (part.weight * 100).rounded() / 100, text: text(part, file, slot, album))
        }
        if outcome.company > 1 {
            let tracks = album.slots.count == 1 ? "1 track" : "\(album.slots.count) tracks"
            let share = "\(outcome.company) files are of this album, which has \(tracks)"
            reasons.append(MatchReason(.company, weight: 0, text: share))
        }
        return reasons.enumerated().sorted {
            (abs($0.element.weight), $1.offset) > (abs($1.element.weight), $0.offset)
        }.map(\.element)
    }

    /// Why a file is nothing: what came nearest, and what speaks for and against that.
    func reasons(forNothingBut nearest: Outcome?, file: FileEvidence) -> [MatchReason] {
        guard let nearest else {
            return [MatchReason(.nearest, weight: 0, text: "nothing that is known is like it")]
        }
        let album = albums[nearest.album]
        let track = album.slots[nearest.slot].track
        let artist = (track.credits.isEmpty ? album.album.credits : track.credits).displayName
        let by = artist.isEmpty ? "" : " by \(artist)"
        let text = "nearest is \(track.title.text)\(by) on \(album.album.title.text), which is not enough"
        var outcome = nearest
        outcome.company = 1
        return [MatchReason(.nearest, weight: 0, text: text)] + reasons(for: outcome, file: file)
    }

    private func text(
        _ part: PairScore.Part,
        _ file: FileEvidence,
        _ slot: AlbumCandidate.Slot,
        _ album: AlbumCandidate
    ) -> String {
        func percent(_ value: Double) -> String { "\(Int((value * 100).rounded())) %" }
        func number(_ value: Double) -> String { "\(Int(value))" }
        let isFor = part.weight > 0
        return switch part.kind {
        case .sound: isFor ? "it sounds the same (\(percent(part.value)))" : "it sounds like another recording"
        case .identifier: isFor ? "it carries the same identifier" : "it carries another recording's identifier"
        case .title:
            isFor && part.value >= 0.96 ? "the title is the same" : "the titles are \(percent(part.value)) alike"
        case .name:
            part.value >= 0.96
                ? "the file is named after the title" : "file name and title are \(percent(part.value)) alike"
        case .version:
            part.value == 0 && part.weight <= -2 ? "it is another version" : "the additions to the title differ"
        case .artist: isFor ? "the artist is the same" : "the artist is another"
        case .length: lengthText(part.value)
        case .number:
            isFor
                ? "it is number \(number(part.value))"
                : "it says number \(number(part.value)), not \(slot.number.map(String.init) ?? "none")"
        case .disc:
            isFor ? "it is on disc \(number(part.value))" : "it says disc \(number(part.value)), not \(slot.medium)"
        case .album:
            switch part.value {
            case 2: "it carries the album's identifier"
            case 3: "the album has as many tracks as the file says"
            case 4: "the year is the same"
            default:
                isFor && part.value >= 0.96
                    ? "the album is the same" : "the album titles are \(percent(part.value)) alike"
            }
        case .folder: "the folder is named after the album"
        case .company: "the files beside it are of the album"
        case .nearest: ""
        }
    }

    private func lengthText(_ difference: Double) -> String {
        let seconds = abs(difference)
        guard seconds >= 1 else { return "it is as long" }
        let shown = seconds < 10 ? String(format: "%.1f", seconds) : "\(Int(seconds.rounded()))"
        return "it is \(shown) s \(difference > 0 ? "longer" : "shorter")"
    }
}
