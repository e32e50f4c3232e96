package import Earshot
package import Foundation

/// The material of a reference: the signature of a file and its tags.
package struct SignedFile: Sendable {
    /// The signature with as many landmarks as a catalog keeps.
    package let signature: Signature
    /// The media item of the tags; `nil` for a signature file, which has none.
    package let tags: MediaItem?
    /// Says that the audio is not as long as the file declares; `nil` if it is.
    package let durationWarning: DurationWarning?

    /// Reads a signature file, or makes the signature of an audio file.
    ///
    /// - Throws: `signatureInvalid` if there is nothing to recognize, `assetNotFound`, `assetUnreadable`, and what else reading a file
    ///   throws; `cancelled`, `CancellationError`.
    @concurrent
    package init(_ url: URL) async throws {
        tags = url.pathExtension.lowercased() == "earsig" ? nil : MediaItem(try await Asset.load(url))
        let audio = try await Clip.audio(url.path)
        durationWarning = DurationWarning(url.path, audio.durationMismatch)
        signature = try audio.recognizable(named: url.path).thinned(to: Reference.density)
    }
}
