extension SchedulerScenario {
    /// Eight scenarios that demonstrate the rules of the scheduler, named `T1` to `T8`.
    public static let builtIn: [SchedulerScenario] = [
        named("T1") { ($0.onlineInterval, $0.localInterval) = (60, 20) },
        named("T2") { ($0.onlineInterval, $0.localInterval, $0.until) = (51, 20, 60) },
        named("T3") { ($0.onlineInterval, $0.localInterval, $0.localHits, $0.until) = (60, 20, [29], 95) },
        named("T4") { ($0.onlineInterval, $0.cacheOnly) = (60, true) },
        named("T5") {
            ($0.onlineInterval, $0.noMatchLimit, $0.until) = (0, 1, 200)
            $0.events = [Happening(at: 30, .transition)]
        },
        named("T6") {
            ($0.onlineInterval, $0.noMatchLimit, $0.until) = (0, 1, 200)
            $0.events = [Happening(at: 30, .transition), Happening(at: 40, .manual)]
        },
        named("T7") {
            ($0.onlineInterval, $0.localInterval, $0.until) = (60, 20, 20)
            $0.events = [Happening(at: 4.5, .manual)]
        },
        named("T8") { ($0.onlineInterval, $0.until) = (0, 86_400) },
    ]

    private static func named(_ name: String, _ change: (inout SchedulerScenario) -> Void) -> SchedulerScenario {
        var scenario = SchedulerScenario(name)
        change(&scenario)
        return scenario
    }
}
