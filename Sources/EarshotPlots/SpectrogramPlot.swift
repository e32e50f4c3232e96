import EarshotDSP
package import EarshotCatalogs
import EarshotCore
import EarshotMedia
package import EarshotSignatures
import Foundation

/// A picture of how a clip is recognized: its spectrogram with the landmarks, and how they lie on the reference.
package struct SpectrogramPlot {
    /// The size of the drawing, as the picture's own unit of length.
    package static let width = 1_600.0
    package static let height = 900.0
    /// Rows of levels that the picture can show; more would be lost.
    package static let rowLimit = 2_960
    /// Landmarks drawn, at most; beyond it only the strongest are.
    package static let markLimit = 1_600
    /// Other places that a histogram needs, at least.
    private static let leastPlaces = 20

    /// One landmark as it is drawn.
    package struct Mark: Hashable, Sendable {
        package var time: Double
        package var bin: Double
        package var tier: Int
        package var isMatched: Bool
    }

    package let levels: SpectrogramLevels
    package let marks: [Mark]
    package let evidence: MatchEvidence?
    package let caption: PlotCaption
    /// The time axis, in seconds.
    package let times: ClosedRange<Double>

    /// - Parameters:
    ///   - levels: Of the clip, finished; made with ``rowLimit``.
    ///   - signature: Of the clip.
    ///   - evidence: The evidence of the match; `nil` if there is none.
    ///   - caption: The text above the picture.
    package init(levels: SpectrogramLevels, signature: Signature, evidence: MatchEvidence?, caption: PlotCaption) {
        self.levels = levels
        self.evidence = evidence
        self.caption = caption
        times = 0...max(0.2, signature.duration.seconds)
        if let evidence {
            marks = evidence.marks.map { Mark(time: $0.time, bin: $0.bin, tier: $0.tier, isMatched: $0.isMatched) }
        } else {
            marks = signature.thinned(to: MatchingParameters().queryDensity).landmarks.map {
                Mark(
                    time: Double($0.time) / Double(Landmark.stepsPerSecond),
                    bin: Double($0.frequency) / Double(Landmark.stepsPerBin),
                    tier: Int($0.tier),
                    isMatched: false
                )
            }
        }
    }

    /// The drawing as an SVG document, with the spectrogram inside.
    ///
    /// - Throws: `codecUnsupported` when the FFmpeg here cannot write PNG.
    package func svg() throws -> [UInt8] {
        let places = evidence?.comparison.elsewhere.count ?? 0
        let panels = PlotPanels(hasScatter: evidence != nil, hasHistogram: places >= Self.leastPlaces)
        let picture = LevelPicture(levels)
            .image(times: times, width: Int(panels.spectrogram.width), height: 2 * FrequencyAxis.binCount)
        let data = Data(try picture.pngData()).base64EncodedString()
        var canvas = SVGCanvas(width: Self.width, height: Self.height, title: summary)
        caption.draw(on: &canvas)
        drawSpectrogram(data, in: panels.spectrogram, on: &canvas)
        drawLegend(under: panels.spectrogram, on: &canvas)
        if let evidence, let frame = panels.scatter { drawScatter(evidence, in: frame, on: &canvas) }
        if let evidence, let frame = panels.histogram { drawHistogram(evidence.comparison, in: frame, on: &canvas) }
        return canvas.document
    }

    /// A drawing as a PNG picture.
    ///
    /// - Parameters:
    ///   - svg: Of this size.
    ///   - width: Pixels in a row; the height follows.
    /// - Throws: `codecUnsupported` when the FFmpeg here was built without librsvg or cannot write PNG.
    package static func png(of svg: [UInt8], width: Int) throws -> [UInt8] {
        let height = Int((Double(width) * Self.height / Self.width).rounded())
        return try RasterImage.rendering(svg: svg, width: width, height: height).pngData()
    }

    /// The strongest landmarks, by whole tiers while they fit, and an even selection where even the first does not.
    package static func drawn(_ marks: [Mark], limit: Int) -> [Mark] {
        guard marks.count > limit else { return marks }
        var counts = [Int](repeating: 0, count: Landmark.tierCount)
        for mark in marks { counts[min(max(mark.tier, 0), counts.count - 1)] += 1 }
        var (tiers, total) = (0, 0)
        while tiers < counts.count, total + counts[tiers] <= limit {
            total += counts[tiers]
            tiers += 1
        }
        if total > 0 { return marks.filter { $0.tier < tiers } }
        let strongest = marks.filter { $0.tier <= tiers }
        let step = (strongest.count + limit - 1) / limit
        return strongest.enumerated().compactMap { $0.offset.isMultiple(of: step) ? $0.element : nil }
    }

    private var summary: String {
        [caption.title, caption.details, caption.subtitle].filter { !$0.isEmpty }.joined(separator: " · ")
    }
}
