import EarshotCatalogs
import EarshotCore
import EarshotMedia
import EarshotPlots
import Foundation

/// A picture of what is heard in a recording, and when: the recording runs from left to right in lines, like text, and
/// every play is a box with its title. Plays that overlap stand above each other.
struct TimelinePlot {
    static let width = 1_600.0
    /// Lines are made longer rather than more of them drawn.
    private static let lineLimit = 8
    private static let boxHeight = 44.0
    private static let laneHeight = 50.0
    private static let left = 48.0
    private static let top = 124.0
    /// The room that the label of a short play is given beside it.
    private static let labelRoom = 96.0
    private static let lanesLimit = 5

    /// A part of a play, or of a stretch of nothing, on one line.
    struct Box: Hashable {
        /// Number of the entry; nothing for a stretch in which nothing was found.
        var entry: Int?
        var begin: Double
        var end: Double
        /// `true` if it continues from the line before.
        var isContinued: Bool
        var lane = 0
    }

    private let list: Tracklist
    /// Seconds in a line.
    let lineSeconds: Double
    /// The boxes of each line, in order of time.
    let lines: [[Box]]

    init(_ list: Tracklist) {
        self.list = list
        let duration = max(1, list.duration)
        let steps: [Double] = [60, 120, 300, 600, 900, 1_200, 1_800, 3_600, 7_200, 14_400, 43_200, 86_400]
        // A quarter of an hour is what titles have room on; less for what is short, more for what is long.
        let fitting = steps.first { duration <= $0 * 1.0001 } ?? 86_400
        let seconds =
            duration <= 900 ? fitting : steps.first { $0 >= 900 && duration / $0 <= Double(Self.lineLimit) } ?? 86_400
        lineSeconds = seconds
        let count = max(1, Int((duration / seconds - 1e-9).rounded(.up)))
        lines = (0..<count).map { Self.boxes(list, from: Double($0) * seconds, seconds: seconds) }
    }

    private static func boxes(_ list: Tracklist, from start: Double, seconds: Double) -> [Box] {
        var boxes: [Box] = []
        func add(_ entry: Int?, _ begin: Double, _ end: Double) {
            guard begin < start + seconds, end > start else { return }
            let box = Box(
                entry: entry,
                begin: max(begin, start),
                end: min(end, start + seconds),
                isContinued: begin < start
            )
            // The last moment of a fade is no box of its own.
            if box.end - box.begin > seconds / 2_000 || entry != nil { boxes.append(box) }
        }
        for (index, entry) in list.entries.enumerated() { add(index, entry.begin, entry.end) }
        for gap in list.unknown { add(nil, gap.lowerBound, gap.upperBound) }
        boxes.sort { ($0.begin, $1.end) < ($1.begin, $0.end) }
        // Each goes to the first lane that is free; a short one keeps room for its label where there is any.
        let scale = seconds / (width - 2 * left)
        var ends = [Double](repeating: -.infinity, count: lanesLimit)
        var labelEnds = ends
        for index in boxes.indices {
            let begin = boxes[index].begin + 0.5 * scale
            let lane =
                labelEnds.firstIndex { $0 <= begin } ?? ends.firstIndex { $0 <= begin }
                ?? ends.indices.min { ends[$0] < ends[$1] } ?? 0
            boxes[index].lane = lane
            ends[lane] = max(ends[lane], boxes[index].end)
            let hasLabel = boxes[index].entry != nil
            labelEnds[lane] = max(boxes[index].end, hasLabel ? boxes[index].begin + labelRoom * scale : 0)
        }
        return boxes
    }

    // MARK: - Drawing

    private func lanes(_ line: [Box]) -> Int { (line.map(\.lane).max() ?? 0) + 1 }

    private func lineHeight(_ line: [Box]) -> Double { Double(lanes(line)) * Self.laneHeight + 46 }

    /// The height of the drawing, which follows from how much overlaps.
    var height: Double { Self.top + lines.reduce(0) { $0 + lineHeight($1) } + 62 }

    /// The drawing as an SVG document.
    func svg() -> [UInt8] {
        let height = self.height
        var canvas = SVGCanvas(width: Self.width, height: height, title: "\(name): \(list.summary)")
        canvas.rectangle(PlotFrame(x: 0, y: 0, width: Self.width, height: height), "fill=\"\(PlotStyle.page)\"")
        let room = Self.width - 2 * Self.left
        canvas.text(
            PlotText.shortened(name, size: 34, width: room, isBold: true),
            x: Self.left,
            y: 60,
            size: 34,
            "fill=\"\(PlotStyle.text)\" font-weight=\"bold\""
        )
        let details = "\(PlotText.clock(list.duration)) · \(list.summary)"
        canvas.text(details, x: Self.left, y: 94, size: 20, "fill=\"\(PlotStyle.quiet)\"")
        var y = Self.top
        for (number, line) in lines.enumerated() {
            draw(line, number: number, at: y, on: &canvas)
            y += lineHeight(line)
        }
        drawLegend(at: y + 22, on: &canvas)
        return canvas.document
    }

    /// The drawing as a PNG picture.
    ///
    /// - Parameter width: Pixels in a row; the height follows.
    /// - Throws: `codecUnsupported` when the FFmpeg here was built without librsvg or cannot write PNG.
    func png(width: Int = Int(Self.width)) throws -> [UInt8] {
        let height = min(16_384, Int((Double(width) * self.height / Self.width).rounded()))
        return try RasterImage.rendering(svg: svg(), width: width, height: height).pngData()
    }

    private var name: String {
        list.recording == "-" ? "standard input" : URL(fileURLWithPath: list.recording).lastPathComponent
    }

