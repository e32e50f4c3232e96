import EarshotCore
public import EarshotMedia
import Foundation

extension TagTransfer {
    /// Copies tags with TagLib: all values, pictures, and the format-specific items that both formats have.
    public static let tagLib = TagTransfer(
        read: { url in
            guard let file = try? RawFile(reading: url.path),
                let opened = try? TagLibFile(file, name: url.path)
            else { return nil }
            let tags = opened.contents(url)
            return Contents(
                properties: tags.properties,
                pictures: tags.pictures,
                items: tags.others,
                spoken: opened.spokenFrames(),
                format: tags.container.format
            )
        },
        write: { tags, file, name in
            Result { () throws(EarshotError) in try write(tags, to: file, name: name) }
        }
    )

    private static func write(_ tags: Contents, to file: RawFile, name: String) throws(EarshotError) -> [String] {
        var dropped: [String] = []
        var edit = TagEdit()
        for (key, values) in tags.properties.sorted(by: { $0.key < $1.key }) {
            do throws(EarshotError) {
                try edit.set(key, to: values)
            } catch {
                dropped.append(key)
            }
        }
        for picture in tags.pictures { edit.set(picture) }
        edit.others = tags.items
        do throws(EarshotError) {
            try TagLibFile(file, name: name).write(edit)
            return dropped
        } catch  where error.code == .metadataInvalid {
            // One of them: each by itself then.
            for (key, values) in edit.properties.sorted(by: { $0.key < $1.key }) {
                var single = TagEdit()
                try single.set(key, to: values)
                if !(try writes(single, to: file, name: name)) { dropped.append(key) }
            }
            for picture in tags.pictures {
                var single = TagEdit()
                single.set(picture)
                if !(try writes(single, to: file, name: name)) { dropped.append("picture") }
            }
            for other in tags.items {
                var single = TagEdit()
                single.others = [other]
                if !(try writes(single, to: file, name: name)) { dropped.append(other.name) }
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
