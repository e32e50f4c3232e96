/// A source that a command names, to be listened to instead of the library.
public enum SourceWord: String, Hashable, Sendable, Codable, CaseIterable {
    /// What is plugged in: `LINE IN`.
    case lineIn
    /// What is connected: `USB`.
    case usb
    /// A disc: `CD`.
    case cd
    /// The radio: `FM`.
    case fm

    /// The word as it is said, as a key.
    var key: String {
        switch self {
        case .lineIn: "line in"
        case .usb: "usb"
        case .cd: "cd"
        case .fm: "fm"
        }
    }
}
