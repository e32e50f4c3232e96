public import EarshotCore
public import EarshotMedia
public import EarshotRecognition
public import EarshotTags
public import Foundation

/// The planned changes of one file, so that its tags describe the track it was identified as.
public struct TagPlan: Sendable {
    /// A property that becomes another.
    public struct Difference: Hashable, Sendable {
        /// Its name in capitals: `TITLE`.
        public let name: String
        /// Its values now.
        public let old: [String]
        /// Its values afterwards.
        public let new: [String]
    }

    /// The options of a plan.
    public struct Options: Sendable {
        /// The least confidence at which a file is changed, 0...1.
        public var leastConfidence = 0.8
        /// The least confidence at which the album is written and used in names, 0...1.
        public var leastAlbumConfidence = 0.5
        /// The confidence, 0...1, from which edition-specific fields are written: the date and the identifiers. Of two
        /// equal editions neither reaches a half.
        public var leastEditionConfidence = 0.5
        /// The template of file names; `nil` to keep names and folders.
        public var template: RenameTemplate?
        /// The folder from which names of the template go.
        public var root: URL?

        /// Creates the default options.
        public init() {}

        /// Returns `true` if a file is sure enough to be changed: for others nothing has to be read.
        public func includes(_ decision: FileDecision) -> Bool {
            decision.match != nil && decision.confidence >= leastConfidence
        }

        /// The part of a match that is certain enough to be written.
        func extent(_ decision: FileDecision) -> TargetTags.Extent {
            guard decision.albumConfidence >= leastAlbumConfidence else { return .track }
            return decision.editionConfidence >= leastEditionConfidence ? .edition : .album
        }
    }

    /// The file, by the name that the question gave it.
    public let id: String
    /// The differences in its tags, by name.
    public let differences: [Difference]
    /// The frames that writing drops, by the names of the format: ID3v2.4 has no equivalent of a few frames of older
    /// versions.
    public let losses: [String]
    /// The change to apply.
    public internal(set) var change: TagWriter.Change
    /// The new path relative to the root; `nil` to keep the old one.
    public internal(set) var path: String?

    /// `true` if nothing is to be done.
    public var isEmpty: Bool { differences.isEmpty && change.edit.isEmpty && change.destination == nil }

    /// Plans for a file.
    ///
    /// Fields that the match does not contain are unchanged: comments, genres, lyrics, pictures, unknown frames. So are
    /// further identifiers, and the separate artists of a credit.
    ///
    /// If several files are renamed, call ``settled(_:)`` next: one plan does not know the others.
    ///
    /// - Parameters:
    ///   - decision: The identification of the file.
    ///   - tags: The current tags.
    ///   - cover: Put in where the file has no front cover, and its kind of tags can hold it.
    ///   - options: The options of the plan.
    /// - Returns: `nil` for a file without a match, or with one that is not certain enough.
    /// - Throws: `metadataInvalid` where the match gives no name by the template.
    public init?(
        _ decision: FileDecision,
        tags: TagFile,
        cover: TagPicture? = nil,
        options: Options = Options()
    ) throws(EarshotError) {
        guard let match = decision.match, options.includes(decision) else { return nil }
        id = decision.file
        var edit = TagEdit()
        var differences: [Difference] = []
        for (name, values) in TargetTags(match, tags, options.extent(decision)).values.sorted(by: {
            $0.key < $1.key
        }) {
            try edit.set(name, to: values)
            differences.append(Difference(name: name, old: tags[name], new: values))
        }
        self.differences = differences
        if let cover, cover.fits(tags.container), !tags.pictures.contains(where: { $0.kind == cover.kind }) {
            edit.set(cover)
        }
        losses = edit.isEmpty ? [] : tags.others.filter(\.isObsolete).map(\.name)
        var destination: URL?
        var path: String?
        if let template = options.template, let root = options.root, options.extent(decision) >= .album {
            let properties = tags.properties.merging(edit.properties) { $1 }
            let wanted = try template.path(for: properties, suffix: tags.url.pathExtension)
            let url = root.appendingPathComponent(wanted)
            if url.standardizedFileURL.path != tags.url.standardizedFileURL.path { (destination, path) = (url, wanted) }
        }
        self.path = path
        change = TagWriter.Change(file: tags.url, edit: edit, destination: destination, state: tags.state)
    }
}
