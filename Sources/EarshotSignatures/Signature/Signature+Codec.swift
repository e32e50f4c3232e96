public import EarshotCore
public import Foundation

extension Signature {
    static let magic = Array("EARSHSIG".utf8)
    /// The version that a reader must support: 1 with landmarks alone, 2 with bits, 3 with the spectrogram too. A
    /// higher one is refused.
    static let majorVersions: ClosedRange<UInt16> = 1...3
    /// The longest duration of a signature in a file: 100 hours.
    package static let maximumDuration = MediaTime(value: 360_000, timescale: 1)
    /// The largest distance of the last landmark after the end of the audio, in time steps of 2 ms: 1 s.
    package static let overhang = 500

    /// The signature encoded as a signature file, without the spectrogram: see `Docs/formats/signature.md`.
    public var data: Data { file(with: nil) }

    /// The signature encoded as a signature file with the spectrogram, if it has one: about 4 kB a second more.
    ///
    /// It is recognized in as much noise as the audio itself, and is as private as audio: spoken words can be
    /// reconstructed from it (`Docs/privacy.md`).
    public var dataWithSpectrogram: Data { file(with: levels?.whole) }

    /// Returns the signature encoded as a signature file.
    ///
    /// - Parameter levels: The spectrogram to include, of at most a minute, or the file cannot be read; `nil` for none.
    package func file(with levels: QueryLevels?) -> Data {
        var writer = ByteWriter(reservingCapacity: 48 + landmarks.count * 4)
        writer.write(contentsOf: Self.magic)
        writer.write(UInt16(levels != nil ? 3 : bits != nil ? 2 : 1))
        writer.write(UInt16(0))
        writer.write(configuration.id)
        writer.write(duration.value)
        writer.write(duration.timescale)
        let (directory, packed) = LandmarkPacking.pack(landmarks)
        writer.write(UInt32(directory.count))
        writer.write(UInt32(packed.count / LandmarkPacking.landmarkSize))
        writer.write(contentsOf: directory)
        writer.write(contentsOf: packed)
        if bits != nil || levels != nil {
            writer.write(UInt32(bits?.rows.count ?? 0))
            writer.write(contentsOf: bits?.bytes ?? [])
        }
        if let levels {
            let packed = LevelCode.bytes(levels)
            writer.write(UInt32(levels.rowCount))
            writer.write(UInt32(packed.count))
            writer.write(contentsOf: packed)
        }
        writer.write(CRC32C.checksum(writer.bytes))
        return Data(writer.bytes)
    }

    /// Decodes a signature from the bytes of a signature file.
    ///
    /// - Throws: `signatureInvalid` if the bytes are not a signature, are damaged or incomplete, or have a version or
    ///   configuration that this program does not know; the message says which.
    public init(data: Data) throws(EarshotError) {
        try self.init(bytes: [UInt8](data), name: "The signature")
    }

    /// Reads a signature file.
    ///
    /// - Throws: `assetNotFound` if the file cannot be read, `signatureInvalid` as ``init(data:)``, naming the file.
    public init(contentsOf url: URL) throws(EarshotError) {
        let data: Data
        do {
            data = try Data(contentsOf: url)
        } catch {
            throw EarshotError(
                .assetNotFound,
                "There is no readable signature file at \(url.path): check the path.",
                cause: error
            )
        }
        try self.init(bytes: [UInt8](data), name: url.path)
    }

    /// Writes the signature to a file atomically.
    ///
    /// - Parameters:
    ///   - url: The file to write; its suffix should be `earsig`.
    ///   - replacing: `true` to replace an existing file.
    ///   - withSpectrogram: `true` to include the spectrogram: see ``dataWithSpectrogram``.
    /// - Throws: `destinationExists` if the file exists and may not be replaced, `writeFailed`.
    public func write(
        to url: URL,
        replacing: Bool = false,
        withSpectrogram: Bool = false
    ) throws(EarshotError) {
        let data = withSpectrogram ? dataWithSpectrogram : data
        try AtomicFile.write([UInt8](data), to: url, replacing: replacing)
    }

