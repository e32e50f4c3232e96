public import EarshotCore
public import EarshotMedia
public import EarshotRecognition
public import EarshotTags
public import Foundation

/// What is to be written into one file so that its tags say what it was identified as.
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

    /// What is planned.
    public struct Options: Sendable {
        /// From which confidence on a file is changed, 0...1.
        public var leastConfidence = 0.8
        /// From which confidence on the album is written, and names are made of it, 0...1.
        public var leastAlbumConfidence = 0.5
        /// From which confidence on is written what is of one edition only: its date, its identifiers; 0...1. Of two that are
        /// alike neither reaches a half.
        public var leastEditionConfidence = 0.5
        /// How files are named; they keep their names and folders if `nil`.
        public var template: RenameTemplate?
        /// The folder from which names of the template go.
        public var root: URL?

        /// The usual ones.
        public init() {}

        /// Returns `true` if a file is sure enough to be changed: for others nothing has to be read.
        public func includes(_ decision: FileDecision) -> Bool {
            decision.match != nil && decision.confidence >= leastConfidence
        }

        /// How much of a match is sure enough.
        func extent(_ decision: FileDecision) -> TargetTags.Extent {
            guard decision.albumConfidence >= leastAlbumConfidence else { return .track }
            return decision.editionConfidence >= leastEditionConfidence ? .edition : .album
        }
    }

    /// The file, by the name that the question gave it.
    public let id: String
    /// What changes in its tags, in order of names.
    public let differences: [Difference]
    /// What writing leaves out, by the names of the format: ID3v2.4 has nothing in place of a few frames of older versions.
    public let losses: [String]
    /// What is carried out.
    public internal(set) var change: TagWriter.Change
    /// Where it goes, from the root on; `nil` if it stays.
    public internal(set) var path: String?

    /// `true` if nothing is to be done.
    public var isEmpty: Bool { differences.isEmpty && change.edit.isEmpty && change.destination == nil }

    /// Plans for a file.
    ///
    /// Everything that the match does not name stays as it is: comments, genres, lyrics, pictures, frames that nobody knows. So
    /// do further identifiers, and the artists of a credit that are kept one by one.
    ///
    /// Where several files get new names, ``settled(_:)`` comes next: one plan knows nothing of the others.
    ///
    /// - Parameters:
    ///   - decision: What the file was identified as.
    ///   - tags: What it says of itself now.
    ///   - cover: Put in where the file has no front cover, and its kind of tags can hold it.
    ///   - options: What is planned.
    /// - Returns: Nothing for a file without a match, or with one that is not sure enough.
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
