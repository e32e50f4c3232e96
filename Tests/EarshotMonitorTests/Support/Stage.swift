import EarshotBroadcast
import EarshotCatalogs
import EarshotCore
import EarshotMusic
import EarshotRecognition
import EarshotSignatures
import Foundation
import TestSupport

@testable import EarshotMonitor

/// A monitor's core with hands on all its ends: the audio, the clock, the store and the service.
struct Stage {
    typealias Local = (Signature) -> Result<[MonitorMatch], EarshotError>
    typealias Online = (Signature) -> Result<BroadcastAnswer, EarshotError>

    var core: MonitorCore
    /// Seconds since the begin.
    private(set) var now = 0.0
    private(set) var events: [StatusEvent] = []
    private(set) var results: [MonitorResult] = []
    /// Fingerprints that the store was asked about, and the service.
    private(set) var localQueries: [Signature] = []
    private(set) var onlineQueries: [Signature] = []
    private(set) var musicMoments = 0
    var local: Local = { _ in .success([]) }
    var online: Online = { _ in .success(BroadcastAnswer()) }
    /// How long each takes, in seconds.
    var localDelay = 0.0
    var onlineDelay = 1.0
    private var answers: [(at: Double, body: (inout Stage) -> [MonitorCore.Output])] = []

    static let date = Date(timeIntervalSince1970: 1_700_000_000)

    init(_ change: (inout MonitorProperties) -> Void = { _ in }) {
        var properties = MonitorProperties()
        change(&properties)
        core = MonitorCore(properties: properties, keptAudio: 15, wallClock: { Self.date })
    }

    var instant: MediaTime { MediaTime(seconds: now, preferredTimescale: 1_000_000) }
    var kinds: [StatusEvent.Kind] { events.map(\.kind) }

    func events(_ kind: StatusEvent.Kind) -> [StatusEvent] { events.filter { $0.kind == kind } }
    mutating func forget() { (events, results) = ([], []) }

    mutating func start() { take(core.start(instant)) }
    mutating func stop() { take(core.stop(instant)) }
    mutating func ask() { take(core.requestLookup(instant)) }
    mutating func gap(_ seconds: Double) { take(core.gap(seconds, instant)) }
    mutating func set(_ change: (inout MonitorProperties) -> Void) {
        var properties = core.scheduler.properties
        change(&properties)
        take(core.set(properties, instant))
    }

    /// Hears audio in real time, in blocks of a tenth of a second.
    mutating func hear(_ buffer: AudioBuffer) {
        let block = buffer.sampleRate / 10
        var first = 0
        while first < buffer.frameCount {
            let piece = buffer.frames(first..<first + block)
            first += block
            pass(piece.duration.seconds)
            take(core.append(piece, instant))
        }
    }

    /// Lets time go by without audio.
    mutating func pass(_ seconds: Double) {
        let end = now + seconds
        while true {
            let due = answers.indices.min { answers[$0].at < answers[$1].at }
            let deadline = core.deadline?.seconds
            let next = [due.map { answers[$0].at }, deadline].compactMap(\.self).min()
            guard let next, next <= end + 1e-9 else { break }
            now = max(now, next)
            if let due, answers[due].at <= next + 1e-9 {
                let answer = answers.remove(at: due)
                take(answer.body(&self))
            } else {
                take(core.tick(instant))
            }
        }
        now = end
    }

    private mutating func take(_ outputs: [MonitorCore.Output]) {
        for output in outputs {
            switch output {
            case .status(let event): events.append(event)
            case .result(let result): results.append(result)
            case .music: musicMoments += 1
            case .searchLocal(let lookup, let signature):
                localQueries.append(signature)
                let answer = local(signature)
                let body: (inout Stage) -> [MonitorCore.Output] = { $0.core.local(answer, lookup: lookup, $0.instant) }
                if localDelay == 0 { take(body(&self)) } else { answers.append((now + localDelay, body)) }
            case .searchOnline(let lookup, let signature):
                onlineQueries.append(signature)
                let answer = online(signature)
                answers.append((now + onlineDelay, { $0.core.online(answer, lookup: lookup, $0.instant) }))
            }
        }
    }
}

extension MonitorMatch {
    /// A match in the store with a work.
    static func work(_ name: String) -> MonitorMatch {
        var match = MonitorMatch(title: name)
        match.work = VideoWork(id: EntityID(name), title: Name(name))
        return match
    }
}

extension BroadcastAnswer {
    /// An answer from the archive.
    static func archive(_ names: String...) -> BroadcastAnswer {
        BroadcastAnswer(
            source: .archive,
            matches: names.map { name in
                var match = BroadcastMatch(title: name)
                match.work = VideoWork(id: EntityID(name), title: Name(name))
                match.position = 60_000
                return match
            }
        )
    }
}

/// Audio that a monitor is given: noise that changes with the seed, loud enough not to be silent.
func noise(_ seconds: Double, seed: UInt64 = 1, rate: Int = 16_000) -> AudioBuffer {
    AudioBuffer(
        Degradation.noise(count: Int(seconds * Double(rate)), seed: seed).map { $0 * 0.2 },
        sampleRate: rate
    )
}

/// Silence.
func silence(_ seconds: Double, rate: Int = 16_000) -> AudioBuffer {
    AudioBuffer([Float](repeating: 0, count: Int(seconds * Double(rate))), sampleRate: rate)
}
