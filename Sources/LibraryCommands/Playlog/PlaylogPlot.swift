import EarshotBroadcast
import EarshotMedia
import EarshotPlots
import Foundation

/// A picture of what channels played: a row a channel, time from left to right.
///
/// A row has three bands, so that nothing long hides what is short: programmes above, music in the middle, jingles and
/// advertisements below as marks.
struct PlaylogPlot {
    static let width = 1_600.0
    static let left = 216.0
    static let right = 28.0
    static let top = 142.0
    static let rowGap = 14.0

    /// The kind of a band in a row, by the kind of plays that are drawn in it.
    enum Band: Hashable, CaseIterable {
        case programme, music, mark

        init(_ kind: PlayKind) {
            switch kind {
            case .programme: self = .programme
            case .jingle, .advertisement: self = .mark
            default: self = .music
            }
        }
    }

    /// A channel with what was heard on it.
    struct Row {
        var channel: PlayChannel
        /// By start.
        var plays: [PlayRecord] = []
        var gaps: [StreamGap] = []
        /// The intervals in which nobody listened.
        var unheard: [Range<Date>] = []
        var heardSeconds = 0.0
        var identifiedSeconds = 0.0
    }

    let title: String
    let span: Range<Date>
    let timeZone: TimeZone
    let rows: [Row]

    /// A picture.
    ///
    /// - Parameters:
    ///   - title: The title above it.
    ///   - span: From when to when; at least a second is drawn.
    ///   - timeZone: The zone of the times below it.
    ///   - channels: The rows, in order; channels of plays that are not among them follow by their identifiers.
    ///   - plays: The plays, in any order.
    ///   - gaps: The gaps in what was heard.
    ///   - heard: The intervals in which somebody listened; for a channel without any, from its first play or gap to
    ///     the last.
    ///   - now: Until when a gap lasts that has no end yet; `nil` for the end of the span.
    init(
        title: String,
        span: Range<Date>,
        timeZone: TimeZone = .gmt,
        channels: [PlayChannel] = [],
        plays: [PlayRecord],
        gaps: [StreamGap] = [],
        heard stretches: [DetectedInterval] = [],
        until now: Date? = nil
    ) {
        self.title = title
        self.timeZone = timeZone
        let span = span.lowerBound..<max(span.upperBound, span.lowerBound.addingTimeInterval(1))
        self.span = span
        let query = PlayQuery(span: span)
        let plays = plays.filter(query.contains)
        let end = min(span.upperBound, max(span.lowerBound, now ?? span.upperBound))
        // A break in which nothing was missed has no length.
        let gaps = gaps.filter(query.contains).compactMap { gap -> StreamGap? in
            var gap = gap
            gap.end = gap.end ?? max(gap.start, end)
            return gap.end.map { $0 > gap.start } == true ? gap : nil
        }
        var order = channels
        var known = Set(channels.map(\.id))
        let stretches = stretches.filter(query.contains)
        let all = plays.map(\.channel) + gaps.map(\.channel) + stretches.map(\.channel)
        for channel in all.sorted(by: { $0.id < $1.id })
        where known.insert(channel.id).inserted {
            order.append(channel)
        }
        let byChannel = Dictionary(grouping: plays, by: \.channel.id)
        let gapsByChannel = Dictionary(grouping: gaps, by: \.channel.id)
        let heardByChannel = Dictionary(grouping: stretches, by: \.channel.id)
        let whole = InstantSet([InstantSet.clipped(span.lowerBound, span.upperBound, to: span)])
        rows = order.map { channel in
            var row = Row(channel: channel)
            row.plays = (byChannel[channel.id] ?? []).sorted { ($0.start, $0.id) < ($1.start, $1.id) }
            row.gaps = gapsByChannel[channel.id] ?? []
            let lost = InstantSet(row.gaps.map { InstantSet.clipped($0.start, $0.end ?? span.upperBound, to: span) })
            let known = row.plays.filter { $0.kind != .unknown }
            let heard = InstantSet(known.map { InstantSet.clipped($0.start, $0.end, to: span) })
            let listened = Self.listened(row, heardByChannel[channel.id] ?? [], in: span)
            row.unheard = whole.subtracting(listened).ranges.map {
                PlaylogTime.date($0.lowerBound)..<PlaylogTime.date($0.upperBound)
            }
            row.heardSeconds = listened.subtracting(lost).seconds
            row.identifiedSeconds = heard.subtracting(lost).seconds
            return row
        }
    }

