import EarshotBroadcast
import EarshotCatalogs
import EarshotCore
import EarshotMusic
import EarshotSignatures
import Foundation

extension BundleReader {
    /// The content of a record; `nil` for one that waits for its reference, or is of an unknown kind.
    mutating func read(_ record: Record) throws(EarshotError) -> BundleRecord? {
        switch record.kind {
        case BundleFormat.Kind.reference: return .reference(try readReference(record))
        case BundleFormat.Kind.work: return .work(try readWork(record))
        case BundleFormat.Kind.customData:
            try readCustomData(record)
            return nil
        case BundleFormat.Kind.trailer: return .end(try readTrailer(record))
        default:
            guard record.kind & BundleFormat.required == 0 else {
                throw invalid(
                    "has a record of kind \(record.kind & ~BundleFormat.required) at byte \(record.position), which this "
                        + "program does not know and may not pass over: update the program"
                )
            }
            summary.unknownCount += 1
            try limit(summary.unknownCount, BundleFormat.maximumUnknown, "records of unknown kinds")
            return nil
        }
    }

    private func limit(_ count: Int, _ most: Int, _ what: String) throws(EarshotError) {
        guard count <= most else { throw invalid("has more than \(most) \(what): split it") }
    }

    private func broken(_ record: Record, _ what: String, cause: (any Error)? = nil) -> EarshotError {
        invalid(
            "breaks the rules of its format: the record at byte \(record.position) \(what). Get it again",
            cause: cause
        )
    }

    private mutating func readReference(_ record: Record) throws(EarshotError) -> BundleReference {
        summary.referenceCount += 1
        try limit(summary.referenceCount, BundleFormat.maximumReferences, "references")
        var bytes = ByteReader(record.payload)
        guard let fields = BundleFields.Reference(&bytes) else { throw broken(record, "is no reference") }
        let id = fields.id
        let signature: Signature
        do {
            signature = try Signature(data: fields.signature)
        } catch {
            throw broken(record, "has a signature that cannot be read", cause: error)
        }
        guard !signature.isEmpty else { throw broken(record, "has an empty signature") }
        guard signature.configuration == header?.configuration else {
            throw broken(record, "has a signature of another configuration than the bundle")
        }
        guard names.insert(id).inserted else { throw broken(record, "is a second reference named \(id)") }
        if let work = fields.work {
            guard works.contains(work) else {
                throw broken(record, "names the work \(work), which does not stand before it")
            }
        }
        guard fields.hasCustomData == (waiting != nil), waiting.map({ $0.id == id }) ?? true else {
            throw broken(record, "does not go with the custom data before it")
        }
        defer { waiting = nil }
        return BundleReference(
            id: id,
            signature: signature,
            item: fields.item,
            title: fields.title,
            subtitle: fields.subtitle,
            workID: fields.work,
            customData: waiting?.data
        )
    }

    private mutating func readWork(_ record: Record) throws(EarshotError) -> VideoWork {
        summary.workCount += 1
        try limit(summary.workCount, BundleFormat.maximumWorks, "works")
        let work: VideoWork
        do {
            work = try JSONDecoder().decode(VideoWork.self, from: Data(record.payload))
        } catch {
            throw broken(record, "is no work", cause: error)
        }
        guard (1...BundleFormat.maximumNameSize).contains(work.id.rawValue.utf8.count) else {
            throw broken(record, "is a work whose identifier does not have 1 to 512 bytes")
        }
        guard works.insert(work.id).inserted else { throw broken(record, "is a second work \(work.id)") }
        return work
    }

    private mutating func readCustomData(_ record: Record) throws(EarshotError) {
        summary.customDataCount += 1
        guard waiting == nil else { throw broken(record, "is custom data where a reference should be") }
        var bytes = ByteReader(record.payload)
        guard let id = bytes.readText(), let identifier = bytes.readText(),
            (1...BundleFormat.maximumNameSize).contains(id.utf8.count),
            identifier.utf8.count <= BundleFormat.maximumNameSize, bytes.remaining <= CustomData.maximumSize,
            let content = bytes.read(count: bytes.remaining)
        else { throw broken(record, "is no custom data") }
        waiting = (ReferenceID(id), CustomData(identifier: identifier, bytes: Data(content)))
    }

    private mutating func readTrailer(_ record: Record) throws(EarshotError) -> BundleSummary {
        guard waiting == nil else { throw broken(record, "ends the bundle where a reference should be") }
        var bytes = ByteReader(record.payload)
        guard let references = bytes.read(UInt32.self), let works = bytes.read(UInt32.self),
            let customData = bytes.read(UInt32.self), let others = bytes.read(UInt32.self),
            let size = bytes.read(UInt64.self), let digest = bytes.read(count: 32), bytes.remaining == 0
        else { throw broken(record, "is no trailer") }
        guard digest.elementsEqual(summary.digest) else {
            throw invalid("is damaged: its SHA-256 does not fit. Get it again")
        }
        guard Int(references) == summary.referenceCount, Int(works) == summary.workCount,
            Int(customData) == summary.customDataCount, Int(others) == summary.unknownCount,
            size == UInt64(summary.byteCount)
        else { throw broken(record, "counts other records than there are") }
        return summary
    }
}
