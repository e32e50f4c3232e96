import EarshotCore
import EarshotSignatures
import TestSupport
import Testing

@testable import EarshotCatalogs

@Suite("Landmark keys")
struct LandmarkKeyTests {
    /// Landmarks as a query and a reference may both have them, no two alike.
    private func landmarks(_ generator: inout SeededGenerator, seconds: Int = 4) -> [Landmark] {
        let drawn = Signature.random(seed: generator.next(), seconds: seconds, density: 24).landmarks
        // Away from the ends of the axis, so that a shifted one stays on it.
        return drawn.map { Landmark(time: $0.time, frequency: 100 + $0.frequency % 1_720, tier: $0.tier % 3) }.sorted()
    }

    /// Everything that a query looks up.
    private func lookups(
        _ landmarks: [Landmark],
        under hypothesis: Hypothesis,
        by depth: Depth
    ) -> [QueryKeys.Lookup] {
        let keys = QueryKeys(landmarks, fanOut: 10)
        var lookups: [QueryKeys.Lookup] = []
        switch depth {
        case .pairs: keys.forEachPair(under: hypothesis) { lookups.append($0) }
        case .triplets: keys.forEachTriplet(under: hypothesis) { lookup, _ in lookups.append(lookup) }
        }
        return lookups
    }

    /// The share of postings that one of the lookups finds at their place.
    private func found(
        _ postings: [Posting],
        by lookups: [QueryKeys.Lookup],
        _ depth: Depth,
        within frames: Int
    ) -> Double {
        // Ranges of whole pairs are taken apart; a triplet's range has one key.
        let shift: UInt32 = depth == .pairs ? 11 : 0
        var places: [UInt32: [Int]] = [:]
        for lookup in lookups {
            for key in lookup.keys.lowerBound >> shift..<lookup.keys.upperBound >> shift {
                places[key, default: []].append(Int(lookup.frame))
            }
        }
        let hits = postings.count { posting in
            let near = Int(posting.unit) * 4 - frames...Int(posting.unit) * 4 + 3 + frames
            return places[posting.key >> shift]?.contains(where: near.contains) ?? false
        }
        return Double(hits) / Double(max(1, postings.count))
    }

    @Test("parts in range make a key of their own, others make none")
    func ranges() {
        property("key ranges", rounds: 500) { generator in
            let frequency = Int.random(in: -2...62, using: &generator)
            let rise = Int.random(in: -66...66, using: &generator)
            let delay = Int.random(in: 0...66, using: &generator)
            let isInRange = (0...59).contains(frequency) && (-63...63).contains(rise) && (2...63).contains(delay)
            guard let pair = LandmarkKey.pair(frequency: frequency, rise: rise, delay: delay) else { return !isInRange }
            let (thirdRise, thirdDelay) = (
                Int.random(in: -16...16, using: &generator), Int.random(in: 0...17, using: &generator)
            )
            let key = Int(LandmarkKey.key(pair: pair, rise: thirdRise, delay: thirdDelay))
            let parts = [key >> 24, key >> 17 & 0x7F, key >> 11 & 0x3F, key >> 5 & 0x3F, key & 0x1F]
            return isInRange && key >> 11 == Int(pair)
                && parts == [frequency, rise + 64, delay, thirdRise + 32, thirdDelay]
        }
        #expect(LandmarkKey.pair(frequency: 59, rise: 63, delay: 63).map { $0 < 1 << 19 } == true)
    }

    @Test("values are rounded to the nearest cell, halves up", arguments: [8, 32])
    func quantize(steps: Int) {
        for value in -600...600 {
            let nearest = Int((Double(value) / Double(steps) + 0.5).rounded(.down))
            #expect(LandmarkKey.quantize(value, steps: steps) == nearest)
        }
    }

    @Test("an index has the keys that the format page asks for")
    func index() throws {
        property("index", rounds: 12) { generator in
            let count = Int.random(in: 0...3, using: &generator)
            let songs = (0..<count).map { _ in
                Songs.drawn(generator.next(), seconds: Int.random(in: 1...6, using: &generator))
            }
            let image = try CatalogImage(of: songs)
            var frame = 0
            var expected: [Posting] = []
            for song in songs {
                expected += IndexReading.postings(of: song.landmarks, firstFrame: frame)
                frame += SegmentWriter.frameCount(of: song.thinned(to: Reference.density)) + 64
                frame = (frame + 3) / 4 * 4
            }
            return IndexReading(image).postings == expected.sorted() && image.frameCount == frame
        }
    }

