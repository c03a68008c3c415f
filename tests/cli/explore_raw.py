"""explore_raw.py: bytes that are no good request, straight to the explorer's port: each gets a 4xx or a closed connection,
none harms the next request, and what hangs on to many connections harms nobody for long."""
import re
import socket
import struct
import sys
import time

from explore_client import Client, floats

c = Client(sys.argv[1])
good = floats([0.5, -1, 0, 2])
before = c.post("api/decode", good)
host = b"Host: localhost\r\n"
get = b"GET / HTTP/1.1\r\n" + host
post = b"POST /api/decode HTTP/1.1\r\n" + host


def line(target, method=b"GET", version=b"HTTP/1.1"):
    return method + b" " + target + b" " + version + b"\r\n" + host + b"\r\n"


cases = {
    # lengths
    "two lengths": post + b"Content-Length: 16\r\nContent-Length: 17\r\n\r\n" + good,
    "a length and chunks": post + b"Content-Length: 16\r\nTransfer-Encoding: chunked\r\n\r\n" + good,
    "a length with a plus": post + b"Content-Length: +16\r\n\r\n" + good,
    "a length in hexadecimal": post + b"Content-Length: 0x10\r\n\r\n" + good,
    "a length with a fraction": post + b"Content-Length: 16.0\r\n\r\n" + good,
    "a list of lengths": post + b"Content-Length: 16, 16\r\n\r\n" + good,
    "an empty length": post + b"Content-Length:\r\n\r\n" + good,
    "a length beyond 64 bits": post + b"Content-Length: 18446744073709551632\r\n\r\n" + good,
    "a length of 64 bits": post + b"Content-Length: 18446744073709551615\r\n\r\n" + good,
    "a length of 63 bits": post + b"Content-Length: 9223372036854775807\r\n\r\n" + good,
    "a length without a body": post + b"Content-Length: 16\r\n\r\n",
    "nothing to upload": b"POST /api/upload HTTP/1.1\r\n" + host + b"Content-Length: 0\r\n\r\n",
    "no items": b"POST /api/items HTTP/1.1\r\n" + host + b"Content-Length: 0\r\n\r\n",
    "a body to a page": get + b"Content-Length: 4\r\n\r\nabcd",
    "chunks of nonsense": post + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
    "a huge chunk": post + b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n",
    "an unknown encoding": post + b"Transfer-Encoding: gzip\r\n\r\n",
    "too much, politely": b"POST /api/upload HTTP/1.1\r\n" + host + b"Content-Length: 999999999\r\nExpect: 100-continue\r\n\r\n",
    # headers
    "two hosts": get + b"Host: evil.example\r\n\r\n",
    "an empty host": b"GET / HTTP/1.1\r\nHost:\r\n\r\n",
    "a host with a path": b"GET / HTTP/1.1\r\nHost: localhost/x\r\n\r\n",
    "a host with a user": b"GET / HTTP/1.1\r\nHost: me@localhost\r\n\r\n",
    "a long host": b"GET / HTTP/1.1\r\nHost: " + b"a" * 5000 + b"\r\n\r\n",
    "another origin": get + b"Origin: http://evil.example\r\n\r\n",
    "a longer origin": get + b"Origin: http://localhost.evil.example\r\n\r\n",
    "a header without a colon": get + b"nonsense\r\n\r\n",
    "a name with a space": get + b"Some Name: x\r\n\r\n",
    "a thousand headers": get + b"".join(b"X-%d: y\r\n" % i for i in range(10000)) + b"\r\n",
    "a long name": get + b"x" * 50000 + b": y\r\n\r\n",
    "endless spaces": get + b" " * 200000,
    # request lines
    "an unknown method": line(b"/", b"BREW"),
    "a long method": line(b"/", b"A" * 10000),
    "PUT": line(b"/", b"PUT"), "PATCH": line(b"/api/about", b"PATCH"), "TRACE": line(b"/", b"TRACE"),
    "OPTIONS": line(b"*", b"OPTIONS"), "CONNECT": line(b"evil.example:443", b"CONNECT"),
    "a small method": line(b"/", b"get"),
    "no target": b"GET HTTP/1.1\r\n" + host + b"\r\n",
    "no version": b"GET /\r\n" + host + b"\r\n",
    "an old version": b"GET / HTTP/0.9\r\n" + host + b"\r\n",
    "HTTP 2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "spaces": b"GET  /  HTTP/1.1\r\n" + host + b"\r\n",
    "a tab": b"GET\t/\tHTTP/1.1\r\n" + host + b"\r\n",
    "a zero byte": line(b"/api/ab\0out"), "a line's end": line(b"/api/about%0d%0aX:y"),
    "eight bits": line(b"/\xc3\xa9"), "a fragment": line(b"/#x"), "a backslash": line(b"/..\\..\\etc\\passwd"),
    "dots": line(b"/../../../../etc/passwd"), "double slashes": line(b"//etc/passwd"), "dots with percents": line(b"/%2e%2e/etc/passwd"),
    "twice escaped": line(b"/%252e%252e/etc/passwd"), "a file's address": line(b"file:///etc/passwd"), "a dot": line(b"/./"),
    "a page with a slash": line(b"/main.js/"), "a page's source": line(b"/web/main.js"),
    "a long query": line(b"/api/sample?" + b"&".join(b"n%d=1" % i for i in range(100))),
    "nothing but ands": line(b"/api/sample?&&&&"), "no name": line(b"/api/sample?=1"),
    # numbers
    "n of 0": line(b"/api/sample?n=0"), "n of many": line(b"/api/sample?n=18446744073709551615"), "n in words": line(b"/api/sample?n=ten"),
    "a truncation of nan": line(b"/api/sample?truncation=nan"), "an infinite one": line(b"/api/sample?truncation=inf"),
    "a tiny one": line(b"/api/sample?truncation=1e-300"), "an empty one": line(b"/api/sample?truncation="),
    "a seed below 0": line(b"/api/sample?seed=-1"), "an unknown source": line(b"/api/sample?from=/etc/passwd"),
    "a minus nan": post + b"Content-Length: 16\r\n\r\n" + struct.pack("<4I", 0, 0xffc00000, 0, 0),
    "a signalling nan": post + b"Content-Length: 16\r\n\r\n" + struct.pack("<4I", 0x7fa00000, 0, 0, 0),
    "minus infinity": post + b"Content-Length: 16\r\n\r\n" + struct.pack("<4f", 0, 0, 0, float("-inf")),
}
for what, data in cases.items():
    answer = c.raw(data)
    # a version that is no HTTP/1 has a code of its own, 505
    ok = answer == "closed" or 400 <= answer < 500 or (what in ("HTTP 2", "an old version", "no version") and answer == 505)
    if not ok:
        print(f"{what}: {answer}")
