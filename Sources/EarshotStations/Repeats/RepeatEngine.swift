import EarshotCatalogs
import EarshotClassification
import EarshotCore
import EarshotSignatures
import Foundation

/// Finds what was heard before, channel by channel. A value without a clock.
///
/// Every half minute the last stretch of a channel is looked for among what was heard and what is known to repeat. A place
/// that is found gives a line: this channel against that, so far apart. A line is followed until the two part, and what lies
/// between is a pair.
struct RepeatEngine: Sendable {
    /// Where a line leads: to what was heard on a channel, or to a group's representative.
    enum Target: Hashable, Sendable {
        case channel(String)
        case group(Int)
    }

    struct Line: Sendable {
        var target: Target
        /// Time there less time here, in steps.
        var delta: Int64
        /// From where on it is looked at.
        var begin: Int64
    }

    /// What is kept of a running channel.
    struct Channel: Sendable {
        var timeline: ChannelTimeline
        /// The last quarter of an hour: landmarks by the steps since 1970.
        var recent: [RepeatComparison.Point] = []
        var recentTiers: [UInt8] = []
        var recentBegin: Int64 = 0
        var recentEnd: Int64 = 0
        var analyzedTo: Int64 = 0
        var lines: [Line] = []
        var kinds: [(range: Range<Int64>, kind: AudioKind)] = []
    }

    static let second = LiveTime.stepsPerSecond
    static let partLength = 300 * second
    static let overlap = 15 * second
    /// What is analyzed at once, and how much of what came before is looked at again.
    private static let chunk = 30 * second
    private static let lead = 6 * second
    private static let slice = 8 * second
    private static let sliceStride = 4 * second
    /// How far before a finding a line is followed: what is longer is found earlier.
    private static let reach = 30 * second
    /// How much is kept of a channel at hand, and so the longest audio that is one: 15 min.
    static let recentLength = 900 * second
    /// A stretch that ends nearer to the end of what came may go on: 2 s.
    private static let openEnd = 2 * second
    /// The score from which on a line is followed, and what a pair needs: its share of landmarks above chance, and nats.
    private static let leastScore = 6.0
    private static let leastExcess = 0.2
    private static let leastEvidence = 60.0
    /// The part of a group's representative that has to be heard.
    private static let leastCover = 0.6

    let options: RepeatFinder.Options
    let limits = QueryLimits.standard
    private(set) var channels: [String: Channel] = [:]
    var blocks: CatalogBlocks
    var groups: RepeatGroups
    /// Where the parts of each channel begin.
    private(set) var parts: [String: [Int64]] = [:]

    init(_ options: RepeatFinder.Options) {
        self.options = options
        blocks = CatalogBlocks(limits: limits)
        groups = RepeatGroups(limits: limits)
    }

    /// Takes up what was kept.
    mutating func restore(_ blocks: CatalogBlocks) {
        self.blocks = blocks
        for block in blocks.blocks {
            for id in block.catalog.referenceIDs {
                guard let place = CatalogBlocks.place(of: id) else { continue }
                parts[place.channel, default: []].append(place.begin)
            }
        }
        for (channel, begins) in parts {
            parts[channel] = begins.sorted()
            guard let last = begins.max(), let end = end(ofPart: last, channel) else { continue }
            var fresh = emptyChannel
            fresh.timeline.resume(behind: end - Self.overlap)
            channels[channel] = fresh
        }
    }

    private func end(ofPart begin: Int64, _ channel: String) -> Int64? {
        let id = CatalogBlocks.name(begin, channel)
        for block in blocks.blocks {
            if let reference = try? block.catalog.reference(id) {
                return begin + LiveTime.steps(reference.signature.duration)
            }
        }
        return nil
    }

    private var emptyChannel: Channel {
        Channel(timeline: ChannelTimeline(length: Self.partLength, overlap: Self.overlap))
    }

    // MARK: - Audio

