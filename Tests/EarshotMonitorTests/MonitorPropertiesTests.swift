import EarshotCore
import EarshotMonitor
import TestSupport
import Testing

@Suite("Properties of a monitor")
struct MonitorPropertiesTests {
    enum Property: Sendable {
        case onlineInterval, localInterval, noMatchLimit, noMatchIncrement, noMatchMaxDelay

        var path: WritableKeyPath<MonitorProperties, Int> {
            switch self {
            case .onlineInterval: \.onlineInterval
            case .localInterval: \.localInterval
            case .noMatchLimit: \.noMatchLimit
            case .noMatchIncrement: \.noMatchIncrement
            case .noMatchMaxDelay: \.noMatchMaxDelay
            }
        }
    }

    @Test("Seven properties have their defaults", .requirements("R-ACR-028"))
    func defaults() {
        let properties = MonitorProperties()
        #expect(properties.onlineInterval == 300)
        #expect(properties.localInterval == 0)
        #expect(properties.noMatchLimit == 60)
        #expect(properties.noMatchIncrement == 60)
        #expect(properties.noMatchMaxDelay == 300)
        #expect(properties.optimization == .accuracy)
        #expect(properties.cacheOnly == false)
        #expect(properties.snaps.isEmpty)
    }

    @Test(
        "A value outside its range is the nearest bound, and a bound is itself",
        .requirements("R-ACR-029", "R-ACR-030", "R-ACR-031", "R-ACR-033"),
        arguments: [
            (Property.onlineInterval, -1, 0), (.onlineInterval, 86_401, 86_400),
            (.onlineInterval, 0, 0), (.onlineInterval, 86_400, 86_400), (.onlineInterval, 1, 1),
            (.localInterval, -5, 0), (.localInterval, 86_400, 86_400), (.localInterval, .max, 86_400),
            (.noMatchLimit, 10_000_000, 9_999_999), (.noMatchLimit, 0, 0), (.noMatchLimit, 9_999_999, 9_999_999),
            (.noMatchIncrement, 0, 8), (.noMatchIncrement, 7, 8), (.noMatchIncrement, 8, 8),
            (.noMatchIncrement, 2_592_001, 2_592_000), (.noMatchIncrement, 2_592_000, 2_592_000),
            (.noMatchMaxDelay, 0, 60), (.noMatchMaxDelay, 59, 60), (.noMatchMaxDelay, 60, 60),
            (.noMatchMaxDelay, 5_184_001, 5_184_000), (.noMatchMaxDelay, 5_184_000, 5_184_000),
            (.noMatchMaxDelay, .min, 60),
        ]
    )
    func snapping(property: Property, given: Int, used: Int) {
        var properties = MonitorProperties()
        properties[keyPath: property.path] = given
        #expect(properties[keyPath: property.path] == used)
        #expect(properties.snaps.map { [$0.given, $0.used] } == (given == used ? [] : [[given, used]]))
    }

    @Test("The four optimizations have their names, and no other has one", .requirements("R-ACR-036"))
    func optimizations() throws {
        #expect(OptimizationMode.allCases.map(\.rawValue) == ["default", "accuracy", "speed", "adaptive"])
        var properties = MonitorProperties()
        properties.optimization = try OptimizationMode(name: "speed")
        #expect(throws: EarshotError.self) { properties.optimization = try OptimizationMode(name: "fast") }
        #expect(properties.optimization == .speed)
    }

    @Test("Delays of the largest numbers do not overflow")
    func largest() {
        var course = Course {
            ($0.noMatchLimit, $0.noMatchIncrement, $0.noMatchMaxDelay) = (1, .max, .max)
        }
        for _ in 0..<4 { course.lookUp() }
        #expect(course.scheduler.delay == 5_184_000)
    }
}
