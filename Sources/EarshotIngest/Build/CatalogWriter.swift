package import EarshotCatalogs
package import EarshotCore
import EarshotSignatures
package import Foundation

/// Brings batches of changes into a catalog of either form: into a store at once, into a file at the end.
///
/// A new file comes together in a store, its workshop, so that it need not fit into the memory.
package final class CatalogWriter {
    /// References that a store is given at once, at most.
    package static let batchCount = 64
    /// Bytes that they may take there, about.
    private static let batchBytes = 64 << 20

    /// References to be removed, then others to be added.
    package struct Batch {
        package var removals: [ReferenceID] = []
        package var additions: [Catalog.Addition] = []
        /// The policy for duplicates among them; `nil` for the usual one.
        package var duplicates: DuplicatePolicy?
    }

    package let form: CatalogForm
    private let url: URL
    /// The store that takes the batches, unless they wait in memory for the end.
    private let storeURL: URL?
    private let policy: DuplicatePolicy
    private let isNew: Bool
    /// The time to wait for another program that changes the catalog.
    private let patience: LockPatience
    /// Held for a file: what is written at the end must be what was read at the beginning.
    private let lock: CatalogLock?
    private var isChanged = false
    /// The catalog with all batches so far.
    package private(set) var catalog: Catalog

    /// For a catalog that is not there yet. It comes to be with the first batch that is a store's, or at the end.
    ///
    /// - Parameter workshop: The folder in which a file is put together. What an interrupted run has left there is
    ///   removed; the caller removes what this one leaves.
    package init(
        creating url: URL,
        limits: QueryLimits,
        duplicates: DuplicatePolicy,
        workshop: URL,
        patience: LockPatience
    ) throws(EarshotError) {
        self.url = url
        self.patience = patience
        form = CatalogForm(url)
        try CatalogForm.awaitTurn(url, patience: patience)
        switch form {
        case .store: storeURL = url
        case .file:
            try? FileManager.default.removeItem(at: workshop)
            storeURL = workshop
        }
        policy = duplicates
        isNew = !FileManager.default.fileExists(atPath: url.path)
        lock = nil
        catalog = isNew ? Catalog(queryLimits: limits) : try Catalog(contentsOf: url)
    }

    /// For a catalog that is there.
    package init(changing url: URL, duplicates: DuplicatePolicy, patience: LockPatience) throws(EarshotError) {
        self.url = url
        self.patience = patience
        form = CatalogForm(url)
        if case .store = form { storeURL = url } else { storeURL = nil }
        policy = duplicates
        isNew = false
        if case .file = form {
            lock = try CatalogLock(url, patience: patience)
        } else {
            lock = nil
            try CatalogForm.awaitTurn(url, patience: patience)
        }
        catalog = try Catalog(contentsOf: url)
    }

    /// Cuts additions into batches for one commit each.
    package static func batches(_ additions: [Catalog.Addition], count: Int = batchCount) -> [[Catalog.Addition]] {
        var batches: [[Catalog.Addition]] = [[]]
        var bytes = 0
        for addition in additions {
            // Landmarks take about as much again, four times over, in the index.
            let size = Int(addition.signature.duration.seconds) * 600
            if batches[batches.count - 1].count >= count || bytes + size > batchBytes && bytes > 0 {
                batches.append([])
                bytes = 0
            }
            batches[batches.count - 1].append(addition)
            bytes += size
        }
        return batches.filter { !$0.isEmpty }
    }

    /// Makes the changes of a batch, all of them in one step. In a store they are on the disk then.
    ///
    /// - Throws: Errors of a change, and with the policy `fail` the first refusal; nothing of the batch is kept then.
    package func commit(_ batch: Batch) throws -> [Catalog.AdditionOutcome] {
        guard !batch.removals.isEmpty || !batch.additions.isEmpty else { return [] }
        let policy = batch.duplicates ?? policy
        func apply(_ catalog: inout Catalog) throws -> [Catalog.AdditionOutcome] {
            for id in batch.removals { try catalog.remove(id) }
            let outcomes = try catalog.add(batch.additions, duplicates: policy)
            if policy == .fail, let failure = outcomes.lazy.compactMap(\.failure).first { throw failure }
            return outcomes
        }
        guard let storeURL else {
            var changed = catalog
            let outcomes = try apply(&changed)
            catalog = changed
            isChanged = isChanged || !batch.removals.isEmpty || outcomes.contains(where: \.isAdded)
            return outcomes
        }
        let store =
            CatalogStore.exists(at: storeURL)
            ? try CatalogStore(storeURL, patience: patience)
            : try CatalogStore.create(at: storeURL, queryLimits: catalog.queryLimits)
        let outcomes = try store.change(apply)
        catalog = store.catalog
        isChanged = true
        return outcomes
    }

    /// Writes a file.
    package func finish() throws {
        if case .file = form, isChanged { try catalog.write(to: url, replacing: !isNew) }
    }
}