    /// Takes the next audio of a channel; what is known already changes nothing.
    ///
    /// - Returns: Whether parts became complete.
    mutating func append(_ signature: Signature, at step: Int64, channel id: String, kind: AudioKind?)
        throws(EarshotError)
        -> Bool
    {
        var channel = channels[id] ?? emptyChannel
        let known = channel.recentEnd
        let (_, closed) = channel.timeline.append(signature, at: step)
        let end = step + LiveTime.steps(signature.duration)
        if end > known {
            channel.take(signature, at: step, behind: known)
            if let kind { channel.kinds.append((step..<max(step, end), kind)) }
        }
        for part in closed {
            try blocks.add(part, channel: id)
            parts[id, default: []].append(part.begin)
        }
        channels[id] = channel
        if channel.recentEnd - channel.analyzedTo >= Self.chunk { try analyze(id, isEnd: false) }
        if !closed.isEmpty { try expire(end) }
        return !closed.isEmpty
    }

    /// No more audio comes for now: what is open is told.
    mutating func finish(_ id: String) throws(EarshotError) {
        if channels[id] != nil { try analyze(id, isEnd: true) }
    }

    private mutating func expire(_ now: Int64) throws(EarshotError) {
        let oldest = now - LiveTime.steps(options.retention)
        let length = Self.partLength + Self.overlap + Self.second * 600
        var gone = false
        for (channel, begins) in parts {
            let kept = begins.filter { $0 + length >= oldest }
            gone = gone || kept.count < begins.count
            parts[channel] = kept.isEmpty ? nil : kept
        }
        if gone { try blocks.remove { begin, _ in begin + length < oldest } }
        groups.expire(before: oldest, limit: options.groupLimit)
        for (id, channel) in channels where channel.recentEnd < oldest { channels[id] = nil }
    }

    // MARK: - Analysis

    private mutating func analyze(_ id: String, isEnd: Bool) throws(EarshotError) {
        guard var channel = channels[id] else { return }
        let end = channel.recentEnd
        let begin = max(channel.recentBegin, channel.analyzedTo - Self.lead)
        let history = try Catalog(joining: blocks.blocks.map(\.catalog) + [groups.catalog], queryLimits: limits)
        if !history.isEmpty { try search(history, &channel, id, begin..<end) }
        channel.analyzedTo = end
        var found: [Finding] = []
        var lines: [Line] = []
        for var line in channel.lines {
            let region = line.begin..<end
            let comparison = RepeatComparison(
                first: channel.points(in: region),
                second: try points(line, region, history)
            )
            let (stretches, delta) = comparison.stretches(delta: line.delta)
            line.delta = delta
            var goesOn = false
            for stretch in stretches {
                let mayGoOn = !isEnd && stretch.range.upperBound > end - Self.openEnd
                if mayGoOn, end - stretch.range.lowerBound < Self.recentLength - Self.chunk {
                    goesOn = true
                    line.begin = max(line.begin, stretch.range.lowerBound - Self.second)
                } else {
                    if let finding = finding(stretch, line, channel) { found.append(finding) }
                    line.begin = max(line.begin, stretch.range.upperBound)
                }
            }
            if goesOn { lines.append(line) }
        }
        channel.lines = lines
        channel.forget(before: end - Self.recentLength)
        channels[id] = channel
        settle(found, id, channel)
    }

