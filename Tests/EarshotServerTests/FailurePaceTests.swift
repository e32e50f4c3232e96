import EarshotCore
import NIOHTTP1
import Testing

@testable import EarshotServer

@Suite("The pace of refusals")
struct FailurePaceTests {
    private func held(_ service: TestService) async throws -> Int {
        let text = String(decoding: try await service.ask(.GET, "/metrics").bytes, as: UTF8.self)
        let line = text.split(separator: "\n").first { $0.hasPrefix("earshot_refusals_held_total ") }
        return line.flatMap { Int($0.split(separator: " ")[1]) } ?? 0
    }

    @Test("of refusals in a row those beyond the limit are held back, of one sender and no other")
    func flood() async throws {
        var settings = ServiceSettings()
        settings.failuresPerSecond = 1
        try await TestService.run(settings) { (service: TestService) async throws in
            let (hasty, calm) = (try await service.token(), try await service.token())
            // All at once: however slow the machine is, a second does not bring enough for each.
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<40 { group.addTask { try await service.ask(.POST, "/v1/jobs", token: hasty).status } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.allSatisfy { $0 >= 400 })
            let after = try await held(service)
            #expect(after > 0)
            #expect(try await service.ask(.POST, "/v1/jobs", token: calm).status >= 400)
            // What is not there is asked for by programs that look things up.
            for _ in 0..<8 { #expect(try await service.ask(.GET, "/v1/tracks/none", token: calm).status == 404) }
            #expect(try await held(service) == after)
        }
    }

    @Test("without a limit nothing is held back")
    func off() async throws {
        var settings = ServiceSettings()
        settings.failuresPerSecond = 0
        try await TestService.run(settings) { (service: TestService) async throws in
            for _ in 0..<60 { #expect(try await service.ask(.POST, "/v1/jobs").status == 401) }
            #expect(try await held(service) == 0)
        }
    }
}
