public import EarshotCore
public import Foundation

/// Reads playlists in M3U, M3U8, PLS and XSPF.
///
/// A relative path is resolved against the playlist. Nothing is looked up: whether an address leads anywhere is seen when it is
/// opened. A playlist that exceeds a limit is refused as a whole, with the limit named.
public struct PlaylistReader: Sendable {
    /// The limits of a playlist.
    public struct Limits: Hashable, Sendable {
        /// The largest size of the file, in bytes.
        public var size = 64 << 20
        /// The largest number of entries.
        public var entries = 200_000
        /// The longest line of text, or text of an XML element, in bytes of UTF-8.
        public var textSize = 65_536
        /// The deepest nesting of XML elements.
        public var depth = 16

        /// Creates the default limits.
        public init() {}
    }

    /// The limits of a playlist.
    public var limits: Limits
    /// The encoding of text that is not Unicode. Bytes that are invalid in it too are read as ISO 8859-1.
    public var legacyEncoding: String.Encoding

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - limits: The limits of a playlist.
    ///   - legacyEncoding: The encoding of text that is not Unicode.
    public init(limits: Limits = Limits(), legacyEncoding: String.Encoding = .windowsCP1252) {
        self.limits = limits
        self.legacyEncoding = legacyEncoding
    }

    /// Reads a file; the suffix of its name determines the format. Blocks.
    ///
    /// - Parameter url: The file.
    /// - Throws: `fileTypeUnsupported` for another suffix, `assetNotFound`, `assetIsDirectory`, `assetUnreadable`, `readFailed`,
    ///   and as ``playlist(in:format:base:named:)`` does.
    public func playlist(contentsOf url: URL) throws(EarshotError) -> Playlist {
        guard let format = PlaylistFormat(url: url) else {
            throw EarshotError(
                .fileTypeUnsupported,
                "\(url.path) is no playlist that is known: name a file in M3U, M3U8, PLS or XSPF."
            )
        }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
            throw EarshotError(.assetNotFound, "There is no file at \(url.path): check the path.")
        }
        guard !isFolder.boolValue else {
            throw EarshotError(.assetIsDirectory, "\(url.path) is a folder: name a file in it.")
        }
        guard let file = try? FileHandle(forReadingFrom: url) else {
            throw EarshotError(.assetUnreadable, "\(url.path) cannot be opened: check that you may read it.")
        }
        defer { try? file.close() }
        var data = Data()
        do {
            // One byte more than is allowed shows that there are too many, however long the file is.
            while data.count <= limits.size, let piece = try file.read(upToCount: limits.size + 1 - data.count),
                !piece.isEmpty
            {
                data.append(piece)
            }
        } catch {
            throw EarshotError(.readFailed, "\(url.path) could not be read to its end: try again.", cause: error)
        }
        return try playlist(in: data, format: format, base: url, named: url.path)
    }

    /// Reads a playlist that is in memory.
    ///
    /// - Parameters:
    ///   - data: The playlist.
    ///   - format: The format.
    ///   - base: The address of the playlist, against which relative paths are resolved; if `nil`, they are resolved
    ///     against the working directory.
    ///   - name: The name of the playlist in errors.
    /// - Throws: `metadataInvalid`, with the line if there is one, if the data is not a playlist of that format, is
    ///   damaged, or exceeds a limit; `cancelled`.
    public func playlist(
        in data: Data,
        format: PlaylistFormat,
        base: URL? = nil,
        named name: String = "The playlist"
    ) throws(EarshotError) -> Playlist {
        guard data.count <= limits.size else {
            throw EarshotError(
                .metadataInvalid,
                "\(name) has more than the \(limits.size) bytes that are allowed: divide it."
            )
        }
        let resolver = PlaylistLocation(base: base)
        switch format {
        case .m3u, .m3u8:
            let text = PlaylistText(data, isUTF8: format == .m3u8, self, name)
            return try M3UParsing(resolver, limits, name).playlist(text.lines())
        case .pls:
            let text = PlaylistText(data, isUTF8: false, self, name)
            return try PLSParsing(resolver, limits, name).playlist(text.lines())
        case .xspf:
            return try XSPFParsing(resolver, limits, name).playlist(data)
        }
    }
}
