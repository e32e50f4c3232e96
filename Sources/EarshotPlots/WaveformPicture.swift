package import EarshotAnalysis
package import EarshotCore
import EarshotMedia

/// A picture of a waveform: the extremes of each run, and its level within them, with a title above and times below.
package struct WaveformPicture {
    private static let (extremes, level, middle) = ("#5b7fd4", "#a9c1ff", "#4a5068")
    /// Heights of the title and of the axis, and the space beside the waveform, in pixels.
    private static let (titleHeight, axisHeight, margin) = (34.0, 30.0, 16.0)

    private let waveform: Waveform
    private let width: Int
    private let height: Int
    /// The waveform within the picture.
    private let frame: PlotFrame
    private let title: String?

    /// - Parameters:
    ///   - waveform: The waveform; of more runs than there are pixels, several are drawn as one.
    ///   - title: The title above it; `nil` for the waveform alone.
    ///   - width: In pixels.
    ///   - height: In pixels. In less than 120 there is room for the waveform alone.
    package init(_ waveform: Waveform, title: String?, width: Int, height: Int) {
        let isBare = title == nil || height < 120 || width < 240
        self.title = isBare ? nil : title
        frame =
            isBare
            ? PlotFrame(x: 0, y: 0, width: Double(width), height: Double(height))
            : PlotFrame(
                x: Self.margin,
                y: Self.titleHeight,
                width: Double(width) - 2 * Self.margin,
                height: Double(height) - Self.titleHeight - Self.axisHeight
            )
        self.waveform = waveform.fitted(to: max(1, Int(frame.width)))
        (self.width, self.height) = (width, height)
    }

    /// Draws the waveform as an SVG document, in UTF-8.
    package func svg() -> [UInt8] {
        let name = title.map { "Waveform of \($0)" } ?? "Waveform"
        var canvas = SVGCanvas(
            width: Double(width),
            height: Double(height),
            title: "\(name), \(waveform.duration.label)"
        )
        let whole = PlotFrame(x: 0, y: 0, width: Double(width), height: Double(height))
        canvas.rectangle(whole, "fill=\"\(PlotStyle.panel)\"")
        let channels = max(1, waveform.channelCount)
        let lane = frame.height / Double(channels)
        if title != nil { drawTimes(on: &canvas) }
        for channel in 0..<channels {
            let center = frame.y + lane * (Double(channel) + 0.5)
            canvas.line(frame.x, center, frame.right, center, "stroke=\"\(Self.middle)\" stroke-width=\"1\"")
            draw(channel, center: center, scale: lane / 2 * 0.96, &canvas) { ($0.minimum, $0.maximum) }
            draw(channel, center: center, scale: lane / 2 * 0.96, &canvas, color: Self.level) { (-$0.rms, $0.rms) }
        }
        return canvas.document
    }

    /// Draws the waveform as a PNG picture.
    package func png() throws(EarshotError) -> [UInt8] {
        try RasterImage.rendering(svg: svg(), width: width, height: height).pngData()
    }

    /// The title, and the times below with thin lines behind the waveform.
    private func drawTimes(on canvas: inout SVGCanvas) {
        let quiet = "fill=\"\(PlotStyle.quiet)\""
        let seconds = max(0.001, waveform.duration.seconds)
        let length = PlotText.clock(seconds, decimals: 3)
        let room = frame.width - PlotText.estimatedWidth(length, size: 16) - 24
        let words = PlotText.shortened(title ?? "", size: 18, width: room, isBold: true)
        let fill = "fill=\"\(PlotStyle.text)\" font-weight=\"bold\""
        canvas.text(words, x: frame.x, y: frame.y - 11, size: 18, fill)
        canvas.text(length, x: frame.right, y: frame.y - 11, size: 16, anchor: .end, quiet)
        let ticks = PlotTicks.times(in: 0...seconds, limit: max(2, Int(frame.width / 110)))
        func x(_ value: Double) -> Double { frame.across(value, of: 0...seconds) }
        canvas.group("stroke=\"\(PlotStyle.grid)\" stroke-opacity=\"0.16\"") { canvas in
            for tick in ticks.ticks { canvas.line(x(tick.value), frame.y, x(tick.value), frame.bottom + 5) }
        }
        // Always as minutes and seconds, so that no unit is needed.
        let isFine = ticks.ticks.contains { $0.value != $0.value.rounded() }
        for tick in ticks.ticks {
            let label = PlotText.clock(tick.value, decimals: isFine ? 1 : 0)
            let half = PlotText.estimatedWidth(label, size: 14) / 2
            // The first and the last stay within the picture.
            let place = min(max(x(tick.value), 4 + half), Double(width) - 4 - half)
            canvas.text(label, x: place, y: frame.bottom + 21, size: 14, anchor: .middle, quiet)
        }
    }

    private func draw(
        _ channel: Int,
        center: Double,
        scale: Double,
        _ canvas: inout SVGCanvas,
        color: String = extremes,
        _ values: (WaveformBucket) -> (Float, Float)
    ) {
        // The last run may be shorter than the others.
        let whole = Double(max(1, waveform.frameCount))
        let step = frame.width * min(1, Double(waveform.framesPerBucket) / whole)
        func height(_ value: Float) -> Double { center - Double(min(1, max(-1, value))) * scale }
        // One area, since the edges of many beside each other would show.
        var (above, below): ([(x: Double, y: Double)], [(x: Double, y: Double)]) = ([], [])
        for index in 0..<waveform.length {
            guard let bucket = waveform[index, channel: channel] else { continue }
            let (low, high) = values(bucket)
            let (top, bottom) = (height(high), max(height(low), height(high) + 0.5))
            for x in [Double(index) * step, Double(index + 1) * step].map({ min(frame.right, frame.x + $0) }) {
                above.append((x, top))
                below.append((x, bottom))
            }
        }
        canvas.area(above + below.reversed(), "fill=\"\(color)\"")
    }
}
