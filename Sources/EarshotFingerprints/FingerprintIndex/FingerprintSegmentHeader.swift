import EarshotSegments
import EarshotCore

/// The header of a segment, checked: every section it names lies inside the file.
struct FingerprintSegmentHeader {
    private typealias Format = FingerprintSegmentFormat

    let algorithm: FileFingerprint.Algorithm
    let documentCount: Int
    let postingCount: Int
    let valueCount: Int
    let sections: [FingerprintSegmentFormat.Section: SectionSpan]

    init(_ bytes: MappedBytes, name: String) throws(EarshotError) {
        func damaged(_ what: String) -> EarshotError { FingerprintSegment.damaged(name, what) }
        let table: SectionTable
        do {
            table = try SectionTable(bytes, layout: Format.layout)
        } catch {
            throw Self.error(error, name)
        }
        let (algorithm, scheme) = (bytes.load(UInt32.self, at: 12), bytes.load(UInt32.self, at: 16))
        guard let known = FileFingerprint.Algorithm(rawValue: Int(algorithm)), scheme == FingerprintTerms.scheme,
            bytes.load(UInt32.self, at: 48) == UInt32(Format.step)
        else {
            throw EarshotError(
                .storeDamaged,
                "\(name) was made with algorithm \(algorithm) and terms \(scheme), which this program does not know: "
                    + "update the program, or make the index again."
            )
        }
        self.algorithm = known
        documentCount = Int(bytes.load(UInt32.self, at: 20))
        postingCount = Int(clamping: bytes.load(UInt64.self, at: 32))
        valueCount = Int(clamping: bytes.load(UInt64.self, at: 40))
        guard documentCount <= Format.maximumDocuments else { throw damaged("it has too many fingerprints") }
        do {
            sections = try table.spans(of: Format.Section.self)
        } catch {
            throw Self.error(error, name)
        }
    }

    private static func error(_ damage: FormatDamage, _ name: String) -> EarshotError {
        switch damage {
        case .foreign:
            EarshotError(.storeDamaged, "\(name) is no segment of a fingerprint index: check the path.")
        case .version(let major, let minor):
            EarshotError(
                .storeDamaged,
                "\(name) has version \(major).\(minor), and this program reads version 1: update the program."
            )
        case .truncated: FingerprintSegment.damaged(name, "it is cut short")
        case .length: FingerprintSegment.damaged(name, "it is cut short or has a wrong length")
        case .checksum: FingerprintSegment.damaged(name, "the checksum of its header does not fit")
        case .misplacedSection: FingerprintSegment.damaged(name, "a section lies outside of it")
        case .repeatedSection: FingerprintSegment.damaged(name, "a section stands in it twice")
        case .missingSection: FingerprintSegment.damaged(name, "it lacks a section")
        }
    }
}
