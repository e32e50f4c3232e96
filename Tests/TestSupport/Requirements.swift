package import Testing

/// The requirements that a test proves, by their ids in `Docs/requirements/`.
package struct RequirementsTrait: TestTrait, SuiteTrait {
    /// The ids, for example `R-CC-051`.
    package let ids: [String]
}

extension Trait where Self == RequirementsTrait {
    /// Names the requirements that a test proves.
    package static func requirements(_ ids: String...) -> Self {
        RequirementsTrait(ids: ids)
    }
}
