package import EarshotBroadcast

extension Program {
    /// A copy with the content that the caller is entitled to: a work in full only with the right to works.
    package func entitled(to entitlements: Set<Entitlement>) -> Program {
        guard let work, !entitlements.contains(.works) else { return self }
        var program = self
        program.work = work.summary
        return program
    }
}

extension Airing {
    /// A copy with the content that a caller with the right to the guide may see.
    package func entitled(to entitlements: Set<Entitlement>) -> Airing {
        var airing = self
        airing.program = program.entitled(to: entitlements)
        return airing
    }
}
