public import EarshotCore
public import Foundation

/// A folder of audio files from other programs. The names of the files determine their roles in the piece.
///
/// - `mix.wav`, `master.ogg` and similar names, or the only audio file, are the mix.
/// - `preview.*` is the preview; `cover.png` or `cover.jpg` is the cover.
/// - Every other audio file is a stem with the name of its file, and with a number if the name is taken.
/// - The name of the folder is the title.
/// - Tempo and key are taken from the name of the folder, of the mix, or of other files, such as `Night Loop 120bpm Am`
///   and `drums_92.5 BPM`.
///
/// Audio files in formats that pieces do not support are listed in ``unconverted``. Pass the converted audio to
/// ``take(_:for:)``. Subfolders, hidden files and links are ignored.
public struct StemFolder: Hashable, Sendable {
    /// The role of an audio file in the piece.
    public enum Role: Hashable, Sendable {
        /// The mix.
        case mix
        /// The preview.
        case preview
        /// A stem with a name.
        case stem(String)
    }

    /// An audio file of the folder.
    public struct AudioFile: Hashable, Sendable {
        /// The role in the piece.
        public fileprivate(set) var role: Role
        /// The file.
        public let file: URL
        /// The audio to package; `nil` if the file must be converted first.
        public fileprivate(set) var content: PackagedAudio?
    }

    /// The title of the piece: the folder's name without tempo and key, cut to the longest title.
    public let title: String
    /// The tempo; `nil` if no name contains one.
    public let tempo: FixedTempo?
    /// The key; ``Tonality/unknown`` if no name contains one.
    public let tonality: Tonality
    /// The spelling of the key's root; `nil` for the usual one.
    public let rootSpelling: NoteSpelling?
    /// The cover, of any size; `nil` if there is none.
    public let cover: URL?
    /// The names of the files that are neither audio nor the cover.
    public let others: [String]

    /// All audio files, by file name.
    public private(set) var sounds: [AudioFile]

    private static let mixNames: Set<String> = ["mix", "master", "mixdown", "stem"]
    /// The file extensions of audio formats that pieces do not support.
    private static let otherSuffixes: Set<String> = [
        "aac", "ac3", "aif", "aifc", "aiff", "ape", "au", "caf", "dff", "dsf", "eac3", "flac", "m4b", "mka", "mp1",
        "mp2", "mp3", "mpc", "opus", "rf64", "shn", "spx", "tak", "tta", "voc", "w64", "wma", "wv",
    ]

    /// Reads a folder, and the first bytes of each audio file.
    ///
    /// - Throws: `assetNotFound` if there is no folder; `pieceInvalid` for several mixes, previews or covers, and for
    ///   too many stems; `assetUnreadable`; `readFailed`.
    public init(_ folder: URL) throws(EarshotError) {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        } catch {
            throw EarshotError(.assetNotFound, "There is no folder \(folder.path): check its name.", cause: error)
        }
        let own = ParsedName(folder.standardizedFileURL.lastPathComponent)
        var sounds: [AudioFile] = []
        var covers: [URL] = []
        var others: [String] = []
        var facts: [ParsedName] = []
        // A file with the name of a mix but an unknown format may be the mix, so no other audio file is taken for it.
        var hasOtherMix = false
        for name in names where name.utf8.first != UInt8(ascii: ".") {
            let url = folder.appendingPathComponent(name)
            var status = stat()
            guard lstat(url.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            let base = ParsedName((name as NSString).deletingPathExtension)
            let suffix = (name as NSString).pathExtension.lowercased()
            let word = base.rest.lowercased()
            guard StemFormat(fileExtension: suffix) != nil || Self.otherSuffixes.contains(suffix) else {
                if word == "cover", ["png", "jpg", "jpeg"].contains(suffix) {
                    covers.append(url)
                } else {
                    others.append(name)
                    hasOtherMix = hasOtherMix || Self.mixNames.contains(word)
                }
                continue
            }
            let sound = try Self.sound(url)
            if Self.mixNames.contains(word) {
                sounds.append(AudioFile(role: .mix, file: url, content: sound))
                facts.insert(base, at: 0)
            } else if word == "preview" {
                sounds.append(AudioFile(role: .preview, file: url, content: sound))
            } else {
                sounds.append(AudioFile(role: .stem(Self.stemName(base.rest)), file: url, content: sound))
                facts.append(base)
            }
        }
        let mixes = sounds.filter { $0.role == .mix }.count
        let previews = sounds.filter { $0.role == .preview }.count
        for (what, count) in [("mixes", mixes), ("previews", previews), ("covers", covers.count)] where count > 1 {
            throw EarshotError(
                .pieceInvalid,
                "The folder \(folder.lastPathComponent) has \(count) \(what): leave one of them."
            )
        }
        let stems = sounds.indices.filter { sounds[$0].role != .mix && sounds[$0].role != .preview }
        if mixes == 0, !hasOtherMix, stems.count == 1 { sounds[stems[0]].role = .mix }
        guard stems.count <= PieceStem.most else {
            throw EarshotError(
                .pieceInvalid,
                "The folder \(folder.lastPathComponent) has \(stems.count) stems, and \(PieceStem.most) are allowed: remove some."
            )
        }
        Self.number(&sounds)
        title = Self.cut(own.rest)
        tempo = own.tempo ?? facts.lazy.compactMap(\.tempo).first
        let keyed = own.tonality == nil ? facts.first { $0.tonality != nil } : own
        (tonality, rootSpelling) = (keyed?.tonality ?? .unknown, keyed?.rootSpelling)
        cover = covers.first
        self.others = others
        self.sounds = sounds
    }

