/// An audio source other than the library, as a command names it.
public enum SourceWord: String, Hashable, Sendable, Codable, CaseIterable {
    /// The analog input: `LINE IN`.
    case lineIn
    /// A USB device: `USB`.
    case usb
    /// A disc: `CD`.
    case cd
    /// The radio: `FM`.
    case fm

    /// The word as a search key.
    var key: String {
        switch self {
        case .lineIn: "line in"
        case .usb: "usb"
        case .cd: "cd"
        case .fm: "fm"
        }
    }
}
