import EarshotCore
import EarshotLibrary
import EarshotMedia

/// A picture of a waveform: the extremes of each run, and its level within them.
struct WaveformPicture {
    private static let (page, extremes, level, middle) = ("#10121f", "#5b7fd4", "#a9c1ff", "#4a5068")

    private let waveform: Waveform
    private let width: Int
    private let height: Int

    /// - Parameters:
    ///   - waveform: At most as many runs as there are pixels.
    ///   - width: In pixels.
    ///   - height: In pixels.
    init(_ waveform: Waveform, width: Int, height: Int) {
        (self.waveform, self.width, self.height) = (waveform, width, height)
    }

    /// As an SVG document, in UTF-8.
    func svg() -> [UInt8] {
        var canvas = SVGCanvas(
            width: Double(width),
            height: Double(height),
            title: "Waveform, \(waveform.duration.label)"
        )
        canvas.rectangle(PlotFrame(x: 0, y: 0, width: Double(width), height: Double(height)), "fill=\"\(Self.page)\"")
        let channels = max(1, waveform.channelCount)
        let lane = Double(height) / Double(channels)
        for channel in 0..<channels {
            let centre = lane * (Double(channel) + 0.5)
            canvas.line(0, centre, Double(width), centre, "stroke=\"\(Self.middle)\" stroke-width=\"1\"")
            draw(channel, centre: centre, scale: lane / 2 * 0.96, &canvas) { ($0.minimum, $0.maximum) }
            draw(channel, centre: centre, scale: lane / 2 * 0.96, &canvas, colour: Self.level) { (-$0.rms, $0.rms) }
        }
        return canvas.document
    }

    /// As a PNG picture.
    func png() throws(EarshotError) -> [UInt8] {
        try RasterImage.rendering(svg: svg(), width: width, height: height).pngData()
    }

    private func draw(
        _ channel: Int,
        centre: Double,
        scale: Double,
        _ canvas: inout SVGCanvas,
        colour: String = extremes,
        _ values: (WaveformBucket) -> (Float, Float)
    ) {
        let step = Double(width) / Double(max(1, waveform.length))
        func height(_ value: Float) -> Double { centre - Double(min(1, max(-1, value))) * scale }
        // One area, since the edges of many beside each other would show.
        var (above, below): ([(x: Double, y: Double)], [(x: Double, y: Double)]) = ([], [])
        for index in 0..<waveform.length {
            guard let bucket = waveform[index, channel: channel] else { continue }
            let (low, high) = values(bucket)
            let (top, bottom) = (height(high), max(height(low), height(high) + 0.5))
            for x in [Double(index) * step, Double(index + 1) * step] {
                above.append((x, top))
                below.append((x, bottom))
            }
        }
        canvas.area(above + below.reversed(), "fill=\"\(colour)\"")
    }
}
