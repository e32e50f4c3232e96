import EarshotAPI
import EarshotCatalogs
import EarshotCore
import EarshotRecognition
import EarshotSharedCatalogs
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import EarshotServer

@Suite("The part of a catalog that a request was searched in", .timeLimit(.minutes(3)))
struct SearchCoverageTests {
    @Test("of several searches the one counts that went through the least")
    func least() {
        let coverage = SearchCoverage()
        #expect(coverage.searched == nil)
        coverage.note(nil)
        #expect(coverage.searched == nil)
        let (half, most) = (SearchedPart(references: 4, of: 8), SearchedPart(references: 7, of: 8))
        coverage.note(most)
        coverage.note(half)
        coverage.note(most)
        coverage.note(nil)
        #expect(coverage.searched == half)
    }

    @Test("an album says which part was searched for its files, and is refused if nothing was found of one in a part")
    func albums() async throws {
        let count = 8
        let cluster = try await TestCluster()
        try await cluster.fill(count)
        try await cluster.manifests.setCopies(1, of: TestCluster.catalog)
        cluster.register.wait(for: 2)
        func ask(_ number: Int, _ node: TestCluster.Node) async throws -> TestService.Reply {
            var file = FileAttributes(id: "file")
            file.signature = TestCluster.query(number)
            return try await node.service.ask(
                .POST,
                "/v1/albums/identifications",
                token: node.token,
                json: AlbumRequest(AlbumQuery([file]))
            )
        }
        try await cluster.run { (first: TestCluster.Node) async throws in
            try await cluster.run { (second: TestCluster.Node) async throws in
                try await cluster.settle([first, second], of: 2)
                for number in 0..<count {
                    let reply = try await ask(number, first)
                    #expect(reply.status == 200)
                    #expect(try reply.decoded(AlbumDecisions.self).searched == nil)
                }
                cluster.register.freeze()
            }
            for number in 0..<count {
                let reply = try await ask(number, first)
                guard first.catalog.catalog.contains(ReferenceID("song-\(number)")) else {
                    #expect(reply.status == 503 && reply.code == "searchIncomplete")
                    continue
                }
                let searched = try reply.decoded(AlbumDecisions.self).searched
                #expect(searched == SearchedPart(references: first.catalog.catalog.count, of: count))
            }
        }
    }
}
