import EarshotCore
import EarshotMedia
import Foundation

/// The tags that a file should have after an edit; used to check what was written.
struct TagExpectation {
    let edit: TagEdit
    let before: TagFile
    private let properties: [String: [String]]
    private let pictures: [TagPicture]

    init(_ edit: TagEdit, _ before: TagFile) {
        (self.edit, self.before) = (edit, before)
        properties = edit.applied(to: before.properties)
        pictures = edit.applied(to: before.pictures)
    }

    /// `true` if there is anything to write.
    var isChange: Bool {
        properties != before.properties || counted(pictures) != counted(before.pictures)
    }

    /// Holds what was read back against it.
    ///
    /// - Throws: `writeFailed`, naming what is not as it should be.
    func check(_ after: TagFile) throws(EarshotError) {
        func fail(_ what: String) -> EarshotError {
            EarshotError(
                .writeFailed,
                "\(before.url.path) is left as it is because \(what) would not have been written as wanted: the format of "
                    + "its tags cannot hold it; leave that out, or convert the file."
            )
        }
        let names = Set(properties.keys).union(after.properties.keys).sorted()
        for name in names where compared(name, properties[name]) != compared(name, after.properties[name]) {
            throw fail("the property \(name)")
        }
        guard counted(pictures) == counted(after.pictures) else { throw fail("a picture") }
        let kept = before.others.filter { !$0.isObsolete }
        let (old, new) = (Counts(kept), Counts(after.others))
        if let lost = kept.first(where: { old[$0] != new[$0] }) { throw fail("the item \(lost.name)") }
        guard old == new else { throw fail("an item that it did not have") }
    }

    /// MP4 keeps numbers as numbers: `03/12` comes back as `3/12`.
    private func compared(_ name: String, _ values: [String]?) -> [String] {
        let values = values ?? []
        let numbers: Set = ["TRACKNUMBER", "DISCNUMBER", "BPM", "COMPILATION", "MOVEMENTNUMBER", "MOVEMENTCOUNT"]
        guard before.container.format == .mp4, numbers.contains(name) else { return values }
        return values.map { value in
            let parts = value.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
            return parts.count == 2 && parts[1] == 0 ? "\(parts[0])" : parts.map(String.init).joined(separator: "/")
        }
    }

    private func counted(_ pictures: [TagPicture]) -> Counts<PictureExpectation> {
        Counts(pictures.map { PictureExpectation($0, before.container.format) })
    }

    /// The values of a picture that a format keeps.
    private struct PictureExpectation: Hashable {
        let kind: TagPicture.Kind
        let text: String
        let bytes: [UInt8]

        init(_ picture: TagPicture, _ format: TagContainer.Format) {
            kind = picture.kind
            text = format == .mp4 ? "" : picture.text
            bytes = picture.bytes
        }
    }

    /// The number of times that each thing occurs, in any order.
    private struct Counts<Thing: Hashable>: Equatable {
        private var counts: [Thing: Int] = [:]

        init(_ things: [Thing]) {
            for thing in things { counts[thing, default: 0] += 1 }
        }

        subscript(thing: Thing) -> Int { counts[thing] ?? 0 }
    }
}
