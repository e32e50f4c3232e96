import EarshotBroadcast
import EarshotCore
import EarshotPlots
import Foundation

extension PlaylogPlot {
    /// The drawing as an SVG document.
    func svg() -> [UInt8] {
        var canvas = SVGCanvas(width: Self.width, height: height, title: "\(title): \(summary)")
        canvas.rectangle(PlotFrame(x: 0, y: 0, width: Self.width, height: height), "fill=\"\(PlotStyle.page)\"")
        canvas.text(
            PlotText.shortened(title, size: 32, width: Self.width - 80, isBold: true),
            x: 40,
            y: 54,
            size: 32,
            "fill=\"\(PlotStyle.text)\" font-weight=\"bold\""
        )
        canvas.text(summary, x: 40, y: 86, size: 19, "fill=\"\(PlotStyle.quiet)\"")
        for index in rows.indices { draw(index, on: &canvas) }
        drawTimes(on: &canvas)
        drawLegend(at: height - 28, on: &canvas)
        return canvas.document
    }

    private var summary: String {
        let heard = rows.reduce(0) { $0 + $1.heardSeconds }
        let identified = rows.reduce(0) { $0 + $1.identifiedSeconds }
        let plays = rows.reduce(0) { $0 + $1.plays.count }
        let channels = rows.count == 1 ? "1 channel" : "\(rows.count) channels"
        let share =
            heard > 0 ? " · \(PlotText.fixed(identified / heard * 100, decimals: 1))\u{A0}% of it identified" : ""
        return "\(channels) · \(Self.plays(plays)) · \(Self.hours(heard)) heard\(share)"
    }

    private static func plays(_ count: Int) -> String {
        "\(PlotText.grouped(count)) \(count == 1 ? "play" : "plays")"
    }

    /// Hours and minutes.
    private static func hours(_ seconds: Double) -> String {
        let minutes = Int((max(0, seconds) / 60).rounded())
        return minutes < 60 ? "\(minutes)\u{A0}min" : "\(minutes / 60)\u{A0}h \(minutes % 60)\u{A0}min"
    }

    // MARK: - Rows

    private func draw(_ index: Int, on canvas: inout SVGCanvas) {
        let row = rows[index]
        let whole = PlotFrame(
            x: Self.left,
            y: y(of: index),
            width: Self.width - Self.left - Self.right,
            height: rowHeight
        )
        canvas.rectangle(whole, "fill=\"\(PlotStyle.panel)\"")
        for part in row.unheard {
            var frame = whole
            frame.x = x(part.lowerBound)
            frame.width = x(part.upperBound) - frame.x
            canvas.rectangle(frame, "fill=\"\(PlotStyle.page)\"")
            canvas.rectangle(frame, "fill=\"none\" stroke=\"\(PlotStyle.grid)\" stroke-opacity=\"0.18\"")
        }
        drawName(row, beside: whole, on: &canvas)
        for band in Band.allCases {
            let plays = row.plays.filter { Band($0.kind) == band }
            draw(plays, row: index, band: band, on: &canvas)
        }
        for gap in row.gaps { drawGap(gap, in: whole, on: &canvas) }
    }

    private func drawName(_ row: Row, beside frame: PlotFrame, on canvas: inout SVGCanvas) {
        let room = Self.left - 40 - 12
        let isLow = rowHeight < 50
        // A long name is smaller before it is cut.
        let sizes = isLow ? [14.0, 12, 11] : [17.0, 15, 13]
        let name = row.channel.name
        let fitting = sizes.first { PlotText.estimatedWidth(name, size: $0, isBold: true) <= room } ?? sizes[2]
        canvas.text(
            PlotText.shortened(name, size: fitting, width: room, isBold: true),
            x: 40,
            y: frame.y + rowHeight / 2 - (isLow ? 1 : 3),
            size: fitting,
            "fill=\"\(PlotStyle.text)\" font-weight=\"bold\""
        )
        let share = row.heardSeconds > 0 ? Int((row.identifiedSeconds / row.heardSeconds * 100).rounded()) : nil
        let details = Self.plays(row.plays.count) + (share.map { " · \($0)\u{A0}%" } ?? "")
        let size = isLow ? 12.0 : 14.0
        let y = frame.y + rowHeight / 2 + (isLow ? 13 : 17)
        canvas.text(details, x: 40, y: y, size: size, "fill=\"\(PlotStyle.quiet)\"")
    }

    /// The plays of a band, one after the other in two shades.
    private func draw(_ plays: [PlayRecord], row: Int, band: Band, on canvas: inout SVGCanvas) {
        var shade = 0
        for play in plays {
            var frame = frame(play.start, play.end, row: row, band: band)
            shade = 1 - shade
            // What is shorter than a pixel is seen; what is wide enough stands apart from its neighbour.
            frame.width = frame.width > 4 ? frame.width - 1 : max(1, frame.width)
            let color = PlaylogColors.shades(play.kind)[shade]
            let isOpen = play.state == .provisional
            let edge = isOpen ? " stroke=\"\(PlotStyle.text)\" stroke-width=\"1.5\" stroke-dasharray=\"4 3\"" : ""
            canvas.rectangle(frame, "fill=\"\(color)\"\(edge)")
            label(play, in: frame, band: band, on: &canvas)
        }
    }

