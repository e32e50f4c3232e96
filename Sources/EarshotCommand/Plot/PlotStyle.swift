/// Colours and sizes of what is drawn around and on the spectrogram.
///
/// Orange on blue is told apart with every common form of colour blindness; matched landmarks are filled and the others
/// hollow, so that colour is not needed at all.
enum PlotStyle {
    static let page = "#0b0d17"
    static let panel = "#10121f"
    static let text = "#f2f3f7"
    static let quiet = "#a4abbd"
    static let frame = "#4a5068"
    static let grid = "#ffffff"
    static let matched = "#ff9f1c"
    static let outline = "#1c0f00"
    static let unmatched = "#ffffff"
    static let chance = "#8d96b3"

    static let labelSize = 18.0
    static let legendSize = 19.0
}
