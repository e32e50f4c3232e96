package import EarshotCore
package import Foundation

/// Work on all stores of a service together, by the program that runs it.
package protocol StoreMaintenance: Sendable {
    /// Copies the stores into a new folder, and reports progress from 0 to 1.
    func backUp(to folder: URL, progress: @escaping @Sendable (Double) -> Void) async throws(EarshotError)
    /// Looks for damage, and returns a sentence for each fault.
    func faults() async throws(EarshotError) -> [String]
}
