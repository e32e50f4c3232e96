import EarshotCore
import EarshotPieces
import Foundation
import Testing

extension PieceStoreRule {
    private static func author(_ id: String, _ name: String) throws -> PieceAuthor {
        PieceAuthor(id: id, name: try AuthorName(name), password: Data([1, 2]), created: PieceSamples.evening)
    }

    static let accounts: [PieceStoreRule] = [
        .init(name: "A name belongs to one author, whatever its letter case") { (store: any PieceStore) async throws in
            var one = try author("one", "Ada Ünal")
            #expect(try await store.put(one))
            #expect(try await store.put(try author("two", "ada ÜNAL")) == false)
            #expect(try await store.author(named: AuthorName.key(of: "ADA ÜNAL")) == one)
            one.name = try AuthorName("ADA ünal")
            one.password = nil
            #expect(try await store.put(one))
            #expect(try await store.author("one") == one)
            #expect(try await store.author("two") == nil)
            #expect(try await store.put(try author("two", "Grace")))
            #expect(try await store.authors(["one", "two", "three"]).count == 2)
            one.name = try AuthorName("grace")
            #expect(try await store.put(one) == false)
            try await store.setAuthor("one", ofUser: "u")
            #expect(try await store.author(ofUser: "u")?.id == "one")
            try await store.setAuthor("two", ofUser: "u")
            #expect(try await store.author(ofUser: "u")?.id == "two")
            #expect(try await store.author(ofUser: "v") == nil)
        },
        .init(name: "Of many who add a user to an author whose users they know one does") {
            (store: any PieceStore) async throws in
            #expect(try await store.put(try author("one", "Ada")))
            try await store.setAuthor("one", ofUser: "old")
            func added(_ known: [String]) async throws -> [String] {
                try await withThrowingTaskGroup(of: String?.self) { group in
                    for number in 0..<12 {
                        group.addTask {
                            let user = "\(known.count)-\(number)"
                            return try await store.addUser(user, toAuthor: "one", whoHas: known) ? user : nil
                        }
                    }
                    return try await group.reduce(into: []) { if let user = $1 { $0.append(user) } }
                }
            }
            #expect(try await added([]).isEmpty)
            let first = try await added(["old"])
            #expect(first.count == 1)
            #expect(try await store.users(ofAuthor: "one") == (first + ["old"]).sorted())
            #expect(try await added(["old"]).isEmpty)
            #expect(try await added((first + ["old"]).sorted()).count == 1)
            let error = await #expect(throws: EarshotError.self) {
                try await store.addUser("u", toAuthor: "nobody", whoHas: [])
            }
            #expect(error?.code == .entityNotFound)
            #expect(try await store.author(ofUser: "u") == nil)
        },
        .init(name: "Apps are kept by their identifiers") { (store: any PieceStore) async throws in
            var app = PieceApplication(
                id: "sketcher",
                name: "Sketcher",
                site: URL(string: "https://a.example"),
                client: "1"
            )
            try await store.put(PieceApplication(id: "take", name: "Take", client: "2"))
            try await store.put(app)
            app.name = "Sketcher 2"
            try await store.put(app)
            #expect(try await store.applications().map(\.name) == ["Sketcher 2", "Take"])
            #expect(try await store.application("sketcher") == app)
            #expect(try await store.removeApplication("take"))
            #expect(try await store.removeApplication("take") == false)
        },
        .init(name: "Changes of an author at the same time are all kept, and a name that is taken changes nothing") {
            (store: any PieceStore) async throws in
            var ada = try author("one", "Ada")
            ada.password = Data()
            #expect(try await store.put(ada))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in UInt8(0)..<20 {
                    group.addTask { _ = try await store.updateAuthor("one") { $0.password?.append(number) } }
                }
                try await group.waitForAll()
            }
            #expect(try await store.author("one")?.password.map(Set.init) == Set(0..<20))
            #expect(try await store.put(try author("two", "Grace")))
            let name = try AuthorName("GRACE")
            let taken = try await store.updateAuthor("one") { author in
                author.name = name
                author.password = nil
            }
            #expect(taken == nil)
            #expect(try await store.author("one")?.password?.count == 20)
            await refused(.entityNotFound) { _ = try await store.updateAuthor("three") { $0.password = nil } }
        },
        .init(name: "The codes of an author are forgotten together, those of others stay") {
            (store: any PieceStore) async throws in
            let now = Date(timeIntervalSince1970: 100)
            for (number, author) in ["one", "one", "two"].enumerated() {
                let digest = Data([UInt8(number)])
                try await store.put(LoginCode(digest: digest, client: "c", author: author, expires: now + 1))
            }
            try await store.removeCodes(ofAuthor: "one")
            #expect(try await store.code(Data([0]), client: "c", at: now) == nil)
            #expect(try await store.code(Data([1]), client: "c", at: now) == nil)
            #expect(try await store.code(Data([2]), client: "c", at: now)?.author == "two")
        },
        .init(name: "A code works once, for its client, until it expires") { (store: any PieceStore) async throws in
            let now = PieceSamples.evening
            let code = LoginCode(
                digest: Data([1]),
                client: "c",
                author: "one",
                expires: now.addingTimeInterval(300)
            )
            try await store.put(code)
            #expect(try await store.code(Data([1]), client: "c", at: now) == code)
            #expect(try await store.takeCode(Data([1]), client: "d", at: now) == nil)
            #expect(try await store.takeCode(Data([1]), client: "c", at: now.addingTimeInterval(300)) == nil)
            #expect(try await store.takeCode(Data([1]), client: "c", at: now) == code)
            #expect(try await store.takeCode(Data([1]), client: "c", at: now) == nil)
        },
        .init(name: "A code keeps its challenge, or that it has none") { (store: any PieceStore) async throws in
            let now = PieceSamples.evening
            for challenge in ["E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", nil] {
                let code = LoginCode(
                    digest: Data([3]),
                    client: "c",
                    author: "one",
                    challenge: challenge,
                    expires: now.addingTimeInterval(300)
                )
                // In place of another of the same digest.
                try await store.put(LoginCode(digest: Data([3]), client: "c", challenge: "other", expires: now))
                try await store.put(code)
                #expect(try await store.code(Data([3]), client: "c", at: now) == code)
                let taken = try #require(try await store.takeCode(Data([3]), client: "c", at: now))
                #expect(taken == code && taken.challenge == challenge)
            }
        },
        .init(name: "A device's code is good when somebody has logged in for it") {
            (store: any PieceStore) async throws in
            let now = PieceSamples.evening
            let code = LoginCode(
                digest: Data([2]),
                client: "c",
                userCode: "BCDF-GHJK",
                expires: now.addingTimeInterval(900)
            )
            try await store.put(code)
            #expect(try await store.takeCode(Data([2]), client: "c", at: now) == nil)
            #expect(try await store.code(Data([2]), client: "c", at: now) == code)
            #expect(try await store.approve(userCode: "XXXX-XXXX", author: "one", at: now) == false)
            let late = now.addingTimeInterval(901)
            #expect(try await store.approve(userCode: "BCDF-GHJK", author: "one", at: late) == false)
            #expect(try await store.approve(userCode: "BCDF-GHJK", author: "one", at: now))
            #expect(try await store.approve(userCode: "BCDF-GHJK", author: "two", at: now) == false)
            try await store.removeCodes(expiredBy: now)
            #expect(try await store.takeCode(Data([2]), client: "c", at: now)?.author == "one")
            try await store.put(code)
            #expect(try await store.waitingCode(userCode: "BCDF-GHJK", at: now) == code)
            #expect(try await store.waitingCode(userCode: "BCDF-GHJK", at: late) == nil)
            #expect(try await store.waitingCode(userCode: "XXXX-XXXX", at: now) == nil)
            #expect(try await store.refuse(userCode: "XXXX-XXXX", at: now) == false)
            #expect(try await store.refuse(userCode: "BCDF-GHJK", at: late) == false)
            #expect(try await store.refuse(userCode: "BCDF-GHJK", at: now))
            #expect(try await store.refuse(userCode: "BCDF-GHJK", at: now) == false)
            #expect(try await store.waitingCode(userCode: "BCDF-GHJK", at: now) == nil)
            #expect(try await store.approve(userCode: "BCDF-GHJK", author: "one", at: now) == false)
            #expect(try await store.code(Data([2]), client: "c", at: now)?.isRefused == true)
            #expect(try await store.takeCode(Data([2]), client: "c", at: now) == nil)
            try await store.removeCodes(expiredBy: late)
            #expect(try await store.code(Data([2]), client: "c", at: now) == nil)
        },
    ]
}
