import EarshotCore
import TestSupport
import Testing

@testable import EarshotServer

@Suite("The address of a node")
struct NodeAddressTests {
    @Test(
        "is read and told in the same way",
        arguments: ["10.0.0.3:7100", "node-1.example:80", "[fd00::3]:7100", "a:0"]
    )
    func reading(text: String) throws {
        #expect(try NodeAddress(text).text == text)
    }

    @Test(
        "without a host that others can reach, or without a port, it is refused",
        arguments: [
            "", "10.0.0.3", ":7100", "0.0.0.0:7100", "[::]:7100", "*:7100", "fd00::3:7100", "a:70000", "a/b:1", "a:-1",
        ]
    )
    func refusals(text: String) {
        #expect(code { _ = try NodeAddress(text) } == .configurationInvalid)
    }
}
