"""What MkDocs is to do with each page beside what its configuration says."""
import re


def on_page_content(html, **_):
    """Lets long names in tables break behind an underscore or a slash: EARSHOT_PUBLIC_URL would make its column too wide."""
    def broken(match):
        name = match[1]
        return f"<code>{re.sub(r'(?<=[a-zA-Z])_(?=[A-Z])|(?<=[a-z}])/(?=[a-z{])', lambda found: found[0] + '<wbr>', name)}</code>" if len(name) > 16 else match[0]

    return re.sub(r"<td.*?</td>", lambda cell: re.sub(r"<code>([^<]+)</code>", broken, cell[0]), html, flags=re.DOTALL)
