import Crypto
import Foundation

/// The page that the service shows to people: its first steps, with commands to copy.
enum StartPage {
    /// Gives every command a button that copies it. Browsers let pages use the clipboard on secure addresses only: on others the
    /// command is marked and copied as by hand.
    private static let script = """
        for (const box of document.querySelectorAll('pre')) {
          const button = document.createElement('button');
          button.type = 'button';
          button.textContent = 'Copy';
          button.addEventListener('click', async () => {
            try {
              await navigator.clipboard.writeText(box.textContent);
            } catch {
              getSelection().selectAllChildren(box);
              document.execCommand('copy');
            }
            button.textContent = 'Copied';
            setTimeout(() => { button.textContent = 'Copy'; }, 2000);
          });
          const frame = document.createElement('div');
          box.replaceWith(frame);
          frame.append(box, button);
        }
        """

    /// The content policy of the page: its own script and style, and nothing else.
    static let contentPolicy =
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-"
        + Data(SHA256.hash(data: Data(script.utf8))).base64EncodedString()
        + "'; frame-ancestors 'none'; base-uri 'none'"

    /// - Parameter base: How the service is reached.
    static func html(base: String) -> String {
        let base = base.isEmpty ? "http://localhost:8080" : base
        return """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>Earshot</title>
            <style>
            body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; color: #1b1b1f; background: #fff; }
            h1 { font-size: 1.6rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
            pre { background: #f3f3f6; padding: .8rem 1rem; border-radius: .4rem; font-size: .85rem; white-space: pre-wrap; overflow-wrap: anywhere; margin: 1rem 0 0; }
            p code { overflow-wrap: anywhere; }
            button { font: inherit; font-size: .8rem; margin: .3rem 0 .4rem; padding: .2rem .8rem; border: 1px solid #767680; border-radius: .4rem; color: inherit; background: none; cursor: pointer; }
            a { color: #0b57d0; }
            @media (prefers-color-scheme: dark) { body { color: #e6e6ea; background: #17171a; } pre { background: #24242a; } a { color: #8ab4f8; } }
            </style>
            <h1>Earshot</h1>
            <p>This service recognizes recordings and knows the music. The commands below need <code>curl</code>, and <code>jq</code> to take
            answers apart.</p>

            <h2>1. Add the music that is to be recognized</h2>
            <p>The service printed the operator's token when it began for the first time; <code>earshot admin token</code> makes a new one.</p>
            <pre>export ADMIN=earshot-admin-…</pre>
            <p>Each recording is a reference, in any format. The same recording twice is one reference.</p>
            <pre>curl -s "\(base)/v1/references?title=Song&amp;artist=Somebody" \\
              -H "Authorization: Bearer $ADMIN" -H 'Content-Type: audio/flac' \\
              --data-binary @song.flac | jq .</pre>
            <p>The references so far:</p>
            <pre>curl -s \(base)/v1/references \\
              -H "Authorization: Bearer $ADMIN" | jq .</pre>

            <h2>2. Make a client and get a token</h2>
            <p>A client is an app that asks the service. Its identifier is told this once.</p>
            <pre>export CLIENT=$(curl -s \(base)/v1/admin/clients \\
              -H "Authorization: Bearer $ADMIN" -H 'Content-Type: application/json' \\
              -d '{"name": "My app"}' | jq -r .identifier)
            export TOKEN=$(curl -s \(base)/v1/tokens \\
              -H 'Content-Type: application/json' \\
              -d "{\\"client\\": \\"$CLIENT\\"}" | jq -r .token)</pre>

            <h2>3. Recognize a recording</h2>
            <p>Audio in any format, up to 15 seconds of it:</p>
            <pre>curl -s \(base)/v1/recognitions \\
              -H "Authorization: Bearer $TOKEN" -H 'Content-Type: audio/wav' \\
              --data-binary @clip.wav | jq .</pre>
            <p>A form works too: <code>-F sample=@clip.wav</code>. A signature, which <code>earshot signature clip.wav -o clip.earsig</code> makes,
            is smaller and keeps the audio to yourself: <code>-H 'Content-Type: application/vnd.earshot.signature'</code>.</p>

            <h2>4. Search the music that is known</h2>
            <p><code>earshot import</code> brings in what is known of artists, albums, tracks and lyrics.</p>
            <pre>curl -s -G \(base)/v1/search \\
              -H "Authorization: Bearer $TOKEN" \\
              --data-urlencode 'q=moon river' | jq .
            curl -s -G \(base)/v1/lyrics \\
              -H "Authorization: Bearer $TOKEN" \\
              --data-urlencode 'fragment=carry the lantern' | jq .</pre>

            <h2>5. Keep a user's history</h2>
            <p>With a token of a user, recognitions are kept:</p>
            <pre>export USER_FORM=$(curl -s -X POST \(base)/v1/users \\
              -H "Authorization: Bearer $TOKEN" | jq -r .serialised)
            export TOKEN=$(curl -s \(base)/v1/tokens \\
              -H 'Content-Type: application/json' \\
              -d "{\\"client\\": \\"$CLIENT\\", \\"user\\": \\"$USER_FORM\\"}" | jq -r .token)
            curl -s \(base)/v1/history \\
              -H "Authorization: Bearer $TOKEN" | jq .</pre>

            <p>Everything else: <a href="/v1/openapi.json">the description by OpenAPI 3.1</a> ·
            <a href="/health">health</a> · <a href="/ready">readiness</a> · <a href="/metrics">figures</a></p>
            <script>\(script)</script>
            </html>

            """
    }
}
