public import Foundation

/// The author that a user publishes as.
package struct AuthorRecord: Hashable, Sendable, Codable {
    /// The name that pieces are published under: 2 to 40 code points, one of its kind whatever its letter case.
    package var name: String

    /// An author.
    package init(name: String) {
        self.name = name
    }
}

/// A change of the author that a user publishes as: `PUT /v1/author`.
package struct AuthorChange: Hashable, Sendable, Codable, CustomStringConvertible, CustomReflectable {
    /// The name that pieces are published under: 2 to 40 code points, one of its kind whatever its letter case.
    package var name: String
    /// The new password, 8 to 200 code points; `nil` leaves the present one.
    package var password: String?
    /// The present password; needed to change it.
    package var currentPassword: String?

    /// A change.
    package init(name: String, password: String? = nil, currentPassword: String? = nil) {
        self.name = name
        self.password = password
        self.currentPassword = currentPassword
    }

    /// The name; the passwords are left out.
    package var description: String { "the author \(name)" }
    /// The mirror of ``description``: the name, never the passwords.
    package var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}

/// The proof that an app shows for the result of a login: `POST /v1/authorizations`.
package struct AuthorizationRequest: Hashable, Sendable, Codable {
    /// The code that came back with the address.
    package var code: String
    /// The verifier of the challenge in the address of the page, by RFC 7636; `nil` if it had none.
    package var codeVerifier: String?
    /// The user that the app had before, in its serialized form, whose history is continued; `nil` for a new one.
    package var user: String?

    /// A request.
    package init(code: String, codeVerifier: String? = nil, user: String? = nil) {
        self.code = code
        self.codeVerifier = codeVerifier
        self.user = user
    }
}

/// A user that has logged in.
package struct AuthorizationAnswer: Hashable, Sendable, Codable {
    /// The user, as requests for tokens name it: a secret.
    package var user: String
    /// The author that the user publishes as.
    package var author: String

    /// An answer.
    package init(user: String, author: String) {
        self.user = user
        self.author = author
    }
}

/// A log-in at a device without a browser: `POST /v1/device-authorizations`.
public struct DeviceAuthorization: Hashable, Sendable, Codable {
    /// The secret with which the device polls `POST /v1/device-authorizations/answer`.
    public var deviceCode: String
    /// The code for the user to enter.
    public var userCode: String
    /// The address at which the user enters it.
    public var address: URL
    /// The seconds that the device waits between two requests.
    public var interval: Int
    /// The validity of the codes, in seconds.
    public var expiresIn: Int

    /// A log-in.
    package init(deviceCode: String, userCode: String, address: URL, interval: Int, expiresIn: Int) {
        self.deviceCode = deviceCode
        self.userCode = userCode
        self.address = address
        self.interval = interval
        self.expiresIn = expiresIn
    }
}

/// A device asks whether somebody has logged in: answered with 202 and no content as long as nobody has.
package struct DeviceQuestion: Hashable, Sendable, Codable {
    /// The device's own code.
    package var deviceCode: String
    /// The user that the app had before, in its serialized form, whose history is continued; `nil` for a new one.
    package var user: String?

    /// A question.
    package init(deviceCode: String, user: String? = nil) {
        self.deviceCode = deviceCode
        self.user = user
    }
}

/// An app that opens pieces.
package struct ApplicationRecord: Hashable, Sendable, Codable {
    /// The identifier, part of the scheme of its addresses; in lower case.
    package var identifier: String
    /// The app's name for people.
    package var name: String
    /// The address to get it from; `nil` if none is given.
    package var site: URL?
    /// The id of the client that the app asks as; told to the operator only.
    package var client: String?

    /// An app.
    package init(identifier: String, name: String, site: URL? = nil, client: String? = nil) {
        self.identifier = identifier
        self.name = name
        self.site = site
        self.client = client
    }
}
