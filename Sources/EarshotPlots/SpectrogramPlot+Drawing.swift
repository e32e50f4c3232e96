import EarshotDSP
package import EarshotCatalogs
import EarshotSignatures

extension SpectrogramPlot {
    // MARK: - Spectrogram

    package func drawSpectrogram(_ picture: String, in frame: PlotFrame, on canvas: inout SVGCanvas) {
        canvas.image(base64: picture, frame)
        frame.drawFrequencies(on: &canvas)
        drawMarks(in: frame, on: &canvas)
        frame.drawBorder(on: &canvas)
        frame.drawTimes("time in the clip", times, limit: Int(frame.width / 100), on: &canvas)
    }

    private func drawMarks(in frame: PlotFrame, on canvas: inout SVGCanvas) {
        let drawn = Self.drawn(marks, limit: Self.markLimit)
        let radius = Self.radius(count: drawn.count, area: frame.width * frame.height)
        canvas.clip(frame, name: "spectrogram")
        canvas.group("clip-path=\"url(#spectrogram)\"") { canvas in
            // A little shade inside makes them show on bright places too.
            let hollow =
                "fill=\"#000000\" fill-opacity=\"0.25\" stroke=\"\(PlotStyle.unmatched)\" stroke-opacity=\"0.65\" "
                + "stroke-width=\"\(SVGCanvas.number(max(0.9, radius * 0.24)))\""
            canvas.group(hollow) { canvas in
                for mark in drawn where !mark.isMatched {
                    let (x, y) = (frame.across(mark.time, of: times), frame.up(mark.bin, of: PlotFrame.bins))
                    canvas.circle(x, y, radius: radius * 0.9)
                }
            }
            // Over the others, so that none is hidden.
            let filled =
                "fill=\"\(PlotStyle.matched)\" stroke=\"\(PlotStyle.outline)\" "
                + "stroke-width=\"\(SVGCanvas.number(max(0.8, radius * 0.24)))\""
            canvas.group(filled) { canvas in
                for mark in drawn where mark.isMatched {
                    let (x, y) = (frame.across(mark.time, of: times), frame.up(mark.bin, of: PlotFrame.bins))
                    canvas.circle(x, y, radius: radius * 1.1)
                }
            }
        }
    }

    /// Returns the radius at which landmarks leave the spectrogram visible.
    package static func radius(count: Int, area: Double) -> Double {
        let spacing = (area / Double(max(1, count))).squareRoot()
        return min(max(spacing * 0.13, 2.4), 6)
    }

    package func drawLegend(under frame: PlotFrame, on canvas: inout SVGCanvas) {
        let (y, size) = (SpectrogramPlot.height - 41, PlotStyle.legendSize)
        var x = frame.x
        if evidence != nil {
            canvas.circle(x + 6, y - 6.5, radius: 6.5, "fill=\"\(PlotStyle.matched)\"")
        } else {
            let hollow = "fill=\"none\" stroke=\"\(PlotStyle.unmatched)\" stroke-width=\"1.5\""
            canvas.circle(x + 6, y - 6.5, radius: 6, hollow)
        }
        x += 24
        canvas.text(
            Self.counts(marks: marks, evidence: evidence),
            x: x,
            y: y,
            size: size,
            "fill=\"\(PlotStyle.text)\""
        )
        let drawn = Self.drawn(marks, limit: Self.markLimit).count
        if drawn < marks.count {
            let note = "strongest \(PlotText.grouped(drawn)) shown"
            let place = (x: frame.right, y: frame.bottom + 55, size: PlotStyle.labelSize)
            canvas.text(note, x: place.x, y: place.y, size: place.size, anchor: .end, "fill=\"\(PlotStyle.quiet)\"")
        }
        guard evidence != nil else { return }
        canvas.text("not matched", x: frame.right, y: y, size: size, anchor: .end, "fill=\"\(PlotStyle.text)\"")
        let hollow = "fill=\"none\" stroke=\"\(PlotStyle.unmatched)\" stroke-width=\"1.5\" stroke-opacity=\"0.7\""
        canvas.circle(frame.right - PlotText.estimatedWidth("not matched", size: size) - 14, y - 6.5, radius: 6, hollow)
    }

