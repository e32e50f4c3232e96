import EarshotAPI
import EarshotClient
import EarshotCore
import EarshotMedia
import Foundation
import Testing

extension TestMedia {
    /// A client that may use the operator's media.
    static func client(_ service: TestService) async throws -> HTTPRecognitionService {
        var change = ClientChange()
        change.mayChangeReferences = true
        let configuration = try ClientConfiguration(
            clientIdentifier: try await service.client(change).identifier ?? ""
        )
        var options = HTTPRecognitionService.Options()
        options.requestLimit = MediaTime(value: 600, timescale: 1)
        return HTTPRecognitionService(
            try #require(URL(string: service.base)),
            configuration: configuration,
            options: options
        )
    }

    /// The samples of a file, as an own reader gives them.
    static func decoded(_ url: URL, _ options: AssetReader.Options = .init()) async throws -> [Float] {
        var samples: [Float] = []
        for try await block in try await AssetReader(url, options: options) {
            if case .float32(let part) = block.buffer.samples { samples += part }
        }
        return samples
    }

    /// Samples of 32 bits as they came.
    static func floats(_ bytes: Data) -> [Float] {
        bytes.withUnsafeBytes { raw in
            (0..<raw.count / 4).map {
                Float(bitPattern: UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self)))
            }
        }
    }
}
