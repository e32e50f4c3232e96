import EarshotAPI
import EarshotCore
import EarshotPieces
import EarshotSignatures
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Room for pieces and everything else that is kept")
struct PieceRoomTests {
    private typealias Part = TestService.Part

    /// Begins so many drops of each author at the same time, and counts the statuses.
    private func begin(_ count: Int, _ service: TestService, _ tokens: [String]) async throws -> [Int: Int] {
        try await withThrowingTaskGroup(of: TestService.Reply.self) { group in
            for token in tokens {
                for _ in 0..<count { group.addTask { try await service.begin([Part.stem()], token: token) } }
            }
            return try await group.reduce(into: [:]) { counts, reply in
                counts[reply.status, default: 0] += 1
                if reply.status == 429 { #expect(reply.code == "quotaExceeded") }
                if reply.status == 507 { #expect(reply.code == "writeFailed") }
            }
        }
    }

    @Test(
        "however many drops are begun at the same time, no more are kept than may be",
        arguments: ["drafts", "author", "total", "announced"]
    )
    func races(limit: String) async throws {
        let size = Part.stem().data.count
        var settings = ServiceSettings()
        settings.requestsPerClient = 400
        switch limit {
        case "drafts": settings.pieceDrafts = 5
        case "author": settings.pieceAuthorLimit = 6 * size - 1
        case "total": settings.pieceTotalLimit = 6 * size - 1
        default: settings.pieceAnnouncedLimit = 6 * size - 1
        }
        try await TestService.run(settings) { (service: TestService) async throws in
            let ada = try await service.author("Ada")
            let refused = limit == "drafts" || limit == "author" ? 429 : 507
            #expect(try await begin(30, service, [ada]) == [201: 5, refused: 25])
            let grace = try await service.author("Grace")
            let others = try await begin(30, service, [grace])
            switch limit {
            case "total": #expect(others == [507: 30])
            // Two share what may be announced.
            case "announced": #expect(others == [201: 2, 507: 28])
            default: #expect(others == [201: 5, 429: 25])
            }
        }
    }

    @Test("a cover takes room as every part does, and one that is refused leaves nothing")
    func cover() async throws {
        let cover = try TestMusic.picture(640, 640)
        var settings = ServiceSettings()
        settings.pieceAuthorLimit = Part.stem().data.count + cover.count - 1
        try await TestService.run(settings) { (service: TestService) async throws in
            let token = try await service.author("Ada")
            let piece = try await service.drop(token: token)
            let files = service.pieceFiles
            let path = "/v1/pieces/\(piece.id)/cover"
            let refused = try await service.ask(.PUT, path, token: token, type: "image/png", body: cover)
            #expect(refused.status == 429 && refused.code == "quotaExceeded")
            #expect(try await service.ask(.GET, path).status == 404)
            while service.pieceFiles != files { try await Task.sleep(for: .milliseconds(20)) }
        }
    }

    @Test("below the room that stays free nothing is taken that would be kept, and the rest goes on")
    func reserve() async throws {
        var settings = ServiceSettings()
        // More than any disk has.
        settings.reservedSpace = 1 << 60
        try await TestService.run(settings) { (service: TestService) async throws in
            let token = try await service.author("Ada")
            let wave = TestMusic.wave(TestMusic.samples(1, from: 0, duration: 8))
            let signature = try TestMusic.whole(7).data
            let publish = JobRequest(kind: .publish, id: "radio")
            let replies = [
                try await service.begin([.stem()], token: token),
                try await service.ask(
                    .POST,
                    "/v1/references",
                    token: service.admin,
                    type: ServiceAPI.signatureType,
                    body: signature
                ),
                try await service.ask(
                    .PUT,
                    "/v1/references/new",
                    token: service.admin,
                    type: ServiceAPI.signatureType,
                    body: signature
                ),
                try await service.ask(.POST, "/v1/recognitions", token: token, type: "audio/wav", body: wave),
                try await service.ask(.POST, "/v1/jobs", token: service.admin, json: publish),
                try await service.ask(.POST, "/v1/catalogs/radio/versions", token: service.admin),
                try await service.ask(.GET, "/v1/catalog", token: service.admin),
            ]
            for reply in replies { #expect(reply.status == 507 && reply.code == "writeFailed") }
            #expect(try await service.recognize(1, token: token).matches.isEmpty == false)
            let check = JobRequest(kind: .check)
            #expect(try await service.ask(.POST, "/v1/jobs", token: service.admin, json: check).status == 202)
            #expect(service.pieceFiles.isEmpty)
        }
    }

    @Test(
        "a twentieth of a disk stays free, from two to twenty gibibytes, or what is stated",
        arguments: [
            (100, 50, nil, 45), (100, 5, nil, 0), (20, 10, nil, 8), (20, 1, nil, 0), (20, 10, 9, 1), (20, 10, 0, 10),
            // A large disk that is nearly full, and a small one.
            (10_000, 400, nil, 380), (400, 30, nil, 10), (4, 2, nil, 1),
        ] as [(Int, Int, Int?, Int)]
    )
    func volumes(size: Int, free: Int, reserve: Int?, room: Int) throws {
        let disk = DiskReserve(folder: URL(fileURLWithPath: "/"), reserve: reserve.map { $0 << 30 }) { _ in
            DiskReserve.Volume(size: size << 30, free: free << 30)
        }
        #expect(disk.room() == room << 30)
        let isTaken = (try? disk.check()) != nil
        #expect(isTaken == (room > 0))
    }

    @Test("a disk whose room nobody tells is written on, and this machine's is told")
    func unknown() throws {
        let unknown = DiskReserve(folder: URL(fileURLWithPath: "/"), reserve: nil) { _ in nil }
        #expect(unknown.room() == nil)
        try unknown.check(for: .max)
        #expect(DiskReserve(folder: FileManager.default.temporaryDirectory, reserve: 0).room() != nil)
    }
}
