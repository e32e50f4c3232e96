public import EarshotCore
public import Foundation

/// Reads program guides in XMLTV.
///
/// A guide is read as a stream; the result is held in memory. Only the file itself is read: document types are not
/// fetched, and a file with its own entities is refused. Invalid entries are skipped and noted. A file that is not
/// well-formed is refused as a whole.
public struct XMLTVReader: Sendable {
    /// The limits of a guide.
    public struct Limits: Hashable, Sendable {
        /// The deepest nesting of elements. A deeper guide is refused.
        public var depth = 16
        /// The longest text of an element, or of its attributes, in bytes of UTF-8. A longer entry is skipped.
        public var textSize = 65_536
        /// The largest number of elements in an entry. An entry with more is skipped.
        public var elements = 2_000
        /// The largest number of channels. A guide with more is refused.
        public var channels = 100_000
        /// The largest number of programs. A guide with more is refused.
        public var programmes = 5_000_000
        /// The largest number of notes that are kept.
        public var notes = 1_000

        /// Creates the default limits.
        public init() {}
    }

    /// The duration of the last program of a channel if the guide states neither its end nor its length, in seconds.
    /// Default: 3,600.
    public var defaultDuration: Double
    /// The limits of a guide.
    public var limits: Limits

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - defaultDuration: The duration of the last program of a channel if the guide does not state it, in seconds;
    ///     limited to 1 s to 1 day.
    ///   - limits: The limits of a guide.
    public init(defaultDuration: Double = 3_600, limits: Limits = Limits()) {
        self.defaultDuration = defaultDuration >= 1 ? min(defaultDuration, 86_400) : 1
        self.limits = limits
    }

    /// Reads a file. It blocks.
    ///
    /// - Parameter url: The file, not compressed.
    /// - Throws: `assetNotFound` if there is no file, `assetIsDirectory` for a folder, `assetUnreadable` if it cannot
    ///   be opened, and the errors of ``guide(from:named:)``.
    public func guide(contentsOf url: URL) throws(EarshotError) -> XMLTVGuide {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
            throw EarshotError(.assetNotFound, "There is no file at \(url.path): check the path.")
        }
        guard !isFolder.boolValue else {
            throw EarshotError(.assetIsDirectory, "\(url.path) is a folder: name a file in it.")
        }
        guard FileManager.default.isReadableFile(atPath: url.path), let stream = InputStream(fileAtPath: url.path)
        else {
            throw EarshotError(.assetUnreadable, "\(url.path) cannot be opened: check that you may read it.")
        }
        return try guide(from: stream, named: url.path)
    }

    /// Reads a guide from memory. It blocks.
    ///
    /// - Parameters:
    ///   - data: The guide, not compressed.
    ///   - name: The name of the guide in errors.
    /// - Throws: The errors of ``guide(from:named:)``.
    public func guide(in data: Data, named name: String = "The guide") throws(EarshotError) -> XMLTVGuide {
        try guide(from: InputStream(data: data), named: name)
    }

    /// Reads a guide from a stream, to its end. It blocks: call it from a thread of your own.
    ///
    /// - Parameters:
    ///   - stream: The stream; it is opened and closed here.
    ///   - name: The name of the guide in errors.
    /// - Throws: `metadataInvalid`, with the line, if the data is not a guide, is damaged or incomplete, has its own
    ///   entities, or exceeds a limit; `readFailed` if the stream fails; `cancelled` if the task is canceled.
    public func guide(from stream: InputStream, named name: String) throws(EarshotError) -> XMLTVGuide {
        let parsing = XMLTVParsing(name, limits)
        try parsing.run(stream)
        return parsing.finish(defaultDuration)
    }
}
