import EarshotDSP

// What is drawn around a panel.
extension PlotFrame {
    /// The frequency axis, from half a bin below the first to half a bin above the last.
    package static let bins = -0.5...Double(FrequencyAxis.binCount) - 0.5

    package func drawBorder(on canvas: inout SVGCanvas) {
        canvas.rectangle(self, "fill=\"none\" stroke=\"\(PlotStyle.frame)\" stroke-width=\"1\"")
    }

    /// Lines at round frequencies, with their labels to the left.
    package func drawFrequencies(on canvas: inout SVGCanvas) {
        let ticks = PlotTicks.frequencies.ticks.map { (y: up($0.value, of: Self.bins), label: $0.label) }
        canvas.group("stroke=\"\(PlotStyle.grid)\" stroke-opacity=\"0.14\" stroke-width=\"1\"") { canvas in
            for tick in ticks { canvas.line(x, tick.y, right, tick.y) }
        }
        canvas.group("fill=\"\(PlotStyle.quiet)\"") { canvas in
            for tick in ticks {
                canvas.text(tick.label, x: x - 12, y: tick.y + 6, size: PlotStyle.labelSize, anchor: .end)
            }
        }
    }

    /// Round times below the panel.
    package func drawTimes(_ title: String, _ range: ClosedRange<Double>, limit: Int, on canvas: inout SVGCanvas) {
        let ticks = PlotTicks.times(in: range, limit: limit)
        canvas.group("fill=\"\(PlotStyle.quiet)\"") { canvas in
            for tick in ticks.ticks {
                let x = across(tick.value, of: range)
                canvas.line(x, bottom, x, bottom + 6, "stroke=\"\(PlotStyle.frame)\"")
                canvas.text(tick.label, x: x, y: bottom + 27, size: PlotStyle.labelSize, anchor: .middle)
            }
            canvas.text(
                "\(title) (\(ticks.unit))",
                x: x + width / 2,
                y: bottom + 55,
                size: PlotStyle.labelSize,
                anchor: .middle
            )
        }
    }
}