    init(bytes: [UInt8], name: String) throws(EarshotError) {
        func invalid(_ what: String) -> EarshotError {
            EarshotError(.signatureInvalid, "\(name) \(what).")
        }
        guard bytes.starts(with: Self.magic) else {
            throw invalid("is not a signature: make one with `earshot signature`")
        }
        var reader = ByteReader(bytes)
        _ = reader.read(count: Self.magic.count)
        guard let major = reader.read(UInt16.self), let minor = reader.read(UInt16.self) else {
            throw invalid("is cut short: make it again")
        }
        guard Self.majorVersions.contains(major) else {
            throw invalid("has version \(major).\(minor), and this program reads versions 1 to 3: update the program")
        }
        guard let configurationID = reader.read(UInt32.self), let value = reader.read(Int64.self),
            let timescale = reader.read(Int32.self), let blockCount = reader.read(UInt32.self),
            let landmarkCount = reader.read(UInt32.self),
            let directory = reader.read(count: Int(blockCount)),
            let packed = reader.read(count: Int(landmarkCount) * LandmarkPacking.landmarkSize),
            let bits = Self.readBits(major, from: &reader),
            let spectrogram = Self.readSpectrogram(major, from: &reader),
            let checksum = reader.read(UInt32.self), reader.remaining == 0
        else {
            throw invalid("is cut short or has a wrong length: make it again")
        }
        guard CRC32C.checksum(Array(bytes.dropLast(4))) == checksum else {
            throw invalid("is damaged: its checksum does not fit; make it again")
        }
        guard let configuration = SignatureConfiguration(id: configurationID) else {
            throw invalid(
                "was made with configuration \(configurationID), which this program does not know: update the program"
            )
        }
        let duration = MediaTime(value: value, timescale: timescale)
        guard duration.isNumeric, duration >= .zero, duration <= Self.maximumDuration,
            let landmarks = LandmarkPacking.unpack(directory: directory, packed: packed),
            Int64(landmarks.last?.time ?? 0) <= Self.lastStep(of: duration),
            bits.allSatisfy({ $0.canBelong(toSteps: Self.lastStep(of: duration)) }),
            let levels = Self.levels(spectrogram, within: duration)
        else {
            throw invalid("breaks the rules of its format: make it again")
        }
        self.init(
            configuration: configuration,
            duration: duration,
            landmarks: landmarks,
            bits: bits.first,
            levels: levels.first
        )
    }

    /// The last step that may be spoken of: a little behind the end of the audio.
    private static func lastStep(of duration: MediaTime) -> Int64 {
        duration.converted(toTimescale: Int32(Landmark.stepsPerSecond)).value + Int64(overhang)
    }

    /// The dense bits of a file of a version: one value or none; `nil` when the file is cut short.
    private static func readBits(_ version: UInt16, from reader: inout ByteReader) -> [DenseBits]? {
        guard version >= 2 else { return [] }
        guard let count = reader.read(UInt32.self),
            let bytes = reader.read(count: Int(count) * DenseBits.rowSize)
        else { return nil }
        // A part that was cut from a signature has no bits, and may have a spectrogram.
        return version > 2 && bytes.isEmpty ? [] : [DenseBits(bytes: bytes)]
    }

    private typealias PackedLevels = (rows: Int, bytes: ArraySlice<UInt8>)

    /// The packed spectrogram of a file of a version: one or none; `nil` when the file is cut short.
    private static func readSpectrogram(_ version: UInt16, from reader: inout ByteReader) -> [PackedLevels]? {
        guard version >= 3 else { return [] }
        guard let rows = reader.read(UInt32.self), let size = reader.read(UInt32.self),
            let bytes = reader.read(count: Int(size))
        else { return nil }
        return [(Int(rows), bytes)]
    }

    /// The levels of a packed spectrogram, if there is one; `nil` where it breaks the rules.
    private static func levels(_ packed: [PackedLevels], within duration: MediaTime) -> [QueryLevels]? {
        guard let packed = packed.first else { return [] }
        guard let levels = LevelCode.levels(packed.bytes, rows: packed.rows),
            levels.canBelong(toSteps: lastStep(of: duration))
        else { return nil }
        return [levels]
    }
}
