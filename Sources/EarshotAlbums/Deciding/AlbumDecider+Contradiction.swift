import EarshotCore
import EarshotMusic
import EarshotRecognition
import EarshotSignatures
import Foundation

extension AlbumDecider {
    /// Returns what the sound of a file says against a track: the catalog has a recording of the track, and the file is not heard as
    /// it. `nil` if it says nothing against it, or nothing is known of it.
    ///
    /// Tags are copied from file to file, sound is not: however much tags and names say, they do not outweigh it.
    func contradiction(
        to slot: AlbumCandidate.Slot,
        of album: AlbumCandidate,
        by file: FileEvidence
    ) async throws(EarshotError) -> ReasonSentence? {
        guard file.soundSearch != .none, file.heard[slot.track.id] == nil else { return nil }
        var sounding: Track?
        if let best = file.heard.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }) {
            for id in file.heard.keys {
                guard let track = try await service.music.track(id) else { continue }
                // The same piece on another album, which no identifier says to be the same recording.
                if TextKey(track.title.text)?.bare == slot.title?.bare { return nil }
                if id == best.key { sounding = track }
            }
        }
        guard try await service.hasReference(of: slot.track) else { return nil }
        let artist = (slot.track.credits.isEmpty ? album.album.credits : slot.track.credits).displayName
        let claimed = Self.named(slot.track.title.text, artist)
        let source = file.title != nil ? "tags say" : file.names.isEmpty ? "the files beside it say" : "names say"
        let heard = sounding.map { Self.named($0.title.text, $0.credits.displayName) }
        let sound =
            if let heard {
                "matches " + heard
            } else if file.soundSearch == .found {
                "matches another recording in the catalog"
            } else {
                "matches nothing in the catalog"
            }
        let text = "\(source) \(claimed); the sound \(sound)"
        guard let heard else { return ReasonSentence("sound-contradicts", text, ["claimed": claimed]) }
        return ReasonSentence("sound-contradicts-track", text, ["claimed": claimed, "heard": heard])
    }

    private static func named(_ title: String, _ artist: String) -> String {
        artist.isEmpty ? title : "\(title) by \(artist)"
    }
}

extension FileDecision {
    /// Limits how sure a decision is that sound contradicts.
    mutating func contradict(_ sentence: ReasonSentence, atMost limit: Double) {
        isContradictedBySound = true
        duplicateOf = nil
        let lost = Self.logOdds(limit) - Self.logOdds(confidence)
        confidence = min(confidence, limit)
        reasons.removeAll { $0.kind == .sound }
        reasons.insert(sentence.reason(.sound, weight: (min(lost, -0.05) * 100).rounded() / 100), at: 0)
    }

    private static func logOdds(_ share: Double) -> Double {
        let share = min(max(share, 1e-6), 1 - 1e-6)
        return log(share / (1 - share))
    }
}

extension Signature {
    /// `true` if this suffices to find the recording in a catalog that has it: long enough, and not nearly silent.
    var hasEnoughToBeHeard: Bool {
        duration >= Self.leastHeard && landmarks.count >= Self.leastLandmarks
    }

    private static let leastHeard = MediaTime(value: 10, timescale: 1)
    private static let leastLandmarks = 150
}
