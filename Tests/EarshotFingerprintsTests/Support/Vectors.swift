import EarshotFingerprints
import Foundation
import TestSupport

/// What Chromaprint's own `fpcalc` says of the sample music.
struct Vector: Sendable, CustomStringConvertible {
    let file: String
    let options: [String]
    let seconds: Int
    let text: String
    let values: [UInt32]

    var description: String { "\(file) \(options.joined(separator: " "))" }
    var url: URL { packageFolder.appendingPathComponent("Samples/Music").appendingPathComponent(file) }

    var algorithm: FileFingerprint.Algorithm {
        guard let index = options.firstIndex(of: "-algorithm"), let number = Int(options[index + 1]) else {
            return .standard
        }
        return FileFingerprint.Algorithm(rawValue: number - 1) ?? .standard
    }

    /// The seconds of `-length`.
    var length: Int {
        options.firstIndex(of: "-length").flatMap { Int(options[$0 + 1]) } ?? 120
    }

    static let all: [Vector] = {
        let text = (try? String(contentsOf: fixture("fpcalc.tsv"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map { line in
            let fields = line.split(separator: "\t").map(String.init)
            return Vector(
                file: fields[0],
                options: fields[1].split(separator: " ").map(String.init),
                seconds: Int(fields[2]) ?? 0,
                text: fields[3],
                values: fields[4].split(separator: ",").compactMap { UInt32($0) }
            )
        }
    }()

    static func fixture(_ name: String) throws -> URL {
        guard let folder = Bundle.module.resourceURL else { throw CocoaError(.fileNoSuchFile) }
        return folder.appendingPathComponent("Fixtures").appendingPathComponent(name)
    }
}
