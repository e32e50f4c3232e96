import EarshotMedia
import Foundation

/// A digest of the tags of a file at one moment, in 32 bytes. A change that was planned for one state is not applied to
/// another.
public struct TagState: Hashable, Sendable {
    private let bytes: [UInt8]

    init(_ file: TagFile) {
        let hash = SHA256Hash()
        func add(_ number: Int) {
            withUnsafeBytes(of: UInt64(number).littleEndian) { hash.update($0) }
        }
        // Each run with its length and each list with its count, so that no two give the same bytes.
        func add(_ run: some Sequence<UInt8>) {
            let bytes = Array(run)
            add(bytes.count)
            hash.update(bytes)
        }
        add(file.container.rawValue.utf8)
        add(file.properties.count)
        for (name, values) in file.properties.sorted(by: { $0.key < $1.key }) {
            add(name.utf8)
            add(values.count)
            for value in values { add(value.utf8) }
        }
        add(file.pictures.count)
        for picture in file.pictures {
            add(picture.kind.rawValue)
            add(picture.mimeType.utf8)
            add(picture.text.utf8)
            add(picture.bytes)
        }
        add(file.others.count)
        for other in file.others {
            add(other.name.utf8)
            add(other.bytes)
        }
        bytes = hash.finish()
    }
}
