import EarshotAnalysis
import EarshotCore

/// A cache of recent waveforms, so that a file is decoded once.
///
/// The key contains the stamp of the file, so the waveform of a changed file is computed anew.
actor WaveformCache {
    /// The key of a waveform: a version of a file, and a resolution.
    struct Key: Hashable, Sendable {
        let path: String
        let stamp: String
        /// The number of frames of a run.
        let frames: Int
    }

    private struct Entry {
        let waveform: Waveform
        var use: Int
    }

    private let limit: Int
    private var entries: [Key: Entry] = [:]
    /// A waveform that is being computed, with the number of callers that wait for it.
    private struct Making {
        let id: Int
        let task: Task<Result<Waveform, EarshotError>, Never>
        var waiting: Int
    }

    private var making: [Key: Making] = [:]
    private var uses = 0
    private var size = 0

    /// - Parameter limit: The number of bytes that are kept, about; a single waveform is always kept.
    init(limit: Int = 64 << 20) {
        self.limit = limit
    }

    /// Returns a waveform from the cache, or computes it. Callers share a computation, which is canceled when the last one has left.
    ///
    /// - Throws: Errors of `make`, which are not cached.
    func waveform(
        _ key: Key,
        _ make: @escaping @Sendable () async throws(EarshotError) -> Waveform
    ) async throws(EarshotError) -> Waveform {
        uses += 1
        if let entry = entries[key] {
            entries[key]?.use = uses
            return entry.waveform
        }
        var work = making[key] ?? Making(id: uses, task: Task { await Self.result(make) }, waiting: 0)
        work.waiting += 1
        making[key] = work
        let (id, task) = (work.id, work.task)
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            Task { await self.leave(key, id) }
        }
        if making[key]?.id == id {
            making[key] = nil
            if case .success(let waveform) = result { keep(waveform, key) }
        }
        return try result.get()
    }

    private func leave(_ key: Key, _ id: Int) {
        guard var work = making[key], work.id == id else { return }
        work.waiting -= 1
        making[key] = work.waiting > 0 ? work : nil
        if work.waiting == 0 { work.task.cancel() }
    }

    private static func result(
        _ make: @Sendable () async throws(EarshotError) -> Waveform
    ) async -> Result<Waveform, EarshotError> {
        do throws(EarshotError) {
            return .success(try await make())
        } catch {
            return .failure(error)
        }
    }

    private func keep(_ waveform: Waveform, _ key: Key) {
        // Waveforms of earlier versions of the file are not needed any more.
        for old in entries.keys where old.path == key.path && old.stamp != key.stamp { remove(old) }
        uses += 1
        entries[key] = Entry(waveform: waveform, use: uses)
        size += Self.size(waveform)
        while size > limit, entries.count > 1, let oldest = entries.min(by: { $0.value.use < $1.value.use })?.key {
            remove(oldest)
        }
    }

    private func remove(_ key: Key) {
        if let entry = entries.removeValue(forKey: key) { size -= Self.size(entry.waveform) }
    }

    private static func size(_ waveform: Waveform) -> Int {
        waveform.buckets.count * MemoryLayout<WaveformBucket>.stride
    }
}
