import EarshotPieces
import Foundation

/// Saves a piece as a package, which is opened without a service.
func save(_ draft: PieceDraft, _ providers: LoopProviders, to file: URL) async throws {
    let package = PiecePackage(
        draft: draft,
        mix: PackagedAudio(try await providers.mixStem(for: draft)),
        stems: try await providers.stems(for: draft),
        preview: try await providers.preview(for: draft).map { PackagedAudio($0) },
        cover: try await providers.cover(for: draft),
        attachment: try await providers.attachment(for: draft)
    )
    try PiecePackageWriter(package).write(to: file, replacing: true)
    print("\(draft.title), \(draft.tonality.label): \(file.path)")
}
