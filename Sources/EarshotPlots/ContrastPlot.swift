import EarshotCore
import EarshotDSP
package import EarshotCatalogs
import EarshotMedia
import EarshotSignatures
import Foundation

/// A picture of what a clip's spectrogram says: its contrast map with the landmarks of the likeliest reference, and how far the map
/// stands above chance there and at other references.
package struct ContrastPlot {
    /// References beside which the best is shown.
    private static let mostReferences = 12
    /// The values that are darkest and lightest, in the map's units of one.
    private static let colors: ClosedRange<Float> = -0.8...3.6

    private let evidence: ContrastEvidence
    private let caption: PlotCaption
    private let times: ClosedRange<Double>

    /// - Parameters:
    ///   - evidence: The evidence from the spectrogram.
    ///   - duration: Of the clip, in seconds.
    ///   - caption: The text above the picture.
    package init(_ evidence: ContrastEvidence, duration: Double, caption: PlotCaption) {
        (self.evidence, self.caption) = (evidence, caption)
        times = 0...max(0.2, duration)
    }

    /// The drawing as an SVG document, with the map inside.
    ///
    /// - Throws: `codecUnsupported` when the FFmpeg here cannot write PNG.
    package func svg() throws -> [UInt8] {
        let panels = PlotPanels(hasScatter: true)
        var canvas = SVGCanvas(
            width: SpectrogramPlot.width,
            height: SpectrogramPlot.height,
            title: [caption.title, caption.details, caption.subtitle].filter { !$0.isEmpty }.joined(separator: " · ")
        )
        caption.draw(on: &canvas)
        try drawMap(in: panels.spectrogram, on: &canvas)
        if let side = panels.scatter { drawReferences(in: side, on: &canvas) }
        return canvas.document
    }

    // MARK: - Map

    private func drawMap(in frame: PlotFrame, on canvas: inout SVGCanvas) throws {
        let data = Data(try image(width: Int(frame.width)).pngData()).base64EncodedString()
        canvas.image(base64: data, frame)
        frame.drawFrequencies(on: &canvas)
        canvas.clip(frame, name: "map")
        canvas.group("clip-path=\"url(#map)\"") { canvas in
            // Those that stand out over those that do not.
            for mark in evidence.marks.sorted(by: { $0.deviations < $1.deviations }) {
                let (x, y) = (frame.across(mark.time, of: times), frame.up(mark.bin, of: PlotFrame.bins))
                let color = mark.deviations > 0 ? PlotStyle.matched : PlotStyle.unmatched
                canvas.circle(x, y, radius: 5, "fill=\"none\" stroke=\"\(color)\" stroke-width=\"1.6\"")
            }
        }
        frame.drawBorder(on: &canvas)
        frame.drawTimes("time in the clip", times, limit: Int(frame.width / 100), on: &canvas)
        let (y, size) = (SpectrogramPlot.height - 41, PlotStyle.legendSize)
        let high = evidence.marks.count { $0.deviations > 0 }
        canvas.circle(
            frame.x + 6,
            y - 6.5,
            radius: 6,
            "fill=\"none\" stroke=\"\(PlotStyle.matched)\" stroke-width=\"1.6\""
        )
        canvas.text(
            "\(high) of \(evidence.marks.count) landmarks of the reference stand above chance",
            x: frame.x + 24,
            y: y,
            size: size,
            "fill=\"\(PlotStyle.text)\""
        )
        let label = "below"
        let circle = frame.right - PlotText.estimatedWidth(label, size: size) - 14
        canvas.text(label, x: frame.right, y: y, size: size, anchor: .end, "fill=\"\(PlotStyle.text)\"")
        canvas.circle(
            circle,
            y - 6.5,
            radius: 6,
            "fill=\"none\" stroke=\"\(PlotStyle.unmatched)\" stroke-width=\"1.6\""
        )
    }

    /// The map, low frequencies at the bottom, black where there is none.
    private func image(width: Int) -> RasterImage {
        let (bins, map) = (FrequencyAxis.binCount, evidence.map)
        let height = 2 * bins
        let second = (times.upperBound - times.lowerBound) / Double(width)
        let scale = 255 / (Self.colors.upperBound - Self.colors.lowerBound)
        let darkest = ColorMap.table[0]
        var bytes = [UInt8](repeating: 0, count: width * height * 3)
        for x in 0..<width {
            let row = map.row(atTime: (Double(x) + 0.5) * second)
            for y in 0..<height {
                var color = darkest
                if let row {
                    let value = Float(map.values[row * bins + (height - 1 - y) / 2]) / ContrastMap.scale
                    color = ColorMap.table[Int(min(max((value - Self.colors.lowerBound) * scale, 0), 255))]
                }
                let pixel = (y * width + x) * 3
                (bytes[pixel], bytes[pixel + 1], bytes[pixel + 2]) = (color.red, color.green, color.blue)
            }
        }
        return RasterImage(width: width, height: height, pixelFormat: .rgb8, bytes: bytes)
    }

    // MARK: - References

    private func drawReferences(in frame: PlotFrame, on canvas: inout SVGCanvas) {
        let shown = evidence.references.prefix(Self.mostReferences)
        let highest = max(4, shown.first?.deviations ?? 0)
        let (row, bar, left) = (30.0, 18.0, frame.x - 78)
        canvas.text(
            "the map above chance, in standard deviations",
            x: left,
            y: frame.y - 12,
            size: 16,
            "fill=\"\(PlotStyle.quiet)\""
        )
        let room = frame.right - left - 56
        for (index, reference) in shown.enumerated() {
            let y = frame.y + Double(index) * row
            let isBest = reference.id == evidence.best
            let box = PlotFrame(
                x: left,
                y: y,
                width: max(1, room * max(0, reference.deviations) / highest),
                height: bar
            )
            canvas.rectangle(box, "fill=\"\(isBest ? PlotStyle.matched : PlotStyle.frame)\"")
            let name = PlotText.shortened(reference.id.rawValue, size: 14, width: room - 12)
            let color = isBest ? PlotStyle.outline : PlotStyle.text
            let isInside = box.width > PlotText.estimatedWidth(name, size: 14) + 12
            canvas.text(name, x: left + 6, y: y + 14, size: 14, "fill=\"\(isInside ? color : PlotStyle.text)\"")
            let end = isInside ? box.right : max(box.right, left + 6 + PlotText.estimatedWidth(name, size: 14))
            canvas.text(
                PlotText.fixed(reference.deviations, decimals: 1),
                x: end + 8,
                y: y + 14,
                size: 14,
                "fill=\"\(PlotStyle.quiet)\""
            )
        }
        var y = frame.bottom - 130
        for (name, value, note) in facts {
            canvas.text(name, x: left, y: y, size: PlotStyle.labelSize, "fill=\"\(PlotStyle.text)\"")
            canvas.text(
                value,
                x: left + 190,
                y: y,
                size: PlotStyle.labelSize,
                anchor: .end,
                "fill=\"\(PlotStyle.matched)\""
            )
            canvas.text(note, x: left + 206, y: y, size: 15, "fill=\"\(PlotStyle.quiet)\"")
            y += 32
        }
    }

    /// The parts of the score, with their values and what they count in.
    private var facts: [(String, String, String)] {
        func number(_ value: Double) -> String {
            let text = PlotText.fixed(abs(value), decimals: 1)
            return value <= -0.05 ? "\u{2212}\(text)" : text
        }
        return [
            ("margin", number(evidence.margin), "over every other reference"),
            ("bits", evidence.bits.map(number) ?? "–", "\(number(evidence.leastBits)) at least"),
            ("landmarks", number(evidence.landmarkScore), "nats"),
            ("score", number(evidence.score), "nats; answered from \(number(evidence.threshold)) on"),
        ]
    }
}