    private func search(
        _ history: Catalog,
        _ channel: inout Channel,
        _ id: String,
        _ stretch: Range<Int64>
    ) throws(EarshotError) {
        var parameters = MatchingParameters()
        // A repetition of a broadcast has the speed of the first, and is hardly damaged.
        parameters.escalates = false
        parameters.pairLimit = 0
        parameters.secondLookLimit = 0
        parameters.tripletBlocks = 20_000
        parameters.candidateCount = 12
        parameters.threshold = Self.leastScore
        var begin = stretch.lowerBound
        while begin < stretch.upperBound {
            let query = channel.signature(begin..<min(stretch.upperBound, begin + Self.slice))
            defer { begin += Self.sliceStride }
            guard query.landmarks.count >= 40, query.duration >= limits.minimum else { continue }
            for match in try history.search(query, parameters: parameters).accepted {
                for occurrence in match.occurrences where abs(occurrence.speedSkew) < 0.003 {
                    let offset = Int64((occurrence.offset.seconds * Double(Self.second)).rounded())
                    let target: Target
                    var delta = offset - begin
                    if let number = RepeatGroups.number(of: match.id) {
                        target = .group(number)
                    } else if let place = CatalogBlocks.place(of: match.id) {
                        target = .channel(place.channel)
                        delta += place.begin
                        // What is near is the same piece of music, or this very audio.
                        guard place.channel != id || -delta >= LiveTime.steps(options.leastDistance) else { continue }
                    } else {
                        continue
                    }
                    let isKnown = channel.lines.contains {
                        $0.target == target && abs($0.delta - delta) < Self.second / 10
                    }
                    guard !isKnown else { continue }
                    channel.lines.append(
                        Line(target: target, delta: delta, begin: max(channel.recentBegin, begin - Self.reach))
                    )
                }
            }
        }
    }

    /// The landmarks to which a line leads.
    private func points(
        _ line: Line,
        _ region: Range<Int64>,
        _ history: Catalog
    ) throws(EarshotError) -> [RepeatComparison.Point] {
        let wanted = region.lowerBound + line.delta - Self.second * 3..<region.upperBound + line.delta + Self.second * 3
        switch line.target {
        case .group(let number):
            guard let reference = try history.reference(RepeatGroups.id(number)) else { return [] }
            return Channel.points(reference.signature, from: 0).filter { wanted.contains($0.time) }
        case .channel(let id):
            var points: [RepeatComparison.Point] = []
            var known = wanted.lowerBound
            let longest = Self.partLength + Self.overlap + Self.second * 600
            for begin in parts[id] ?? [] where begin < wanted.upperBound && begin + longest > wanted.lowerBound {
                guard let part = try history.reference(CatalogBlocks.name(begin, id)) else { continue }
                points += Channel.points(part.signature, from: begin).filter {
                    $0.time >= known && $0.time < wanted.upperBound
                }
                known = max(known, begin + LiveTime.steps(part.signature.duration))
            }
            return points
        }
    }

    // MARK: - Findings

    /// A stretch that was heard before.
    private struct Finding {
        var target: Target
        var delta: Int64
        var stretch: RepeatComparison.Stretch
    }

    private func finding(_ stretch: RepeatComparison.Stretch, _ line: Line, _ channel: Channel) -> Finding? {
        let length = stretch.range.upperBound - stretch.range.lowerBound
        guard length >= LiveTime.steps(options.shortest), stretch.evidence >= Self.leastEvidence,
            stretch.share - stretch.chance >= Self.leastExcess,
            RepeatComparison.isDistinct(channel.points(in: stretch.range), share: stretch.share)
        else { return nil }
        return Finding(target: line.target, delta: line.delta, stretch: stretch)
    }

    private mutating func settle(_ findings: [Finding], _ id: String, _ channel: Channel) {
        // Groups first, then what is surest.
        let order = findings.sorted { first, second in
            if case .group = first.target, case .channel = second.target { return true }
            if case .channel = first.target, case .group = second.target { return false }
            return (first.stretch.evidence, second.stretch.range.lowerBound)
                > (second.stretch.evidence, first.stretch.range.lowerBound)
        }
        for finding in order {
            let range = finding.stretch.range
            let here = RepeatGroup.Place(channel: id, begin: range.lowerBound, end: range.upperBound)
            switch finding.target {
            case .group(let number):
                guard let length = groups.groups[number]?.length else { continue }
                guard Double(here.length) >= Self.leastCover * Double(length) else { continue }
                groups.add(here, to: number)
            case .channel(let other):
                let there = RepeatGroup.Place(
                    channel: other,
                    begin: here.begin + finding.delta,
                    end: here.end + finding.delta
                )
                // Two stretches that touch are one that repeats within itself.
                guard other != id || here.begin - there.end >= Self.second else { continue }
                groups.join(here, there, signature: channel.signature(range), kind: channel.kind(of: range))
            }
        }
    }
}
