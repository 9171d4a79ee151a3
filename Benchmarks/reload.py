#!/usr/bin/env python3
"""How long a save takes to be in force, with ten apps in use and with ten thousand, and what an app in use takes in memory.

Usage: Benchmarks/reload.py [RULEHOST] [APPS ...]

Each app is asked once, so that all are loaded and watched; then one of them is saved again and again by a rename, and asked until it
decides by what was saved. Times are milliseconds on the clock, from the rename to the answer, asked about every millisecond.
"""
import http.client
import json
import os
import socket
import subprocess
import sys
import tempfile
import time

SAVES = 40


class Caller(http.client.HTTPConnection):
    """One connection through the file of a socket."""

    def __init__(self, path):
        super().__init__("localhost", timeout=600)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(self.path)


def resident(pid):
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


def rule(generation):
    return f'rule "R" {{ on = "present", decide = function() return {{ labels = {{ g = "{generation}" }} }} end }}\n'


def question(app):
    return json.dumps({"app": app, "event": "present", "message": {"aps": {"alert": "x"}}, "device": {"recipient": "u-1"}})


def measure(rulehost, count, folder):
    rules = os.path.join(folder, "rules")
    for number in range(count):
        app = os.path.join(rules, f"app-{number}")
        os.makedirs(app)
        with open(os.path.join(app, "app.lua"), "w") as file:
            file.write("return { api = 1, guards = { duplicate = false } }\n")
        with open(os.path.join(app, "rules.lua"), "w") as file:
            file.write(rule("start"))
    path = os.path.join(folder, "host.sock")
    words = [rulehost, "serve", "--rules", rules, "--store", "memory", "--isolation", "thread", "--listen", f"unix:{path}"]
    host = subprocess.Popen(words, stdout=subprocess.PIPE)
    try:
        host.stdout.readline()
        before = resident(host.pid)
        caller = Caller(path)
        answers = []
        # A few at a time: who does not read answers while he sends is sent away.
        for first in range(0, count, 50):
            lines = "".join(question(f"app-{number}") + "\n" for number in range(first, min(first + 50, count)))
            caller.request("POST", "/v1/decide?dry_run=1", lines)
            answers += caller.getresponse().read().decode().splitlines()
        wrong = [line for line in answers if '"g":"start"' not in line]
        if wrong or len(answers) != count:
            sys.exit(f"reload: {len(answers)} answers, {len(wrong)} wrong: {wrong[:1]}")
        each = (resident(host.pid) - before) / count
        times = []
        file = os.path.join(rules, f"app-{count // 2}", "rules.lua")
        for number in range(SAVES):
            with open(file + ".new~", "w") as new:
                new.write(rule(f"g{number}"))
            start = time.monotonic()
            os.rename(file + ".new~", file)
            while True:
                caller.request("POST", f"/v1/apps/app-{count // 2}/decide?dry_run=1", question(f"app-{count // 2}"))
                if f'"g":"g{number}"' in caller.getresponse().read().decode():
                    break
                time.sleep(0.001)
            times.append((time.monotonic() - start) * 1000)
            time.sleep(0.05)
        times.sort()
        print(f"{count:6} apps: from save to effect {times[SAVES // 2]:6.1f} ms in the median, {times[-1]:6.1f} at worst; {each:5.1f} KiB each while in use", flush=True)
    finally:
        host.terminate()
        host.wait()


def main():
    rulehost = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else ".build/release/rulehost")
    for count in [int(word) for word in sys.argv[2:]] or [10, 10_000]:
        with tempfile.TemporaryDirectory() as folder:
            measure(rulehost, count, folder)


main()
