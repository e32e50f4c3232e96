import EarshotCore
import EarshotSegments
import EarshotSignatures

/// The header of a segment, checked: every section that it names lies inside the file.
struct SegmentHeader {
    let limits: QueryLimits
    let referenceCount: Int
    let frameCount: Int
    let postingCount: Int
    /// The checksum of the header, which covers those of all sections.
    let checksum: UInt32
    let sections: [SegmentFormat.Section: SectionSpan]

    init(_ bytes: MappedBytes, name: String) throws(EarshotError) {
        func invalid(_ what: String) -> EarshotError { EarshotError(.catalogInvalid, "\(name) \(what).") }
        let table: SectionTable
        do {
            table = try SectionTable(bytes, layout: SegmentFormat.layout)
        } catch {
            throw invalid(Self.words(error))
        }
        checksum = table.checksum
        let configuration = bytes.load(UInt32.self, at: 12)
        let scheme = bytes.load(UInt32.self, at: 16)
        guard scheme >= LandmarkKey.scheme else {
            throw invalid("was made by an earlier version of this program: make it again")
        }
        guard SignatureConfiguration(id: configuration) != nil, scheme == LandmarkKey.scheme else {
            throw invalid(
                "was made with configuration \(configuration) and index \(scheme), which this program does not know: "
                    + "update the program"
            )
        }
        referenceCount = Int(bytes.load(UInt32.self, at: 20))
        frameCount = Int(bytes.load(UInt32.self, at: 32))
        limits = QueryLimits(
            minimumMilliseconds: Int(bytes.load(UInt32.self, at: 36)),
            maximumMilliseconds: Int(bytes.load(UInt32.self, at: 40))
        )
        postingCount = Int(clamping: bytes.load(UInt64.self, at: 48))
        do {
            sections = try table.spans(of: SegmentFormat.Section.self)
        } catch {
            throw invalid(Self.words(error))
        }
    }

    private static func words(_ damage: FormatDamage) -> String {
        switch damage {
        case .foreign: "is not a catalog: make one with `earshot catalog create`"
        case .version(let major, let minor):
            "has version \(major).\(minor), and this program reads version 1: update the program"
        case .truncated, .misplacedSection: "is cut short: make it again"
        case .length: "is cut short or has a wrong length: make it again"
        case .checksum: "is damaged: the checksum of its header does not fit. Make it again"
        case .repeatedSection: "has a part of its format twice: make it again"
        case .missingSection: "lacks a part of its format: make it again"
        }
    }
}
