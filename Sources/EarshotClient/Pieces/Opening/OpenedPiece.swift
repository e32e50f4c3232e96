public import EarshotCore
public import EarshotPieces
public import Foundation

/// A fetched piece, with functions that download its parts.
public struct OpenedPiece: Sendable, Identifiable {
    /// The piece as the service describes it.
    public let piece: Piece
    private let client: PieceClient

    init(_ piece: Piece, _ client: PieceClient) { (self.piece, self.client) = (piece, client) }

    /// The identifier of the piece.
    public var id: PieceID { piece.id }

    /// Downloads the audio of the piece into memory, as ``PieceClient/audio(of:kind:format:progress:)`` does.
    public func audio(
        kind: PieceAudioKind = .stem,
        format: StemFormat? = nil,
        progress: PieceClient.Progress? = nil
    ) async throws(EarshotError) -> Data {
        try await client.audio(of: id, kind: kind, format: format, progress: progress)
    }

    /// Downloads the audio of the piece into a file, as ``PieceClient/audio(of:kind:format:to:progress:)`` does.
    public func audio(
        kind: PieceAudioKind = .stem,
        format: StemFormat? = nil,
        to file: URL,
        progress: PieceClient.Progress? = nil
    ) async throws(EarshotError) {
        try await client.audio(of: id, kind: kind, format: format, to: file, progress: progress)
    }

    /// Downloads the cover of the piece, as encoded bytes; `nil` if it has none.
    ///
    /// - Throws: The errors of ``PieceClient/cover(of:)``.
    public func cover() async throws(EarshotError) -> Data? {
        piece.hasCover ? try await client.cover(of: id) : nil
    }

    /// Downloads the attachment, a file that the author published with the piece; `nil` if there is none.
    ///
    /// - Throws: The errors of ``PieceClient/attachment(of:progress:)``.
    public func attachment(progress: PieceClient.Progress? = nil) async throws(EarshotError) -> Data? {
        piece.attachmentName == nil ? nil : try await client.attachment(of: id, progress: progress)
    }
}