    /// The legend: how many landmarks fall inside the reference, how many of them matched, and how many would by chance.
    package static func counts(marks: [Mark], evidence: MatchEvidence?) -> String {
        guard let evidence else {
            return marks.count == 1 ? "1 landmark" : "\(PlotText.grouped(marks.count)) landmarks"
        }
        let (matched, all) = (PlotText.grouped(evidence.matchedCount), PlotText.grouped(evidence.insideCount))
        let chance = evidence.chanceShare.map { "; by chance \(percent($0))" } ?? ""
        return "\(matched) of \(all) landmarks matched (\(percent(evidence.share))\(chance))"
    }

    private static func percent(_ share: Double) -> String { "\(PlotText.fixed(share * 100, decimals: 0))\u{A0}%" }

    // MARK: - Scatter

    package func drawScatter(_ evidence: MatchEvidence, in frame: PlotFrame, on canvas: inout SVGCanvas) {
        let times = Self.matchedTimes(evidence, of: times)
        let begin = evidence.offset + evidence.speed * times.lowerBound
        let references = begin...max(begin + 0.1, evidence.offset + evidence.speed * times.upperBound)
        func places(_ pairs: [MatchEvidence.Pair]) -> [(x: Double, y: Double)] {
            pairs.map { (frame.across($0.queryTime, of: times), frame.up($0.referenceTime, of: references)) }
        }
        canvas.rectangle(frame, "fill=\"\(PlotStyle.panel)\"")
        canvas.clip(frame, name: "scatter")
        canvas.group("clip-path=\"url(#scatter)\"") { canvas in
            let chance = "stroke=\"\(PlotStyle.chance)\" stroke-opacity=\"0.55\""
            canvas.dots(places(evidence.coincidences), diameter: 3, chance)
            canvas.line(
                frame.x,
                frame.bottom,
                frame.right,
                frame.y,
                "stroke=\"\(PlotStyle.text)\" stroke-width=\"1.5\" stroke-opacity=\"0.8\""
            )
            canvas.dots(places(evidence.pairs), diameter: 5, "stroke=\"\(PlotStyle.matched)\"")
        }
        frame.drawBorder(on: &canvas)
        let ticks = PlotTicks.times(in: references, limit: Int(frame.height / 60))
        canvas.group("fill=\"\(PlotStyle.quiet)\"") { canvas in
            for tick in ticks.ticks {
                let y = frame.up(tick.value, of: references)
                canvas.text(tick.label, x: frame.x - 12, y: y + 6, size: PlotStyle.labelSize, anchor: .end)
                canvas.line(frame.x - 6, y, frame.x, y, "stroke=\"\(PlotStyle.frame)\"")
            }
            canvas.text(
                "time in the reference (\(ticks.unit))",
                x: frame.x - 78,
                y: frame.y + frame.height / 2,
                size: PlotStyle.labelSize,
                anchor: .middle,
                turned: true
            )
        }
        frame.drawTimes("time in the clip", times, limit: Int(frame.width / 64), on: &canvas)
        drawScatterLegend(evidence, under: frame, on: &canvas)
    }

    /// The part of the clip that lies inside the reference; the whole clip when that is nearly all.
    package static func matchedTimes(_ evidence: MatchEvidence, of times: ClosedRange<Double>) -> ClosedRange<Double> {
        let inside = evidence.marks.filter { $0.isInside }.map(\.time)
        guard let first = inside.first, let last = inside.last, first < last else { return times }
        let margin = (times.upperBound - times.lowerBound) / 20
        let low = first - times.lowerBound < margin ? times.lowerBound : first
        let high = times.upperBound - last < margin ? times.upperBound : last
        return low...high
    }

    private func drawScatterLegend(_ evidence: MatchEvidence, under frame: PlotFrame, on canvas: inout SVGCanvas) {
        // In the corner that the line leaves free, on a ground of its own.
        let (x, y, size) = (frame.x + 10, frame.y + 26, 15.0)
        let ground = PlotFrame(x: frame.x + 1, y: frame.y + 1, width: 156, height: 58)
        canvas.rectangle(ground, "fill=\"\(PlotStyle.panel)\" fill-opacity=\"0.85\"")
        canvas.circle(x + 12, y - 5, radius: 3, "fill=\"\(PlotStyle.chance)\"")
        canvas.text("equal frequency", x: x + 30, y: y, size: size, "fill=\"\(PlotStyle.text)\"")
        canvas.line(x, y + 19, x + 24, y + 19, "stroke=\"\(PlotStyle.text)\" stroke-width=\"2\"")
        canvas.text(
            "speed × \(PlotText.fixed(evidence.speed, decimals: 4))",
            x: x + 30,
            y: y + 24,
            size: size,
            "fill=\"\(PlotStyle.text)\""
        )
    }
}
