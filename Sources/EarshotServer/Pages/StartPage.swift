/// The page that the service shows to people: its first steps, with commands to copy.
enum StartPage {
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
            pre { background: #f3f3f6; padding: .8rem 1rem; border-radius: .4rem; overflow-x: auto; font-size: .85rem; }
            a { color: #0b57d0; }
            @media (prefers-color-scheme: dark) { body { color: #e6e6ea; background: #17171a; } pre { background: #24242a; } a { color: #8ab4f8; } }
            </style>
            <h1>Earshot</h1>
            <p>This service recognises recordings and knows the music. What follows needs <code>curl</code>, and <code>jq</code> to take
            answers apart.</p>

            <h2>1. Make a client</h2>
            <p>With the operator's token, which the service printed when it began for the first time:</p>
            <pre>export ADMIN=earshot-admin-…
            export CLIENT=$(curl -s \(base)/v1/admin/clients -H "Authorization: Bearer $ADMIN" \\
              -H 'Content-Type: application/json' -d '{"name": "My app"}' | jq -r .identifier)</pre>

            <h2>2. Register a user and get a token</h2>
            <pre>TOKEN=$(curl -s \(base)/v1/tokens -H 'Content-Type: application/json' -d "{\\"client\\": \\"$CLIENT\\"}" | jq -r .token)
            USER_FORM=$(curl -s -X POST \(base)/v1/users -H "Authorization: Bearer $TOKEN" | jq -r .serialised)
            TOKEN=$(curl -s \(base)/v1/tokens -H 'Content-Type: application/json' \\
              -d "{\\"client\\": \\"$CLIENT\\", \\"user\\": \\"$USER_FORM\\"}" | jq -r .token)</pre>

            <h2>3. Recognise a recording</h2>
            <p>Audio in any format, up to 15 seconds of it:</p>
            <pre>curl -s "\(base)/v1/recognitions?coverArt=1&amp;genreLevel=EXTENDED" -H "Authorization: Bearer $TOKEN" \\
              -H 'Content-Type: audio/wav' --data-binary @clip.wav | tee match.json | jq .
            curl -s "$(jq -r '.matches[0].coverArt.url' match.json)" -o cover.png</pre>
            <p>A form works too: <code>-F sample=@clip.wav</code>. A signature, which <code>earshot signature clip.wav -o clip.earsig</code> makes,
            is smaller and keeps the audio to yourself: <code>-H 'Content-Type: application/vnd.earshot.signature'</code>.</p>

            <h2>4. Search</h2>
            <pre>curl -s -G \(base)/v1/search -H "Authorization: Bearer $TOKEN" --data-urlencode 'q=moon river' | jq .
            curl -s -G \(base)/v1/lyrics -H "Authorization: Bearer $TOKEN" --data-urlencode 'fragment=carry the lantern' | jq .</pre>

            <h2>5. Read the history</h2>
            <pre>curl -s \(base)/v1/history -H "Authorization: Bearer $TOKEN" | jq .</pre>

            <h2>6. Add what is to be recognised</h2>
            <pre>curl -s "\(base)/v1/references?title=Song&amp;artist=Somebody" -H "Authorization: Bearer $ADMIN" \\
              -H 'Content-Type: audio/flac' --data-binary @song.flac | jq .</pre>

            <p>Everything else: <a href="/v1/openapi.json">the description by OpenAPI 3.1</a> ·
            <a href="/health">health</a> · <a href="/ready">readiness</a> · <a href="/metrics">figures</a></p>
            </html>

            """
    }
}
