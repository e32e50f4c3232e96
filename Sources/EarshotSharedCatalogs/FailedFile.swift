package import EarshotNodes

/// A file that was entered and could not become a reference.
package struct FailedFile: Hashable, Sendable {
    package var path: String
    package var failure: Job.Failure

    package init(path: String, failure: Job.Failure) { (self.path, self.failure) = (path, failure) }
}
