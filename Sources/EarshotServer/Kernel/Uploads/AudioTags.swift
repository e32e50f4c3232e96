import EarshotCore
import EarshotMedia
package import EarshotPieces
import EarshotTags
import Foundation

/// The tags of converted audio, for players and mixing programs: title, artist, tempo and key.
package struct AudioTags: Hashable, Sendable, Codable {
    /// The title.
    package var title: String
    /// The artist; `nil` if unknown.
    package var artist: String?
    /// The tempo; `nil` if it is unknown or not constant.
    package var tempo: FixedTempo?
    /// The key as tags write it (``EarshotPieces/Tonality/initialKey``); `nil` if unknown.
    package var key: String?

    /// Creates tags.
    package init(title: String, artist: String? = nil, tempo: FixedTempo? = nil, key: String? = nil) {
        self.title = title
        self.artist = artist
        self.tempo = tempo
        self.key = key
    }

    /// Writes them into a file; WAVE is left as it is, as what opens it is not always ready for more than its sound.
    ///
    /// - Throws: `writeFailed`, `metadataInvalid`.
    func write(to file: URL, as format: StemFormat) async throws(EarshotError) {
        guard format != .wave else { return }
        var edit = TagEdit()
        try edit.set("TITLE", to: title)
        if let artist { try edit.set("ARTIST", to: artist) }
        if let key { try edit.set("INITIALKEY", to: key) }
        if let tempo {
            // M4A has whole beats a minute only.
            let beats = tempo.beatsPerMinute
            let isWhole = format == .aacM4A || beats == beats.rounded()
            try edit.set("BPM", to: isWhole ? "\(Int(beats.rounded()))" : "\(beats)")
        }
        try await TagFile.write(edit, to: file)
    }
}
