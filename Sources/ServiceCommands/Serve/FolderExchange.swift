import EarshotCore
import Foundation

/// Gives prepared files and folders the names of those in a service's folder, all of them or none.
///
/// What is prepared lies in a hidden folder beside them. A plan is written first, so that an exchange that is cut off is
/// finished the next time the folder is held.
struct FolderExchange {
    private static let stagingName = ".restoring"
    private static let planName = "plan.json"
    private static let asideName = "replaced"

    /// The names to be exchanged, and those to be removed.
    private struct Plan: Codable {
        var names: [String]
        var removals: [String]
    }

    private let folder: URL
    /// The folder for what is prepared; only its owner may enter it.
    let staging: URL

    private init(_ folder: URL) {
        self.folder = folder
        staging = folder.appendingPathComponent(Self.stagingName, isDirectory: true)
    }

    /// Begins an exchange. What an earlier one has left behind is removed.
    ///
    /// - Parameter folder: The folder whose contents are exchanged; nobody else may change it.
    /// - Throws: `writeFailed`.
    init(in folder: URL) throws(EarshotError) {
        self.init(folder)
        try? FileManager.default.removeItem(at: staging)
        do {
            try FileManager.default.createDirectory(
                at: staging,
                withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw EarshotError(
                .writeFailed,
                "\(staging.path) cannot be made: check the rights of \(folder.path), and the room left.",
                cause: error
            )
        }
    }

    /// Finishes an exchange that was cut off, or removes what was only prepared.
    ///
    /// - Throws: `writeFailed` when a name cannot be given.
    static func finishInterrupted(in folder: URL) throws(EarshotError) {
        let exchange = FolderExchange(folder)
        guard FileManager.default.fileExists(atPath: exchange.staging.path) else { return }
        let url = exchange.staging.appendingPathComponent(planName)
        if let data = FileManager.default.contents(atPath: url.path),
            let plan = try? JSONDecoder().decode(Plan.self, from: data)
        {
            try exchange.carryOut(plan)
        } else if exchange.exists(exchange.aside) {
            // What was put aside has no other place.
            throw EarshotError(
                .writeFailed,
                "\(exchange.staging.path) has files of an exchange whose plan cannot be read: move those in \(asideName) back to "
                    + "\(folder.path), and remove it."
            )
        }
        exchange.discard()
    }

    /// Removes what was prepared.
    func discard() { try? FileManager.default.removeItem(at: staging) }

    /// Gives everything that was prepared its name.
    ///
    /// - Parameter removals: Names of what is removed besides.
    /// - Throws: `writeFailed`; the folder is then as it was.
    func commit(removing removals: [String]) throws(EarshotError) {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: staging.path).sorted()
        } catch {
            throw EarshotError(.writeFailed, "\(staging.path) cannot be read: check its rights.", cause: error)
        }
        let plan = Plan(names: names, removals: removals)
        guard let data = try? JSONEncoder().encode(plan) else {
            throw EarshotError(
                .internalError,
                "The plan of an exchange of folders could not be encoded: please report this."
            )
        }
        Durability.flush(folder: staging.path)
        do throws(EarshotError) {
            try AtomicFile.write(Array(data), to: staging.appendingPathComponent(Self.planName), replacing: false)
            try carryOut(plan)
        } catch {
            // The plan stays as long as anything is not back: the next program that holds the folder finishes the exchange.
            guard rollBack(plan) else {
                throw EarshotError(
                    .writeFailed,
                    "\(error.message) What was there before is in \(aside.path) as far as it could not be put back.",
                    cause: error
                )
            }
            discard()
            throw error
        }
        discard()
    }

    /// The files that go with a name: what SQLite has beside a database belongs to the one that it was written for.
    private static func family(_ name: String) -> [String] {
        name.hasSuffix(".sqlite") ? [name + "-wal", name + "-shm", name] : [name]
    }

    private var aside: URL { staging.appendingPathComponent(Self.asideName, isDirectory: true) }

    private func exists(_ url: URL) -> Bool {
        // Attributes are those of a link itself, wherever it leads.
        (try? FileManager.default.attributesOfItem(atPath: url.path)) != nil
    }

    /// May be called again after it was cut off: what has its name already is passed over.
    private func carryOut(_ plan: Plan) throws(EarshotError) {
        guard mkdir(aside.path, 0o700) == 0 || errno == EEXIST else { throw failed(aside) }
        for name in plan.names {
            let prepared = staging.appendingPathComponent(name)
            guard exists(prepared) else { continue }
            try putAside(name)
            let target = folder.appendingPathComponent(name)
            guard rename(prepared.path, target.path) == 0 else { throw failed(target) }
        }
        for name in plan.removals { try putAside(name) }
        Durability.flush(folder: folder.path)
    }

    private func putAside(_ name: String) throws(EarshotError) {
        for name in Self.family(name) {
            let url = folder.appendingPathComponent(name)
            guard exists(url) else { continue }
            guard rename(url.path, aside.appendingPathComponent(name).path) == 0 else { throw failed(url) }
        }
    }

    /// Brings back what was put aside.
    ///
    /// - Returns: `true` if everything is where it was.
    private func rollBack(_ plan: Plan) -> Bool {
        var isBack = true
        for name in (plan.names + plan.removals).reversed() {
            let url = folder.appendingPathComponent(name)
            let isPrepared = exists(staging.appendingPathComponent(name))
            if plan.names.contains(name), !isPrepared {
                isBack = rename(url.path, staging.appendingPathComponent(name).path) == 0 && isBack
            }
            for name in Self.family(name) where exists(aside.appendingPathComponent(name)) {
                // What never left its place is not what lies there.
                let target = folder.appendingPathComponent(name)
                guard !exists(target) else { continue }
                isBack = rename(aside.appendingPathComponent(name).path, target.path) == 0 && isBack
            }
        }
        return isBack
    }

    private func failed(_ url: URL) -> EarshotError {
        EarshotError(
            .writeFailed,
            "\(url.path) cannot be replaced (\(String(cString: strerror(errno)))): check its folder and its rights."
        )
    }
}
