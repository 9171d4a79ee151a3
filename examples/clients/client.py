#!/usr/bin/env python3
"""Asks a host, with nothing but Python's own library. Reads standard input, writes what the host answers.

client.py HOST decide APP < request.json        one decision
client.py HOST stream < requests.ndjson         a decision for each line, as soon as it is there

HOST is http://ADDRESS:PORT, https://NAME:PORT or unix:PATH. RULEHOST_TOKEN is sent when it is set; SSL_CERT_FILE names certificates that the
host is trusted by which the system does not know. What it waits for stands on standard error; it ends with 0, with 1 when the host has refused,
with 2 when it is called wrongly, with 6 when there is no host.
"""
import http.client
import os
import socket
import ssl
import sys
import threading
import time
import urllib.parse
import uuid

TRIES = 6


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path, timeout):
        super().__init__("localhost", timeout=timeout)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


def connect(host, timeout=10):
    if host.startswith("unix:"):
        return UnixConnection(host[len("unix:"):], timeout)
    place = urllib.parse.urlsplit(host)
    if place.scheme not in ("http", "https") or not place.hostname:
        raise ValueError(f"{host} is no address: write http://ADDRESS:PORT, https://NAME:PORT or unix:PATH")
    made = http.client.HTTPSConnection if place.scheme == "https" else http.client.HTTPConnection
    return made(place.hostname, place.port, timeout=timeout)


def fields(more):
    token = os.environ.get("RULEHOST_TOKEN")
    return more | ({"Authorization": f"Bearer {token}"} if token else {})


def decide(host, app, request):
    """One decision, asked for until there is an answer. The same key for every try: none is made twice."""
    key = str(uuid.uuid4())
    for number in range(1, TRIES + 1):
        pause = min(2 ** (number - 1), 30)
        connection = connect(host)
        try:
            connection.request(
                "POST", f"/v1/apps/{app}/decide", request, fields({"Content-Type": "application/json", "Idempotency-Key": key}))
            response = connection.getresponse()
            status, answer = response.status, response.read()
            if status not in (429, 503) or number == TRIES:
                return status, answer
            pause = float(response.headers.get("Retry-After", pause))
            reason = f"the host answers {status}"
        except ssl.SSLError:
            # It would be the same the next time.
            raise
        except (OSError, http.client.HTTPException) as error:
            # Whether it was decided nobody knows; the key takes care of that.
            if number == TRIES:
                raise
            reason = words(error)
        finally:
            connection.close()
        tell(f"{reason}; try {number + 1} of {TRIES} in {pause:g} s")
        time.sleep(pause)


def stream(host, lines, write):
    """Sends lines while answers are read. Nothing is held in memory: when nobody takes the answers the host reads no further, sending
    waits, and so does whoever makes the lines."""
    connection = connect(host, timeout=None)
    connection.putrequest("POST", "/v1/decide")
    for name, value in fields({"Content-Type": "application/x-ndjson", "Transfer-Encoding": "chunked"}).items():
        connection.putheader(name, value)
    connection.endheaders()
    wire = connection.sock

    def send():
        try:
            for line in lines:
                wire.sendall(b"%x\r\n%s\r\n" % (len(line), line))
            wire.sendall(b"0\r\n\r\n")
        except OSError:
            # The host has ended the stream; its answer says why.
            pass

    threading.Thread(target=send, daemon=True).start()
    response = connection.getresponse()
    for line in response:
        write(line)
    return response.status


def words(error):
    """What a person can do something with."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"the host's certificate is not trusted: {error.verify_message.rstrip('.')} (SSL_CERT_FILE=FILE names certificates to trust)"
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


def tell(text):
    print(f"client.py: {text}", file=sys.stderr, flush=True)


def main(operands):
    try:
        if len(operands) == 3 and operands[1] == "decide":
            status, answer = decide(operands[0], operands[2], sys.stdin.buffer.read())
            sys.stdout.buffer.write(answer + b"\n")
        elif len(operands) == 2 and operands[1] == "stream":
            status = stream(operands[0], sys.stdin.buffer, lambda line: (sys.stdout.buffer.write(line), sys.stdout.buffer.flush()))
        else:
            print(__doc__, file=sys.stderr)
            return 2
    # A certificate that is not trusted is a ValueError, too.
    except (OSError, http.client.HTTPException) as error:
        tell(f"{operands[0]}: {words(error)}")
        return 6
    except ValueError as error:
        tell(error)
        return 2
    return 0 if status == 200 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
