/// The places of the parts of the picture.
package struct PlotPanels: Hashable, Sendable {
    package static let margin = 48.0
    /// Left edge of the spectrogram, behind the labels of its frequencies.
    private static let left = 128.0
    private static let top = 168.0
    private static let bottom = 766.0

    package let spectrogram: PlotFrame
    package let scatter: PlotFrame?
    package let histogram: PlotFrame?

    /// - Parameters:
    ///   - hasScatter: `true` if there is a match to show.
    ///   - hasHistogram: `true` if chance is known beside it.
    package init(hasScatter: Bool, hasHistogram: Bool = false) {
        let height = Self.bottom - Self.top
        let right = SpectrogramPlot.width - Self.margin
        let scatterWidth = 404.0
        let gap = 116.0
        spectrogram = PlotFrame(
            x: Self.left,
            y: Self.top,
            width: right - Self.left - (hasScatter ? scatterWidth + gap : 0),
            height: height
        )
        let side = PlotFrame(x: right - scatterWidth, y: Self.top, width: scatterWidth, height: height)
        guard hasScatter else {
            scatter = nil
            histogram = nil
            return
        }
        guard hasHistogram else {
            scatter = side
            histogram = nil
            return
        }
        let histogramHeight = 150.0
        var (upper, lower) = (side, side)
        upper.height = height - histogramHeight - 84
        lower.y = side.bottom - histogramHeight + 48
        lower.height = histogramHeight
        scatter = upper
        histogram = lower
    }
}
