import ArgumentParser
import CommandKit
import EarshotCore
import EarshotNodes
import EarshotPostgreSQL
import Foundation

extension ClusterCommand {
    struct Drain: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Let a node begin no more work, and wait until it may be stopped.",
            discussion: """
                The node takes no job and no lease any more, and GET /ready of it answers 503, so that a load balancer sends requests to \
                others. What is under way ends. Requests that come all the same are answered. The order holds until `earshot cluster \
                undrain` or the node's end; Ctrl-C ends only the waiting.

                EXAMPLES
                  earshot cluster drain host-a --database postgresql://earshot@db/earshot
                  earshot cluster drain node-abcdefghijklmnop --no-wait

                Exit status 3: no such node lives.
                """
        )
        @Argument(help: "The node's id, or its name if no other node has it; without it the node of this machine.")
        var node: String?
        @Flag(name: .long, inversion: .prefixedNo, help: "Wait until the node may be stopped.") var wait = true
        @OptionGroup var nodes: NodeOptions
        @OptionGroup var format: JSONOption

        func run() async throws {
            let register = try await PostgreSQLNodeStore(try await nodes.pool(.existing, for: .nodes))
            let node = try await ClusterCommand.order(true, to: self.node, in: register)
            guard wait else {
                return try format.print(
                    "\(node.id) (\(node.name)) begins no more work within seconds.",
                    ["node": .string(node.id.rawValue)]
                )
            }
            var told: Int?
            while true {
                guard let record = try await register.nodes().first(where: { $0.id == node.id }) else {
                    return try format.print("\(node.id) has ended.", ["node": .string(node.id.rawValue)])
                }
                if record.isDrained { break }
                if record.isDraining, record.work == nil {
                    throw EarshotError(
                        .storeUnavailable,
                        "\(node.id) is of a version that does not tell what is under way: look at its jobs, then end it."
                    )
                }
                if record.isDraining, let work = record.work, work != told {
                    Terminal.note("\(DisplayText.plural(work, "piece", "pieces")) of work under way")
                    told = work
                }
                try await Task.sleep(for: .seconds(1))
            }
            try format.print("\(node.id) (\(node.name)) may be stopped.", ["node": .string(node.id.rawValue)])
        }
    }

    struct Undrain: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Let a node that was drained begin work again.",
            discussion: "Exit status 3: no such node lives."
        )
        @Argument(help: "The node's id, or its name if no other node has it; without it the node of this machine.")
        var node: String?
        @OptionGroup var nodes: NodeOptions
        @OptionGroup var format: JSONOption

        func run() async throws {
            let register = try await PostgreSQLNodeStore(try await nodes.pool(.existing, for: .nodes))
            let node = try await ClusterCommand.order(false, to: self.node, in: register)
            try format.print(
                "\(node.id) (\(node.name)) begins work again within seconds.",
                ["node": .string(node.id.rawValue)]
            )
        }
    }

    /// Asks a node to begin no more work, or to begin work again.
    ///
    /// - Parameter name: Its identifier or its name; `nil` for the node of this machine.
    private static func order(
        _ isDraining: Bool,
        to name: String?,
        in register: some NodeRegister
    ) async throws -> NodeRecord {
        let name = name ?? ProcessInfo.processInfo.hostName
        let nodes = try await register.nodes().filter { $0.id.rawValue == name || $0.name == name }
        guard nodes.count < 2 else {
            let ids = nodes.map(\.id.rawValue).joined(separator: ", ")
            throw EarshotError(.requestInvalid, "Several nodes are called \(name): name one of \(ids).")
        }
        guard let node = nodes.first, try await register.setDraining(isDraining, of: node.id) else {
            Terminal.note("No node \(name) lives: `earshot cluster status` lists those that do.")
            throw ExitCode(3)
        }
        return node
    }
}