    @Test("landmarks at the very ends of the ranges have the keys that they should")
    func extremes() throws {
        for (delay, rise) in [
            (11, 0), (12, 0), (507, 0), (508, 0), (509, 0), (20, 507), (20, 508), (20, -507), (20, -508),
        ] {
            let low: UInt16 = 1_000
            let landmarks = [
                Landmark(time: 0, frequency: low, tier: 0),
                Landmark(time: UInt32(delay), frequency: UInt16(Int(low) + rise), tier: 0),
                Landmark(time: UInt32(delay), frequency: UInt16(Int(low) + rise), tier: 0),
                Landmark(time: UInt32(min(500, delay + 1)), frequency: low, tier: 3),
            ]
            let song = Signature(
                configuration: .standard,
                duration: MediaTime(value: 2, timescale: 1),
                landmarks: landmarks.sorted()
            )
            let expected = IndexReading.postings(of: song.landmarks, firstFrame: 0)
            #expect(IndexReading(try CatalogImage(of: [song])).postings == expected)
            #expect(expected.count == ((12...507).contains(delay) && abs(rise) < 508 ? 1 : 0), "\(delay), \(rise)")
        }
    }

    @Test("a query of the same landmarks finds every key of the index", arguments: Depth.allCases)
    func plain(depth: Depth) throws {
        property("plain \(depth)", rounds: 8) { generator in
            let landmarks = landmarks(&generator)
            let postings = IndexReading.postings(of: landmarks, firstFrame: 0)
            return found(postings, by: lookups(landmarks, under: .plain, by: depth), depth, within: 0) == 1
        }
    }

    @Test("one that is faster or higher finds them under that hypothesis", arguments: [0.9, 0.95, 0.975, 1, 1.05, 1.1])
    func changed(speed: Double) throws {
        property("changed by \(speed)", rounds: 4) { generator in
            let pitch = Int.random(in: -56...56, using: &generator)
            let landmarks = landmarks(&generator)
            let postings = IndexReading.postings(of: landmarks, firstFrame: 0)
            let query = Warp(speed: speed, pitch: pitch).applied(to: landmarks)
            let hypothesis = Hypothesis(speed: speed, pitch: Double(pitch) / 8)
            let pairs = found(postings, by: lookups(query, under: hypothesis, by: .pairs), .pairs, within: 1)
            // Of five values at the edges of their cells a triplet is looked up with two on the other side.
            let triplets = found(postings, by: lookups(query, under: hypothesis, by: .triplets), .triplets, within: 1)
            return pairs == 1 && triplets > 0.8
        }
    }
}

/// What a change of speed and pitch does to landmarks.
struct Warp {
    /// Seconds of the reference in one second of the query.
    var speed: Double
    /// How far the query lies above the reference, in steps.
    var pitch: Int

    /// As on a record that turns at another speed.
    static func played(_ speed: Double) -> Warp {
        Warp(speed: speed, pitch: Int((Hypothesis.bins(ofRatio: speed) * 8).rounded()))
    }

    init(speed: Double, pitch: Int) {
        self.speed = speed
        self.pitch = pitch
    }

    /// Landmarks that leave the axis are gone.
    func applied(to landmarks: [Landmark]) -> [Landmark] {
        landmarks.compactMap { landmark in
            let frequency = Int(landmark.frequency) + pitch
            guard (0..<1_920).contains(frequency) else { return nil }
            let time = (Double(landmark.time) / speed).rounded()
            return Landmark(time: UInt32(time), frequency: UInt16(frequency), tier: landmark.tier)
        }.sorted()
    }

    func applied(to signature: Signature) -> Signature {
        Signature(
            configuration: .standard,
            duration: MediaTime(seconds: signature.duration.seconds / speed),
            landmarks: applied(to: signature.landmarks)
        )
    }
}
