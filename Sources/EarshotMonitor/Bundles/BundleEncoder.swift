import Crypto
import EarshotBroadcast
import EarshotCatalogs
import EarshotCore
import EarshotMusic
import EarshotSignatures
import Foundation

/// Turns references and works into the bytes of a bundle, in the order in which readers want them.
struct BundleEncoder {
    let header: BundleHeader
    private var hash = SHA256()
    private(set) var summary = BundleSummary()
    private var names: Set<ReferenceID> = []
    /// Works that were written, with a check of their content.
    private var works: [EntityID<VideoWork>: UInt32] = [:]
    private let coder: JSONEncoder = JSONEncoder.sorted()

    init(_ header: BundleHeader) {
        self.header = header
    }

    /// The first bytes.
    mutating func begin() -> [UInt8] { count(header.bytes) }

    /// A work; empty if it was written before.
    ///
    /// - Throws: `bundleInvalid` when another work of that identifier was written, or it is too large.
    mutating func bytes(of work: VideoWork) throws(EarshotError) -> [UInt8] {
        func refused(_ what: String) -> EarshotError {
            BundleFormat.invalid("The work \"\(work.id.rawValue.prefix(40))\"", what)
        }
        guard (1...BundleFormat.maximumNameSize).contains(work.id.rawValue.utf8.count) else {
            throw refused("needs an identifier of 1 to 512 bytes")
        }
        guard let content = try? coder.encode(work) else { throw refused("cannot be written as JSON") }
        guard content.count <= BundleFormat.maximumWorkSize else {
            throw refused("takes \(content.count) bytes, and 1,048,576 are allowed: shorten it")
        }
        let checksum = CRC32C.checksum([UInt8](content))
        if let known = works[work.id] {
            guard known == checksum else {
                throw refused("is in the bundle with other content: give every work an identifier of its own")
            }
            return []
        }
        guard works.count < BundleFormat.maximumWorks else { throw refused("is one too many: split the bundle") }
        works[work.id] = checksum
        summary.workCount += 1
        return record(BundleFormat.Kind.work, [UInt8](content))
    }

    /// A reference, with its custom data before it.
    ///
    /// - Throws: `bundleInvalid` when the reference breaks a rule; nothing is then written.
    mutating func bytes(of reference: BundleReference) throws(EarshotError) -> [UInt8] {
        try check(reference)
        let kept = reference.signature.thinned(to: Reference.density)
        let payload = BundleFields.Reference(reference, signature: kept.data).bytes
        guard payload.count <= BundleFormat.maximumRecordSize else {
            throw Self.refused(reference, "takes \(payload.count) bytes, and 67,108,864 are allowed: cut it into parts")
        }
        names.insert(reference.id)
        summary.referenceCount += 1
        var result: [UInt8] = []
        if let data = reference.customData {
            summary.customDataCount += 1
            var writer = ByteWriter(reservingCapacity: data.bytes.count + 64)
            writer.write(text: reference.id.rawValue)
            writer.write(text: data.identifier)
            writer.write(contentsOf: data.bytes)
            result = record(BundleFormat.Kind.customData, writer.bytes)
        }
        return result + record(BundleFormat.Kind.reference, payload)
    }

    private func check(_ reference: BundleReference) throws(EarshotError) {
        func refused(_ what: String) -> EarshotError { Self.refused(reference, what) }
        guard (1...BundleFormat.maximumNameSize).contains(reference.id.rawValue.utf8.count) else {
            throw refused("needs a name of 1 to 512 bytes")
        }
        guard !names.contains(reference.id) else { throw refused("is there twice: choose another name") }
        guard names.count < BundleFormat.maximumReferences else { throw refused("is one too many: split the bundle") }
        // Catalogs keep the strongest only, and of these something must be left.
        guard !reference.signature.thinned(to: Reference.density).isEmpty else {
            throw refused("has an empty signature: its audio is silent or shorter than 0.13 s")
        }
        guard reference.signature.duration <= Signature.maximumDuration else {
            throw refused("lasts more than 100 hours: cut it into parts")
        }
        guard reference.signature.configuration == header.configuration else {
            throw refused("has a signature of another configuration: make it again")
        }
        for text in [reference.title, reference.subtitle] {
            guard text?.utf8.count ?? 0 <= BundleFormat.maximumTitleSize else {
                throw refused("has a title or subtitle of more than 4,096 bytes: shorten it")
            }
        }
        if let work = reference.workID {
            guard works[work] != nil else { throw refused("names the work \(work), which was not added before") }
        }
        if let data = reference.customData {
            guard data.identifier.utf8.count <= BundleFormat.maximumNameSize else {
                throw refused("has custom data whose identifier takes more than 512 bytes: shorten it")
            }
            guard data.bytes.count <= CustomData.maximumSize else {
                throw refused("has custom data of \(data.bytes.count) bytes, and 1,048,576 are allowed: shorten it")
            }
        }
    }

    private static func refused(_ reference: BundleReference, _ what: String) -> EarshotError {
        BundleFormat.invalid("The reference \"\(reference.id.rawValue.prefix(80))\"", what)
    }

    /// The last bytes.
    mutating func end() -> [UInt8] {
        summary.digest = Data(hash.finalize())
        summary.byteCount +=
            BundleFormat.recordHeadSize + BundleFormat.trailerSize + BundleFormat.checksumSize
        var writer = ByteWriter()
        writer.write(UInt32(summary.referenceCount))
        writer.write(UInt32(summary.workCount))
        writer.write(UInt32(summary.customDataCount))
        writer.write(UInt32(summary.unknownCount))
        writer.write(UInt64(summary.byteCount))
        writer.write(contentsOf: summary.digest)
        return Self.sealed(BundleFormat.Kind.trailer, writer.bytes)
    }

    /// A record of any kind.
    private mutating func record(_ kind: UInt32, _ payload: [UInt8]) -> [UInt8] { count(Self.sealed(kind, payload)) }

    /// A record of a kind that this version does not write, for what later ones may.
    mutating func bytes(ofKind kind: UInt32, _ payload: [UInt8]) -> [UInt8] {
        summary.unknownCount += 1
        return record(kind, payload)
    }

    static func sealed(_ kind: UInt32, _ payload: [UInt8]) -> [UInt8] {
        var writer = ByteWriter(reservingCapacity: payload.count + 12)
        writer.write(kind)
        writer.write(UInt32(payload.count))
        writer.write(contentsOf: payload)
        writer.write(CRC32C.checksum(writer.bytes))
        return writer.bytes
    }

    private mutating func count(_ bytes: [UInt8]) -> [UInt8] {
        hash.update(data: bytes)
        summary.byteCount += bytes.count
        return bytes
    }
}
