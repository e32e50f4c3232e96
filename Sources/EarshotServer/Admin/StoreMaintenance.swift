package import EarshotCore
package import Foundation

/// Backup and checks of all stores of a service together. The program that runs the service implements it.
package protocol StoreMaintenance: Sendable {
    /// Copies the stores into a new folder, and reports progress from 0 to 1.
    func backUp(to folder: URL, progress: @escaping @Sendable (Double) -> Void) async throws(EarshotError)
    /// Checks all stores for damage and returns a sentence for each fault.
    func faults() async throws(EarshotError) -> [String]
}
