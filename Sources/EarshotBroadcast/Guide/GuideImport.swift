public import EarshotCore
import EarshotMusic
public import Foundation

/// Imports program guides into a store.
///
/// The schedule of each channel is replaced from the first airing in the guide to the end of its last: earlier
/// announcements that are not in it are removed. Airings before and after it stay, and so do those in a gap of more
/// than two days in the guide.
public struct GuideImport: Sendable {
    /// The result of an import.
    public struct Summary: Hashable, Sendable {
        /// The number of channels that were stored.
        public var channels = 0
        /// The number of programs that were stored.
        public var programs = 0
        /// The number of airings that were stored.
        public var airings = 0
        /// The notes about entries that were skipped or corrected, by line.
        public var notes: [XMLTVGuide.Note] = []
        /// The number of notes, including those beyond the limit.
        public var noteCount = 0
    }

    /// The store of the guide.
    public let store: any GuideStore
    /// The reader.
    public let reader: XMLTVReader
    /// The number of changes that are applied together.
    public let batchSize: Int

    /// Creates an import into a store.
    ///
    /// - Parameters:
    ///   - store: The store of the guide.
    ///   - reader: The reader.
    ///   - batchSize: The number of changes that are applied together.
    public init(into store: any GuideStore, reader: XMLTVReader = XMLTVReader(), batchSize: Int = 1_000) {
        self.store = store
        self.reader = reader
        self.batchSize = max(1, batchSize)
    }

    /// Imports an XMLTV file. The file is read to its end before anything is stored.
    ///
    /// - Parameter url: The file, not compressed.
    /// - Returns: The result of the import.
    /// - Throws: The errors of ``XMLTVReader/guide(contentsOf:)`` and of ``run(_:)``.
    @discardableResult
    public func run(contentsOf url: URL) async throws(EarshotError) -> Summary {
        let reader = reader
        return try await run(
            try await BlockingWork.run { () throws(EarshotError) in try reader.guide(contentsOf: url) }
        )
    }

    /// Imports a guide that was read.
    ///
    /// - Parameter guide: The guide.
    /// - Returns: The result of the import.
    /// - Throws: The errors of the store; `cancelled` if the task is canceled.
    @discardableResult
    public func run(_ guide: XMLTVGuide) async throws(EarshotError) -> Summary {
        var summary = Summary()
        (summary.notes, summary.noteCount) = (guide.notes, guide.noteCount)
        var names: [EntityID<BroadcastChannel>: EntityID<BroadcastChannel>] = [:]
        var changes: [GuideChange] = []
        for channel in guide.channels {
            let known = try await known(channel)
            names[channel.id] = known?.id ?? channel.id
            changes.append(.channel(known.map { $0.filled(from: channel) } ?? channel))
            summary.channels += 1
            try await put(&changes, beyond: batchSize)
        }
        var programs = Dictionary(guide.programs.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        for schedule in guide.schedules {
            let channel = names[schedule.channel] ?? schedule.channel
            var slots: [GuideSlot] = []
            for slot in schedule.slots {
                slots.append(try slot.moved(to: channel))
                // Stored together with its airings. Between two batches, a cleanup would remove programs without
                // airings.
                guard let program = programs.removeValue(forKey: slot.program) else { continue }
                try await add(program, to: &changes, &summary)
            }
            changes.append(.schedule(try GuideSchedule(channel: channel, span: schedule.span, slots: slots)))
            summary.airings += slots.count
            // A schedule has many rows, so it counts as a hundred changes.
            try await put(&changes, beyond: batchSize / 100)
        }
        for program in guide.programs where programs[program.id] != nil {
            try await add(program, to: &changes, &summary)
            try await put(&changes, beyond: batchSize)
        }
        try await put(&changes, beyond: 0)
        return summary
    }

    private func add(
        _ program: Program,
        to changes: inout [GuideChange],
        _ summary: inout Summary
    ) async throws(EarshotError) {
        var program = program
        // Guides do not name the work of a program, so a work that was set is kept.
        if let work = try await store.program(program.id, links: true)?.work { program.work = work }
        changes.append(.program(program))
        summary.programs += 1
    }

    /// Returns the store's channel for a channel of a guide: the one with the guide's identifier as its own or as an
    /// external one.
    private func known(_ channel: BroadcastChannel) async throws(EarshotError) -> BroadcastChannel? {
        let identifier = XMLText.id(of: channel)
        return try await store.channel(identifier: identifier, tag: "", source: .xmltv, links: true)
    }

    private func put(_ changes: inout [GuideChange], beyond count: Int) async throws(EarshotError) {
        guard changes.count > count else { return }
        if Task.isCancelled { throw EarshotError(.cancelled, "The import of the guide was canceled; begin it anew.") }
        try await store.apply(changes)
        changes.removeAll()
    }
}

extension BroadcastChannel {
    /// Returns the channel with the details of a guide. A channel that came from a guide is replaced by the newer one;
    /// otherwise only missing details are added.
    fileprivate func filled(from guide: BroadcastChannel) -> BroadcastChannel {
        var channel = id == guide.id ? guide : self
        let other = id == guide.id ? self : guide
        channel.tag = tag
        channel.callSign = channel.callSign ?? other.callSign
        channel.number = channel.number ?? other.number
        channel.icon = channel.icon ?? other.icon
        channel.address = channel.address ?? other.address
        for link in other.externalIdentifiers where !channel.externalIdentifiers.contains(link) {
            channel.externalIdentifiers.append(link)
        }
        return channel
    }
}