    private func label(_ play: PlayRecord, in frame: PlotFrame, band: Band, on canvas: inout SVGCanvas) {
        guard band != .mark, frame.width >= 30 else { return }
        let hasTwoLines = band == .music && frame.height >= 34
        let largest = min(15, hasTwoLines ? frame.height * 0.36 : frame.height * 0.72)
        guard largest >= 9 else { return }
        let title = play.title ?? play.referenceID?.rawValue ?? PlaylogColors.words(play.kind)
        let fill = "fill=\"\(PlaylogColors.text(play.kind))\""
        let room = frame.width - 7
        guard let (words, size) = Self.fitted(title, largest: largest, room: room, isBold: hasTwoLines) else { return }
        let second = hasTwoLines ? play.artist.flatMap { Self.fitted($0, largest: size * 0.88, room: room) } : nil
        let middle = frame.y + frame.height / 2
        let y = second == nil ? middle + size * 0.36 : middle - size * 0.2
        canvas.text(words, x: frame.x + 4, y: y, size: size, fill + (hasTwoLines ? " font-weight=\"bold\"" : ""))
        if let second { canvas.text(second.words, x: frame.x + 4, y: y + size * 1.2, size: second.size, fill) }
    }

    /// A text as large as there is room for it, then cut; nothing where less than three letters of it would be left.
    private static func fitted(
        _ text: String,
        largest: Double,
        room: Double,
        isBold: Bool = false
    ) -> (words: String, size: Double)? {
        let sizes = [largest, largest * 0.86, largest * 0.74].filter { $0 >= 8.5 }
        if let size = sizes.first(where: { PlotText.estimatedWidth(text, size: $0, isBold: isBold) <= room }) {
            return (text, size)
        }
        let size = sizes.last ?? largest
        let words = PlotText.shortened(text, size: size, width: room, isBold: isBold)
        return words.count >= 4 ? (words, size) : nil
    }

    // MARK: - Gaps

    private func drawGap(_ gap: StreamGap, in whole: PlotFrame, on canvas: inout SVGCanvas) {
        var frame = whole
        frame.x = x(gap.start)
        frame.width = max(2, x(gap.end ?? span.upperBound) - frame.x)
        drawHatched(frame, on: &canvas)
    }

    /// Slanted lines, cut at the edges of the frame.
    private func drawHatched(_ frame: PlotFrame, on canvas: inout SVGCanvas) {
        canvas.rectangle(frame, "fill=\"#2a1016\" stroke=\"#ff5d5d\" stroke-width=\"1\"")
        canvas.group("stroke=\"#ff5d5d\" stroke-width=\"1.5\" stroke-opacity=\"0.75\"") { canvas in
            var offset = -frame.height
            while offset < frame.width {
                let (from, to) = (max(0, offset), min(frame.width, offset + frame.height))
                if from < to {
                    let (y1, y2) = (frame.bottom - (from - offset), frame.bottom - (to - offset))
                    canvas.line(frame.x + from, y1, frame.x + to, y2)
                }
                offset += 8
            }
        }
    }

    // MARK: - Times and legend

    private func drawTimes(on canvas: inout SVGCanvas) {
        let bottom = y(of: rows.count) - Self.rowGap
        let ticks = self.ticks
        canvas.group("stroke=\"\(PlotStyle.grid)\" stroke-opacity=\"0.16\"") { canvas in
            for tick in ticks { canvas.line(x(tick.date), Self.top - 6, x(tick.date), bottom + 6) }
        }
        canvas.group("fill=\"\(PlotStyle.quiet)\"") { canvas in
            for tick in ticks {
                canvas.text(tick.label, x: x(tick.date), y: Self.top - 12, size: 14, anchor: .middle)
                // Many rows have their times below too.
                if rows.count > 4 {
                    canvas.text(tick.label, x: x(tick.date), y: bottom + 20, size: 14, anchor: .middle)
                }
            }
        }
        let zone = timeZone == .gmt ? "UTC" : timeZone.identifier
        let words = PlotText.shortened(zone, size: 14, width: Self.left - 80)
        canvas.text(words, x: 40, y: Self.top - 12, size: 14, "fill=\"\(PlotStyle.quiet)\"")
    }

    private func drawLegend(at y: Double, on canvas: inout SVGCanvas) {
        let plays = rows.flatMap(\.plays)
        let counts = Dictionary(grouping: plays, by: \.kind)
        let others = counts.keys.filter { !PlayKind.known.contains($0) }.sorted { $0.rawValue < $1.rawValue }
        let kinds = PlayKind.known.filter { counts[$0] != nil } + others
        let gaps = rows.flatMap(\.gaps)
        var entries: [(words: String, kind: PlayKind?)] = kinds.map { kind in
            let seconds = counts[kind]?.reduce(0) { $0 + $1.playedDuration(in: span) } ?? 0
            let count = PlotText.grouped(counts[kind]?.count ?? 0)
            return ("\(PlaylogColors.words(kind)) \(count) · \(Self.hours(seconds))", kind)
        }
        if !gaps.isEmpty {
            let seconds = rows.reduce(0) { sum, row in
                let lost = row.gaps.map { InstantSet.clipped($0.start, $0.end ?? span.upperBound, to: span) }
                return sum + InstantSet(lost).seconds
            }
            entries.append(("not heard \(gaps.count) · \(Self.hours(seconds))", nil))
        }
        let width = entries.reduce(0) { $0 + 36 + PlotText.estimatedWidth($1.words, size: 15) + 22 }
        // Smaller rather than beyond the edge.
        let size = 15 * min(1, (Self.width - 60) / max(1, width))
        var x = 40.0
        for entry in entries {
            let box = PlotFrame(x: x, y: y - size * 0.85, width: 26 * size / 15, height: size)
            if let kind = entry.kind {
                canvas.rectangle(box, "rx=\"2\" fill=\"\(PlaylogColors.shades(kind)[0])\"")
            } else {
                drawHatched(box, on: &canvas)
            }
            canvas.text(entry.words, x: box.right + 7, y: y, size: size, "fill=\"\(PlotStyle.text)\"")
            x = box.right + 7 + PlotText.estimatedWidth(entry.words, size: size) + 20
        }
    }
}
