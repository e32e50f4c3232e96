/// The pages on which people log in, or make an account.
enum LoginPage {
    /// A page.
    ///
    /// - Parameters:
    ///   - title: As text.
    ///   - action: Where its form goes.
    ///   - hidden: What goes along.
    ///   - code: What a device shows; without one it is not asked for.
    ///   - name: What was entered before.
    ///   - fault: What was wrong.
    static func html(
        title: String,
        action: String,
        hidden: [(name: String, value: String)],
        code: String? = nil,
        name: String,
        fault: String?
    ) -> String {
        func escaped(_ text: String) -> String { HTMLPage.escaped(text) }
        let fields = hidden.map {
            "<input type=\"hidden\" name=\"\(escaped($0.name))\" value=\"\(escaped($0.value))\">"
        }
        let codeField = code.map { code in
            """
            <label>Code that the device shows
            <input type="text" name="code" value="\(escaped(code))" required autocomplete="off" autocapitalize="characters" maxlength="20"></label>
            """
        }
        return HTMLPage.html(
            title: title,
            body: """
                <h1>\(escaped(title))</h1>
                \(fault.map { "<p class=\"fault\" role=\"alert\">\(escaped($0))</p>" } ?? "")
                <form method="post" action="\(escaped(action))">
                \(fields.joined(separator: "\n"))
                \(codeField ?? "")
                <label>Name
                <input type="text" name="name" value="\(escaped(name))" required autocomplete="username" maxlength="80"></label>
                <label>Password
                <input type="password" name="password" required autocomplete="current-password" maxlength="200"></label>
                <p><button name="action" value="login">Log in</button>
                <button name="action" value="create">Make an account</button></p>
                </form>
                <p class="dim">A name has 2 to 40 characters, and pieces are published under it. A password has 8 characters at least.</p>
                """
        )
    }
}
