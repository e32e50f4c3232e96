import EarshotBroadcast
import EarshotCatalogs
import EarshotCore
import EarshotMusic
import Foundation

/// The fields of records.
enum BundleFields {
    /// The optional fields that are present.
    struct Flags: OptionSet {
        let rawValue: UInt8

        static let title = Flags(rawValue: 1)
        static let subtitle = Flags(rawValue: 2)
        static let work = Flags(rawValue: 4)
        static let customData = Flags(rawValue: 8)
        static let all: Flags = [.title, .subtitle, .work, .customData]
    }

    /// A reference's record.
    struct Reference {
        var id: ReferenceID
        var title: String?
        var subtitle: String?
        var work: EntityID<VideoWork>?
        var hasCustomData: Bool
        var item: MediaItem
        var signature: Data

        init(_ reference: BundleReference, signature: Data) {
            id = reference.id
            title = reference.title
            subtitle = reference.subtitle
            work = reference.workID
            hasCustomData = reference.customData != nil
            item = reference.item
            self.signature = signature
        }

        /// Reads a record; `nil` if it is malformed.
        init?(_ bytes: inout ByteReader) {
            guard let raw = bytes.read(UInt8.self), raw & ~Flags.all.rawValue == 0, let name = bytes.readText(),
                (1...BundleFormat.maximumNameSize).contains(name.utf8.count)
            else { return nil }
            let flags = Flags(rawValue: raw)
            id = ReferenceID(name)
            hasCustomData = flags.contains(.customData)
            if flags.contains(.title) {
                guard let text = bytes.readText(), text.utf8.count <= BundleFormat.maximumTitleSize else { return nil }
                title = text
            }
            if flags.contains(.subtitle) {
                guard let text = bytes.readText(), text.utf8.count <= BundleFormat.maximumTitleSize else { return nil }
                subtitle = text
            }
            if flags.contains(.work) {
                guard let text = bytes.readText(), (1...BundleFormat.maximumNameSize).contains(text.utf8.count) else {
                    return nil
                }
                work = EntityID(text)
            }
            guard let item = MediaItem.decode(from: &bytes), let rest = bytes.read(count: bytes.remaining) else {
                return nil
            }
            self.item = item
            signature = Data(rest)
        }

        var bytes: [UInt8] {
            var flags: Flags = hasCustomData ? .customData : []
            if title != nil { flags.insert(.title) }
            if subtitle != nil { flags.insert(.subtitle) }
            if work != nil { flags.insert(.work) }
            var writer = ByteWriter(reservingCapacity: signature.count + 256)
            writer.write(flags.rawValue)
            writer.write(text: id.rawValue)
            for text in [title, subtitle, work?.rawValue] { if let text { writer.write(text: text) } }
            item.encode(to: &writer)
            writer.write(contentsOf: signature)
            return writer.bytes
        }
    }
}
