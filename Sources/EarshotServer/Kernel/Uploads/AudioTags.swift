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

    /// Writes the tags into a file. A WAVE file is left unchanged, because some programs that open it accept nothing besides the audio.
    ///
    /// - Throws: `writeFailed`, `metadataInvalid`.
    func write(to file: URL, as format: StemFormat) async throws(EarshotError) {
        guard format != .wave else { return }
        var edit = TagEdit()
        try edit.set("TITLE", to: title)
        if let artist { try edit.set("ARTIST", to: artist) }
        if let key { try edit.set("INITIALKEY", to: key) }
        if let tempo {
            // Tags of M4A have whole beats a minute only.
            let beats = tempo.beatsPerMinute
            let isWhole = format == .aacM4A || beats == beats.rounded()
            try edit.set("BPM", to: isWhole ? "\(Int(beats.rounded()))" : "\(beats)")
        }
        try await TagFile.write(edit, to: file)
    }
}
