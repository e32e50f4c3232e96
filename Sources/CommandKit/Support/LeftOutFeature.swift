package import EarshotCore

/// The messages of a build without some traits of the package about a feature that it leaves out.
package enum LeftOutFeature {
    /// The end of a sentence that begins with the feature.
    package static func sentence(_ trait: String) -> String {
        "is not part of this build: build with the trait \(trait) (swift build -c release --product earshot has all)."
    }

    /// The error of an option that needs a trait.
    package static func error(_ option: String, _ trait: String) -> EarshotError {
        EarshotError(.configurationInvalid, "\(option) \(sentence(trait))")
    }
}
