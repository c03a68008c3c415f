#!/usr/bin/env python3
"""Latency and memory of the explorer: times single decodes, then runs many clients at once for a long time.

usage: soak_explore.py ECCENTRIC RUN [--data FOLDER] [--seconds 60] [--clients 8] [--threads N] [--disturb]
--data explores items of another folder.  --disturb works on copies of both, and rewrites, renames, truncates and removes their files
while the server answers; beside the clients there are some that send byte by byte, and some that break off; and other explorers are
started on what is there just then: each works, or says in a sentence what is wrong.
Prints JSON; fails when the server's memory still grows after the first quarter, or when an answer is wrong."""
import argparse
import http.client
import json
import os
import random
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

options = argparse.ArgumentParser()
options.add_argument("eccentric")
options.add_argument("run")
options.add_argument("--seconds", type=float, default=60)
options.add_argument("--clients", type=int, default=8)
options.add_argument("--threads", type=int, default=1)
options.add_argument("--data")
options.add_argument("--disturb", action="store_true")
options = options.parse_args()

folder = tempfile.mkdtemp(prefix="soak-")
whole = {"run": options.run, **({"data": options.data} if options.data else {})}
places = {name: os.path.join(folder, name) if options.disturb else path for name, path in whole.items()}


def restore(name):
    shutil.rmtree(places[name], ignore_errors=True)
    shutil.copytree(whole[name], places[name])


for name in whole if options.disturb else ():
    restore(name)
words = [options.eccentric, "explore", places["run"], "--port", "0", "--items", "5000", "--quiet", "--threads", str(options.threads)]
words += ["--data", places["data"]] if options.data else []
server = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
url = urllib.parse.urlsplit(server.stdout.readline().strip())


def connect():
    return http.client.HTTPConnection(url.hostname, url.port, timeout=60)


def ask(c, method, path, body=None):
    c.request(method, "/api/" + path, body)
    reply = c.getresponse()
    return reply.status, reply.read()