    private func draw(_ line: [Box], number: Int, at y: Double, on canvas: inout SVGCanvas) {
        let start = Double(number) * lineSeconds
        let times = start...start + lineSeconds
        let end = min(list.duration, start + lineSeconds)
        let lanes = Double(lanes(line))
        let whole = PlotFrame(x: Self.left, y: y, width: Self.width - 2 * Self.left, height: lanes * Self.laneHeight)
        var shown = whole
        shown.width = max(1, whole.across(end, of: times) - whole.x)
        canvas.rectangle(shown, "fill=\"\(PlotStyle.panel)\"")
        let ticks = PlotTicks.times(in: times, limit: 16).ticks.filter { $0.value <= end + 1e-6 }
        canvas.group("stroke=\"\(PlotStyle.grid)\" stroke-opacity=\"0.12\"") { canvas in
            for tick in ticks {
                canvas.line(whole.across(tick.value, of: times), y, whole.across(tick.value, of: times), shown.bottom)
            }
        }
        for box in line {
            var frame = whole
            frame.x = whole.across(box.begin, of: times)
            frame.width = max(3, whole.across(box.end, of: times) - frame.x)
            frame.y = y + Double(box.lane) * Self.laneHeight + (Self.laneHeight - Self.boxHeight) / 2
            frame.height = Self.boxHeight
            let next = line.filter { $0.lane == box.lane && $0.begin > box.begin }.map(\.begin).min()
            let room = (next.map { whole.across($0, of: times) } ?? whole.right) - frame.x
            if let entry = box.entry {
                draw(list.entries[entry], box, in: frame, room: room, on: &canvas)
            } else {
                drawUnknown(box, in: frame, on: &canvas)
            }
        }
        canvas.group("fill=\"\(PlotStyle.quiet)\"") { canvas in
            for tick in ticks {
                let x = whole.across(tick.value, of: times)
                canvas.text(PlotText.clock(tick.value), x: x, y: shown.bottom + 21, size: 15, anchor: .middle)
            }
        }
    }

    private func draw(
        _ entry: Tracklist.Entry,
        _ box: Box,
        in frame: PlotFrame,
        room: Double,
        on canvas: inout SVGCanvas
    ) {
        let style = Certainty(entry.play.confidence)
        canvas.rectangle(frame, "rx=\"4\" \(style.attributes)")
        let isInside = frame.width >= 56
        let space = (isInside ? frame.width : max(0, room - frame.width)) - 12
        guard space >= 34 else { return }
        let x = isInside ? frame.x + 7 : frame.right + 5
        let fill = isInside ? style.text : PlotStyle.text
        let second = [entry.artist ?? "", entry.change].filter { !$0.isEmpty }.joined(separator: " · ")
        let title = (box.isContinued ? "… " : "") + entry.title
        canvas.text(
            PlotText.shortened(title, size: 16, width: space, isBold: true),
            x: x,
            y: second.isEmpty ? frame.y + 28 : frame.y + 19,
            size: 16,
            "fill=\"\(fill)\" font-weight=\"bold\""
        )
        guard !second.isEmpty else { return }
        let words = PlotText.shortened(second, size: 13, width: space)
        canvas.text(words, x: x, y: frame.y + 36, size: 13, "fill=\"\(fill)\" fill-opacity=\"0.85\"")
    }

    private func drawUnknown(_ box: Box, in frame: PlotFrame, on canvas: inout SVGCanvas) {
        canvas.rectangle(
            frame,
            "rx=\"4\" fill=\"none\" stroke=\"\(PlotStyle.frame)\" stroke-width=\"1.5\" stroke-dasharray=\"5 4\""
        )
        guard frame.width >= 84 else { return }
        canvas.text("unknown", x: frame.x + 8, y: frame.y + 27, size: 14, "fill=\"\(PlotStyle.quiet)\"")
    }

    // MARK: - Certainty

    /// The certainty of a play, in three steps that can be told apart without color.
    enum Certainty: CaseIterable {
        case sure, likely, doubtful

        init(_ confidence: Double) {
            self = confidence >= 0.95 ? .sure : confidence >= 0.75 ? .likely : .doubtful
        }

        var attributes: String {
            switch self {
            case .sure: "fill=\"\(PlotStyle.matched)\""
            case .likely: "fill=\"#7a5212\" stroke=\"\(PlotStyle.matched)\" stroke-width=\"1.5\""
            case .doubtful: "fill=\"\(PlotStyle.panel)\" stroke=\"\(PlotStyle.matched)\" stroke-width=\"1.5\""
            }
        }

        /// The color of text inside.
        var text: String { self == .sure ? PlotStyle.outline : PlotStyle.text }

        var words: String {
            switch self {
            case .sure: "95 % sure or more"
            case .likely: "75 to 95 %"
            case .doubtful: "less"
            }
        }
    }

    private func drawLegend(at y: Double, on canvas: inout SVGCanvas) {
        var x = Self.left
        func place(_ words: String, _ attributes: String) {
            canvas.rectangle(PlotFrame(x: x, y: y - 14, width: 30, height: 18), "rx=\"3\" \(attributes)")
            canvas.text(words, x: x + 40, y: y + 1, size: 16, "fill=\"\(PlotStyle.text)\"")
            x += 40 + PlotText.estimatedWidth(words, size: 16) + 36
        }
        for certainty in Certainty.allCases { place(certainty.words, certainty.attributes) }
        if !list.unknown.isEmpty {
            place(
                "nothing found",
                "fill=\"none\" stroke=\"\(PlotStyle.frame)\" stroke-width=\"1.5\" stroke-dasharray=\"5 4\""
            )
        }
    }
}
