import EarshotBroadcast
import EarshotPlots

/// The colors of kinds. They are told apart with every common form of color blindness, and two neighbours of one kind have
/// two shades.
enum PlaylogColors {
    /// The two shades of a kind.
    static func shades(_ kind: PlayKind) -> [String] {
        switch kind {
        case .song: ["#ff9f1c", "#d67e00"]
        case .songUnderSpeech: ["#ffe0ae", "#e5c084"]
        case .jingle: ["#56b4e9", "#56b4e9"]
        case .advertisement: ["#e58fc0", "#e58fc0"]
        case .programme: ["#1c7a63", "#145c4a"]
        case .unknown: ["#5c6580", "#4d556e"]
        default: ["#e8dc4a", "#c9be33"]
        }
    }

    /// The color of text on a kind.
    static func text(_ kind: PlayKind) -> String {
        [.programme, .unknown].contains(kind) ? PlotStyle.text : PlotStyle.outline
    }

    /// A kind in words.
    static func words(_ kind: PlayKind) -> String {
        switch kind {
        case .song: "song"
        case .songUnderSpeech: "song under speech"
        case .jingle: "jingle"
        case .advertisement: "advertisement"
        case .programme: "programme"
        case .unknown: "unknown"
        default: PlotText.shortened(kind.rawValue, size: 1, width: 20)
        }
    }
}
