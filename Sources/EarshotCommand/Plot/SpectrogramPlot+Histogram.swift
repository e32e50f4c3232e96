import EarshotCatalogs
import Foundation

extension SpectrogramPlot {
    /// Shares of landmarks that fit at other places of the reference, the share at this one, and the share from which on
    /// there is an answer.
    func drawHistogram(_ evidence: MatchEvidence, in frame: PlotFrame, on canvas: inout SVGCanvas) {
        canvas.rectangle(frame, "fill=\"\(PlotStyle.panel)\"")
        let bars = Self.bars(evidence.chanceShares)
        let highest = [evidence.share, evidence.thresholdShare ?? 0, evidence.chanceShares.max() ?? 0].max() ?? 0
        let shares = 0...min(1, max(0.2, highest * 1.12))
        let tallest = Double(bars.map(\.count).max() ?? 1)
        canvas.group("fill=\"\(PlotStyle.chance)\"") { canvas in
            for bar in bars where bar.share < shares.upperBound {
                let x = frame.across(bar.share, of: shares)
                let right = frame.across(min(shares.upperBound, bar.share + Self.barShare), of: shares)
                let top = frame.up(Double(bar.count), of: 0...tallest * 1.15)
                canvas.rectangle(
                    PlotFrame(x: x + 0.5, y: top, width: max(1, right - x - 1), height: frame.bottom - top),
                    ""
                )
            }
        }
        let own = frame.across(evidence.share, of: shares)
        canvas.line(own, frame.y, own, frame.bottom, "stroke=\"\(PlotStyle.matched)\" stroke-width=\"4\"")
        let isLate = own > frame.x + frame.width / 2
        canvas.text(
            "this match",
            x: isLate ? own + 2 : own - 2,
            y: frame.y - 8,
            size: 15,
            anchor: isLate ? .end : .start,
            "fill=\"\(PlotStyle.matched)\" font-weight=\"bold\""
        )
        if let threshold = evidence.thresholdShare {
            let x = frame.across(threshold, of: shares)
            canvas.line(
                x,
                frame.y,
                x,
                frame.bottom,
                "stroke=\"\(PlotStyle.text)\" stroke-width=\"2\" stroke-dasharray=\"6 4\""
            )
            let isTight = x > frame.right - 90 || (x - 2...x + 100).contains(own)
            canvas.text(
                "threshold",
                x: isTight ? x - 7 : x + 7,
                y: frame.y + 20,
                size: 15,
                anchor: isTight ? .end : .start,
                "fill=\"\(PlotStyle.text)\""
            )
        }
        canvas.rectangle(frame, "fill=\"none\" stroke=\"\(PlotStyle.frame)\" stroke-width=\"1\"")
        drawShares(shares, under: frame, on: &canvas)
    }

    private func drawShares(_ shares: ClosedRange<Double>, under frame: PlotFrame, on canvas: inout SVGCanvas) {
        let step = shares.upperBound > 0.5 ? 0.2 : shares.upperBound > 0.25 ? 0.1 : 0.05
        canvas.group("fill=\"\(PlotStyle.quiet)\"") { canvas in
            for index in 0...Int(shares.upperBound / step + 1e-9) {
                let share = Double(index) * step
                let x = frame.across(share, of: shares)
                canvas.line(x, frame.bottom, x, frame.bottom + 6, "stroke=\"\(PlotStyle.frame)\"")
                let label = PlotText.fixed(share * 100, decimals: 0)
                canvas.text(label, x: x, y: frame.bottom + 25, size: 16, anchor: .middle)
            }
            canvas.text(
                "share that fits, here and elsewhere (%)",
                x: frame.x + frame.width / 2,
                y: frame.bottom + 50,
                size: 16,
                anchor: .middle
            )
        }
    }

    /// How wide a bar is.
    static let barShare = 0.01

    /// How many shares fall into each bar, by its lower end; bars without any are left out.
    static func bars(_ shares: [Double]) -> [(share: Double, count: Int)] {
        let counts = Dictionary(grouping: shares) { Int($0 / barShare) }.mapValues(\.count)
        return counts.sorted { $0.key < $1.key }.map { (Double($0.key) * barShare, $0.value) }
    }
}
