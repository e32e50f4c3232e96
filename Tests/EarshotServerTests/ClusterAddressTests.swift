import EarshotCore
import Foundation
import NIOCore
import TestSupport
import Testing

@testable import EarshotServer

@Suite("The address at which a node listens for others", .timeLimit(.minutes(2)))
struct ClusterAddressTests {
    /// Starts a node that is to listen for others at an address that it cannot have.
    private func failure(_ address: NodeAddress, _ cluster: TestCluster) async throws -> EarshotError? {
        var settings = ServiceSettings()
        (settings.clusterAddress, settings.cacheBytes) = (address, 1 << 30)
        let prepare = { (parts: inout RecognitionServer.Parts) async throws in try await cluster.join(&parts) }
        return await #expect(throws: EarshotError.self) {
            try await TestService.run(settings, accounts: cluster.accounts, prepare: prepare) {
                (_: TestService) async throws in
                Issue.record("The node answers clients.")
            }
        }
    }

    @Test("a port that is taken is named with its setting, and no client is answered")
    func taken() async throws {
        let cluster = try await TestCluster()
        try await cluster.run { (node: TestCluster.Node) async throws in
            let address = try NodeAddress(node.address)
            let error = try await failure(address, cluster)
            #expect(error?.code == .storeUnavailable)
            #expect(
                error?.message
                    == "Port \(address.port) of 127.0.0.1 is taken by another program: choose another with clusterAddress."
            )
        }
    }

    @Test("an address of another machine is named with its setting, and no client is answered")
    func elsewhere() async throws {
        // Of a net for documentation, which no machine has.
        let error = try await failure(NodeAddress(host: "192.0.2.1", port: 0), TestCluster())
        #expect(error?.code == .configurationInvalid)
        #expect(
            error?.message == "192.0.2.1 is no address of this machine: set clusterAddress to one that it has."
        )
    }

    @Test("a host that nobody knows is named with its setting")
    func unknown() throws {
        // A label of a name has 63 characters at most: nobody need be asked for it.
        let host = String(repeating: "a", count: 64) + ".invalid"
        let cause = try #require(throws: SocketAddressError.UnknownHost.self) {
            try SocketAddress.makeAddressResolvingHost(host, port: 7_100)
        }
        let error = RecognitionServer.explained(
            cause,
            host,
            7_100,
            setting: "clusterAddress",
            hostSetting: "clusterAddress"
        )
        let told = error as? EarshotError
        #expect(told?.code == .configurationInvalid)
        #expect(told?.message.contains(host) == true && told?.message.contains("clusterAddress") == true)
    }
}
