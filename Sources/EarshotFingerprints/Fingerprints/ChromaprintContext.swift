import CChromaprint
import EarshotCore
import Synchronization

/// An owner for Chromaprint's state of computation. Not thread-safe.
final class ChromaprintContext {
    /// With one of its libraries for Fourier transforms, Chromaprint makes and frees states on one thread at a time only.
    private static let making = Mutex(())

    private let state: OpaquePointer

    init(_ algorithm: FileFingerprint.Algorithm) throws(EarshotError) {
        let state = Self.making.withLock { _ in chromaprint_new(Int32(algorithm.rawValue)).map(Held.init) }
        guard let state else { throw Self.failed("be begun") }
        self.state = state.pointer
    }

    deinit {
        let state = Held(pointer: state)
        Self.making.withLock { _ in chromaprint_free(state.pointer) }
    }

    /// A pointer on its way into a lock and out of it.
    private struct Held: @unchecked Sendable {
        // Sendable: whoever holds it is the only one that does.
        let pointer: OpaquePointer
    }

    /// The version of the library, for example `1.5.1`.
    static var version: String { String(cString: chromaprint_get_version()) }

    /// The rate at which audio is wanted, in hertz.
    var sampleRate: Int { Int(chromaprint_get_sample_rate(state)) }
    /// Frames at that rate that lie between audio and the sub-fingerprints that it decides.
    var delay: Int { Int(chromaprint_get_delay(state)) }
    /// The same in milliseconds.
    var delayMilliseconds: Int { Int(chromaprint_get_delay_ms(state)) }

    /// Begins anew with audio of one channel at ``sampleRate``.
    func start() throws(EarshotError) {
        guard chromaprint_start(state, Int32(sampleRate), 1) == 1 else { throw Self.failed("be begun") }
    }

    /// Takes the next samples.
    func feed(_ samples: UnsafeBufferPointer<Int16>) throws(EarshotError) {
        var rest = samples[...]
        while !rest.isEmpty {
            let part = UnsafeBufferPointer(rebasing: rest.prefix(1 << 20))
            guard chromaprint_feed(state, part.baseAddress, Int32(part.count)) == 1 else {
                throw Self.failed("go on")
            }
            rest = rest.dropFirst(part.count)
        }
    }

    /// Works out what was still held back.
    func finish() throws(EarshotError) {
        guard chromaprint_finish(state) == 1 else { throw Self.failed("be ended") }
    }

    /// Forgets the sub-fingerprints so far, and goes on with the audio.
    func clear() throws(EarshotError) {
        guard chromaprint_clear_fingerprint(state) == 1 else { throw Self.failed("go on") }
    }

    /// The sub-fingerprints so far.
    func values() throws(EarshotError) -> [UInt32] {
        var size: Int32 = 0
        guard chromaprint_get_raw_fingerprint_size(state, &size) == 1 else { throw Self.failed("be read") }
        guard size > 0 else { return [] }
        var values: UnsafeMutablePointer<UInt32>?
        guard chromaprint_get_raw_fingerprint(state, &values, &size) == 1, let values else {
            throw Self.failed("be read")
        }
        defer { chromaprint_dealloc(values) }
        return Array(UnsafeBufferPointer(start: values, count: Int(size)))
    }

    private static func failed(_ what: String) -> EarshotError {
        EarshotError(
            .internalError,
            "The Chromaprint fingerprint cannot \(what): memory may be short; end other programs."
        )
    }
}
