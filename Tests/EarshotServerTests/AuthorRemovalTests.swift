import EarshotAPI
import EarshotCatalogs
import EarshotCore
import EarshotPieces
import EarshotRecognition
import EarshotSQLite
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Authors who go")
struct AuthorRemovalTests {
    @Test("an author goes with pieces, files and log-ins; what is based on the pieces stays")
    func removal() async throws {
        try await TestService.run { (service: TestService) async throws in
            let client = try await service.client()
            let (ada, grace) = (
                try await service.author("Ada", of: client), try await service.author("Grace", of: client)
            )
            let store = service.server.pieces.store
            let author = try #require(try await store.author(named: AuthorName.key(of: "Ada")))
            // The same person in another app.
            let other = try await service.userToken(client)
            let users = try await service.accounts.users(of: client.id, offset: 0, limit: 10)
            for user in users where try await store.author(ofUser: user.id) == nil {
                try await store.setAuthor(author.id, ofUser: user.id)
            }
            #expect(try await service.ask(.GET, "/v1/author", token: other).decoded(AuthorRecord.self).name == "Ada")

            let parent = try await service.drop(
                DraftForm(title: "Parent", length: 20_000_000),
                [.stem(880, seconds: 20)],
                token: ada
            )
            _ = try await service.findings(of: parent.id, token: ada)
            #expect(service.server.pieces.catalog?.catalog.contains(ReferenceID(parent.id.description)) == true)
            let draft = try await service.begin([.stem()], token: ada).decoded(PieceCreated.self)
            _ = try await service.send(TestService.Part.stem().data, to: draft.uploads[0], token: ada)
            let child = try await service.drop(
                DraftForm(title: "Child", length: 2_000_000, basedOn: [parent.id.description]),
                token: grace
            )
            // Nobody without an author, and nobody but the operator by name.
            let stranger = try await service.userToken(client)
            #expect(try await service.ask(.DELETE, "/v1/author", token: stranger).status == 404)
            #expect(try await service.ask(.DELETE, "/v1/author", token: try await service.token(client)).status == 403)
            #expect(try await service.ask(.DELETE, "/v1/admin/authors/Ada", token: grace).status == 403)

            #expect(try await service.ask(.DELETE, "/v1/author", token: ada).status == 204)
            #expect(try await service.ask(.GET, "/v1/author", token: ada).status == 404)
            #expect(try await service.ask(.DELETE, "/v1/author", token: ada).status == 404)
            #expect(try await service.begin([.stem()], token: ada).status == 403)
            // The other log-in has ended.
            #expect(try await service.ask(.GET, "/v1/author", token: other).status == 401)
            #expect(try await service.ask(.GET, "/v1/pieces/\(parent.id)").status == 410)
            #expect(try await service.ask(.GET, "/v1/uploads/\(draft.uploads[0].id)", token: ada).status == 404)
            #expect(try await service.ask(.GET, "/v1/pieces/\(child.id)/ancestors").status == 200)
            #expect(try await service.ask(.GET, "/v1/pieces/\(child.id)").decoded(Piece.self).author == "Grace")
            let kept = service.pieceFiles.filter { !$0.hasPrefix(".") }
            #expect(!kept.isEmpty && kept.allSatisfy { $0.hasPrefix(child.id.description) })
            #expect(service.server.pieces.catalog?.catalog.contains(ReferenceID(parent.id.description)) == false)
            // The name is free, and has nothing of who had it.
            let new = try await service.author("Ada", of: client)
            #expect(
                try await service.ask(.PATCH, "/v1/pieces/\(parent.id)", token: new, json: PieceChange()).status == 410
            )

            #expect(try await service.ask(.DELETE, "/v1/admin/authors/GRACE", token: service.admin).status == 204)
            #expect(try await service.ask(.DELETE, "/v1/admin/authors/Grace", token: service.admin).status == 404)
            #expect(try await service.ask(.GET, "/v1/pieces/\(child.id)").status == 410)
        }
    }

    @Test("a user who is forgotten publishes as nobody, and the author stays")
    func users() async throws {
        try await TestService.run { (service: TestService) async throws in
            let client = try await service.client()
            let token = try await service.author("Ada", of: client)
            let piece = try await service.drop(token: token)
            let store = service.server.pieces.store
            let user = try #require(try await service.accounts.users(of: client.id, offset: 0, limit: 1).first)
            #expect(try await store.author(ofUser: user.id) != nil)
            #expect(try await service.ask(.DELETE, "/v1/users/me", token: token).status == 204)
            #expect(try await store.author(ofUser: user.id) == nil)
            #expect(try await service.ask(.GET, "/v1/pieces/\(piece.id)").decoded(Piece.self).author == "Ada")
        }
    }
}
