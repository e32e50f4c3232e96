"""JSON values from the schemas of a description by OpenAPI: what conforms, what is sent that does not, and what is wrong with an answer."""
import copy
import datetime
import re
import uuid

INTEGERS = [0, -1, 1, 2 ** 31, -2 ** 31 - 1, 2 ** 53, 2 ** 63 - 1, -2 ** 63, 2 ** 63, 2 ** 64, 10 ** 40]
NUMBERS = [1e308, -1e308, 5e-324, -0.0, 0.1, 1e18]
TEXTS = [
    "", " ", "\0", "a\0b", "\ud800", "x\udfff", "\u0600<img src=x onerror=alert(1)>\u0600", "\u0600\"\u0600'", "..", "../../etc/passwd", "%2e%2e%2f", "%2f",
    "%00", ".", "a/b", "a\\b", "\r\nX-Injected: 1", "';--", "\"", "*", "\u202eabc", "\ufeff", "e" + "\u0301" * 500, "\U0001f9d1\u200d\U0001f680" * 60, "x" * 5_000,
    "\u00e9" * 3_000, "null", "-0", "1e999", "NaN", "file:///etc/passwd", "9" * 400, "2026-13-45T99:99:99Z", "0000-00-00T00:00:00Z", "~",
]


def hostile(chance):
    """A value of any type that a careless reader trips over."""
    kind = chance.random()
    if kind < 0.25:
        return chance.choice(INTEGERS)
    if kind < 0.35:
        return chance.choice(NUMBERS)
    if kind < 0.8:
        return chance.choice(TEXTS)
    if kind < 0.9:
        return chance.choice([None, True, False, [], {}, [[]], {"": ""}, [None]])
    nested = chance.choice(TEXTS[:8])
    for _ in range(chance.choice([2, 60, 300])):
        nested = [nested] if chance.random() < 0.5 else {"a": nested}
    return nested


