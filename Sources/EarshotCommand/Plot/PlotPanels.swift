/// Where the parts of the picture stand.
struct PlotPanels: Hashable, Sendable {
    static let margin = 48.0
    /// Left edge of the spectrogram, behind the labels of its frequencies.
    private static let left = 128.0
    private static let top = 168.0
    private static let bottom = 766.0

    let spectrogram: PlotFrame
    let scatter: PlotFrame?

    init(hasScatter: Bool) {
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
        scatter =
            hasScatter
            ? PlotFrame(x: right - scatterWidth, y: Self.top, width: scatterWidth, height: height) : nil
    }
}
