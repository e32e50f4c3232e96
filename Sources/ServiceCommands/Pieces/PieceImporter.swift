import CommandKit
import EarshotCore
import EarshotLibrary
import EarshotMedia
import EarshotPieces
import EarshotTags
import Foundation

/// Makes a piece of what there is: a package, a folder of stems, or a recording in any format.
///
/// Sound in a format that pieces do not have is converted, in a folder that goes with the intake.
final class PieceImporter: Sendable {
    /// The folder of its files: nobody but their owner may look at them.
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("earshot-piece-\(UUID().uuidString)")
        guard mkdir(folder.path, 0o700) == 0 else {
            let reason = errno
            throw EarshotError(
                .writeFailed,
                "There is no room for temporary files in \(folder.path): \(String(cString: strerror(reason)))."
            )
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The piece of a path, with what is said of it besides.
    ///
    /// - Throws: `pieceInvalid` with all that is wrong, and what reading throws.
    func package(_ path: String, _ fields: PieceOptions) async throws -> PiecePackage {
        let url = URL(fileURLWithPath: path)
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw EarshotError(.assetNotFound, "There is no file \(path): check its name.")
        }
        let isPackage =
            isFolder.boolValue
            ? FileManager.default.fileExists(atPath: url.appendingPathComponent("manifest.json").path)
            : url.pathExtension.lowercased() == PiecePackage.fileExtension
        if isPackage {
            let reader = try await PiecePackageReader.open(url)
            var form = DraftForm(reader.draft)
            form.id = reader.manifest.id
            return try await package(form, try reader.package(), fields)
        }
        if isFolder.boolValue { return try await stems(url, fields) }
        let mix = try await sound(path)
        let length = try await length(of: mix)
        let form = DraftForm(title: Self.title(url), length: length)
        return try await package(form, nil, fields, mix: mix)
    }

    /// All faults of a draft, as one error.
    static func error(_ errors: DraftErrors) -> EarshotError {
        EarshotError(.pieceInvalid, errors.violations.map(\.reason).joined(separator: " "), cause: errors)
    }

    // MARK: - Parts

    private func package(
        _ form: DraftForm,
        _ base: PiecePackage?,
        _ fields: PieceOptions,
        mix: PackagedAudio? = nil,
        stems: [PieceStem] = []
    ) async throws -> PiecePackage {
        var form = form
        if let title = fields.title { form.title = title }
        if let tempo = fields.tempo { form.tempo = FixedTempo(tempo) }
        if let loop = fields.loop { form.loop = loop.markers(length: form.length) }
        if let meter = fields.meter { form.timeSignature = meter.signature }
        if let key = fields.key { (form.tonality, form.rootSpelling) = (key.tonality, key.spelling) }
        if !fields.basedOn.isEmpty { form.basedOn = fields.basedOn }
        let draft: PieceDraft
        do throws(DraftErrors) {
            draft = try form.draft()
        } catch {
            throw Self.error(error)
        }
        guard let sound = mix ?? base?.mix else {
            throw EarshotError(.stemMissing, "The piece has no sound: name a recording.")
        }
        var package = base ?? PiecePackage(draft: draft, mix: sound)
        package.draft = draft
        package.mix = sound
        package.stems += stems
        if let text = fields.description { package.description = text }
        if let path = fields.preview { package.preview = try await self.sound(path) }
        if let path = fields.cover { package.cover = try await CoverPicture.cover(URL(fileURLWithPath: path)) }
        if let path = fields.attach {
            package.attachment = try AttachmentBundle(contentsOf: URL(fileURLWithPath: path))
        }
        for stem in fields.stem {
            package.stems.append(PieceStem(name: stem.name, sound: try await self.sound(stem.file)))
        }
        return package
    }