    /// The mix; `nil` if no file is the mix, or if it must be converted.
    public var mix: PackagedAudio? { sounds.first { $0.role == .mix }?.content }

    /// The stems except the mix, by name, without those that must be converted.
    public var stems: [PieceStem] {
        sounds.compactMap { sound in
            guard case .stem(let name) = sound.role, let content = sound.content else { return nil }
            return PieceStem(name: name, sound: content)
        }
    }

    /// The preview; `nil` if there is none, or if it must be converted.
    public var preview: PackagedAudio? { sounds.first { $0.role == .preview }?.content }

    /// The files that must be converted first, by name.
    public var unconverted: [AudioFile] { sounds.filter { $0.content == nil } }

    /// Sets the converted audio of a file in the folder.
    ///
    /// - Parameters:
    ///   - sound: The converted audio, in a format that pieces support.
    ///   - other: The file of the folder. A file of another folder is ignored.
    public mutating func take(_ sound: PackagedAudio, for other: AudioFile) {
        guard let place = sounds.firstIndex(where: { $0.file == other.file }) else { return }
        sounds[place].content = sound
    }

    /// Creates the piece.
    ///
    /// - Parameters:
    ///   - length: The duration of the mix.
    ///   - cover: The cover. If `nil`, the file ``cover`` is used, which must have the size of a cover.
    /// - Throws: `stemMissing` if no file is the mix; `coverSizeInvalid`; `pieceInvalid` if audio must be converted, or
    ///   for an invalid draft, with all reasons.
    public func package(length: Microseconds, cover: CoverImage? = nil) throws(EarshotError) -> PiecePackage {
        let left = unconverted.map { PackageFault.quoted($0.file.lastPathComponent) }
        guard left.isEmpty else {
            throw EarshotError(
                .pieceInvalid,
                "\(left.joined(separator: ", ")) cannot be in a piece as it is: convert it to WAVE, Ogg Vorbis or AAC in M4A."
            )
        }
        guard let mix else {
            throw EarshotError(
                .stemMissing,
                "None of the \(stems.count) sounds of \(PackageFault.quoted(title)) is the mix: name one mix or master."
            )
        }
        let draft: PieceDraft
        do throws(DraftErrors) {
            draft = try PieceDraft(
                title: title,
                length: length,
                tempo: tempo,
                tonality: tonality,
                rootSpelling: rootSpelling
            )
        } catch {
            throw EarshotError(.pieceInvalid, error.violations.map(\.reason).joined(separator: " "), cause: error)
        }
        var picture = cover
        if picture == nil, let url = self.cover {
            let bytes = try PackageBytes(url)
            guard bytes.count <= PiecePackage.maximumCoverSize else {
                throw EarshotError(
                    .coverSizeInvalid,
                    "The cover has \(bytes.count) bytes, and \(PiecePackage.maximumCoverSize) are allowed: scale it."
                )
            }
            picture = try CoverImage(Data(try bytes.read(at: 0, count: bytes.count)))
        }
        return PiecePackage(draft: draft, mix: mix, stems: stems, preview: preview, cover: picture)
    }

    /// Returns the audio of a file; `nil` if pieces do not support its format.
    private static func sound(_ file: URL) throws(EarshotError) -> PackagedAudio? {
        do throws(EarshotError) {
            return try PackagedAudio(file: file)
        } catch {
            guard error.code == .pieceInvalid else { throw error }
            return nil
        }
    }

    /// Numbers stems whose names are taken by others.
    private static func number(_ sounds: inout [AudioFile]) {
        func stem(_ sound: AudioFile) -> String? { if case .stem(let name) = sound.role { name } else { nil } }
        var taken = Set(sounds.compactMap { stem($0).map(PieceStem.folded) })
        var seen: Set<String> = []
        for place in sounds.indices {
            guard let name = stem(sounds[place]), !seen.insert(PieceStem.folded(name)).inserted else { continue }
            var number = 2
            while true {
                let ending = " \(number)"
                let begin = name.unicodeScalars.prefix(PieceDraft.longestTitle - ending.unicodeScalars.count)
                let numbered = cut(String(String.UnicodeScalarView(begin))) + ending
                if taken.insert(PieceStem.folded(numbered)).inserted {
                    sounds[place].role = .stem(numbered)
                    break
                }
                number += 1
            }
        }
    }

    private static func cut(_ text: String) -> String {
        let scalars = text.unicodeScalars.filter { $0.properties.generalCategory != .control }
        return String(String.UnicodeScalarView(scalars.prefix(PieceDraft.longestTitle)))
            .trimmingCharacters(in: .whitespaces)
    }

    private static func stemName(_ text: String) -> String {
        let name = cut(text.replacingScalars(["\\": "-"]))
        return PieceStem.isName(name) ? name : "stem"
    }
}
