import EarshotCore
import EarshotSignatures
import TestSupport
import Testing

@testable import EarshotCatalogs

@Suite("Votes for places")
struct VotingTests {
    /// How a place is asked for.
    private struct Question {
        var start: Double
        var seconds: Double
        var depth: Depth

        /// Where it begins, in frames of the song.
        var frame: Int { Int(start * 500) / 8 }
    }

    /// The places of a part of a song.
    private func places(_ segment: Segment, of song: Signature, _ question: Question) -> [Voting.Place] {
        let query = Songs.part(of: song, from: question.start, seconds: question.seconds).landmarks
        var voting = Voting(segment, parameters: MatchingParameters())
        return voting.places(
            for: question.depth.lookups(QueryKeys(query, fanOut: 10)),
            span: Int(query.last?.time ?? 0) / 8,
            speed: 1,
            effort: Voting.Effort(blocks: 100_000, places: 12)
        )
    }

    @Test("a part is found at its place among others", arguments: [Depth.pairs, .triplets])
    func place(depth: Depth) throws {
        property("voting \(depth)", rounds: 6) { generator in
            let songs = (0..<5).map { _ in Songs.drawn(generator.next()) }
            let segment = try CatalogImage(of: songs).segment
            let number = Int.random(in: 0..<5, using: &generator)
            let start = Double.random(in: 0...8, using: &generator)
            let question = Question(start: start, seconds: 3, depth: depth)
            let places = places(segment, of: songs[number], question)
            guard let best = places.first else { return false }
            // A place stands for two units.
            let isRight = abs(best.frame - segment.records[number].firstFrame - question.frame) <= 4
            let isClear = places.dropFirst().allSatisfy { $0.votes * 2 < best.votes }
            return isRight && isClear && zip(places, places.dropFirst()).allSatisfy { $0.votes >= $1.votes }
        }
    }

    @Test("however many places are wanted, they are told apart and in order of votes", arguments: [1, 7, 60, 250])
    func many(count: Int) throws {
        let songs = (0..<8).map { Songs.drawn(700 + UInt64($0), seconds: 30) }
        let segment = try CatalogImage(of: songs).segment
        let query = Songs.part(of: songs[5], from: 11, seconds: 4).landmarks
        var voting = Voting(segment, parameters: MatchingParameters())
        func places(_ count: Int) -> [Voting.Place] {
            voting.places(
                for: .pairs(QueryKeys(query, fanOut: 10), .plain),
                span: Int(query.last?.time ?? 0) / 8,
                speed: 1,
                effort: Voting.Effort(blocks: 100_000, places: count)
            )
        }
        let found = places(count)
        #expect(found.count == count)
        #expect(zip(found, found.dropFirst()).allSatisfy { $0.votes >= $1.votes })
        let frames = found.map(\.frame).sorted()
        // Neighbours of up to two bins of four frames are one place.
        #expect(zip(frames, frames.dropFirst()).allSatisfy { $1 - $0 > 8 })
        // The best do not depend on how many are wanted, and nothing is left of an earlier count.
        #expect(places(1).first?.frame == found.first?.frame)
        #expect(places(count).map(\.frame) == found.map(\.frame))
    }

    @Test("a place is never cut in half, wherever the parts of the timeline meet", arguments: [1, 3])
    func parts(part: Int) throws {
        let song = Songs.drawn(7)
        let question = Question(start: 2, seconds: 4, depth: .pairs)
        let query = Songs.part(of: song, from: question.start, seconds: question.seconds)
        // Parts have 2^18 bins of four frames; the first bin lies as far before the timeline as the query lasts.
        let lead = Int(query.landmarks.last?.time ?? 0) / 8 + 64
        let meeting = part << 20 - lead - question.frame
        for depth in [Depth.pairs, .triplets] {
            var asked = question
            asked.depth = depth
            for shift in [-12, -8, -4, 0, 4, 8, 12] {
                // References begin at whole units.
                let firstFrame = (meeting + shift) / 4 * 4
                // The same at a place where nothing meets.
                let control = 1_000
                let found = try [firstFrame, control].map { frame in
                    let room = CatalogImage.room(steps: (frame - 65) * 8)
                    let segment = try CatalogImage(of: [room, song, room]).segment
                    #expect(segment.records[1].firstFrame == frame)
                    return (places(segment, of: song, asked), frame)
                }
                for (places, frame) in found {
                    let best = try #require(places.first)
                    #expect(abs(best.frame - frame - asked.frame) <= 4, "\(depth), shift \(shift)")
                }
                let bounds = found.map { places, frame in (places[0].frame - frame) }
                #expect(bounds[0] == bounds[1], "\(depth), shift \(shift)")
                #expect(found[0].0[0].votes == found[1].0[0].votes, "\(depth), shift \(shift)")
            }
        }
    }