    private func stems(_ url: URL, _ fields: PieceOptions) async throws -> PiecePackage {
        var found = try StemFolder(url)
        if !found.others.isEmpty {
            Terminal.note("Left out: \(found.others.map { Terminal.shown($0) }.joined(separator: ", ")).")
        }
        for other in found.sounds { found.take(try await sound(other.file.path), for: other) }
        let mix: PackagedAudio
        if let own = found.mix {
            mix = own
        } else {
            guard !found.stems.isEmpty else {
                throw EarshotError(
                    .stemMissing,
                    "The folder \(url.path) has no audio file that a piece can contain: add the mix."
                )
            }
            guard found.stems.count > 1 else {
                throw EarshotError(
                    .stemMissing,
                    "The only sound of \(url.path) is not taken for the mix, as a file that is none is called so: rename one of them."
                )
            }
            Terminal.note("No file is the mix: the \(found.stems.count) stems are mixed.")
            mix = try await mixed(found.stems)
        }
        let length = try await length(of: mix)
        let form = DraftForm(
            title: found.title,
            length: length,
            tempo: found.tempo,
            tonality: found.tonality,
            rootSpelling: found.rootSpelling
        )
        var package = try await package(form, nil, fields, mix: mix, stems: found.stems)
        if package.preview == nil { package.preview = found.preview }
        if package.cover == nil, let picture = found.cover { package.cover = try await CoverPicture.cover(picture) }
        return package
    }

    private static func title(_ url: URL) -> String {
        let name = url.deletingPathExtension().lastPathComponent
        return String(String.UnicodeScalarView(name.unicodeScalars.prefix(PieceDraft.longestTitle)))
    }

    // MARK: - Sound

    /// A recording as sound that a piece can have.
    func sound(_ path: String) async throws -> PackagedAudio {
        let url = URL(fileURLWithPath: path)
        if let sound = try? PackagedAudio(file: url), try await Self.isFit(sound, url) { return sound }
        // In a folder of its own: its name goes into the package, and others may be called so too.
        let place = folder.appendingPathComponent(UUID().uuidString, isDirectory: true)
        guard mkdir(place.path, 0o700) == 0 else {
            throw EarshotError(
                .writeFailed,
                "There is no space for temporary files in \(folder.path): free some on that disk."
            )
        }
        let converted = place.appendingPathComponent(url.deletingPathExtension().lastPathComponent + ".wav")
        _ = try await ExportSession(url, settings: ExportSettings(), to: converted, as: .wav, tags: .tagLib).export()
        return try PackagedAudio(file: converted)
    }

    /// Says that audio is all that its format says: a file that begins as M4A may be a video, or have audio of another kind.
    private static func isFit(_ sound: PackagedAudio, _ file: URL) async throws -> Bool {
        guard sound.format == .aacM4A else { return true }
        let asset = try await Asset.load(file)
        return !asset.hasVideo && asset.streams.count == 1 && asset.streams[0].codec == "aac"
    }

    /// The length of audio, by its samples.
    func length(of sound: PackagedAudio) async throws -> Microseconds {
        let reader = try await AssetReader(try file(sound))
        var end = MediaTime.zero
        for try await block in reader { end = max(end, block.time + block.buffer.duration) }
        return Microseconds(end) ?? 0
    }

    /// The file of sound.
    func file(_ sound: PackagedAudio) throws -> URL {
        switch sound.content {
        case .file(let url): return url
        case .bytes(let data):
            let url = folder.appendingPathComponent("\(UUID().uuidString).\(sound.format.fileExtension)")
            do {
                try data.write(to: url)
            } catch {
                throw EarshotError(
                    .writeFailed,
                    "There is no space for temporary files in \(folder.path): free some on that disk.",
                    cause: error
                )
            }
            return url
        }
    }

    /// All stems at once, made quieter where they would be too loud together.
    private func mixed(_ stems: [PieceStem]) async throws -> PackagedAudio {
        let files = try stems.map { try file($0.sound) }
        func mix(gain: Float) async throws -> AudioMix {
            var parts: [AudioMix.Part] = []
            let options = AssetReader.Options(sampleRate: 44_100, channels: .stereo)
            for file in files { parts.append(.init(try await AssetReader(file, options: options), gain: gain)) }
            return try AudioMix(parts, format: AudioFormat(sampleRate: 44_100, channelCount: 2))
        }
        var loudest: Float = 0
        for try await block in try await mix(gain: 1) {
            if case .float32(let samples) = block.buffer.samples {
                for sample in samples { loudest = max(loudest, abs(sample)) }
            }
        }
        let target = folder.appendingPathComponent("mix.wav")
        let writer = try AssetWriter(to: target)
        let input = try writer.addInput(AudioFormat(sampleRate: 44_100, channelCount: 2))
        try await writer.start()
        try await input.append(contentsOf: try await mix(gain: loudest > 1 ? 1 / loudest : 1))
        _ = try await writer.finish()
        return try PackagedAudio(file: target)
    }
}
