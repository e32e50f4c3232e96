import CFFmpeg
import EarshotCore
import Foundation

/// The metadata that is copied from one file to another.
struct CarriedMetadata: Sendable {
    /// Properties as TagLib names them, with all their values.
    var properties: [String: [String]] = [:]
    var pictures: [TagPicture] = []
    var chapters: [Chapter] = []
    /// Items of the tags that are neither properties nor pictures, in the form of the source.
    var others: [TagItem] = []
    var format: TagContainer.Format?
    /// Comments and lyrics of ID3v2 with their languages, whose texts are properties too.
    var spoken: [TagItem] = []
    /// The library that reads and writes tags; without one, FFmpeg writes the properties that a container takes at its begin.
    private var transfer: TagTransfer?

    static let nothing = CarriedMetadata()

    /// `true` if a library writes tags into the finished file.
    var hasTransfer: Bool { transfer != nil }

    /// The metadata of a file: its tags if they can be edited, otherwise the properties that a player shows.
    init(of asset: Asset, transfer: TagTransfer?) {
        self.transfer = transfer
        chapters = asset.chapters
        if asset.url.isFileURL, let tags = transfer?.read(asset.url) {
            (properties, pictures) = (tags.properties, tags.pictures)
            (others, spoken, format) = (tags.items, tags.spoken, tags.format)
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

    /// Returns `true` if a tag describes the file itself: its encoder, or gapless playback.
    private static func isOfTheFile(_ name: String) -> Bool {
        [
            "ENCODER", "ENCODING", "ENCODED_BY", "ENCODEDBY", "ITUNSMPB", "ITUNNORM", "MAJOR_BRAND", "MINOR_VERSION",
            "COMPATIBLE_BRANDS",
        ]
        .contains(name.uppercased())
    }

    /// The same for what ends before the file does: chapters behind the end go, and the last one is over with it.
    func ending(at end: MediaTime?) -> CarriedMetadata {
        guard let end, end.isNumeric else { return self }
        var cut = self
        cut.chapters = chapters.compactMap { chapter in
            guard chapter.start < end else { return nil }
            return Chapter(title: chapter.title, start: chapter.start, end: min(chapter.end, end))
        }
        return cut
    }

    /// The metadata for a part of a file: chapters before it are left out, also those in properties, and the first one
    /// begins with it.
    func cut(from start: MediaTime, for type: FileType) -> CarriedMetadata {
        var cut = self
        cut.chapters = chapters.compactMap { chapter in
            guard chapter.start.isNumeric, chapter.end.isNumeric, chapter.end > start else { return nil }
            return Chapter(title: chapter.title, start: max(chapter.start - start, .zero), end: chapter.end - start)
        }
        for name in properties.keys where name.hasPrefix("CHAPTER") { cut.properties[name] = nil }
        guard [.flac, .ogg, .opus].contains(type) else { return cut }
        for (index, chapter) in cut.chapters.enumerated() {
            let name = "CHAPTER" + String(1_000 + index).dropFirst()
            let time = chapter.start.converted(toTimescale: 1_000).value
            cut.properties[name] = [
                String(
                    format: "%02lld:%02lld:%02lld.%03lld",
                    time / 3_600_000,
                    time / 60_000 % 60,
                    time / 1_000 % 60,
                    time % 1_000
                )
            ]
            cut.properties[name + "NAME"] = [chapter.title ?? ""]
        }
        return cut
    }

    /// Gives a container what it writes itself at its begin: chapters, and tags where nobody can add them later.
    func apply(to context: UnsafeMutablePointer<AVFormatContext>, type: FileType, withTags: Bool) {
        // Others have them among their tags.
        for chapter in type == .m4a || type == .mp3 ? chapters : [] {
            func milliseconds(_ time: MediaTime) -> Int64 { time.converted(toTimescale: 1_000).value }
            earshot_add_chapter(context, milliseconds(chapter.start), milliseconds(chapter.end), chapter.title ?? "")
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

    /// Returns `true` if tags are written into a kind of file after the sound.
    func addsTagsLater(to type: FileType) -> Bool {
        switch type {
        case .caf, .raw: false
        default: transfer != nil
        }
    }

    /// Writes the properties, pictures and items into a file that is whole otherwise.
    ///
    /// - Returns: The names of the properties that the file's tags cannot hold.
    func write(to file: RawFile, name: String) throws(EarshotError) -> [String] {
        guard let transfer, !properties.isEmpty || !pictures.isEmpty || !others.isEmpty else { return [] }
        return try transfer.write(.init(properties: properties, pictures: pictures, items: others), file, name).get()
    }
}
