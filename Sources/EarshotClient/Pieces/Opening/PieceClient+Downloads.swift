public import EarshotCore
public import EarshotPieces
public import Foundation
import NIOHTTP1

extension PieceClient {
    /// Called with the number of downloaded bytes, and the total number of bytes.
    public typealias Progress = @Sendable (Int, Int) -> Void

    /// Downloads the audio of a piece into memory, and checks its size and digest.
    ///
    /// - Parameters:
    ///   - id: The piece.
    ///   - kind: The mix, a stem or the preview.
    ///   - format: The format, into which the service converts if needed; `nil` for the format that was dropped.
    ///   - progress: Called with the progress of the download.
    /// - Returns: The bytes of the audio file.
    /// - Throws: `pieceNotFound`, `formatUnavailable`, `networkUnavailable`, `downloadFailed` if the audio differs from
    ///   its size or digest or the service failed, `cancelled`, and the service's other errors.
    public func audio(
        of id: PieceID,
        kind: PieceAudioKind = .stem,
        format: StemFormat? = nil,
        progress: Progress? = nil
    ) async throws(EarshotError) -> Data {
        try await data(kind.words, id, "audio", Self.parameters(kind, format), progress)
    }

    /// Downloads the audio of a piece into a file, and checks its size and digest. The file appears when it is
    /// complete. An interrupted download resumes, even in another process.
    ///
    /// - Parameters:
    ///   - id: The piece.
    ///   - kind: The mix, a stem or the preview.
    ///   - format: The format, into which the service converts if needed; `nil` for the format that was dropped.
    ///   - file: The file. An existing file is replaced.
    ///   - progress: Called with the progress of the download.
    /// - Throws: `pieceNotFound`, `formatUnavailable`, `networkUnavailable`, `downloadFailed` if the audio differs from
    ///   its size or digest or the service failed, `writeFailed`, `storeUnavailable`, `cancelled`, and the service's
    ///   other errors.
    public func audio(
        of id: PieceID,
        kind: PieceAudioKind = .stem,
        format: StemFormat? = nil,
        to file: URL,
        progress: Progress? = nil
    ) async throws(EarshotError) {
        try await fetch(kind.words, id, "audio", Self.parameters(kind, format), .file(file), progress)
    }

    /// Downloads the cover of a piece, as encoded bytes.
    ///
    /// - Throws: `pieceNotFound`, also for a piece without a cover; `networkUnavailable`, `downloadFailed`,
    ///   `cancelled`, and the service's other errors.
    public func cover(of id: PieceID) async throws(EarshotError) -> Data {
        try await data("The cover", id, "cover", [], nil)
    }

    /// Downloads the attachment of a piece, a file that its author published with it, into memory.
    ///
    /// - Parameters:
    ///   - id: The piece.
    ///   - progress: Called with the progress of the download.
    /// - Throws: `pieceNotFound`, also for a piece without an attachment; `networkUnavailable`, `downloadFailed`,
    ///   `cancelled`, and the service's other errors.
    public func attachment(of id: PieceID, progress: Progress? = nil) async throws(EarshotError) -> Data {
        try await data("The attachment", id, "attachment", [], progress)
    }

    /// Downloads the attachment of a piece into a file. It resumes and throws as ``audio(of:kind:format:to:progress:)``
    /// does.
    ///
    /// - Parameters:
    ///   - id: The piece.
    ///   - file: The file. An existing file is replaced.
    ///   - progress: Called with the progress of the download.
    public func attachment(of id: PieceID, to file: URL, progress: Progress? = nil) async throws(EarshotError) {
        try await fetch("The attachment", id, "attachment", [], .file(file), progress)
    }

    // MARK: - Parts

    private static func parameters(_ kind: PieceAudioKind, _ format: StemFormat?) -> [(String, String)] {
        let name: String? =
            switch format {
            case .wave: "wave"
            case .oggVorbis: "ogg"
            case .aacM4A: "m4a"
            case nil: nil
            }
        return kind.parameters + (name.map { [("format", $0)] } ?? [])
    }

    private func data(
        _ what: String,
        _ id: PieceID,
        _ path: String,
        _ parameters: [(String, String)],
        _ progress: Progress?
    ) async throws(EarshotError) -> Data {
        try await fetch(what, id, path, parameters, .memory(configuration.memoryLimit), progress)
    }

    @discardableResult
    private func fetch(
        _ what: String,
        _ id: PieceID,
        _ path: String,
        _ parameters: [(String, String)],
        _ place: PieceDownload.Place,
        _ progress: Progress?
    ) async throws(EarshotError) -> Data {
        let call = HTTPCall(.GET, path: "pieces/\(id)/\(path)", parameters: parameters)
        return try await asReader { (requests) async throws(EarshotError) -> Data in
            var download = PieceDownload(requests, call, "\(what) of \(id)", place, progress)
            return try await download.run()
        }
    }
}
