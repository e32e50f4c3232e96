import ArgumentParser
import CommandKit
import EarshotAPI
import EarshotCatalogs
import EarshotCore
import EarshotRecognition
import EarshotSQLite
import EarshotServer
import Foundation

struct AdminCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "admin",
        abstract: "Look after a service: clients, users, tokens, quotas, backups.",
        discussion: """
            These commands work on the service's folder, whether the service runs or not. A running one knows of changes \
            within seconds.

            EXAMPLES
              earshot admin client add "My app"
              earshot admin client change 12345678 --without reviews --without coverArt
              earshot admin client add "Label" --right references --right bundles
              earshot admin quota 12345678 --client 10000 --user 100
              earshot admin client add "Second screen" --module monitoring --search television,archive
              earshot admin license 12345678 --service https://tv.example > app.earlicence
              earshot admin bundle add ads-13.earbundle
              earshot admin fingerprints add Music
              earshot admin app add sketcher --name Sketcher --site https://sketcher.example
              earshot admin backup /backups/2026-01-31
            """,
        subcommands: [
            Client.self, User.self, Token.self, Link.self, Keys.self, Quota.self, App.self, LicenseFor.self, Shelf.self,
            Fingerprints.self,
            Audit.self, Backup.self, Restore.self, Check.self, MigrateData.self,
        ]
    )

    // MARK: - Clients

    struct Client: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "client",
            abstract: "Applications that the service serves.",
            subcommands: [List.self, Add.self, Change.self, Renew.self, Remove.self]
        )

        static func show(_ records: [ClientRecord], asJSON: Bool) throws {
            if asJSON { return Terminal.print(try JSON.document(["clients": records])) }
            for record in records {
                let missing = Entitlement.allCases.filter { !record.entitlements.contains($0) }.map(\.rawValue)
                var notes: [String] = []
                if !record.isEnabled { notes.append("not served") }
                if !record.rights.isEmpty {
                    let names = record.rights.map(\.rawValue).joined(separator: ", ")
                    notes.append("with the \(record.rights.count == 1 ? "right" : "rights") \(names)")
                }
                if let quota = record.quota { notes.append("\(quota) a day") }
                if let limit = record.userLimit { notes.append("up to \(DisplayText.plural(limit, "user", "users"))") }
                if record.modules.count < Registration.Module.allCases.count {
                    notes.append("for \(record.modules.map(\.rawValue).joined(separator: " and ")) only")
                }
                if record.searchOrder != ServiceClient.standardOrder {
                    notes.append("looks at \(record.searchOrder.map(\.rawValue).joined(separator: ", then "))")
                }
                if let quota = record.userQuota { notes.append("\(quota) a day and user") }
                if !missing.isEmpty { notes.append("without \(missing.joined(separator: ", "))") }
                Terminal.print(
                    "\(Terminal.bold(record.id))  \(record.name)"
                        + (notes.isEmpty ? "" : "  " + Terminal.dim(notes.joined(separator: "; ")))
                )
                if let identifier = record.identifier { Terminal.print("identifier, shown this once: \(identifier)") }
            }
            if records.isEmpty { Terminal.print("There are no clients.") }
        }

        struct List: AsyncParsableCommand {
            static let configuration = CommandConfiguration(abstract: "List all clients.")
            @OptionGroup var folder: DataFolder
            @Flag(name: .long, help: "Print one JSON object.") var json = false

            func run() async throws {
                try Client.show(try await folder.accounts().clients().map { ClientRecord($0) }, asJSON: json)
            }
        }

        struct Add: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                abstract: "Make a client and print its identifier, of which only a digest is kept."
            )
            @Argument(help: "What it is called.") var name: String
            @OptionGroup var change: ChangeOptions
            @OptionGroup var folder: DataFolder
            @Flag(name: .long, help: "Print one JSON object.") var json = false

            func run() async throws {
                var wanted = change.change(of: nil)
                wanted.name = name
                let (client, identifier) = try await ClientRegister(try await folder.accounts()).make(
                    wanted,
                    at: Date()
                )
                folder.record("admin client add", ["id": client.id, "name": client.name])
                try Client.show([ClientRecord(client, identifier: identifier)], asJSON: json)
            }
        }

        struct Change: AsyncParsableCommand {
            static let configuration = CommandConfiguration(abstract: "Change what a client may do.")
            @Argument(help: "The client's id.") var id: String
            @Option(name: .long, help: "What it is called.") var name: String?
            @OptionGroup var change: ChangeOptions
            @OptionGroup var folder: DataFolder
            @Flag(name: .long, help: "Print one JSON object.") var json = false

            func run() async throws {
                let register = ClientRegister(try await folder.accounts())
                var wanted = change.change(of: try await register.client(id))
                wanted.name = name
                let changed = try await register.change(id, wanted)
                folder.record("admin client change", ["id": changed.id])
                try Client.show([ClientRecord(changed)], asJSON: json)
            }
        }

        struct Renew: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                abstract:
                    "Give a client a new secret tag; the old identifier, and tokens of before, are worth nothing from now on."
            )
            @Argument(help: "The client's id.") var id: String
            @OptionGroup var folder: DataFolder
            @Flag(name: .long, help: "Print one JSON object.") var json = false

            func run() async throws {
                let (client, identifier) = try await ClientRegister(try await folder.accounts()).renewTag(
                    id,
                    at: Date()
                )
                folder.record("admin client renew", ["id": client.id])
                try Client.show([ClientRecord(client, identifier: identifier)], asJSON: json)
            }
        }

        struct Remove: AsyncParsableCommand {
            static let configuration = CommandConfiguration(abstract: "Forget a client, its users and their histories.")
            @Argument(help: "The client's id.") var id: String
            @Flag(name: .long, help: "Do it.") var yes = false
            @OptionGroup var folder: DataFolder
            @OptionGroup var format: JSONOption

            func validate() throws {
                guard yes else {
                    throw ValidationError("The users of \(id) and their histories would be gone: say --yes.")
                }
            }

            func run() async throws {
                let accounts = try await folder.accounts()
                let client = try await ClientRegister(accounts).client(id)
                try await accounts.removeClient(client.id)
                folder.record("admin client remove", ["id": client.id])
                try format.print("Forgotten: \(client.id) \(client.name)", ["removed": .string("\(client.id)")])
            }
        }
    }

    /// The settings of a client that may be changed.
    struct ChangeOptions: ParsableArguments {
        @Option(
            name: .customLong("with"),
            help: "Entitle it to this: \(Entitlement.allCases.map(\.rawValue).joined(separator: ", ")).",
            transform: ChangeOptions.entitlement
        )
        var granted: [Entitlement] = []
        @Option(name: .customLong("without"), help: "Do not entitle it to this.", transform: ChangeOptions.entitlement)
        var refused: [Entitlement] = []
        @Option(
            name: .customLong("module"),
            help: "Serve it this kind of queries only; may be said twice: monitoring, music.",
            transform: ChangeOptions.module
        )
        var modules: [Registration.Module] = []
        @Option(
            name: .customLong("search"),
            help: "Where to look for what is on, in this order: archive, television, music, with commas between them.",
            transform: ChangeOptions.order
        )
        var order: [BroadcastAnswer.Source]?
        @Option(
            name: .customLong("right"),
            help: "Give it this right: \(ClientRight.allCases.map(\.rawValue).joined(separator: ", ")).",
            transform: ChangeOptions.right
        )
        var rights: [ClientRight] = []
        @Option(name: .customLong("no-right"), help: "Take this right from it.", transform: ChangeOptions.right)
        var lostRights: [ClientRight] = []
        @Flag(name: .long, inversion: .prefixedNo, help: "Give it all rights; --no-references takes all.")
        var references: Bool?
        @Flag(name: .long, inversion: .prefixedNo, help: "Serve it.")
        var enabled: Bool?

        private static func entitlement(_ text: String) throws -> Entitlement {
            guard let entitlement = Entitlement(rawValue: text) else {
                throw ValidationError(
                    "\(text) is none of \(Entitlement.allCases.map(\.rawValue).joined(separator: ", "))."
                )
            }
            return entitlement
        }

        private static func right(_ text: String) throws -> ClientRight {
            guard let right = ClientRight(rawValue: text) else {
                throw ValidationError(
                    "\(text) is no right: say \(ClientRight.allCases.map(\.rawValue).joined(separator: ", "))."
                )
            }
            return right
        }

        private static func module(_ text: String) throws -> Registration.Module {
            guard let module = Registration.Module(rawValue: text) else {
                throw ValidationError("\(text) is no kind of queries: say monitoring or music.")
            }
            return module
        }

        private static func order(_ text: String) throws -> [BroadcastAnswer.Source] {
            try text.split(separator: ",").map { name in
                guard let source = BroadcastAnswer.Source(rawValue: name.trimmingCharacters(in: .whitespaces)) else {
                    throw ValidationError("\(name) is no place to look: say archive, television or music.")
                }
                return source
            }
        }

        func change(of client: ServiceClient?) -> ClientChange {
            var change = ClientChange()
            if !modules.isEmpty { change.modules = modules }
            change.searchOrder = order
            if !granted.isEmpty || !refused.isEmpty {
                let before = client?.entitlements ?? Set(Entitlement.allCases)
                change.entitlements = Entitlement.allCases.filter {
                    !refused.contains($0) && (before.contains($0) || granted.contains($0))
                }
            }
            if references != nil || !rights.isEmpty || !lostRights.isEmpty {
                let before = references.map { $0 ? Set(ClientRight.allCases) : [] } ?? client?.rights ?? []
                change.rights = ClientRight.allCases.filter {
                    !lostRights.contains($0) && (before.contains($0) || rights.contains($0))
                }
            }
            change.isEnabled = enabled
            return change
        }
    }

    // MARK: - Users, tokens, quotas

    struct User: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "user",
            abstract: "People who use a client.",
            subcommands: [List.self, Remove.self]
        )

        struct List: AsyncParsableCommand {
            static let configuration = CommandConfiguration(abstract: "List the users of a client.")
            @Argument(help: "The client's id.") var client: String
            @Option(name: .long, help: "How many, at most.") var limit = 100
            @Option(name: .long, help: "Leave out so many of the first.") var offset = 0
            @OptionGroup var folder: DataFolder
            @Flag(name: .long, help: "Print one JSON object.") var json = false

            private struct Line: Encodable {
                let id: String
                let created: Date
                let history: Int
            }

            func run() async throws {
                let accounts = try await folder.accounts()
                let client = try await ClientRegister(accounts).client(client)
                var lines: [Line] = []
                for user in try await accounts.users(of: client.id, offset: max(0, offset), limit: max(1, limit)) {
                    lines.append(
                        Line(id: user.id, created: user.created, history: try await accounts.historyCount(of: user.id))
                    )
                }
                if json { return Terminal.print(try JSON.document(["users": lines])) }
                for line in lines {
                    Terminal.print(
                        "\(Terminal.bold(line.id))  since \(line.created.ISO8601Format())  \(DisplayText.plural(line.history, "recognition", "recognitions"))"
                    )
                }
                if lines.isEmpty { Terminal.print("Client \(client.id) has no users.") }
            }
        }

        struct Remove: AsyncParsableCommand {
            static let configuration = CommandConfiguration(abstract: "Forget a user and the user's history.")
            @Argument(help: "The user's id.") var id: String
            @Flag(name: .long, help: "Do it.") var yes = false
            @OptionGroup var folder: DataFolder
            @OptionGroup var format: JSONOption

            func validate() throws {
                guard yes else { throw ValidationError("The history of \(id) would be gone: say --yes.") }
            }

            func run() async throws {
                guard try await folder.accounts().removeUser(id) else {
                    throw EarshotError(
                        .entityNotFound,
                        "There is no user \(id): list them with `earshot admin user list`."
                    )
                }
                folder.record("admin user remove", ["id": id])
                try format.print("Forgotten: \(id)", ["removed": .string(id)])
            }
        }
    }

    struct Token: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "token",
            abstract: "Make a new token for the operator; the old one is worth nothing from now on."
        )
        @OptionGroup var folder: DataFolder
        @OptionGroup var format: JSONOption

        func run() async throws {
            let token = try await ClientRegister(try await folder.accounts()).renewAdminToken()
            folder.record("admin token")
            OperatorTokenFile(in: folder.url).remove()
            try format.print(token, ["token": .string(token)])
        }
    }

    struct Quota: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "quota",
            abstract:
                "Say how many recognitions a day a client and each of its users have, and how many users it may have."
        )
        @Argument(help: "The client's id.") var id: String
        @Option(name: .long, help: "Recognitions a day of the whole client; 0 for no limit.") var client: Int?
        @Option(name: .long, help: "Recognitions a day of each user; 0 for no limit.") var user: Int?
        @Option(name: .long, help: "How many users the client may register; 0 for no limit.") var users: Int?
        @OptionGroup var folder: DataFolder
        @Flag(name: .long, help: "Print one JSON object.") var json = false

        func run() async throws {
            let register = ClientRegister(try await folder.accounts())
            var change = ClientChange()
            change.quota = client
            change.userQuota = user
            change.userLimit = users
            let changed = try await register.change(id, change)
            folder.record("admin quota", ["id": changed.id])
            try Client.show([ClientRecord(changed)], asJSON: json)
        }
    }

    // MARK: - Care

    struct Backup: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "backup",
            abstract:
                "Copy databases, pieces, catalog and bundles, while the service runs, to a folder that is not there yet."
        )
        @Argument(help: "The folder.", completion: .directory) var target: String
        @OptionGroup var folder: DataFolder
        @OptionGroup var format: JSONOption

        func run() async throws {
            let accounts = try folder.accountFile()
            let bar = ByteBar()
            let size = [folder.musicURL, folder.accountsURL].reduce(0) { sum, url in
                sum + ((try? FileManager.default.attributesOfItem(atPath: url.path))?[.size] as? Int64 ?? 0)
            }
            let hasCatalog = CatalogStore.exists(at: folder.catalogURL)
            let catalog = hasCatalog ? try Catalog(contentsOf: folder.catalogURL) : nil
            try await folder.backup(
                music: try SQLiteMusicStore(url: folder.musicURL),
                accounts: accounts,
                guide: try SQLiteGuideStore(url: folder.guideURL),
                fingerprints: try SQLiteFingerprintStore(url: folder.fingerprintsURL),
                pieces: try SQLitePieceStore(url: folder.piecesURL),
                catalog: catalog,
                to: URL(fileURLWithPath: target)
            ) { bar.show(Int64($0 * Double(size)), size) }
            bar.finish()
            if catalog == nil {
                Terminal.note("There is no catalog at \(folder.catalogURL.path): the backup has none.")
            }
            let references = catalog.map { ": \(DisplayText.plural($0.count, "reference", "references"))" } ?? ""
            try format.print(
                "Copied to \(target)\(references)",
                ["backup": .string(target), "references": .integer(catalog?.count ?? 0)]
            )
        }
    }

    struct Restore: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "restore",
            abstract: "Put a backup in the place of the service's data. The service must not run.",
            discussion: """
                Databases, catalog and pieces are replaced. Bundles and versions of published catalogs that the backup does \
                not have stay. The backup is checked first: one that is incomplete or damaged is refused, and the folder \
                stays as it is. Live channels are not part of a backup.
                """
        )
        @Argument(help: "A folder that `earshot admin backup` made.", completion: .directory) var source: String
        @Flag(name: .long, help: "Do it.") var yes = false
        @OptionGroup var folder: DataFolder
        @OptionGroup var format: JSONOption

        func validate() throws {
            // Into a new folder nothing is replaced.
            let present = try? FileManager.default.contentsOfDirectory(atPath: folder.url.path)
            guard yes || present?.isEmpty ?? true else {
                throw ValidationError("What is in \(folder.url.path) would be replaced: say --yes.")
            }
        }

        func run() async throws {
            if let database = folder.postgreSQL { throw PostgreSQLMaintenance.refused(database) }
            let restore = ServiceRestore(URL(fileURLWithPath: source, isDirectory: true), to: folder)
            // Before a folder is made for what cannot be restored.
            try await restore.verify()
            try folder.make()
            try folder.hold()
            let report = try await restore.run()
            // The files are those to use, whatever was moved from here before.
            try folder.setMoved(to: nil)
            folder.record("admin restore", ["source": source])
            for part in report.missing {
                Terminal.note("The backup has no \(part): what is in \(report.folder) stays as it is.")
            }
            let references = report.references.map { ": \(DisplayText.plural($0, "reference", "references"))" }
            var members: [String: JSONValue] = [
                "folder": .string(report.folder), "missing": .array(report.missing.map { .string($0) }),
            ]
            members["references"] = report.references.map { .integer($0) }
            try format.print("Restored to \(report.folder)\(references ?? "")", members)
        }
    }

    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Look for damage in databases and catalog."
        )
        @OptionGroup var folder: DataFolder
        @Flag(name: .long, help: "Print one JSON object.") var json = false

        func run() async throws {
            var faults: [String] = []
            // PostgreSQL looks after its own tables.
            if folder.postgreSQL == nil {
                faults += try await folder.accountFile().check()
                faults += try await SQLiteMusicStore(url: folder.musicURL).check()
                faults += try await SQLiteGuideStore(url: folder.guideURL).check()
                faults += try await SQLiteFingerprintStore(url: folder.fingerprintsURL).check()
                faults += try await SQLitePieceStore(url: folder.piecesURL).check()
            }
            faults += try await folder.fingerprintIndexFaults()
            for url in [folder.catalogURL, folder.pieceCatalogURL] where CatalogStore.exists(at: url) {
                do throws(EarshotError) {
                    try CatalogStore.verify(url)
                } catch {
                    faults.append(error.message)
                }
            }
            if json {
                Terminal.print(try JSON.document(["faults": faults]))
            } else {
                Terminal.print(faults.isEmpty ? "Nothing is wrong." : faults.joined(separator: "\n"))
            }
            if !faults.isEmpty { throw ExitCode(1) }
        }
    }
}
