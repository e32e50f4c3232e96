import EarshotCatalogs
import EarshotCore

/// A value inside a document, with the way to it.
struct PropertyReader {
    /// One step of the way.
    enum Step: Hashable {
        case name(String)
        case index(Int)
    }

    /// A fault in a value, and its position.
    struct Fault: Error {
        let path: [Step]
        let message: String

        var sentence: String {
            path.isEmpty ? "The document \(message)." : "The value at \(PropertyReader.text(of: path)) \(message)."
        }
    }

    let value: PropertyValue
    var path: [Step] = []

    /// The place as text: `entries[3].start`.
    var place: String { Self.text(of: path) }

    fileprivate static func text(of path: [Step]) -> String {
        let text = path.map { step in
            switch step {
            case .name(let name): ".\(name)"
            case .index(let index): "[\(index)]"
            }
        }.joined()
        return text.first == "." ? String(text.dropFirst()) : text
    }

    func fault(_ message: String) -> Fault { Fault(path: path, message: message) }

    /// The members of a dictionary; other names than those known are refused.
    func members(_ known: Set<String>) throws(Fault) -> [String: PropertyValue] {
        guard let members = value.dictionary else { throw fault("must be an object") }
        if let name = members.keys.sorted().first(where: { !known.contains($0) }) {
            throw PropertyReader(value: value, path: path + [.name(name)])
                .fault("is not known: put what the app wants to know under \"payload\"")
        }
        return members
    }

    func inside(_ name: String, _ value: PropertyValue) -> PropertyReader {
        PropertyReader(value: value, path: path + [.name(name)])
    }

    func member(_ name: String) -> PropertyReader? {
        value.dictionary?[name].map { inside(name, $0) }
    }

    func elements() throws(Fault) -> [PropertyReader] {
        guard let values = value.array else { throw fault("must be an array") }
        return values.enumerated().map { PropertyReader(value: $1, path: path + [.index($0)]) }
    }

    func text() throws(Fault) -> String {
        guard let text = value.string else { throw fault("must be text") }
        return text
    }

    /// Text, or a whole number taken for it: ids are written both ways.
    func id() throws(Fault) -> String {
        if let number = value.integer { return String(number) }
        return try text()
    }

    func boolean() throws(Fault) -> Bool {
        guard let flag = value.boolean else { throw fault("must be true or false") }
        return flag
    }

    func integer() throws(Fault) -> Int {
        guard let number = value.integer else { throw fault("must be a whole number") }
        return Int(number)
    }

    /// Seconds, or a time as text.
    func time() throws(Fault) -> MediaTime {
        if let seconds = value.real { return MediaTime(timedSeconds: seconds) }
        guard let text = value.string, let time = TimeText.parse(text) else {
            throw fault("must be a time: seconds, or text such as \"1:02:03.5\"")
        }
        return time
    }

    func dictionary() throws(Fault) -> [String: PropertyValue] {
        guard let members = value.dictionary else { throw fault("must be an object") }
        return members
    }
}