class Schemas:
    """The schemas of a description, by the references to them."""

    def __init__(self, description):
        self.named = description["components"]["schemas"]
        self.patterns = {}

    def resolved(self, schema):
        while "$ref" in schema:
            schema = self.named[schema["$ref"].rsplit("/", 1)[1]]
        return schema

    def wrong(self, value, schema, path="$"):
        """What is wrong with a value; nothing where it conforms."""
        schema = self.resolved(schema)
        kinds = schema.get("type")
        if kinds is not None:
            kinds = kinds if isinstance(kinds, list) else [kinds]
            if not any(self.is_of(value, kind) for kind in kinds):
                return f"{path} is {self.shown(value)}, and not of type {' or '.join(kinds)}"
        if "enum" in schema and value not in schema["enum"]:
            return f"{path} is {self.shown(value)}, and not one of {schema['enum']}"
        if isinstance(value, str):
            return self.wrong_text(value, schema, path)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            if value < schema.get("minimum", value) or value > schema.get("maximum", value):
                return f"{path} is {value}, beyond its limits"
        if isinstance(value, list):
            if len(value) > schema.get("maxItems", len(value)) or len(value) < schema.get("minItems", 0):
                return f"{path} has {len(value)} items"
            for index, item in enumerate(value):
                if found := self.wrong(item, schema.get("items", {}), f"{path}[{index}]"):
                    return found
        if isinstance(value, dict):
            for name in schema.get("required", []):
                if name not in value:
                    return f"{path} lacks {name}"
            known, more = schema.get("properties", {}), schema.get("additionalProperties", True)
            for name, item in value.items():
                if name not in known and more is False:
                    return f"{path} has {name}, which is not described"
                rule = known.get(name, more if isinstance(more, dict) else {})
                if found := self.wrong(item, rule, f"{path}.{name}"):
                    return found
        return None

    def wrong_text(self, value, schema, path):
        if len(value) > schema.get("maxLength", len(value)) or len(value) < schema.get("minLength", 0):
            return f"{path} has {len(value)} characters"
        if "pattern" in schema and not re.search(schema["pattern"], value):
            return f"{path} is {self.shown(value)}, and not as {schema['pattern']}"
        kind = schema.get("format")
        try:
            if kind == "date-time":
                datetime.datetime.fromisoformat(value.replace("Z", "+00:00"))
            if kind == "uuid":
                uuid.UUID(value)
        except ValueError:
            return f"{path} is {self.shown(value)}, and no {kind}"
        return None

    @staticmethod
    def shown(value):
        return repr(value)[:80]

    @staticmethod
    def is_of(value, kind):
        if kind == "integer":
            return isinstance(value, int) and not isinstance(value, bool) or isinstance(value, float) and value.is_integer()
        if kind == "number":
            return isinstance(value, (int, float)) and not isinstance(value, bool)
        types = {"string": str, "boolean": bool, "array": list, "object": dict, "null": type(None)}
        return isinstance(value, types[kind])

    def made(self, schema, chance, depth=0):
        """A value that conforms, but for patterns, which only text that was given can."""
        schema = self.resolved(schema)
        if schema.get("examples") and chance.random() < 0.3:
            return copy.deepcopy(chance.choice(schema["examples"]))
        if "enum" in schema:
            return chance.choice(schema["enum"])
        kind = schema.get("type", "string")
        kind = kind[0] if isinstance(kind, list) else kind
        if kind == "integer" or kind == "number":
            low, high = schema.get("minimum", 0), schema.get("maximum", 1_000_000)
            return chance.choice([low, high, min(high, low + 1), chance.randint(int(low), int(high)), min(high, max(low, 12))])
        if kind == "boolean":
            return chance.random() < 0.5
        if kind == "array":
            count = 0 if depth > 4 else chance.choice([0, 1, 1, 2, 12])
            return [self.made(schema.get("items", {}), chance, depth + 1) for _ in range(min(count, schema.get("maxItems", count)))]
        if kind == "object":
            made = {}
            for name, rule in schema.get("properties", {}).items():
                if name in schema.get("required", []) or depth < 4 and chance.random() < 0.5:
                    made[name] = self.made(rule, chance, depth + 1)
            return made
        return self.made_text(schema, chance)

    @staticmethod
    def made_text(schema, chance):
        if schema.get("format") == "date-time":
            return chance.choice(["2026-01-31T20:15:00Z", "2030-12-31T23:59:59.999Z", "1970-01-01T00:00:00+14:00"])
        if schema.get("format") == "uuid":
            return str(uuid.UUID(int=chance.getrandbits(128), version=4))
        if "pattern" in schema:
            return chance.choice(["front", "back-250", "A" * schema.get("minLength", 1)])
        text = chance.choice(["a", "warm ink", "Cold Day", "2011", "120", "x" * 40, "ä日本"])
        return text.ljust(schema.get("minLength", 0), "y")[:schema.get("maxLength", 1_000)]

    def changed(self, value, chance):
        """A value with one thing in it made wrong: another type, too much of it, a name that is missing or one too many."""
        value = copy.deepcopy(value)
        places = []

        def walk(holder):
            for key in list(holder) if isinstance(holder, dict) else range(len(holder)):
                places.append((holder, key))
                # What is taken from an earlier answer is replaced as a whole.
                if isinstance(holder[key], (dict, list)) and not (isinstance(holder[key], dict) and "$from" in holder[key]):
                    walk(holder[key])
        if isinstance(value, (dict, list)):
            walk(value)
        kind = chance.random()
        if not places or kind < 0.1:
            if isinstance(value, dict) and "$from" not in value:
                value[chance.choice(["", "extra", "\ud800", "__proto__", "id"])] = hostile(chance)
                return value
            return hostile(chance)
        holder, key = chance.choice(places)
        if kind < 0.25:
            del holder[key]
        elif kind < 0.35 and isinstance(holder, list):
            holder.extend([holder[key]] * chance.choice([1, 150, 2_000]))
        else:
            holder[key] = hostile(chance)
        return value