    @Test("places in several parts of a long timeline are all found", arguments: [Depth.pairs, .triplets])
    func severalParts(depth: Depth) throws {
        let (song, room) = (Songs.drawn(8), CatalogImage.room(steps: 20_000 * 500))
        let segment = try CatalogImage(of: [song, room, song, room, song, Songs.drawn(9), room, song]).segment
        #expect(segment.frameCount > 3 << 20)
        let question = Question(start: 3, seconds: 4, depth: depth)
        let places = places(segment, of: song, question)
        let expected = [0, 2, 4, 7].map { segment.records[$0].firstFrame + question.frame }
        for place in places.prefix(4) { #expect(expected.contains { abs($0 - place.frame) <= 4 }) }
        #expect(Set(places.prefix(4).map { place in expected.firstIndex { abs($0 - place.frame) <= 4 } }).count == 4)
        #expect(places.dropFirst(4).allSatisfy { $0.votes * 2 < places[3].votes })
    }

    @Test("one counter serves one question after the other")
    func again() throws {
        let songs = (10..<14).map { Songs.drawn($0) }
        let room = CatalogImage.room(steps: 20_000 * 500)
        let segment = try CatalogImage(of: [songs[0], room, songs[1], songs[2], room, songs[3]]).segment
        var voting = Voting(segment, parameters: MatchingParameters())
        func ask(_ voting: inout Voting, _ number: Int, _ depth: Depth) -> [[Int]] {
            let query = Songs.part(of: songs[number], from: 2, seconds: 2 + Double(number)).landmarks
            let effort = Voting.Effort(blocks: 50_000, places: 6)
            let keys = QueryKeys(query, fanOut: 10)
            let places = voting.places(for: depth.lookups(keys), span: 250, speed: 1, effort: effort)
            return places.map { [$0.frame, $0.votes] }
        }
        for round in 0..<8 {
            let depth: Depth = round % 3 == 0 ? .triplets : .pairs
            var fresh = Voting(segment, parameters: MatchingParameters())
            #expect(ask(&voting, round % 4, depth) == ask(&fresh, round % 4, depth))
        }
    }

    @Test("of more blocks than may be read the rarest keys are read")
    func budget() throws {
        let songs = (20..<40).map { Songs.drawn($0) }
        let segment = try CatalogImage(of: songs).segment
        let query = QueryKeys(Songs.part(of: songs[5], from: 2, seconds: 5).landmarks, fanOut: 10)
        var voting = Voting(segment, parameters: MatchingParameters())
        var before = 0
        for blocks in [0, 50, 500, 5_000] {
            let effort = Voting.Effort(blocks: blocks, places: 3)
            let places = voting.places(for: Depth.triplets.lookups(query), span: 312, speed: 1, effort: effort)
            let votes = places.first?.votes ?? 0
            #expect(votes >= before)
            before = votes
        }
        #expect(before > 0)
    }
}

/// How the index is asked.
enum Depth: CaseIterable, Sendable {
    case pairs
    case triplets

    func lookups(_ keys: QueryKeys) -> Voting.Lookups {
        switch self {
        case .pairs: .pairs(keys, .plain)
        case .triplets: .triplets(keys.triplets(under: .plain))
        }
    }
}
