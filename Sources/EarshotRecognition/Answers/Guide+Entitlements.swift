package import EarshotBroadcast

extension Program {
    /// What somebody gets to see of it: a work in full only who is entitled to works.
    package func entitled(to entitlements: Set<Entitlement>) -> Program {
        guard let work, !entitlements.contains(.works) else { return self }
        var program = self
        program.work = work.summary
        return program
    }
}

extension Airing {
    /// What somebody gets to see of it, who is entitled to the guide.
    package func entitled(to entitlements: Set<Entitlement>) -> Airing {
        var airing = self
        airing.program = program.entitled(to: entitlements)
        return airing
    }
}
