import EarshotCatalogs
import EarshotCore
import EarshotSessions
import EarshotSignatures
import EarshotTimedContent
import Foundation
import TestSupport
import Testing

/// Every condition that the registry of errors names for catalogs, sessions and timed content is provoked once, but for
/// those that only a service or a fault of the program can cause.
@Suite("Error codes")
struct ErrorCodeTests {
    struct Condition: Sendable, CustomTestStringConvertible {
        let code: EarshotError.Code
        let provoke: @Sendable (URL) async throws -> Void
        var testDescription: String { code.rawValue }
    }

    static let conditions: [Condition] = [
        Condition(code: .audioFormatInvalid) { _ in
            var generator = SignatureGenerator()
            try generator.append(AudioBuffer([Float](repeating: 0, count: 10), sampleRate: 4_000))
        },
        Condition(code: .audioDiscontinuity) { _ in
            var generator = SignatureGenerator()
            let buffer = AudioBuffer([Float](repeating: 0, count: 1_600), sampleRate: 16_000)
            try generator.append(buffer, at: .zero)
            try generator.append(buffer, at: MediaTime(value: 1, timescale: 1))
        },
        Condition(code: .signatureInvalid) { _ in
            var catalog = Catalog()
            try catalog.add(.of([Float](repeating: 0, count: 32_000)), representing: [])
        },
        Condition(code: .signatureDurationInvalid) { _ in
            _ = try Catalog().match(.random(seed: 1, seconds: 60))
        },
        Condition(code: .mediaItemInvalid) { _ in _ = try MediaItem(properties: [.title: .real(.infinity)]) },
        Condition(code: .catalogInvalid) { _ in _ = try Catalog(data: Data([1, 2, 3])) },
        Condition(code: .catalogAddressInvalid) { folder in
            _ = try Catalog(contentsOf: folder.appendingPathComponent("none.earcat"))
        },
        Condition(code: .referenceExists) { _ in
            var catalog = Catalog()
            try catalog.add(.random(seed: 1, seconds: 3), representing: [], id: "a")
            try catalog.add(.random(seed: 2, seconds: 3), representing: [], id: "a")
        },
        Condition(code: .referenceNotFound) { _ in
            var catalog = Catalog()
            try catalog.remove("a")
        },
        Condition(code: .destinationExists) { folder in
            let file = folder.appendingPathComponent("a.earcat")
            for _ in 0..<2 { try Broadcast.catalog().write(to: file) }
        },
        Condition(code: .timelineInvalid) { _ in _ = try TimeText.time("1:75:00") },
        Condition(code: .microphoneUnavailable) { _ in
            let session = ManagedSession(catalog: Catalog()) { () -> BlockFeed in
                throw EarshotError(.microphoneUnavailable, "The microphone may not be used: allow it in the settings.")
            }
            if case .error(let error, _) = await session.result() { throw error }
        },
        Condition(code: .cancelled) { _ in
            let session = ManagedSession(catalog: Catalog()) { () -> BlockFeed in throw CancellationError() }
            let task = Task { await session.result() }
            task.cancel()
            if case .error(let error, _) = await task.value { throw error }
        },
    ]

    @Test("Each condition has its code", .requirements("R-CC-109"), arguments: conditions)
    func provoked(condition: Condition) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        do {
            try await condition.provoke(folder)
            Issue.record("\(condition.code) was not thrown")
        } catch let error as EarshotError {
            #expect(error.code == condition.code)
            #expect(!error.message.isEmpty)
        }
    }
}
