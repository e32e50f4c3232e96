import CFFmpeg
import EarshotCore
import Foundation

/// What is taken over from one file to another besides the sound.
struct CarriedMetadata: Sendable {
    /// Properties as TagLib names them, with all their values.
    var properties: [String: [String]] = [:]
    var pictures: [TagPicture] = []
    var chapters: [Chapter] = []

    static let nothing = CarriedMetadata()

    /// What a file has of it: from its tags where they can be edited, otherwise what a player shows.
    init(of asset: Asset) {
        chapters = asset.chapters
        if asset.url.isFileURL, let tags = try? TagFile.loadBlocking(asset.url) {
            (properties, pictures) = (tags.properties, tags.pictures)
        }
        if properties.isEmpty {
            for name in asset.tags.names {
                guard let value = asset.tags[name], !Self.isOfTheFile(name) else { continue }
                properties[Self.names[name.lowercased()] ?? name.uppercased()] = [value]
            }
        }
        if pictures.isEmpty, let artwork = asset.artwork {
            pictures = [TagPicture(bytes: artwork.bytes, mimeType: artwork.mimeType)]
        }
        for name in properties.keys where Self.isOfTheFile(name) { properties[name] = nil }
    }

    private init() {}

    /// FFmpeg's names that TagLib spells in another way.
    private static let names = [
        "album_artist": "ALBUMARTIST", "track": "TRACKNUMBER", "disc": "DISCNUMBER", "publisher": "LABEL",
        "encoded_by": "ENCODEDBY",
    ]

    /// Whether a tag speaks of the file that it stands in: whoever encoded it, or how it is to be played without a gap.
    private static func isOfTheFile(_ name: String) -> Bool {
        [
            "ENCODER", "ENCODING", "ENCODED_BY", "ENCODEDBY", "ITUNSMPB", "ITUNNORM", "MAJOR_BRAND", "MINOR_VERSION",
            "COMPATIBLE_BRANDS",
        ]
        .contains(name.uppercased())
    }

    /// Gives a container what it writes itself at its begin: chapters, and tags where nobody can add them later.
    func apply(to context: UnsafeMutablePointer<AVFormatContext>, withTags: Bool, from start: MediaTime) {
        for chapter in chapters where chapter.start.isNumeric && chapter.end.isNumeric {
            func milliseconds(_ time: MediaTime) -> Int64 { (time - start).converted(toTimescale: 1_000).value }
            let (begin, end) = (milliseconds(chapter.start), milliseconds(chapter.end))
            guard end > 0 else { continue }
            earshot_add_chapter(context, max(begin, 0), end, chapter.title ?? "")
        }
        guard withTags else { return }
        let spellings = Dictionary(Self.names.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        for (name, values) in properties.sorted(by: { $0.key < $1.key }) {
            av_dict_set(
                &context.pointee.metadata,
                spellings[name] ?? name.lowercased(),
                values.joined(separator: "; "),
                0
            )
        }
    }

    /// Whether a kind of file takes tags after it has been written.
    static func takesTagsLater(_ type: FileType) -> Bool {
        switch type {
        case .caf, .raw: false
        default: true
        }
    }

    /// Puts the properties and pictures into a file that is whole otherwise; what its kind of tags cannot hold is left out and
    /// told.
    ///
    /// - Returns: The names of what was left out.
    func write(to file: RawFile, name: String) throws(EarshotError) -> [String] {
        guard !properties.isEmpty || !pictures.isEmpty else { return [] }
        var dropped: [String] = []
        var edit = TagEdit()
        for (key, values) in properties.sorted(by: { $0.key < $1.key }) {
            do throws(EarshotError) {
                try edit.set(key, to: values)
            } catch {
                dropped.append(key)
            }
        }
        for picture in pictures { edit.set(picture) }
        do throws(EarshotError) {
            try TagLibFile(file, name: name).write(edit)
            return dropped
        } catch  where error.code == .metadataInvalid {
            // One of them: each by itself then.
            for (key, values) in edit.properties.sorted(by: { $0.key < $1.key }) {
                var single = TagEdit()
                try single.set(key, to: values)
                if !(try Self.writes(single, to: file, name: name)) { dropped.append(key) }
            }
            for picture in pictures {
                var single = TagEdit()
                single.set(picture)
                if !(try Self.writes(single, to: file, name: name)) { dropped.append("picture") }
            }
            return dropped
        }
    }

    private static func writes(_ edit: TagEdit, to file: RawFile, name: String) throws(EarshotError) -> Bool {
        do throws(EarshotError) {
            try TagLibFile(file, name: name).write(edit)
            return true
        } catch  where error.code == .metadataInvalid {
            return false
        }
    }
}
