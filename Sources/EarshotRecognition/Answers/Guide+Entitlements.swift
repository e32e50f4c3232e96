package import EarshotBroadcast

extension Program {
    /// Returns a copy with the content that the caller is entitled to: without the entitlement to works, only a summary
    /// of the work.
    package func entitled(to entitlements: Set<Entitlement>) -> Program {
        guard let work, !entitlements.contains(.works) else { return self }
        var program = self
        program.work = work.summary
        return program
    }
}

extension Airing {
    /// Returns a copy with the content that a caller with the entitlement to the guide and the given ones may receive.
    package func entitled(to entitlements: Set<Entitlement>) -> Airing {
        var airing = self
        airing.program = program.entitled(to: entitlements)
        return airing
    }
}
