# Many clients in one process of their own, because a process has only so many descriptors: `crowd.py PORT COUNT` connects, says so, asks with
# each when a line comes, and says how many were answered. Started by CrowdTests.swift.
import resource
import socket
import struct
import sys

port, count = int(sys.argv[1]), int(sys.argv[2])
resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
clients = []
for _ in range(count):
    client = socket.create_connection(("127.0.0.1", port), timeout=20)
    # So that no port is kept for a minute afterwards.
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    clients.append(client)
print(len(clients), flush=True)
sys.stdin.readline()
for client in clients:
    client.sendall(b"GET /short HTTP/1.1\r\nHost: a\r\n\r\n")
answered = 0
for client in clients:
    content = b""
    while not content.endswith(b"\r\n\r\nshort"):
        piece = client.recv(4096)
        assert piece, content
        content += piece
    answered += content.startswith(b"HTTP/1.1 200")
print(answered, flush=True)
sys.stdin.readline()
