import EarshotAPI
import EarshotCatalogs
import EarshotCore
import EarshotMusic
@testable import EarshotRecognition
import EarshotSignatures
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Recognising over HTTP")
struct RecognitionRouteTests {
    @Test("a signature is found with its track, its album and its place", .requirements("R-CC-102"))
    func signature() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.token()
            let reply = try await service.recognize(1, token: token)
            #expect(reply.status == 200)
            let match = try #require(reply.matches.first)
            #expect(reply.matches.count == 1)
            #expect(match.track.id == "lantern")
            #expect(match.track.title == "Lantern")
            #expect(match.artist.name == "The Tin Foxes")
            #expect(match.album.title == "Morning Rail")
            #expect(match.album.releaseYear == "1999")
            #expect(match.track.number == 3)
            #expect(match.album.trackCount == 9)
            #expect(abs((match.songPosition?.seconds ?? 0) - 10) < 0.05)
            #expect(match.placement?.reference == "ref-1")
            // The same as the catalog says in process.
            var catalog = Catalog()
            for addition in try TestMusic.references() {
                try catalog.add(addition.signature, representing: addition.items, id: addition.id)
            }
            let local = try #require(try catalog.match(try TestMusic.query(1))?.references.first)
            #expect(local.id == "ref-1")
            #expect(match.placement?.offset.seconds == local.offset.seconds)
            #expect(match.placement?.confidence == local.confidence)
            #expect(match.placement?.speedSkew == local.speedSkew && match.placement?.pitchSkew == local.pitchSkew)
        }
    }

    @Test("the signature of a recording is made for whoever cannot make one, and is found")
    func madeSignature() async throws {
        try await TestService.run { (service: TestService) async throws in
            var change = ClientChange()
            change.quota = 2
            let token = try await service.token(try await service.client(change))
            let wave = TestMusic.wave(TestMusic.samples(1, duration: 25))
            let reply = try await service.ask(.POST, "/v1/signatures", token: token, type: "audio/wav", body: wave)
            #expect(reply.status == 200)
            #expect(reply.headers.first(name: "Content-Type") == ServiceAPI.signatureType)
            let signature = try Signature(data: reply.bytes)
            #expect(abs(signature.duration.seconds - 20) < 0.1)
            let found = try await service.ask(
                .POST,
                "/v1/recognitions?kind=file",
                token: token,
                type: ServiceAPI.signatureType,
                body: reply.bytes
            )
            #expect(found.matches.first?.track.id == "lantern")
            // Both have counted.
            let third = try await service.ask(.POST, "/v1/signatures", token: token, type: "audio/wav", body: wave)
            #expect(third.code == "quotaExceeded")
        }
    }

    @Test("a file has no position in the song")
    func file() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.token()
            let reply = try await service.ask(
                .POST,
                "/v1/recognitions?kind=file",
                token: token,
                type: ServiceAPI.signatureType,
                body: try TestMusic.piece(1).signature(from: 0, seconds: 20).data
            )
            #expect(reply.matches.first?.track.id == "lantern")
            #expect(reply.matches.first?.songPosition == nil)
        }
    }

    @Test(
        "audio is taken as a body and as a form",
        arguments: ["audio/wav", "application/octet-stream", "form", "signature form"]
    )
    func audio(how: String) async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.token()
            let wave = TestMusic.wave(TestMusic.samples(1))
            let reply: TestService.Reply
            if how.hasSuffix("form") {
                var body = Data("--b\r\nContent-Disposition: form-data; name=\"kind\"\r\n\r\nfile\r\n--b\r\n".utf8)
                body.append(Data("Content-Disposition: form-data; name=\"sample\"; filename=\"a\"\r\n\r\n".utf8))
                body.append(how == "form" ? wave : try TestMusic.query(1).data)
                body.append(Data("\r\n--b--\r\n".utf8))
                reply = try await service.ask(
                    .POST,
                    "/v1/recognitions",
                    token: token,
                    type: "multipart/form-data; boundary=b",
                    body: body
                )
                #expect(reply.matches.first?.songPosition == nil, "the form's field kind counts")
            } else {
                reply = try await service.ask(.POST, "/v1/recognitions", token: token, type: how, body: wave)
            }
            #expect(reply.status == 200)
            #expect(reply.matches.first?.track.id == "lantern")
        }
    }

    @Test("of a long signature the first minute is looked at", arguments: [(20, true), (70, false)])
    func long(begin: Int, isFound: Bool) async throws {
        try await TestService.run { (service: TestService) async throws in
            let noise = Degradation.noise(count: begin * 16_000, seed: 5)
            let reply = try await service.ask(
                .POST,
                "/v1/recognitions",
                token: try await service.token(),
                type: ServiceAPI.signatureType,
                body: try Signature.of(noise + TestMusic.samples(1, from: 5, duration: 25)).data
            )
            #expect(reply.status == 200)
            #expect((reply.matches.first?.track.id == "lantern") == isFound)
        }
    }

    @Test("landmarks that leave a doubt are answered once their spectrogram is sent, and count once; audio is, at once")
    func moreEvidence() async throws {
        try await TestService.run { (service: TestService) async throws in
            var change = ClientChange()
            change.userQuota = 2
            let token = try await service.userToken(try await service.client(change))
            func ask(_ parameters: String, _ type: String, _ body: Data) async throws -> TestService.Reply {
                try await service.ask(.POST, "/v1/recognitions?\(parameters)", token: token, type: type, body: body)
            }
            let noisy = Degradation.noisy(TestMusic.samples(1, duration: 5), signalToNoise: -9, seed: 3)
            let signature = try Signature.of(noisy)
            let first = try await ask("moreEvidence=1", ServiceAPI.signatureType, signature.data)
            #expect(first.status == 422 && first.code == "moreEvidence")
            let whatIsOn = try await service.ask(
                .POST,
                "/v1/broadcasts/recognitions?moreEvidence=1",
                token: token,
                type: ServiceAPI.signatureType,
                body: signature.data
            )
            #expect(whatIsOn.code == "moreEvidence")
            let second = try await ask("", ServiceAPI.signatureType, signature.dataWithSpectrogram)
            #expect(second.matches.first?.track.id == "lantern")
            #expect(abs((second.matches.first?.songPosition?.seconds ?? 0) - 10) < 0.1)
            let audio = try await ask("moreEvidence=1", "audio/wav", TestMusic.wave(noisy.map { $0 * 0.5 }))
            #expect(audio.matches.first?.track.id == "lantern")
            let me = try await service.ask(.GET, "/v1/users/me", token: token).decoded(UserRecord.self)
            #expect(me.quota.used == 2)
            let clear = try await ask("moreEvidence=1", ServiceAPI.signatureType, try TestMusic.query(1).data)
            #expect(clear.code == "quotaExceeded", "it would be answered, and counts")
        }
    }

    @Test("a live recording is answered before it ends")
    func live() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.token()
            let reply = try await service.ask(
                .POST,
                "/v1/recognitions?live=1",
                token: token,
                type: "audio/wav",
                body: TestMusic.wave(TestMusic.samples(1, from: 2, duration: 30))
            )
            #expect(reply.matches.first?.track.id == "lantern")
        }
    }

    @Test(
        "nothing is known of other music, noise, tones, speech, and of a known song that a person sings, hums or whistles",
        .requirements("R-MC-085")
    )
    func nothing() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.token()
            let tone = (0..<128_000).map { Float(sin(Double($0) * 0.2)) * 0.5 }
            var unknown: [(String, [Float])] = [
                ("other music", TestMusic.samples(999)), ("noise", Degradation.noise(count: 128_000, seed: 3)),
                ("a tone", tone),
            ]
            for clip in ["fr-dir-instr", "it-agent-alreadyon"] {
                let speech = try ClassificationAudio.speech(clip, 8)
                if case .int16(let samples) = speech.samples {
                    unknown.append((clip, samples.flatMap { [Float](repeating: Float($0) / 32_768, count: 2) }))
                }
            }
            for voice in SyntheticMusic.Voice.allCases {
                for seed in 1...4 as ClosedRange<UInt64> {
                    // Each of the four pieces that the catalog holds.
                    let piece = TestMusic.piece(seed)
                    let samples = piece.repeated(by: voice, from: 10, seconds: 8, seed: seed)
                    unknown.append(("\(voice) of piece \(seed)", samples))
                }
            }
            #expect(unknown.count == 17)
            for (name, samples) in unknown {
                let reply = try await service.ask(
                    .POST,
                    "/v1/recognitions?single=0",
                    token: token,
                    type: "audio/wav",
                    body: TestMusic.wave(samples)
                )
                #expect(reply.status == 200 && reply.matches.isEmpty || reply.code == "signatureInvalid", "\(name)")
            }
            let silence = try await service.ask(
                .POST,
                "/v1/recognitions",
                token: token,
                type: "audio/wav",
                body: TestMusic.wave([Float](repeating: 0, count: 128_000))
            )
            #expect(silence.status == 422)
            #expect(silence.code == "signatureInvalid")
        }
    }

    @Test("one match or up to ten", .requirements("R-MC-131"))
    func many() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.token()
            #expect(try await service.recognize(100, token: token).matches.count == 1)
            #expect(try await service.recognize(100, token: token, "single=0").matches.count == 10)
        }
    }

    @Test("what is known of a media item only is answered too")
    func item() async throws {
        try await TestService.run { (service: TestService) async throws in
            let match = try await service.recognize(4, token: try await service.token()).matches.first
            #expect(match?.track.title == "Only an item")
            #expect(match?.artist.name == "Somebody")
            #expect(match?.track.id == nil)
        }
    }

    @Test("landmarks come where they are asked for, and say which of them the reference has too")
    func landmarks() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.token()
            #expect(try await service.recognize(1, token: token).decoded(MatchList.self).landmarks == nil)
            let reply = try await service.recognize(1, token: token, "landmarks=1")
            let found = try #require(try reply.decoded(MatchList.self).landmarks)
            #expect(found.count > 100)
            #expect(found.count(where: \.isShared) > found.count / 2)
            #expect(found.allSatisfy { (0...8.2).contains($0.time) && (170...6_000).contains($0.frequency) })
            #expect(zip(found, found.dropFirst()).allSatisfy { $0.time <= $1.time })
            // The same as a picture in process shows.
            var catalog = Catalog()
            for addition in try TestMusic.references() {
                try catalog.add(addition.signature, representing: addition.items, id: addition.id)
            }
            let query = try TestMusic.query(1)
            let match = try #require(try catalog.match(query)?.references.first)
            let evidence = try #require(try catalog.evidence(for: query, match: match.best, id: match.id))
            #expect(evidence.marks.map(\.isMatched) == found.map(\.isShared))
            // Of what is not known none is shared.
            let other = try await service.recognize(999, token: token, "landmarks=1").decoded(MatchList.self)
            #expect(other.matches.isEmpty)
            #expect(other.landmarks?.isEmpty == false && other.landmarks?.contains(where: \.isShared) == false)
        }
    }

    @Test("a match that is to be left out of the history is")
    func unremembered() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.userToken(try await service.client())
            func remembered() async throws -> Int {
                try await service.ask(.GET, "/v1/history", token: token).decoded(HistoryPage.self).total
            }
            #expect(try await service.recognize(1, token: token, "history=0").matches.count == 1)
            #expect(try await remembered() == 0)
            #expect(try await service.recognize(1, token: token, "history=1").matches.count == 1)
            #expect(try await service.recognize(1, token: token).matches.count == 1)
            #expect(try await remembered() == 2)
        }
    }

    // MARK: - Choice

    @Test(
        "a preferred source makes the candidate win that has a link of it",
        .requirements("R-MC-136", "R-MC-137", "R-MC-132")
    )
    func preferredSource() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.token()
            #expect(try await service.recognize(3, token: token).matches.first?.track.id == "shared-own")
            #expect(
                try await service.recognize(3, token: token, "preferredSource=Shop").matches.first?.track.id
                    == "shared-sampler"
            )
            #expect(
                try await service.recognize(3, token: token, "preferredSource=unknown").matches.first?.track.id
                    == "shared-own"
            )
        }
        var settings = ServiceSettings()
        settings.criteria = [.earliest]
        try await TestService.run(settings) { (service: TestService) async throws in
            let token = try await service.token()
            #expect(try await service.recognize(3, token: token).matches.first?.track.id == "shared-sampler")
        }
    }

    // MARK: - Content

    @Test(
        "covers come with a single match where they are asked for, never with many",
        .requirements("R-MC-133", "R-MC-134")
    )
    func covers() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.token()
            #expect(try await service.recognize(1, token: token).matches.first?.album.coverArt == nil)
            let match = try await service.recognize(1, token: token, "coverArt=1").matches.first
            #expect(match?.album.coverArt?.size == .small)
            #expect(match?.album.coverArt?.isGenreArt == false)
            let many = try await service.recognize(1, token: token, "coverArt=1&single=0").matches
            #expect(!many.isEmpty && many.allSatisfy { $0.album.coverArt == nil })
        }
    }

    @Test(
        "art of the genre takes a missing cover's place only where both are asked for",
        .requirements("R-MC-165", "R-MC-166", "R-MC-168")
    )
    func genreArt() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.token()
            let art = try await service.recognize(3, token: token, "coverArt=1").matches.first?.album.coverArt
            #expect(art?.isGenreArt == true)
            let picture = try await service.ask(.GET, try #require(art?.url))
            #expect(picture.status == 200)
            #expect(picture.headers.first(name: "Content-Type") == "image/png")
            #expect(
                try await service.recognize(3, token: token, "coverArt=1&genreArt=0").matches.first?.album.coverArt
                    == nil
            )
            #expect(
                try await service.recognize(3, token: token, "coverArt=0&genreArt=1").matches.first?.album.coverArt
                    == nil
            )
        }
    }

    @Test(
        "what a client is not entitled to is missing, and everything else is there",
        .requirements("R-MC-017", "R-MC-018", "R-MC-167"),
        arguments: Entitlement.ofMusic
    )
    func entitlements(missing: Entitlement) async throws {
        try await TestService.run { (service: TestService) async throws in
            var change = ClientChange()
            change.entitlements = Entitlement.allCases.filter { $0 != missing }
            let token = try await service.token(change)
            let all = "coverArt=1&artistImages=1&biography=1&review=1&mood=1&tempo=1"
            let reply = try await service.recognize(1, token: token, all)
            #expect(reply.status == 200)
            let match = try #require(reply.matches.first)
            let there: [Entitlement: Bool] = [
                .coverArt: match.album.coverArt != nil, .artistImages: match.artist.image != nil,
                .biographies: match.artist.biography != nil && match.artist.biographyURL != nil,
                .reviews: match.album.review != nil && match.album.reviewURL != nil, .mood: !match.track.mood.isEmpty,
                .tempo: !match.track.tempo.isEmpty, .links: match.track.links != nil && match.album.links != nil,
            ]
            for entitlement in Entitlement.ofMusic {
                #expect(there[entitlement] == (entitlement != missing), "\(entitlement)")
            }
            #expect(!match.track.genres.isEmpty)
            if missing == .coverArt {
                #expect(try await service.recognize(3, token: token, "coverArt=1").matches.first?.album.coverArt == nil)
            }
        }
    }

    @Test(
        "a language names tracks, artists and genres, and a country chooses genres",
        .requirements("R-MC-151", "R-MC-145", "R-MC-150")
    )
    func languages() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.token()
            let english = try #require(
                try await service.recognize(1, token: token, "genreLevel=EXTENDED").matches.first
            )
            let japanese = try #require(
                try await service.recognize(1, token: token, "lang=jpn&genreLevel=EXTENDED&biography=1").matches.first
            )
            #expect(japanese.track.title == "ランタン")
            #expect(japanese.album.title == "朝の線路")
            #expect(japanese.artist.name == "錫の狐")
            #expect(japanese.artist.biography == ["一。", "二。"])
            #expect(japanese.track.genres.map(\.id) == english.track.genres.map(\.id))
            #expect(japanese.track.genres.first?.name != english.track.genres.first?.name)
            #expect(english.track.genres == english.album.genres, "the track has no genres of its own")
            #expect(english.track.genres.count > 1)
            for country in ISOCodes.countries {
                let reply = try await service.ask(.GET, "/v1/tracks/lantern?country=\(country)&lang=zz", token: token)
                #expect(reply.status == 200, "\(country)")
            }
        }
    }
}
