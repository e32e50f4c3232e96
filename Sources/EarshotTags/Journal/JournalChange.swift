import EarshotCore
import EarshotMedia

/// One change of one file, as a journal keeps it: enough to find the file as it was before and after, and to make the one
/// out of the other with the delta that stands before it.
struct JournalChange: Hashable, Sendable {
    /// 1 for the first of a journal, then one more each.
    let number: UInt64
    /// The time of the change, in milliseconds since 1970-01-01 00:00:00 UTC.
    let milliseconds: Int64
    let old: FileDigest
    let new: FileDigest
    /// The permissions of the file.
    let mode: UInt32
    /// The owner of the file.
    let owner: UInt32
    let group: UInt32
    /// The time at which the file had been modified before.
    let time: FileTime
    /// Bytes of the delta.
    let deltaSize: UInt64
    let oldPath: String
    let newPath: String
    /// Folders that were made for the new path, outermost first.
    let folders: [String]

    /// The permissions that a change may restore: read, write and run. Marks such as set-user-id are left out because a
    /// journal may be somebody else's.
    static let mostMode: UInt32 = 0o777

    /// Returns `true` if it concerns nothing outside of a folder.
    func isInside(_ root: String) -> Bool {
        let prefix = root.hasSuffix("/") ? root : root + "/"
        // By bytes: a letter with a mark is another letter than the slash before it.
        return ([oldPath, newPath] + folders).allSatisfy { $0.utf8.starts(with: prefix.utf8) }
    }

    var isMove: Bool { oldPath != newPath }
    /// `true` if only the name changed.
    var keepsBytes: Bool { old == new }

    func write(to writer: inout ByteWriter) {
        writer.write(number)
        writer.write(milliseconds)
        for digest in [old, new] {
            writer.write(UInt64(digest.size))
            writer.write(contentsOf: digest.bytes)
        }
        writer.write(mode)
        writer.write(owner)
        writer.write(group)
        writer.write(time.seconds)
        writer.write(time.nanoseconds)
        writer.write(deltaSize)
        writer.write(text: oldPath)
        writer.write(text: newPath)
        writer.writeVariable(UInt64(folders.count))
        for folder in folders { writer.write(text: folder) }
    }

    /// `nil` if the bytes are no change.
    static func read(_ bytes: [UInt8]) -> JournalChange? {
        var reader = ByteReader(bytes)
        guard let number: UInt64 = reader.read(), (1..<UInt64(Int.max)).contains(number),
            let milliseconds: Int64 = reader.read(),
            let old = digest(&reader), let new = digest(&reader), let mode: UInt32 = reader.read(),
            let owner: UInt32 = reader.read(), let group: UInt32 = reader.read(),
            let seconds: Int64 = reader.read(), let nanoseconds: UInt32 = reader.read(), nanoseconds < 1_000_000_000,
            let deltaSize: UInt64 = reader.read(), let oldPath = path(&reader), let newPath = path(&reader),
            let count = reader.readVariable(), count <= UInt64(reader.remaining)
        else { return nil }
        var folders: [String] = []
        for _ in 0..<count {
            guard let folder = path(&reader) else { return nil }
            folders.append(folder)
        }
        guard reader.remaining == 0 else { return nil }
        return JournalChange(
            number: number,
            milliseconds: milliseconds,
            old: old,
            new: new,
            mode: mode & mostMode,
            owner: owner,
            group: group,
            time: FileTime(seconds: seconds, nanoseconds: nanoseconds),
            deltaSize: deltaSize,
            oldPath: oldPath,
            newPath: newPath,
            folders: folders
        )
    }

    private static func digest(_ reader: inout ByteReader) -> FileDigest? {
        guard let size: UInt64 = reader.read(), let size = Int(exactly: size),
            let bytes = reader.read(count: FileDigest.byteCount)
        else { return nil }
        return FileDigest(size: size, bytes: Array(bytes))
    }

    private static func path(_ reader: inout ByteReader) -> String? {
        reader.readText().flatMap { isWhole($0) ? $0 : nil }
    }

    /// Only whole paths without steps back: what a journal names must not depend on where it is read.
    static func isWhole(_ path: String) -> Bool {
        let bytes = path.utf8
        guard bytes.first == UInt8(ascii: "/"), !bytes.contains(0) else { return false }
        return !bytes.split(separator: UInt8(ascii: "/")).contains {
            $0.elementsEqual("..".utf8) || $0.elementsEqual(".".utf8)
        }
    }
}
