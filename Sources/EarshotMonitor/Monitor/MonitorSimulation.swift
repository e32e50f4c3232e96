import EarshotCatalogs
package import EarshotCore
package import EarshotRecognition
package import EarshotSignatures
import Foundation

/// Runs a monitor on a clock that goes as fast as audio is handed in, with a store and a service that answer after a stated
/// time: for measuring an evening in minutes.
///
/// The decisions are those of the monitor itself, whose core this is; its threads are left out.
package struct MonitorSimulation {
    /// A status event or result of the monitor, with its time.
    package enum Report {
        case status(StatusEvent)
        case result(MonitorResult)
    }

    /// An answer of the store or the service, and its delay in seconds.
    package typealias Answer<Value> = (value: Result<Value, EarshotError>, seconds: Double)

    /// The simulated time since the start, in seconds.
    package private(set) var now = 0.0
    private var core: MonitorCore
    private let local: (Signature) -> Answer<[MonitorMatch]>
    private let online: (Signature) -> Answer<BroadcastAnswer>
    private var pending: [(at: Double, body: (inout MonitorCore, MediaTime) -> [MonitorCore.Output])] = []
    private var reports: [Report] = []

    /// Creates a simulation and starts the monitor at time zero.
    ///
    /// - Parameters:
    ///   - properties: The settings that decide how often it looks up audio.
    ///   - local: Searches the store.
    ///   - online: Asks the service.
    package init(
        _ properties: MonitorProperties,
        local: @escaping (Signature) -> Answer<[MonitorMatch]>,
        online: @escaping (Signature) -> Answer<BroadcastAnswer>
    ) {
        (self.local, self.online) = (local, online)
        core = MonitorCore(properties: properties, keptAudio: 15, wallClock: { Date(timeIntervalSince1970: 0) })
        take(core.start(instant))
    }

    /// Submits audio and advances the time by its duration.
    ///
    /// - Parameter buffer: A buffer of about a tenth of a second; events within it are reported in order.
    /// - Returns: The reports of the monitor during that time.
    package mutating func hear(_ buffer: AudioBuffer) -> [Report] {
        pass(buffer.duration.seconds)
        take(core.append(buffer, instant))
        defer { reports = [] }
        return reports
    }

    private var instant: MediaTime { MediaTime(seconds: now, preferredTimescale: 1_000_000) }

    private mutating func pass(_ seconds: Double) {
        let end = now + seconds
        while true {
            let due = pending.indices.min { pending[$0].at < pending[$1].at }
            let next = [due.map { pending[$0].at }, core.deadline?.seconds].compactMap(\.self).min()
            guard let next, next <= end else { break }
            now = max(now, next)
            if let due, pending[due].at <= next {
                let answer = pending.remove(at: due)
                take(answer.body(&core, instant))
            } else {
                take(core.tick(instant))
            }
        }
        now = end
    }

    private mutating func take(_ outputs: [MonitorCore.Output]) {
        for output in outputs {
            switch output {
            case .status(let event): reports.append(.status(event))
            case .result(let result): reports.append(.result(result))
            case .music: break
            case .searchLocal(let lookup, let signature):
                let (answer, seconds) = local(signature)
                pending.append((now + seconds, { $0.local(answer, lookup: lookup, $1) }))
            case .searchOnline(let lookup, let signature):
                let (answer, seconds) = online(signature)
                pending.append((now + seconds, { $0.online(answer, lookup: lookup, $1) }))
            }
        }
    }
}
