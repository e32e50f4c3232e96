import CTagLib
import EarshotCore
import EarshotMedia
import Foundation

/// A file that TagLib has open: the owner of what the C functions give.
///
/// Not thread-safe; its calls block.
final class TagLibFile {
    private let tags: OpaquePointer
    /// Kept open for TagLib, which reads and writes through it.
    private let file: RawFile
    private let name: String

    /// Reads all tags.
    ///
    /// - Parameter name: The name of the file in messages.
    /// - Throws: `mediaTypeUnsupported`, `assetUnreadable`.
    init(_ file: RawFile, name: String) throws(EarshotError) {
        (self.file, self.name) = (file, name)
        var status = EARSHOT_TAGS_FAILED
        guard let tags = earshot_tags_open(file.descriptor, &status) else {
            throw EarshotError(.internalError, "\(name) cannot be opened for want of memory: end other programs.")
        }
        self.tags = tags
        // From here on `deinit` closes it.
        if status != EARSHOT_TAGS_DONE { throw failure(status) }
    }

    deinit {
        earshot_tags_close(tags)
    }

    /// Comments and lyrics of ID3v2 as frames, which have languages and descriptions besides the text that properties have.
    func spokenFrames() -> [TagItem] {
        (0..<earshot_tags_spoken_count(tags)).map { index in
            let frame = earshot_tags_spoken_at(tags, index)
            return TagItem(name: text(frame.name), bytes: bytes(frame.data), isObsolete: false)
        }
    }

    /// Everything that was read.
    func contents(_ url: URL) -> TagFile {
        var properties: [String: [String]] = [:]
        for index in 0..<earshot_tags_property_count(tags) {
            let values = (0..<earshot_tags_value_count(tags, index)).map { text(earshot_tags_value(tags, index, $0)) }
            let filled = values.filter { !$0.isEmpty }
            if !filled.isEmpty { properties[text(earshot_tags_property_name(tags, index)).uppercased()] = filled }
        }
        let pictures = (0..<earshot_tags_picture_count(tags)).map { index in
            let picture = earshot_tags_picture_at(tags, index)
            let mimeType = text(picture.mime_type)
            return TagPicture(
                kind: TagPicture.Kind(rawValue: Int(picture.type)) ?? .other,
                bytes: bytes(picture.data),
                mimeType: mimeType.isEmpty ? nil : mimeType,
                text: text(picture.description)
            )
        }
        let others = (0..<earshot_tags_other_count(tags)).map { index in
            let other = earshot_tags_other_at(tags, index)
            return TagItem(name: text(other.name), bytes: bytes(other.data), isObsolete: other.is_obsolete)
        }
        return TagFile(url: url, container: container, properties: properties, pictures: pictures, others: others)
    }

    /// Carries out an edit and writes.
    ///
    /// - Throws: `metadataInvalid` when the tags cannot hold it, or would lose something; `writeFailed`.
    func write(_ edit: TagEdit) throws(EarshotError) {
        var status = EARSHOT_TAGS_DONE
        func keep(_ result: earshot_tags_status) { if status == EARSHOT_TAGS_DONE { status = result } }
        for (name, values) in edit.properties.sorted(by: { $0.key < $1.key }) {
            keep(withRun(Array(name.utf8)) { earshot_tags_replace_property(tags, $0) })
            for value in values { keep(withRun(Array(value.utf8)) { earshot_tags_add_value(tags, $0) }) }
        }
        for kind in edit.removedPictures { keep(earshot_tags_remove_pictures(tags, Int32(kind.rawValue))) }
        for picture in edit.pictures { keep(add(picture)) }
        for other in edit.others {
            keep(
                withRun(Array(other.name.utf8)) { name in
                    withRun(other.bytes) { earshot_tags_add_other(tags, name, $0) }
                }
            )
        }
        if status == EARSHOT_TAGS_DONE { status = earshot_tags_save(tags) }
        guard status == EARSHOT_TAGS_DONE else { throw failure(status, whileWriting: true) }
    }

    private func add(_ picture: TagPicture) -> earshot_tags_status {
        let header = try? PictureHeader(of: picture.bytes)
        return withRun(Array(picture.mimeType.utf8)) { mimeType in
            withRun(Array(picture.text.utf8)) { text in
                withRun(picture.bytes) { data in
                    var entry = earshot_tags_picture(
                        type: Int32(picture.kind.rawValue),
                        mime_type: mimeType,
                        description: text,
                        data: data,
                        width: Int32(clamping: header?.width ?? 0),
                        height: Int32(clamping: header?.height ?? 0)
                    )
                    return earshot_tags_add_picture(tags, &entry)
                }
            }
        }
    }

    private var container: TagContainer {
        switch earshot_tags_container_of(tags) {
        case EARSHOT_TAGS_AIFF: .aiff
        case EARSHOT_TAGS_WAV: .wav
        case EARSHOT_TAGS_FLAC: .flac
        case EARSHOT_TAGS_OGG_VORBIS: .oggVorbis
        case EARSHOT_TAGS_OGG_OPUS: .oggOpus
        case EARSHOT_TAGS_OGG_FLAC: .oggFLAC
        case EARSHOT_TAGS_OGG_SPEEX: .oggSpeex
        case EARSHOT_TAGS_MP4: .mp4
        case EARSHOT_TAGS_APE: .ape
        case EARSHOT_TAGS_WAVPACK: .wavPack
        case EARSHOT_TAGS_MUSEPACK: .musepack
        default: .mp3
        }
    }

    private func failure(_ status: earshot_tags_status, whileWriting: Bool = false) -> EarshotError {
        let detail = text(earshot_tags_detail(tags))
        switch status {
        case EARSHOT_TAGS_UNSUPPORTED:
            return EarshotError(
                .mediaTypeUnsupported,
                "\(name) is of no type whose tags can be read: use MP3, AIFF, WAV, FLAC, Ogg, MP4, Monkey's Audio, "
                    + "WavPack or Musepack."
            )
        case EARSHOT_TAGS_DAMAGED:
            return EarshotError(
                .assetUnreadable,
                "\(name) is damaged, so that its tags cannot be read: copy or download it again."
            )
        case EARSHOT_TAGS_UNSAFE:
            return EarshotError(
                .metadataInvalid,
                "\(name) is left as it is because writing would lose \(detail): remove that with the program that made it."
            )
        case EARSHOT_TAGS_REFUSED:
            return EarshotError(
                .metadataInvalid,
                "\(name) is left as it is because its kind of tags cannot hold \(detail): leave that out."
            )
        case EARSHOT_TAGS_IO:
            let number = earshot_tags_system_error(tags)
            return whileWriting ? RawFile.writeFailure(number, name) : RawFile.readFailure(number, name)
        default:
            return EarshotError(
                whileWriting ? .writeFailed : .assetUnreadable,
                "The tags of \(name) could not be \(whileWriting ? "written" : "read"): end other programs if memory is short."
            )
        }
    }

    private func text(_ run: earshot_tags_run) -> String {
        String(decoding: UnsafeBufferPointer(start: run.bytes, count: run.count), as: UTF8.self)
    }

    private func bytes(_ run: earshot_tags_run) -> [UInt8] {
        Array(UnsafeBufferPointer(start: run.bytes, count: run.count))
    }

    private func withRun<Result>(_ bytes: [UInt8], _ body: (earshot_tags_run) -> Result) -> Result {
        bytes.withUnsafeBufferPointer { body(earshot_tags_run(bytes: $0.baseAddress, count: $0.count)) }
    }
}
