"""The bill of materials of a package: what is in its programs, and which libraries they take from the system. CycloneDX 1.5, as JSON."""
import json
import os
import re
import subprocess
import time
import uuid

# Built for the documentation, and in no program.
NOT_INSIDE = {"swift-docc-plugin", "swift-docc-symbolkit"}
# Licenses of the packages of Swift that are linked, by their owners on GitHub.
LICENSES = {"apple": "Apache-2.0", "swift-server": "Apache-2.0", "hummingbird-project": "Apache-2.0", "swiftlang": "Apache-2.0", "groue": "MIT", "vapor": "MIT"}


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def needed(program):
    """The libraries that a program asks the loader for."""
    return re.findall(r"\(NEEDED\).*\[(.*)\]", output("readelf", "--dynamic", program))


def swift_packages(resolved):
    """The packages of Swift that a build resolved."""
    for pin in sorted(json.load(open(resolved))["pins"], key=lambda pin: pin["identity"]):
        if pin["identity"] in NOT_INSIDE:
            continue
        place = re.sub(r"^https://|\.git$", "", pin["location"])
        version = pin["state"].get("version", pin["state"]["revision"])
        component = {
            "type": "library",
            "bom-ref": f"pkg:swift/{place}@{version}",
            "name": pin["identity"],
            "version": version,
            "scope": "required",
            "purl": f"pkg:swift/{place}@{version}",
            "properties": [{"name": "earshot:linked", "value": "static"}, {"name": "earshot:revision", "value": pin["state"]["revision"]}],
        }
        license = LICENSES.get(place.split("/")[-2])
        if license:
            component["licenses"] = [{"license": {"id": license}}]
        yield component


def swift_runtime(version):
    return {
        "type": "framework",
        "bom-ref": f"pkg:generic/swift-runtime@{version}",
        "name": "swift-runtime",
        "version": version,
        "scope": "required",
        "description": "Standard library, Foundation, Dispatch and ICU of the toolchain.",
        "purl": f"pkg:generic/swift-runtime@{version}",
        "licenses": [{"license": {"id": "Apache-2.0"}}],
        "properties": [{"name": "earshot:linked", "value": "static"}],
    }


def package_of(library):
    """The Debian package that has a library here, and its version; `None` outside of Debian."""
    for line in output("ldconfig", "-p").splitlines():
        if line.split()[:1] != [library]:
            continue
        path = os.path.realpath(line.split("=> ")[1])
        for spelling in (path, path.removeprefix("/usr")):
            done = subprocess.run(["dpkg-query", "--search", spelling], capture_output=True, text=True)
            if done.returncode == 0:
                package = done.stdout.split(":")[0]
                return package, output("dpkg-query", "--show", "--showformat=${Version}", package)
    return None


def system_libraries(names, bundled):
    for name in sorted(names):
        component = {
            "type": "library",
            "bom-ref": f"library:{name}",
            "name": name,
            # CycloneDX has no word for what is needed and not inside; it says so by the property.
            "scope": "required",
            "properties": [{"name": "earshot:linked", "value": "inside" if name in bundled else "system"}],
        }
        found = package_of(name)
        if found:
            package, version = found
            component["version"] = version
            component["purl"] = f"pkg:deb/debian/{package}@{version.replace(':', '%3A').replace('+', '%2B')}"
        yield component


def bill(name, version, commit, programs, resolved, swift, bundled=()):
    """The bill as text, the same for the same input."""
    libraries = sorted({library for program in programs for library in needed(program)} | set(bundled))
    components = [*swift_packages(resolved), swift_runtime(swift), *system_libraries(libraries, bundled)]
    reference = f"pkg:generic/{name}@{version}"
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))),
            "component": {
                "type": "application",
                "bom-ref": reference,
                "name": name,
                "version": version,
                "purl": reference,
                "licenses": [{"license": {"id": "Apache-2.0"}}],
                "properties": [{"name": "earshot:commit", "value": commit}],
            },
        },
        "components": components,
        "dependencies": [{"ref": reference, "dependsOn": [component["bom-ref"] for component in components]}],
    }
    document["serialNumber"] = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(document, sort_keys=True))}"
    return json.dumps(document, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
