import CommandKit
import EarshotClient
import EarshotCore
import EarshotPieces
import Foundation

/// A piece of a service as a folder: its parts, and what is said of it.
struct SavedPiece {
    let opened: OpenedPiece
    let format: StemFormat?
    /// The folder.
    let url: URL

    init(_ opened: OpenedPiece, in parent: URL, format: StemFormat?) {
        self.opened = opened
        self.format = format
        url = Self.place(opened.piece.title, opened.id, in: parent)
    }

    /// The folder of a piece: its title as far as names of folders can have it, and the begin of its identifier.
    static func place(_ title: String, _ id: PieceID?, in parent: URL) -> URL {
        let forbidden = "/\\:*?\"<>|".unicodeScalars
        // Not by characters: a slash with an accent is one, and still a slash.
        let plain: [Unicode.Scalar] = title.unicodeScalars.map { forbidden.contains($0) || $0.value < 32 ? "-" : $0 }
        let name = String.UnicodeScalarView(plain.drop { $0 == "." || $0 == " " })
        let base = name.isEmpty ? "piece" : String(name)
        return parent.appendingPathComponent(id.map { "\(base) (\($0.description.prefix(8)))" } ?? base)
    }

    /// Makes the folder that pieces are saved in.
    ///
    /// - Throws: `writeFailed`.
    static func prepare(_ parent: URL) throws(EarshotError) {
        do {
            try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        } catch {
            throw EarshotError(
                .writeFailed,
                "The folder \(parent.path) cannot be made: check that you may write there.",
                cause: error
            )
        }
    }

    /// Saves it. What is there already of an earlier time is fetched again.
    ///
    /// - Parameter progress: Told how much of the sound there is, from 0 to 1.
    /// - Returns: The names of the files.
    /// - Throws: What fetching throws; `writeFailed`.
    func save(_ progress: @escaping @Sendable (Double) -> Void) async throws -> [String] {
        try Self.prepare(url)
        var files: [String] = []
        let piece = opened.piece
        // As it was dropped, unless a format is wanted: then its begin says what it is.
        let sounds = Double(1 + piece.stems.count)
        let stem = url.appendingPathComponent("stem")
        try await opened.audio(format: format, to: stem) { done, total in
            if total > 0 { progress(Double(done) / Double(total) / sounds) }
        }
        files.append(try Self.named(stem))
        // The service's word is not taken for what may be the name of a file here.
        try PieceStem.check(names: piece.stems)
        let stems = url.appendingPathComponent("stems")
        if !piece.stems.isEmpty { try Self.prepare(stems) }
        for (number, name) in piece.stems.enumerated() {
            // With a dot before it, which no stem has: a stem may be called as the file of another one.
            let file = stems.appendingPathComponent(".\(name)")
            try await opened.audio(kind: .named(name), format: format, to: file) { done, total in
                if total > 0 { progress((Double(number + 1) + Double(done) / Double(total)) / sounds) }
            }
            files.append("stems/\(try Self.named(file, name))")
        }
        if piece.hasPreview {
            let preview = url.appendingPathComponent("preview")
            try await opened.audio(kind: .preview, format: format, to: preview)
            files.append(try Self.named(preview))
        }
        var covers = ["cover.png", "cover.jpg"]
        if let cover = try await opened.cover() {
            let isPNG = cover.starts(with: [0x89, 0x50, 0x4E, 0x47])
            let name = covers.remove(at: isPNG ? 0 : 1)
            try AtomicFile.write(Array(cover), to: url.appendingPathComponent(name), replacing: true)
            files.append(name)
        }
        for name in covers { try Self.remove(url.appendingPathComponent(name)) }
        if let name = piece.attachmentName {
            guard AttachmentBundle.isFileName(name) else {
                throw EarshotError(
                    .pieceInvalid,
                    "\"\(name.prefix(80))\" cannot be the name of a file: fetch the attachment with "
                        + "`earshot piece get \(opened.id) --part attachment`."
                )
            }
            // In a folder of its own: its maker chose the name, and may have chosen one of the others.
            let folder = url.appendingPathComponent("attachment")
            try Self.prepare(folder)
            if let bytes = try await opened.attachment() {
                try AtomicFile.write(Array(bytes), to: folder.appendingPathComponent(name), replacing: true)
                files.append("attachment/\(name)")
            }
        }
        try AtomicFile.write(
            Array((try JSON.document(piece) + "\n").utf8),
            to: url.appendingPathComponent("piece.json"),
            replacing: true
        )
        return files + ["piece.json"]
    }

    /// Gives a sound its name, with the suffix of its format. What it was in other formats at an earlier time goes.
    ///
    /// - Parameter name: Its new name. Default: the name that it has.
    private static func named(_ file: URL, _ name: String? = nil) throws -> String {
        let handle = try FileHandle(forReadingFrom: file)
        let begin = try handle.read(upToCount: 512) ?? Data()
        try handle.close()
        let format = StemFormat(beginOf: begin) ?? .wave
        let base = name.map { file.deletingLastPathComponent().appendingPathComponent($0) } ?? file
        let target = base.appendingPathExtension(format.fileExtension)
        guard rename(file.path, target.path) == 0 else {
            throw EarshotError(.writeFailed, "\(target.path) cannot be written: check that you may write there.")
        }
        for other in StemFormat.allCases where other != format {
            try remove(base.appendingPathExtension(other.fileExtension))
        }
        return target.lastPathComponent
    }

    /// Takes away what an earlier time has left.
    private static func remove(_ file: URL) throws(EarshotError) {
        guard unlink(file.path) == 0 || errno == ENOENT else {
            throw EarshotError(.writeFailed, "\(file.path) cannot be removed: check the rights of its folder.")
        }
    }
}