def memory():
    """Resident kilobytes."""
    with open(f"/proc/{server.pid}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))


def latency(d, count=500):
    c, times = connect(), []
    for _ in range(count):
        body = struct.pack(f"<{d}f", *(random.gauss(0, 1) for _ in range(d)))
        start = time.perf_counter()
        status, _ = ask(c, "POST", "decode", body)
        times.append(1000 * (time.perf_counter() - start))
        assert status == 200
    times.sort()
    return {"median": round(times[count // 2], 3), "p99": round(times[count * 99 // 100], 3)}


def client(d, count, stop, totals, reconnects, failures, k):
    """A server that was slow may have closed a connection that idled: a browser would open another."""
    random.seed(k)
    try:
        while not stop.is_set():
            c = connect()
            try:
                talk(c, d, count, stop, totals, k)
            except ConnectionError:
                reconnects[k] += 1
            c.close()
    except Exception as problem:  # whatever ends a client is a failure of the whole
        failures.append(f"client {k}: {type(problem).__name__}: {problem}")


# ---- What happens to the files, and other clients -----------------------------------------------


def harm(name):
    """One thing that may happen to files that somebody else works with."""
    files = [os.path.join(base, each) for base, _, found in os.walk(places[name]) for each in found]
    what = random.choice(["rewritten", "renamed", "truncated", "removed", "all removed"]) if files else "restored"
    path = random.choice(files) if files else ""
    if what == "rewritten":
        with open(path, "r+b") as file:
            data = file.read()
            file.seek(0)
            file.write(os.urandom(len(data)) if random.random() < 0.5 else bytes(reversed(data)))
    elif what == "renamed":
        os.rename(places[name], places[name] + ".away")
        time.sleep(0.2)
        os.rename(places[name] + ".away", places[name])
    elif what == "truncated":
        os.truncate(path, random.randrange(os.path.getsize(path) + 1))
    elif what == "removed":
        os.remove(path)
    elif what == "all removed":
        shutil.rmtree(places[name])
    if what in ("restored", "all removed") or random.random() < 0.3:
        restore(name)
    return what


def open_another():
    """A second explorer on what is there now."""
    other = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    line = other.stdout.readline()
    other.terminate()
    said = other.communicate(timeout=60)[1]
    if line.startswith("http"):
        return "opened"
    if other.returncode != 1 or not said.startswith("eccentric: "):
        raise ValueError(f"another explorer ends with {other.returncode}: {said}")
    return "refused"


def disturb(stop, counts, failures):
    try:
        while not stop.is_set():
            what = harm(random.choice(list(places)))
            counts[what] = counts.get(what, 0) + 1
            if random.random() < 0.05:
                what = open_another()
                counts[what] = counts.get(what, 0) + 1
            time.sleep(0.2)
    except Exception as problem:
        failures.append(f"files: {type(problem).__name__}: {problem}")


def slow_client(stop, counts):
    """Sends a request byte by byte, for as long as it is let."""
    while not stop.is_set():
        try:
            with socket.create_connection((url.hostname, url.port), 60) as s:
                for byte in b"GET /api/about HTTP/1.1\r\nHost: localhost\r\nX: " + 1000 * b"x":
                    s.send(bytes([byte]))
                    if stop.wait(0.3): break
        except OSError:
            pass  # shown the door
        counts["slow clients"] = counts.get("slow clients", 0) + 1


def broken_client(stop, counts):
    """Breaks off in the middle of a request or of an answer."""
    request = b"POST /api/decode HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4000\r\n\r\n" + os.urandom(3000)
    while not stop.wait(0.1):
        try:
            s = socket.create_connection((url.hostname, url.port), 60)
            s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # reset, not closed
            s.send(random.choice([request[:random.randrange(len(request))], b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", os.urandom(300)]))
            s.close()
        except OSError:
            pass
        counts["broken clients"] = counts.get("broken clients", 0) + 1


def expect(status, c, method, path, body=None, size=None):
    """Asks; the answer has this status and, where that is known, so many bytes."""
    got, data = ask(c, method, path, body)
    while got == 429:  # clients on a fast machine may ask for more than the server allows
        time.sleep(0.05)
        got, data = ask(c, method, path, body)
    if got == 500 and options.disturb and path == "items":
        return  # the images are not there just now
    if got != status:
        raise ValueError(f"{method} {path[:80]} got {got}, expected {status}: {data[:200]!r}")
    if size is not None and len(data) != size:
        raise ValueError(f"{method} {path[:80]} got {len(data)} bytes, expected {size}")


def talk(c, d, count, stop, totals, k):
    while not stop.is_set():
        what = random.random()
        n = 7 if what < 0.2 else 1
        if what < 0.8:
            body = struct.pack(f"<{n * d}f", *(random.gauss(0, 1) for _ in range(n * d)))
            expect(200, c, "POST", "decode", body, n * item_bytes)
        elif what < 0.85:
            expect(200, c, "GET", f"sample?n=20&seed={random.randrange(1000)}", None, 20 * (4 * d + item_bytes))
        elif what < 0.9 and count:
            expect(200, c, "GET", f"column?k={random.randrange(d)}", None, 4 * count)
        elif what < 0.95 and count:
            expect(200, c, "POST", "items", struct.pack("<4I", *(random.randrange(count) for _ in range(4))), 4 * item_bytes)
        elif what < 0.97:
            expect(400, c, "POST", "upload", b"\x89PNG\r\n\x1a\n" + os.urandom(2000))
        elif what < 0.98:
            expect(200, c, "GET", "about")
        else:
            path = "nothing/" + "x" * random.randrange(2000)
            expect(404 if len("/api/" + path) < 1024 else 400, c, "GET", path)
            totals[k] += 1
            return  # and go on with a new connection
        totals[k] += 1


try:
    about = json.loads(ask(connect(), "GET", "about")[1])
    d, count = about["d"], about["items"]["count"] if about["items"] else 0
    item_bytes = about["channels"] * about["height"] * about["width"] * (4 if about["runs"][0]["table"] else 1)
    result = {"milliseconds": latency(d), "clients": options.clients, "memory": [memory()]}
    stop, totals, reconnects, failures = threading.Event(), [0] * options.clients, [0] * options.clients, []
    threads = [threading.Thread(target=client, args=(d, count, stop, totals, reconnects, failures, k))
               for k in range(options.clients)]
    counts = {}
    if options.disturb:
        threads += [threading.Thread(target=disturb, args=(stop, counts, failures)), threading.Thread(target=broken_client, args=(stop, counts))]
        threads += [threading.Thread(target=slow_client, args=(stop, counts)) for _ in range(2)]
    for thread in threads:
        thread.start()
    steps = 20
    for _ in range(steps):
        time.sleep(options.seconds / steps)
        result["memory"].append(memory())
    stop.set()
    for thread in threads:
        thread.join()
    result["requests"], result["reconnects"], result["failures"] = sum(totals), sum(reconnects), failures
    result["milliseconds_after"] = latency(d)
    if options.disturb:
        result["beside"] = counts
    early, late = result["memory"][steps // 4], result["memory"][-1]
    result["growth"] = late - early
    print(json.dumps(result))
    sys.exit(1 if failures or late > early + 512 else 0)
finally:
    server.terminate()
    server.wait()
    shutil.rmtree(folder, ignore_errors=True)