print(f"{len(cases)} more kinds of bytes: refused or closed")
# what some libraries refuse and some leave out, as HTTP allows
for data in (b": x\r\n\r\n", b"X: a\0b\r\n\r\n", b"X: a\r\n b\r\n\r\n"):
    assert c.raw(get + data) in ("closed", 200, 400), data

# pipelined: the good ones are answered, the bad one ends it, what comes after is never looked at
s = socket.create_connection((c.host, c.port), timeout=20)
s.sendall(line(b"/api/about") + post + b"Content-Length: 16\r\n\r\n" + good + b"nonsense\r\n\r\n" + line(b"/api/about"))
answer = b""
while part := s.recv(65536):
    answer += part
codes = [int(code) for code in re.findall(rb"HTTP/1\.1 (\d+)", answer)]
assert codes[:2] == [200, 200] and codes.count(200) == 2 and all(400 <= x < 500 for x in codes[2:]), codes
print("pipelined: two good ones, then no more")

# a client that never reads and one that stops in the middle of each kind of line
for data in (line(b"/main.js") * 500, b"GET", get, post + b"Content-Length: 16\r\n\r\n" + good[:7]):
    s = socket.create_connection((c.host, c.port), timeout=20)
    try:
        s.setblocking(False)
        s.send(data)
    finally:
        s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # ended by a reset
        s.close()

# more connections than are taken, each with half a request: those who were there first go on
first = socket.create_connection((c.host, c.port), timeout=20)
first.sendall(line(b"/api/about"))
assert first.recv(15).startswith(b"HTTP/1.1 200")
crowd = []
for _ in range(200):
    s = socket.create_connection((c.host, c.port), timeout=20)
    s.sendall(b"GET / HT")
    crowd.append(s)
time.sleep(0.3)
while len(first.recv(1 << 20)) == 1 << 20:
    pass
first.sendall(line(b"/api/place?item=1"))
assert b"200 OK" in first.recv(4096)
for s in crowd:
    s.close()
for attempt in range(100):
    try:
        if c.post("api/decode", good) == before:
            break
    except OSError:
        time.sleep(0.1)
else:
    raise SystemExit("the server does not come back")
print("200 half requests: others go on, and all is well when they have gone")
