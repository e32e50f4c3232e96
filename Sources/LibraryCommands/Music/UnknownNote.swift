import EarshotMusic

/// Notes for a person on texts that name no descriptor.
enum UnknownNote {
    /// A line for each kind, with the texts that stood there most often.
    static func lines(_ unknown: UnknownDescriptors) -> [String] {
        unknown.counts.sorted { $0.key.rawValue < $1.key.rawValue }.map { kind, counts in
            let ordered = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            let shown = ordered.prefix(5).map { "\"\($0.key)\" (\($0.value))" }.joined(separator: ", ")
            let more = ordered.count > 5 ? " and \(ordered.count - 5) more" : ""
            return "Left out, as the taxonomy of \(kind.rawValue) has no such name: \(shown)\(more)"
        }
    }

    /// The same for JSON: by kind, how often each text stood there.
    static func document(_ unknown: UnknownDescriptors) -> [String: [String: Int]] {
        Dictionary(uniqueKeysWithValues: unknown.counts.map { ($0.key.rawValue, $0.value) })
    }
}
