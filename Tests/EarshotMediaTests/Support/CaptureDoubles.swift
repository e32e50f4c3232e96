import Dispatch
import EarshotCore
import Synchronization

@testable import EarshotMedia

/// A microphone as a test wants it.
final class MicrophoneDouble: CaptureInput {
    /// What happens when the next block is asked for.
    enum Step: Sendable {
        case block(AudioBlock)
        /// The driver is silent until somebody signals, and blocks the capturing thread meanwhile, as drivers do.
        case silence(DispatchSemaphore)
        case loss
        case end
    }

    let format: AudioFormat
    let isWhole: Bool
    let route: String?
    private var steps: [Step]
    private let closed: @Sendable () -> Void

    init(
        _ steps: [Step],
        format: AudioFormat = Tone.format,
        isWhole: Bool = false,
        route: String? = nil,
        closed: @escaping @Sendable () -> Void = {}
    ) {
        self.steps = steps
        self.format = format
        self.isWhole = isWhole
        self.route = route
        self.closed = closed
    }

    deinit { closed() }

    func next() throws(EarshotError) -> AudioBlock? {
        while !steps.isEmpty {
            switch steps.removeFirst() {
            case .block(let block): return block
            case .silence(let semaphore): semaphore.wait()
            case .loss: throw EarshotError(.deviceUnavailable, "The double has gone away: make another.")
            case .end: return nil
            }
        }
        return nil
    }
}

/// What stands in place of a device: gives one answer after the other to whoever opens it.
final class DeviceDouble: Sendable {
    enum Answer: Sendable {
        case steps([MicrophoneDouble.Step], route: String? = nil)
        case refusal(EarshotError)
    }

    private let answers: Mutex<[Answer]>

    init(_ answers: [Answer]) {
        self.answers = Mutex(answers)
    }

    func open(_ cancellation: Cancellation) throws(EarshotError) -> any CaptureInput {
        let answer = answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        switch answer {
        case .steps(let steps, let route): return MicrophoneDouble(steps, route: route)
        case .refusal(let error): throw error
        case nil: throw EarshotError(.deviceUnavailable, "The double is not there: give it more answers.")
        }
    }
}

/// Blocks of sound that tell which they are.
enum Tone {
    static let format = AudioFormat(sampleRate: 8_000, channelCount: 1, sampleType: .int16)

    /// Blocks of `milliseconds` each, one behind the other from zero on.
    static func blocks(_ count: Int, milliseconds: Int = 50, from first: Int = 0) -> [AudioBlock] {
        let frames = 8 * milliseconds
        return (0..<count).map { index in
            AudioBlock(
                AudioBuffer([Int16](repeating: Int16(first + index), count: frames), sampleRate: 8_000),
                at: MediaTime(frames: Int64(index * frames), sampleRate: 8_000)
            )
        }
    }

    static func steps(_ count: Int, from first: Int = 0) -> [MicrophoneDouble.Step] {
        blocks(count, from: first).map { .block($0) }
    }

    /// Which block it is.
    static func number(_ block: AudioBlock) -> Int {
        guard case .int16(let samples) = block.buffer.samples, let first = samples.first else { return -1 }
        return Int(first)
    }
}

/// A clock on which every wait is over at once, having taken its time.
final class InstantClock: Sendable {
    private let time = Mutex(MediaTime.zero)

    var clock: MediaClock {
        MediaClock(
            read: { self.time.withLock { $0 } },
            wait: { until in self.time.withLock { $0 = max($0, until) } }
        )
    }
}

extension Sequence<AudioBlock> {
    /// The times that are missing between the blocks.
    var gaps: [MediaTime] {
        var end: MediaTime?
        var gaps: [MediaTime] = []
        for block in self {
            if let end, block.time != end { gaps.append(block.time - end) }
            end = block.endTime
        }
        return gaps
    }
}

extension MediaTime {
    static func milliseconds(_ count: Int64) -> MediaTime { MediaTime(value: count, timescale: 1_000) }
    static func seconds(_ count: Int64) -> MediaTime { MediaTime(value: count, timescale: 1) }
}

/// Everything a live source delivers until its end, and the error there.
func drain(_ source: some AudioSource) async -> (blocks: [AudioBlock], error: EarshotError?) {
    var blocks: [AudioBlock] = []
    do {
        for try await block in source { blocks.append(block) }
    } catch let error as EarshotError {
        return (blocks, error)
    } catch {
        return (blocks, EarshotError(.internalError, "Something else was thrown.", cause: error))
    }
    return (blocks, nil)
}

func drain(_ events: AsyncStream<CaptureEvent>) async -> [CaptureEvent] {
    var all: [CaptureEvent] = []
    for await event in events { all.append(event) }
    return all
}
