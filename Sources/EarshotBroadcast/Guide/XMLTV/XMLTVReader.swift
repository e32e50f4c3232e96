public import EarshotCore
public import Foundation

/// Reads programme guides in XMLTV.
///
/// A guide is read in pieces, never as a whole; what comes out of it is held in memory. Only what stands in the file is read:
/// a document type is not looked up, and a file with entities of its own is refused. Entries that make no sense are
/// passed over and noted; a file that is not well-formed is refused as a whole.
public struct XMLTVReader: Sendable {
    /// What a guide may not exceed.
    public struct Limits: Hashable, Sendable {
        /// How deep elements may lie in each other. A guide that goes deeper is refused.
        public var depth = 16
        /// How many bytes of UTF-8 the text of an element, or its attributes, may have. An entry with more is passed over.
        public var textSize = 65_536
        /// How many elements may stand in an entry. One with more is passed over.
        public var elements = 2_000
        /// The largest number of channels. A guide with more is refused.
        public var channels = 100_000
        /// The largest number of programmes. A guide with more is refused.
        public var programmes = 5_000_000
        /// How many notes are kept.
        public var notes = 1_000

        /// The limits that hold where nobody says otherwise.
        public init() {}
    }

    /// How long the last programme of a channel takes when the guide says neither its end nor its length, in seconds.
    public var defaultDuration: Double
    /// What a guide may not exceed.
    public var limits: Limits

    /// A reader.
    ///
    /// - Parameters:
    ///   - defaultDuration: How long the last programme of a channel takes when the guide does not say it, in seconds; at
    ///     least one, at most a day.
    ///   - limits: What a guide may not exceed.
    public init(defaultDuration: Double = 3_600, limits: Limits = Limits()) {
        self.defaultDuration = defaultDuration >= 1 ? min(defaultDuration, 86_400) : 1
        self.limits = limits
    }

    /// Reads a file. Blocks.
    ///
    /// - Parameter url: The file, not compressed.
    /// - Throws: `assetNotFound`, `assetIsDirectory`, `assetUnreadable`, and as ``guide(from:named:)`` does.
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

    /// Reads a guide that is in memory. Blocks.
    ///
    /// - Parameters:
    ///   - data: The guide, not compressed.
    ///   - name: What it is called in errors.
    /// - Throws: As ``guide(from:named:)`` does.
    public func guide(in data: Data, named name: String = "The guide") throws(EarshotError) -> XMLTVGuide {
        try guide(from: InputStream(data: data), named: name)
    }

    /// Reads a guide from a stream, to its end. Blocks: call it from a thread of your own.
    ///
    /// - Parameters:
    ///   - stream: Where it comes from; it is opened and closed here.
    ///   - name: What it is called in errors.
    /// - Throws: `metadataInvalid`, with the line, for what is no guide, is damaged or ends early, has entities of its own,
    ///   or exceeds a limit; `readFailed` when the stream fails; `cancelled` when the task is.
    public func guide(from stream: InputStream, named name: String) throws(EarshotError) -> XMLTVGuide {
        let parsing = XMLTVParsing(name, limits)
        try parsing.run(stream)
        return parsing.finish(defaultDuration)
    }
}
