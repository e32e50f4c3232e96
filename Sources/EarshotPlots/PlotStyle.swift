/// Colors and sizes of what is drawn around and on the spectrogram.
///
/// Orange on blue is told apart with every common form of color blindness; matched landmarks are filled and the others
/// hollow, so that color is not needed at all.
package enum PlotStyle {
    package static let page = "#0b0d17"
    package static let panel = "#10121f"
    package static let text = "#f2f3f7"
    package static let quiet = "#a4abbd"
    package static let frame = "#4a5068"
    package static let grid = "#ffffff"
    package static let matched = "#ff9f1c"
    package static let outline = "#1c0f00"
    package static let unmatched = "#ffffff"
    package static let chance = "#8d96b3"

    package static let labelSize = 18.0
    package static let legendSize = 19.0
}
