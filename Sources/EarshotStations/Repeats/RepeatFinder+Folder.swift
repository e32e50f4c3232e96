import EarshotCatalogs
public import EarshotCore
import EarshotMusic
import EarshotSignatures
public import Foundation
import Synchronization

extension RepeatFinder {
    /// The saved form of the groups.
    private struct SavedGroups: Codable {
        var version = 1
        var nextNumber: Int
        var groups: [RepeatGroup]
    }

    private static let groupsName = "groups.json"
    private static let journalSuffix = ".earlive"

    /// Opens a finder that stores its audio in a folder. The process may end at any moment without damage.
    ///
    /// - Parameters:
    ///   - folder: The folder; created if needed. Only one finder may use it at a time.
    ///   - options: The retention and the criteria.
    /// - Returns: The finder, and a sentence for each damaged file that was left out.
    /// - Throws: `writeFailed`; `catalogInvalid` if a restored part cannot be read.
    public static func open(
        _ folder: URL,
        options: Options = Options()
    ) throws(EarshotError) -> (finder: RepeatFinder, notes: [String]) {
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw EarshotError(
                .writeFailed,
                "Cannot make the folder \(folder.path): check that you may write there.",
                cause: error
            )
        }
        var engine = RepeatEngine(options)
        var (blocks, notes) = CatalogBlocks.restore(from: folder, limits: engine.limits)
        engine.restore(blocks)
        let url = folder.appendingPathComponent(groupsName)
        if let data = FileManager.default.contents(atPath: url.path) {
            do {
                let kept = try JSONDecoder().decode(SavedGroups.self, from: data)
                if kept.version == 1 {
                    engine.groups.restore(kept.groups, nextNumber: kept.nextNumber)
                } else {
                    notes.append("\(groupsName) is left out: it has version \(kept.version); update the program.")
                }
            } catch {
                notes.append("\(groupsName) is left out: it is damaged.")
            }
        }
        blocks = engine.blocks
        let finder = RepeatFinder(options: options, folder: folder, engine: engine)
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
        try finder.state.withLock { state throws(EarshotError) in
            for name in names where name.hasPrefix("journal-") && name.hasSuffix(journalSuffix) {
                if let note = replay(folder.appendingPathComponent(name), &state.engine) { notes.append(note) }
            }
            try finder.save(&state, isComplete: true)
        }
        return (finder, notes)
    }

    /// Appends the audio of a journal again.
    private static func replay(_ url: URL, _ engine: inout RepeatEngine) -> String? {
        var reader = LiveFeedReader(name: url.lastPathComponent)
        reader.append(FileManager.default.contents(atPath: url.path) ?? Data())
        do {
            while let piece = try reader.next() {
                _ = try engine.append(
                    piece.signature,
                    at: LiveTime.step(milliseconds: piece.milliseconds),
                    channel: reader.channel?.rawValue ?? "",
                    kind: nil
                )
            }
            // A chunk at the end that is cut off by the end of the process was never acknowledged.
            return nil
        } catch {
            return "\(url.lastPathComponent) is read in part: \(error)"
        }
    }

    /// Appends a chunk to the journal before it is analyzed.
    func log(_ signature: Signature, _ milliseconds: Int64, _ channel: String, _ state: inout State)
        throws(EarshotError)
    {
        guard let folder else { return }
        if state.journals[channel] == nil {
            state.journals[channel] = try journal(channel, state.journals.count, state.engine, folder)
        }
        try state.journals[channel]?.append(signature, milliseconds: milliseconds)
    }

    private func journal(
        _ channel: String,
        _ number: Int,
        _ engine: RepeatEngine,
        _ folder: URL
    ) throws(EarshotError) -> RepeatJournal {
        let known = engine.channels[channel]
        let begin = known?.recentBegin ?? 0
        return try RepeatJournal(
            folder.appendingPathComponent("journal-\(number)\(Self.journalSuffix)"),
            channel: channel,
            signature: known?.signature(begin..<max(begin, known?.recentEnd ?? begin))
                ?? Signature(configuration: .standard, duration: .zero, landmarks: []),
            begin: begin
        )
    }

    /// Writes the changes. If parts became complete, the journals start anew.
    func save(_ state: inout State, isComplete: Bool) throws(EarshotError) {
        guard let folder else { return }
        var names: Set<String> = [Self.groupsName]
        if isComplete { names.formUnion(try state.engine.blocks.write(to: folder)) }
        if state.engine.groups.changeCount != state.savedChange || isComplete {
            state.savedChange = state.engine.groups.changeCount
            let kept = SavedGroups(
                nextNumber: state.engine.groups.nextNumber,
                groups: state.engine.groups.groups.values.sorted { $0.number < $1.number }
            )
            guard let data = try? JSONEncoder().encode(kept) else {
                throw EarshotError(.internalError, "The repeats cannot be encoded: please report this.")
            }
            try AtomicFile.write([UInt8](data), to: folder.appendingPathComponent(Self.groupsName), replacing: true)
        }
        guard isComplete else { return }
        state.journals = [:]
        for (number, channel) in state.engine.channels.keys.sorted().enumerated() {
            state.journals[channel] = try journal(channel, number, state.engine, folder)
            names.insert("journal-\(number)\(Self.journalSuffix)")
        }
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        where !names.contains(name) {
            guard CatalogBlocks.isOurs(name) || name.hasPrefix("journal-") && name.hasSuffix(Self.journalSuffix) else {
                continue
            }
            try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
        }
    }
}
