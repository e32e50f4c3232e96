package import EarshotCatalogs
import Foundation

extension SpectrogramPlot {
    /// The evidence for the query at other places of the reference, at this one, and the threshold from which on there is
    /// an answer.
    package func drawHistogram(_ comparison: MatchEvidence.Comparison, in frame: PlotFrame, on canvas: inout SVGCanvas)
    {
        let axis = HistogramAxis(
            own: comparison.here,
            elsewhere: comparison.elsewhere,
            threshold: comparison.threshold,
            in: frame
        )
        canvas.rectangle(frame, "fill=\"\(PlotStyle.panel)\"")
        let bars = axis.bars(comparison.elsewhere)
        let counts = 0...Double(bars.map(\.count).max() ?? 1) * 1.3
        canvas.group("fill=\"\(PlotStyle.chance)\"") { canvas in
            for bar in bars {
                let (x, right) = (axis.place(of: bar.value), axis.place(of: bar.value + axis.barWidth))
                let top = frame.up(Double(bar.count), of: counts)
                let box = PlotFrame(x: x + 0.5, y: top, width: max(1, right - x - 1), height: frame.bottom - top)
                canvas.rectangle(box, "")
            }
        }
        drawThreshold(comparison.threshold, on: axis, in: frame, on: &canvas)
        canvas.rectangle(frame, "fill=\"none\" stroke=\"\(PlotStyle.frame)\" stroke-width=\"1\"")
        drawOwn(comparison.here, on: axis, in: frame, on: &canvas)
        drawCounts(counts, in: frame, on: &canvas)
        drawNats(axis, places: comparison.elsewhere.count, under: frame, on: &canvas)
    }

    private func drawThreshold(
        _ threshold: Double,
        on axis: HistogramAxis,
        in frame: PlotFrame,
        on canvas: inout SVGCanvas
    ) {
        let x = axis.place(of: threshold)
        let dashes = "stroke=\"\(PlotStyle.text)\" stroke-width=\"2\" stroke-dasharray=\"6 4\""
        canvas.line(x, frame.y, x, frame.bottom, dashes)
        // Over the bars, on the side of them: they end before the threshold.
        canvas.text(
            "threshold \(Self.nats(threshold))",
            x: x - 7,
            y: frame.y + 20,
            size: 15,
            anchor: .end,
            "fill=\"\(PlotStyle.text)\""
        )
    }

    private func drawOwn(_ own: Double, on axis: HistogramAxis, in frame: PlotFrame, on canvas: inout SVGCanvas) {
        let x = axis.place(of: own)
        canvas.line(x, frame.y, x, frame.bottom, "stroke=\"\(PlotStyle.matched)\" stroke-width=\"4\"")
        let isLate = x > frame.x + frame.width / 2
        canvas.text(
            "this match \(Self.nats(own))",
            x: isLate ? x + 2 : x - 2,
            y: frame.y - 11,
            size: 15,
            anchor: isLate ? .end : .start,
            "fill=\"\(PlotStyle.matched)\" font-weight=\"bold\""
        )
        guard let gap = axis.gap else { return }
        // The axis is cut: two strokes on both borders, and nothing between them.
        let middle = (gap.lowerBound + gap.upperBound) / 2
        let ground = PlotFrame(x: middle - 5, y: frame.y - 1, width: 10, height: frame.height + 2)
        canvas.rectangle(ground, "fill=\"\(PlotStyle.page)\"")
        for side in [-5.0, 5] {
            for y in [frame.y, frame.bottom] {
                canvas.line(
                    middle + side - 3,
                    y + 5,
                    middle + side + 3,
                    y - 5,
                    "stroke=\"\(PlotStyle.quiet)\" stroke-width=\"2\""
                )
            }
        }
    }

    private func drawCounts(_ counts: ClosedRange<Double>, in frame: PlotFrame, on canvas: inout SVGCanvas) {
        let step = HistogramAxis.step(over: counts.upperBound, count: 3)
        canvas.group("fill=\"\(PlotStyle.quiet)\"") { canvas in
            for index in 0...Int(counts.upperBound / step) {
                let (count, y) = (Double(index) * step, frame.up(Double(index) * step, of: counts))
                canvas.line(frame.x - 6, y, frame.x, y, "stroke=\"\(PlotStyle.frame)\"")
                let label = PlotText.fixed(count, decimals: 0)
                canvas.text(label, x: frame.x - 10, y: y + 5, size: 15, anchor: .end)
            }
            let middle = frame.y + frame.height / 2
            canvas.text("places", x: frame.x - 50, y: middle, size: 15, anchor: .middle, turned: true)
        }
    }

    private func drawNats(_ axis: HistogramAxis, places: Int, under frame: PlotFrame, on canvas: inout SVGCanvas) {
        canvas.group("fill=\"\(PlotStyle.quiet)\"") { canvas in
            for value in axis.ticks {
                let x = axis.place(of: value)
                canvas.line(x, frame.bottom, x, frame.bottom + 6, "stroke=\"\(PlotStyle.frame)\"")
                canvas.text(Self.nats(value), x: x, y: frame.bottom + 25, size: 16, anchor: .middle)
            }
            canvas.text(
                "evidence here and at \(places) other places (nats)",
                x: frame.x + frame.width / 2,
                y: frame.bottom + 50,
                size: 16,
                anchor: .middle
            )
        }
    }

    /// A number of nats with the true minus sign.
    private static func nats(_ value: Double) -> String {
        let whole = Int(value.rounded())
        return whole < 0 ? "\u{2212}\(PlotText.grouped(-whole))" : PlotText.grouped(whole)
    }
}
