public import EarshotCore
public import Foundation

/// A folder of sound files as other programs leave it: what of it is which part of a piece, by its names alone.
///
/// - `mix.wav`, `master.ogg` and the like, or the only sound that there is, are the mix;
/// - `preview.*` is the preview, `cover.png` and `cover.jpg` are the cover;
/// - every other sound is a stem of the name of its file;
/// - the folder's name is the title;
/// - tempo and key stand in the name of the folder, or of the mix, or of other files, as in `Night Loop 120bpm Am` and
///   `drums_92.5 BPM`.
///
/// Folders inside, hidden files and links are passed over.
public struct StemFolder: Hashable, Sendable {
    /// What the piece is called: the folder's name without tempo and key, cut to what a title may have.
    public let title: String
    /// The tempo, where a name says one.
    public let tempo: FixedTempo?
    /// The key, where a name says one.
    public let tonality: Tonality
    /// The mix; nothing where there are several sounds and none is it.
    public let mix: PieceSound?
    /// The other stems, by their names.
    public let stems: [PieceStem]
    /// The preview.
    public let preview: PieceSound?
    /// A picture, of any size.
    public let cover: URL?
    /// The names of the files that are none of these.
    public let others: [String]

    private static let mixNames: Set<String> = ["mix", "master", "mixdown", "stem"]

    /// Looks through a folder. Of each sound the begin is read.
    ///
    /// - Throws: `assetNotFound` where there is no folder, `pieceInvalid` for two mixes, previews, covers or stems of one name and
    ///   for sound that begins as something else, `assetUnreadable`, `readFailed`.
    public init(_ folder: URL) throws(EarshotError) {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        } catch {
            throw EarshotError(.assetNotFound, "There is no folder \(folder.path): check its name.", cause: error)
        }
        let own = NamedFacts(folder.standardizedFileURL.lastPathComponent)
        var mixes: [PieceSound] = []
        var previews: [PieceSound] = []
        var covers: [URL] = []
        var sounds: [PieceStem] = []
        var others: [String] = []
        var facts: [NamedFacts] = []
        for name in names where !name.hasPrefix(".") {
            let url = folder.appendingPathComponent(name)
            var status = stat()
            guard lstat(url.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            let base = NamedFacts((name as NSString).deletingPathExtension)
            let suffix = (name as NSString).pathExtension.lowercased()
            guard StemFormat(fileExtension: suffix) != nil else {
                if base.rest.lowercased() == "cover", ["png", "jpg", "jpeg"].contains(suffix) {
                    covers.append(url)
                } else {
                    others.append(name)
                }
                continue
            }
            let sound = try PieceSound(file: url)
            switch base.rest.lowercased() {
            case let text where Self.mixNames.contains(text):
                mixes.append(sound)
                facts.insert(base, at: 0)
            case "preview": previews.append(sound)
            default:
                sounds.append(PieceStem(name: Self.stemName(base.rest), sound: sound))
                facts.append(base)
            }
        }
        for (what, count) in [("mixes", mixes.count), ("previews", previews.count), ("covers", covers.count)]
        where count > 1 {
            throw EarshotError(
                .pieceInvalid,
                "The folder \(folder.lastPathComponent) has \(count) \(what): leave one of them."
            )
        }
        if mixes.isEmpty, sounds.count == 1 {
            mixes = [sounds[0].sound]
            sounds = []
        }
        let stemNames = sounds.map { PieceStem.folded($0.name) }
        guard Set(stemNames).count == stemNames.count, stemNames.count <= PieceStem.most else {
            throw EarshotError(
                .pieceInvalid,
                "The folder \(folder.lastPathComponent) has two stems of one name, or more than \(PieceStem.most): "
                    + "rename or remove some."
            )
        }
        title = Self.cut(own.rest)
        tempo = own.tempo ?? facts.lazy.compactMap(\.tempo).first
        tonality = own.tonality ?? facts.lazy.compactMap(\.tonality).first ?? .unknown
        mix = mixes.first
        stems = sounds
        preview = previews.first
        cover = covers.first
        self.others = others
    }

    /// The piece.
    ///
    /// - Parameters:
    ///   - length: How long the mix is; no name says that.
    ///   - cover: The picture; ``cover`` when absent, which must have the size of a cover then.
    /// - Throws: `stemMissing` where no file is the mix, `coverSizeInvalid`, and `pieceInvalid` for a draft that cannot be, naming all
    ///   reasons.
    public func package(length: Microseconds, cover: CoverImage? = nil) throws(EarshotError) -> PiecePackage {
        guard let mix else {
            throw EarshotError(
                .stemMissing,
                "None of the \(stems.count) sounds of \(PackageFault.quoted(title)) is the mix: name one mix or master."
            )
        }
        let draft: PieceDraft
        do throws(DraftErrors) {
            draft = try PieceDraft(title: title, length: length, tempo: tempo, tonality: tonality)
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

    private static func cut(_ text: String) -> String {
        let scalars = text.unicodeScalars.filter { $0.properties.generalCategory != .control }
        return String(String.UnicodeScalarView(scalars.prefix(PieceDraft.longestTitle)))
            .trimmingCharacters(in: .whitespaces)
    }

    private static func stemName(_ text: String) -> String {
        let name = cut(text.replacingOccurrences(of: "\\", with: "-"))
        return PieceStem.isName(name) ? name : "stem"
    }
}
