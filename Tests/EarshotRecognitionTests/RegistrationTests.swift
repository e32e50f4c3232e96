import EarshotCore
import EarshotRecognition
import TestSupport
import Testing

@Suite("Registrations")
struct RegistrationTests {
    private let registration = Registration(
        modules: [.monitoring],
        service: "https://music.example/earshot",
        client: "12345678",
        user: "abcdef.secret-of-the-user"
    )

    @Test("The text of a registration makes it again", .requirements("R-ACR-011", "R-ACR-012"))
    func roundTrip() throws {
        for one in [registration, .local] { #expect(try Registration(serialized: one.serialized) == one) }
    }

    @Test("The text holds nothing of the client's secret", .requirements("R-ACR-014"))
    func secrets() {
        // The secret part of the client identifier is not even a part of the value.
        #expect(!registration.serialized.contains("TAG"))
        let parts = Mirror(reflecting: registration).children.map { $0.label ?? "" }
        #expect(parts == ["modules", "service", "client", "user"])
    }

    @Test("Any character that is not as it was is noticed", .requirements("R-ACR-013"))
    func damage() {
        let text = Array(registration.serialized)
        for place in text.indices {
            for other in ["0", "f", "A", ":", "é"] where String(text[place]) != other {
                var damaged = text
                damaged[place] = Character(other)
                #expect(
                    code { _ = try Registration(serialized: String(damaged)) } == .registrationInvalid,
                    "\(place) \(other)"
                )
            }
        }
        #expect(code { _ = try Registration(serialized: "") } == .registrationInvalid)
        #expect(code { _ = try Registration(serialized: registration.serialized + "0") } == .registrationInvalid)
    }

    @Test("A registration is good for its own kind of queries", .requirements("R-ACR-019"))
    func modules() throws {
        try registration.check(.monitoring)
        #expect(code { try registration.check(.music) } == .registrationMismatch)
        try Registration.local.check(.music)
    }
}
