import EarshotCatalogs
import EarshotClassification
import EarshotCore
import EarshotSignatures
import Foundation

/// Finds audio that was heard before, channel by channel. A value without a clock.
///
/// Every half minute the latest audio of a channel is searched for in the stored audio and in the known repeats. A
/// match gives a line: this channel on that one, at a distance. A line is compared until the two differ; the interval
/// between is a pair.
struct RepeatEngine: Sendable {
    /// The target of a line: stored audio of a channel, or the representative of a group.
    enum Target: Hashable, Sendable {
        case channel(String)
        case group(Int)
    }

    struct Line: Sendable {
        var target: Target
        /// The time on the target less the time on this channel, in steps.
        var delta: Int64
        /// The step from which the line is compared.
        var begin: Int64
    }

    /// The data of a running channel.
    struct Channel: Sendable {
        var timeline: ChannelTimeline
        /// The landmarks of the last quarter of an hour, in steps since 1970.
        var recent: [RepeatComparison.Point] = []
        var recentTiers: [UInt8] = []
        var recentBegin: Int64 = 0
        var recentEnd: Int64 = 0
        var analyzedTo: Int64 = 0
        var lines: [Line] = []
        var kinds: [(range: Range<Int64>, kind: AudioKind)] = []
    }

    /// The number of steps in a second.
    static let second = LiveTime.stepsPerSecond
    /// The length of a part of a channel, and the overlap with the previous one, in steps: 5 min and 15 s.
    static let partLength = 300 * second
    static let overlap = 15 * second
    /// The length of audio that is analyzed at once, and the length of earlier audio that is included, in steps.
    private static let chunk = 30 * second
    private static let lead = 6 * second
    /// The length of a slice that is searched, and the distance between the beginnings of slices, in steps.
    private static let slice = 8 * second
    private static let sliceStride = 4 * second
    /// The distance before a match from which a line is compared, in steps. The start of a longer repeat is found
    /// earlier.
    private static let reach = 30 * second
    /// The length of recent audio that is kept of a channel, and so the longest repeat, in steps: 15 min.
    static let recentLength = 900 * second
    /// The distance to the end of the audio within which an interval may continue, in steps: 2 s.
    private static let openEnd = 2 * second
    /// The score from which a line is compared; and the least share above chance and evidence of a pair. Scores and
    /// evidence are in nats.
    private static let leastScore = 6.0
    private static let leastExcess = 0.2
    private static let leastEvidence = 60.0
    /// The share of a group's representative that must be heard.
    private static let leastCover = 0.6

    let options: RepeatFinder.Options
    let limits = QueryLimits.standard
    private(set) var channels: [String: Channel] = [:]
    var blocks: CatalogBlocks
    var groups: RepeatGroups
    /// The starts of the stored parts of each channel.
    private(set) var parts: [String: [Int64]] = [:]

    init(_ options: RepeatFinder.Options) {
        self.options = options
        blocks = CatalogBlocks(limits: limits)
        groups = RepeatGroups(limits: limits)
    }

    /// Restores saved blocks, and lets every channel continue after them.
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

    /// Appends the next audio of a channel. Known audio has no effect.
    ///
    /// - Returns: `true` if parts became complete.
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

    /// Analyzes the rest of a channel's audio, and ends intervals that could continue.
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
        // A repeated broadcast has the same speed and little damage.
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
                        // A near match is a repetition within the same music, or this very audio.
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

    /// Returns the landmarks on the target of a line.
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

    /// An interval that was heard before.
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
        // Groups first, then by evidence.
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
                // Two intervals that touch are one that repeats within itself.
                guard other != id || here.begin - there.end >= Self.second else { continue }
                groups.join(here, there, signature: channel.signature(range), kind: channel.kind(of: range))
            }
        }
    }
}