    private static func listened(_ row: Row, _ stretches: [DetectedInterval], in span: Range<Date>) -> InstantSet {
        let plays = row.plays.map { InstantSet.clipped($0.start, $0.end, to: span) }
        guard stretches.isEmpty else {
            return InstantSet(stretches.map { InstantSet.clipped($0.start, $0.end, to: span) } + plays)
        }
        let gaps = row.gaps.map { InstantSet.clipped($0.start, $0.end ?? span.upperBound, to: span) }
        let told = InstantSet(plays + gaps).ranges
        guard let first = told.first, let last = told.last else { return InstantSet([]) }
        return InstantSet([first.lowerBound..<last.upperBound])
    }

    // MARK: - Sizes

    /// The height of a band; fewer channels have more room.
    func height(of band: Band) -> Double {
        let scale = rows.count <= 4 ? 1.5 : rows.count <= 16 ? 1.0 : 0.7
        return switch band {
        case .programme: 16 * scale
        case .music: 36 * scale
        case .mark: 9 * scale
        }
    }

    var rowHeight: Double { Band.allCases.reduce(0) { $0 + height(of: $1) } }

    /// The place at which a row begins.
    func y(of row: Int) -> Double { Self.top + Double(row) * (rowHeight + Self.rowGap) }

    var height: Double { y(of: max(1, rows.count)) + 84 }

    /// The place of an instant from left to right; one that lies outside is at the edge.
    func x(_ date: Date) -> Double {
        let share = date.timeIntervalSince(span.lowerBound) / span.upperBound.timeIntervalSince(span.lowerBound)
        return Self.left + (Self.width - Self.left - Self.right) * min(1, max(0, share))
    }

    /// The frame of something within a band of a row.
    func frame(_ start: Date, _ end: Date, row: Int, band: Band) -> PlotFrame {
        var y = y(of: row)
        for other in Band.allCases.prefix(while: { $0 != band }) { y += height(of: other) }
        let (left, right) = (x(start), x(end))
        return PlotFrame(x: left, y: y, width: max(0, right - left), height: height(of: band))
    }

    // MARK: - Times

    /// The labeled instants, at round times of the zone.
    var ticks: [(date: Date, label: String)] {
        let seconds = span.upperBound.timeIntervalSince(span.lowerBound)
        let steps: [Double] = [
            1, 5, 10, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400, 604_800,
        ]
        let step = steps.first { seconds / $0 <= 24.5 } ?? max(2_678_400, seconds / 24)
        let offset = Double(timeZone.secondsFromGMT(for: span.lowerBound))
        let local = span.lowerBound.timeIntervalSince1970 + offset
        let first = (local / step).rounded(.up) * step - offset
        let count = Int(((span.upperBound.timeIntervalSince1970 - first) / step).rounded(.down))
        guard count >= 0 else { return [] }
        return (0...count).map { index in
            let date = Date(timeIntervalSince1970: first + Double(index) * step)
            return (date, label(date, step: step, isLast: date >= span.upperBound))
        }
    }

    private func label(_ date: Date, step: Double, isLast: Bool) -> String {
        let text = PlaylogTime.text(date.addingTimeInterval(Double(timeZone.secondsFromGMT(for: date))))
        if step >= 86_400 { return String(text.dropFirst(5).prefix(5)) }
        let clock = text.dropFirst(11).prefix(step < 60 ? 8 : 5)
        // A day ends at 24 o'clock, not where it began.
        return isLast && clock.hasPrefix("00:00") ? "24:00" : String(clock)
    }

    // MARK: - Pictures

    /// The drawing as a PNG picture.
    ///
    /// - Parameter width: Pixels in a row; the height follows.
    /// - Throws: `codecUnsupported` when the FFmpeg here was built without librsvg or cannot write PNG.
    func png(width: Int = Int(Self.width)) throws -> [UInt8] {
        let height = min(16_384, Int((Double(width) * self.height / Self.width).rounded()))
        return try RasterImage.rendering(svg: svg(), width: width, height: height).pngData()
    }
}
