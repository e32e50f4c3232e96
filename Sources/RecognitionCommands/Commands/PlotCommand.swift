import ArgumentParser
import CommandKit
import Earshot
import EarshotPlots
import Foundation

struct PlotCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plot",
        abstract: "Draw a recording: its spectrogram and landmarks, and what they match.",
        discussion: """
            The suffix of the output chooses the form: .png or .svg. With a catalog the landmarks that the best match \
            shares are filled, and a second panel shows recording time against reference time. With --map it shows instead \
            how far the recording stands out where the likeliest reference has landmarks, and how much further there than at \
            other references: why a recording in noise was found, or was not. Titles are drawn with the \
            fonts of the system: where none has a script, its characters are boxes.

            EXAMPLES
              earshot plot clip.wav -o clip.png
              earshot plot clip.wav --catalog music.earcat -o clip.svg
              earshot plot noisy.wav --catalog music.earcat --map -o why.png
            """
    )

    @Argument(help: "A recording, or - for standard input.", completion: .file())
    var clip: String

    @OptionGroup var catalog: CatalogOption

    @Option(name: .shortAndLong, help: "Write the picture here.", completion: .file(extensions: ["png", "svg"]))
    var output: String

    @Flag(
        name: .long,
        help: "Draw what the spectrogram says about the likeliest reference and others; needs a catalog."
    )
    var map = false

    @Flag(name: .long, help: "Replace an existing output.")
    var replace = false

    @Option(name: .long, help: "Width of a PNG in pixels; the height follows.")
    var width = 1600

    func validate() throws {
        guard ["png", "svg"].contains(suffix) else {
            throw ValidationError("The output must end in .png or .svg, and \"\(output)\" does not.")
        }
        guard (200...8000).contains(width) else { throw ValidationError("--width must be 200 to 8000 pixels.") }
    }

    private var suffix: String { URL(fileURLWithPath: output).pathExtension.lowercased() }

    func run() async throws {
        let destination = URL(fileURLWithPath: output)
        if !replace, FileManager.default.fileExists(atPath: output) { throw AtomicFile.exists(destination) }
        let url = Clip.url(clip)
        guard url.pathExtension.lowercased() != "earsig" else {
            throw EarshotError(.assetUnreadable, "\(clip) is a signature, which has no spectrum: name the recording.")
        }
        let catalog = map ? try catalog.open() : try catalog.openIfThere()
        let reader = try await Clip.reader(url)
        var generator = SignatureGenerator(gaps: .fillWithSilence)
        var levels = SpectrogramLevels(rowLimit: SpectrogramPlot.rowLimit)
        for try await block in reader {
            try generator.append(block.buffer, at: block.time)
            levels.append(block.buffer, endingAt: generator.duration)
        }
        levels.finish()
        let signature = generator.signature()
        let name = clip == "-" ? "standard input" : url.lastPathComponent
        let answer = try catalog.flatMap { try Self.answer(for: signature, in: $0, name: name) }
        let caption = answer?.caption ?? .plain(file: name, duration: signature.duration)
        let svg =
            if map, let catalog {
                try Self.contrastPlot(of: signature, in: catalog, caption: caption, clip: clip).svg()
            } else {
                try SpectrogramPlot(
                    levels: levels,
                    signature: signature,
                    evidence: answer?.evidence,
                    caption: caption
                ).svg()
            }
        let bytes = suffix == "svg" ? svg : try SpectrogramPlot.png(of: svg, width: width)
        try AtomicFile.write(bytes, to: destination, replacing: replace)
    }

    private static func contrastPlot(
        of signature: Signature,
        in catalog: Catalog,
        caption: PlotCaption,
        clip: String
    ) throws -> ContrastPlot {
        let longest = catalog.queryLimits.maximum
        guard signature.duration <= longest else {
            throw EarshotError(
                .signatureDurationInvalid,
                "\(clip) lasts \(signature.duration.label), and --map draws what is asked about as one, \(longest.label) at most: "
                    + "cut a part out with `earshot convert --from --until`, or leave --map out."
            )
        }
        guard let evidence = try catalog.contrastEvidence(for: signature) else {
            throw EarshotError(
                .signatureInvalid,
                "There is no map to draw of \(clip): no reference comes near, or the catalog has no bits, which "
                    + "`earshot catalog info` would list. Leave --map out for the spectrogram."
            )
        }
        return ContrastPlot(evidence, duration: signature.duration.seconds, caption: caption)
    }

    private struct Answer {
        var caption: PlotCaption
        var evidence: MatchEvidence?
    }

    /// The best match of the clip, or of the first part of a long one that has any. A clip that is too short to be asked
    /// about has no answer.
    private static func answer(for signature: Signature, in catalog: Catalog, name: String) throws -> Answer? {
        guard signature.duration >= catalog.queryLimits.minimum else { return nil }
        let longest = min(catalog.queryLimits.maximum, MediaTime(value: 12, timescale: 1))
        let slices =
            signature.duration > catalog.queryLimits.maximum
            ? Array(signature.slices(duration: longest))
            : [signature.slice(from: .zero, duration: signature.duration)]
        for slice in slices where !slice.signature.isEmpty {
            guard let match = try catalog.match(slice.signature), let best = match.references.first else { continue }
            let item = match.mediaItems.first { $0.match.id == best.id }
            let evidence = try catalog.evidence(for: signature, match: best.best, id: best.id, from: slice.offset)
            let caption = PlotCaption.found(
                item?.title ?? best.id.rawValue,
                artist: item?.artist,
                match: best.best,
                from: slice.offset,
                file: name,
                duration: signature.duration
            )
            return Answer(caption: caption, evidence: evidence)
        }
        return Answer(caption: .nothing(file: name, duration: signature.duration))
    }
}
