# SPDX-License-Identifier: MIT
"""Checks every object of Sinew's logs against the SARIF 2.1.0 standard: required properties, allowed values, and the references between
them (sections 3.13 to 3.52)."""
import re
import urllib.parse

LEVELS = {"none", "note", "warning", "error"}


def faults(log):
    """Returns the faults of a log, one line each."""
    found = []

    def expect(condition, what):
        if not condition:
            found.append(what)

    def text(value, where):
        expect(isinstance(value, dict) and isinstance(value.get("text"), str) and value["text"], f"{where}: a message with a text")

    def address(location):
        uri = location.get("physicalLocation", {}).get("artifactLocation", {}).get("uri")
        expect(isinstance(uri, str) and re.fullmatch(r"(?:[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+", uri), f"a URI: {uri}")
        expect(urllib.parse.unquote(uri or "", errors="strict") is not None, "a URI of UTF-8")

    expect(log.get("version") == "2.1.0", "version 2.1.0")
    expect(isinstance(log.get("runs"), list) and log["runs"], "runs")
    for run in log.get("runs", []):
        driver = run.get("tool", {}).get("driver", {})
        expect(isinstance(driver.get("name"), str) and driver["name"], "tool.driver.name")
        expect(run.get("columnKind") in ("utf16CodeUnits", "unicodeCodePoints"), "columnKind")
        for invocation in run.get("invocations", []):
            expect(isinstance(invocation.get("executionSuccessful"), bool), "invocation.executionSuccessful")
            for notification in invocation.get("toolExecutionNotifications", []):
                text(notification.get("message"), "notification.message")
                expect(notification.get("level", "warning") in LEVELS, "notification.level")
                if "descriptor" in notification:
                    expect({"id", "guid", "index"} & set(notification["descriptor"]), "notification.descriptor names one")
                for location in notification.get("locations", []):
                    address(location)
        rules = driver.get("rules", [])
        expect(len({rule.get("id") for rule in rules}) == len(rules), "rules with ids of their own")
        for rule in rules:
            expect(isinstance(rule.get("id"), str) and rule["id"], "rule.id")
            expect(rule.get("defaultConfiguration", {}).get("level", "warning") in LEVELS, "rule.defaultConfiguration.level")
            for key in ("shortDescription", "fullDescription", "help"):
                if key in rule:
                    text(rule[key], f"rule.{key}")
        expect(isinstance(run.get("results"), list), "results")
        for result in run.get("results", []):
            text(result.get("message"), "result.message")
            expect(result.get("level", "warning") in LEVELS, "result.level")
            index = result.get("ruleIndex", -1)
            expect(isinstance(index, int) and -1 <= index < len(rules), "result.ruleIndex in range")
            if 0 <= index < len(rules):
                expect(rules[index]["id"] == result.get("ruleId"), "result.ruleId is that of its rule")
            for location in result.get("locations", []):
                address(location)
                region = location.get("physicalLocation", {}).get("region")
                if region is not None:
                    expect("startLine" in region or "byteOffset" in region, "a region with a place")
                    for key, least in (("startLine", 1), ("startColumn", 1), ("byteOffset", 0)):
                        expect(isinstance(region.get(key, least), int) and region.get(key, least) >= least, f"region.{key}")
            for key, value in result.get("partialFingerprints", {}).items():
                expect(isinstance(key, str) and isinstance(value, str), "partialFingerprints of strings")
    return found
