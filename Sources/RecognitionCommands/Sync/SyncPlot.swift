import Earshot
import EarshotPlots
import Foundation

/// A picture of an alignment: how far every block of the recording lies beside the line, over its time.
struct SyncPlot {
    static let width = 1_600.0
    static let height = 720.0
    private static let frame = PlotFrame(x: 150, y: 150, width: 1_400, height: 440)

    private let alignment: RecordingAlignment
    private let report: SyncReport
    /// Milliseconds to either side that are shown.
    let reach: Double

    init(_ alignment: RecordingAlignment, report: SyncReport) {
        self.alignment = alignment
        self.report = report
        // The blocks on the line fill half of the panel; what lies far beside them stands at its edge.
        let farthest = alignment.blocks.filter(\.isUsed).map { abs($0.deviation) * 1000 }.max() ?? 0
        let steps = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2]
        reach = steps.first { $0 >= 1.5 * farthest } ?? 5
    }

    /// The drawing as an SVG document.
    func svg() -> [UInt8] {
        let frame = Self.frame
        let sentence = report.sentence(alignment)
        var canvas = SVGCanvas(width: Self.width, height: Self.height, title: sentence)
        canvas.rectangle(
            PlotFrame(x: 0, y: 0, width: Self.width, height: Self.height),
            "fill=\"\(PlotStyle.page)\""
        )
        let parts = sentence.split(separator: ";", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
        let room = Self.width - 2 * PlotPanels.margin
        canvas.text(
            PlotText.shortened(parts[0], size: 30, width: room, isBold: true),
            x: PlotPanels.margin,
            y: 62,
            size: 30,
            "fill=\"\(PlotStyle.text)\" font-weight=\"bold\""
        )
        canvas.text(
            parts.count > 1 ? parts[1] : "",
            x: PlotPanels.margin,
            y: 100,
            size: 20,
            "fill=\"\(PlotStyle.quiet)\""
        )
        canvas.rectangle(frame, "fill=\"\(PlotStyle.panel)\"")
        drawAxes(on: &canvas)
        drawBlocks(on: &canvas)
        canvas.rectangle(frame, "fill=\"none\" stroke=\"\(PlotStyle.frame)\" stroke-width=\"1.5\"")
        drawLegend(on: &canvas)
        return canvas.document
    }

    /// The drawing as a PNG picture.
    ///
    /// - Parameter width: Pixels in a row; the height follows.
    /// - Throws: `codecUnsupported` when the FFmpeg here was built without librsvg or cannot write PNG.
    func png(width: Int = Int(Self.width)) throws -> [UInt8] {
        let height = Int((Double(width) * Self.height / Self.width).rounded())
        return try RasterImage.rendering(svg: svg(), width: width, height: height).pngData()
    }

    private var times: ClosedRange<Double> {
        let range = alignment.overlap
        return range.lowerBound.seconds...max(range.upperBound.seconds, range.lowerBound.seconds + 0.1)
    }

    private func drawAxes(on canvas: inout SVGCanvas) {
        let frame = Self.frame
        let ticks = PlotTicks.times(in: times, limit: 12)
        let levels = [-1, -0.5, 0, 0.5, 1].map { $0 * reach }
        canvas.group("stroke=\"\(PlotStyle.grid)\" stroke-opacity=\"0.12\"") { canvas in
            for tick in ticks.ticks {
                let x = frame.across(tick.value, of: times)
                canvas.line(x, frame.y, x, frame.bottom)
            }
            for level in levels {
                let y = frame.up(level, of: -reach...reach)
                canvas.line(frame.x, y, frame.right, y)
            }
        }
        let size = PlotStyle.labelSize
        canvas.group("fill=\"\(PlotStyle.quiet)\"") { canvas in
            for tick in ticks.ticks {
                let x = frame.across(tick.value, of: times)
                canvas.text(tick.label, x: x, y: frame.bottom + 28, size: size, anchor: .middle)
            }
            let decimals = reach < 0.15 ? 3 : reach < 0.5 ? 2 : 1
            for level in levels {
                let y = frame.up(level, of: -reach...reach) + 6
                canvas.text(
                    PlotText.fixed(level, decimals: decimals),
                    x: frame.x - 12,
                    y: y,
                    size: size,
                    anchor: .end
                )
            }
            canvas.text(
                "time in \(report.recording) (\(ticks.unit))",
                x: frame.x + frame.width / 2,
                y: frame.bottom + 62,
                size: size,
                anchor: .middle
            )
            canvas.text(
                "beside the line (ms)",
                x: 52,
                y: frame.y + frame.height / 2,
                size: size,
                anchor: .middle,
                turned: true
            )
        }
    }

    private func place(_ block: RecordingAlignment.Block) -> (x: Double, y: Double) {
        let level = min(max(block.deviation * 1000, -reach), reach)
        return (Self.frame.across(block.time, of: times), Self.frame.up(level, of: -reach...reach))
    }

    private func drawBlocks(on canvas: inout SVGCanvas) {
        for block in alignment.blocks where !block.isUsed {
            let (x, y) = place(block)
            canvas.circle(x, y, radius: 5, "fill=\"none\" stroke=\"\(PlotStyle.chance)\" stroke-width=\"1.5\"")
        }
        canvas.dots(
            alignment.blocks.filter(\.isUsed).map(place),
            diameter: 11,
            "stroke=\"\(PlotStyle.matched)\""
        )
    }

    private func drawLegend(on canvas: inout SVGCanvas) {
        let y = Self.height - 22
        let text = "fill=\"\(PlotStyle.text)\""
        canvas.circle(160, y - 6, radius: 5.5, "fill=\"\(PlotStyle.matched)\"")
        canvas.text("blocks that the line goes through", x: 178, y: y, size: PlotStyle.legendSize, text)
        let x = 620.0
        canvas.circle(x, y - 6, radius: 5, "fill=\"none\" stroke=\"\(PlotStyle.chance)\" stroke-width=\"1.5\"")
        canvas.text("others, farther ones at the edge", x: x + 18, y: y, size: PlotStyle.legendSize, text)
    }
}
