public import EarshotCore
public import EarshotPieces
public import Foundation

/// A piece that was fetched, and the way to its parts.
public struct OpenedPiece: Sendable, Identifiable {
    /// The piece as the service describes it.
    public let piece: Piece
    private let client: PieceClient

    init(_ piece: Piece, _ client: PieceClient) { (self.piece, self.client) = (piece, client) }

    /// The identifier of the piece.
    public var id: PieceID { piece.id }

    /// The audio of the piece in memory: ``PieceClient/audio(of:kind:format:progress:)``.
    public func audio(
        kind: PieceAudioKind = .stem,
        format: StemFormat? = nil,
        progress: PieceClient.Progress? = nil
    ) async throws(EarshotError) -> Data {
        try await client.audio(of: id, kind: kind, format: format, progress: progress)
    }

    /// Downloads the audio of the piece into a file: ``PieceClient/audio(of:kind:format:to:progress:)``.
    public func audio(
        kind: PieceAudioKind = .stem,
        format: StemFormat? = nil,
        to file: URL,
        progress: PieceClient.Progress? = nil
    ) async throws(EarshotError) {
        try await client.audio(of: id, kind: kind, format: format, to: file, progress: progress)
    }

    /// Its picture; `nil` if it has none.
    public func cover() async throws(EarshotError) -> Data? {
        piece.hasCover ? try await client.cover(of: id) : nil
    }

    /// The file that travels along; `nil` if there is none.
    public func attachment(progress: PieceClient.Progress? = nil) async throws(EarshotError) -> Data? {
        piece.attachmentName == nil ? nil : try await client.attachment(of: id, progress: progress)
    }
}
