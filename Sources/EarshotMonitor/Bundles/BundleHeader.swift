public import EarshotCore
public import EarshotSignatures
public import Foundation

/// The first record of a bundle: its identifier, version, title and date.
public struct BundleHeader: Hashable, Sendable {
    /// The longest identifier, in characters.
    public static let maximumIDLength = 128

    /// The bundle's identifier: 1 to 128 of the letters A to Z and a to z, digits, `.`, `-` and `_`, with a letter or a
    /// digit first.
    public let id: String
    /// The version of the bundle; a higher number is newer.
    public let version: UInt64
    /// The title; `nil` if the bundle has none.
    public let title: String?
    /// The time at which the bundle was created, to the millisecond.
    public let creationDate: Date
    /// The configuration with which the signatures of the bundle were made.
    public let configuration: SignatureConfiguration

    /// The creation time in milliseconds since 1970-01-01 00:00:00 UTC.
    let creationMilliseconds: Int64

    /// Creates a header.
    ///
    /// - Parameters:
    ///   - id: The identifier.
    ///   - version: The version of the bundle.
    ///   - title: The title, up to 4,096 bytes.
    ///   - creationDate: The time at which the bundle was created.
    /// - Throws: `bundleInvalid` for an identifier of other characters, a title that is too long, or a date out of range.
    public init(
        id: String,
        version: UInt64,
        title: String? = nil,
        creationDate: Date
    ) throws(EarshotError) {
        let milliseconds = (creationDate.timeIntervalSince1970 * 1_000).rounded()
        guard milliseconds.isFinite, let creation = Int64(exactly: milliseconds) else {
            throw BundleFormat.invalid("The bundle \(id.prefix(40))", "has a creation date that is none: give another")
        }
        try self.init(id: id, version: version, title: title, creation: creation, configuration: .standard)
    }

    init(
        id: String,
        version: UInt64,
        title: String?,
        creation: Int64,
        configuration: SignatureConfiguration
    ) throws(EarshotError) {
        guard Self.isID(id) else {
            throw BundleFormat.invalid(
                "\"\(id.prefix(40))\"",
                "is no identifier of a bundle: use 1 to 128 letters of A to Z, digits, points, hyphens and underscores, "
                    + "a letter or a digit first"
            )
        }
        guard title?.utf8.count ?? 0 <= BundleFormat.maximumTitleSize else {
            throw BundleFormat.invalid("The bundle \(id)", "has a title of more than 4,096 bytes: shorten it")
        }
        self.id = id
        self.version = version
        self.title = title.flatMap { $0.isEmpty ? nil : $0 }
        creationMilliseconds = creation
        creationDate = Date(timeIntervalSince1970: Double(creation) / 1_000)
        self.configuration = configuration
    }

    /// Returns `true` if a text is a valid bundle identifier, which is safe in file names and URLs.
    package static func isID(_ text: String) -> Bool {
        func isWord(_ byte: UInt8) -> Bool {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        return (1...maximumIDLength).contains(text.utf8.count) && text.utf8.first.map(isWord) == true
            && text.utf8.allSatisfy {
                isWord($0) || [UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_")].contains($0)
            }
    }

    /// The encoded header.
    var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.write(contentsOf: BundleFormat.magic)
        writer.write(BundleFormat.majorVersion)
        writer.write(BundleFormat.minorVersion)
        writer.write(configuration.id)
        writer.write(version)
        writer.write(creationMilliseconds)
        writer.write(UInt32(id.utf8.count))
        writer.write(UInt32(title?.utf8.count ?? 0))
        writer.write(UInt32(0))
        writer.write(contentsOf: id.utf8)
        writer.write(contentsOf: (title ?? "").utf8)
        writer.write(CRC32C.checksum(writer.bytes))
        return writer.bytes
    }
}
