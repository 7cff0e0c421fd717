#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Ask `ugoki view` like a page, like a stranger and like a broken program.

    view.py UGOKI MARKERS.h5 MOTION.h5 JOINTS.csv

JOINTS.csv is what `export --what joints --unit m` made of MOTION.h5. UGOKI_VIEW_SECONDS is how long the
clients scrub (3). Exits 1 with the first thing that is wrong.
"""
import array
import atexit
import csv
import http.client
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time

import h5py
import numpy as np

UGOKI, MARKERS, MOTION, JOINTS = sys.argv[1:5]
SECONDS = float(os.environ.get("UGOKI_VIEW_SECONDS", "3"))
checks = 0


def check(good, what):
    global checks
    checks += 1
    if not good:
        raise SystemExit(f"FAILED: {what}")


class Server:
    def __init__(self, *files):
        # a sanitizer keeps freed memory for a while, which is no growth of ours
        env = dict(os.environ, ASAN_OPTIONS=os.environ.get("ASAN_OPTIONS", "") + ":quarantine_size_mb=8")
        self.process = subprocess.Popen([UGOKI, "view", *files, "--json", "--no-open"], env=env,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)
        atexit.register(self.process.kill)
        said = json.loads(self.process.stdout.readline())
        self.port = said["port"]
        self.token = re.fullmatch(rf"http://127\.0\.0\.1:{self.port}/\?t=([0-9a-f]{{32}})", said["url"])[1]
        self.host = f"127.0.0.1:{self.port}"

    def memory_kb(self):
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as f:
            return int(re.search(r"VmRSS:\s+(\d+)", f.read())[1])

    def connect(self):
        s = socket.create_connection(("127.0.0.1", self.port), timeout=20)
        s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return s

    def end(self, sign):
        began = time.monotonic()
        self.process.send_signal(sign)
        out, err = self.process.communicate(timeout=60)
        check(self.process.returncode == 0, f"exit {self.process.returncode} on {sign.name}: {err}")
        check(err == "" and out == "", f"it said something: {out}{err}")
        return time.monotonic() - began


def parse(data):
    """status, headers in lower case, body; status 0: the connection ended without an answer"""
    head, blank, body = data.partition(b"\r\n\r\n")
    if not blank or not head.startswith(b"HTTP/1."):
        return 0, {}, b""
    lines = head.decode("latin-1").split("\r\n")
    headers = dict(line.split(": ", 1) for line in lines[1:] if ": " in line)
    return int(lines[0].split()[1]), {k.lower(): v for k, v in headers.items()}, body


def exchange(server, data):
    """send all, read until the server has nothing more to say"""
    parts = []
    with server.connect() as s:
        try:
            s.sendall(data)
            s.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # it hung up; what it said before that can still be read
        try:
            while part := s.recv(1 << 16):
                parts.append(part)
        except OSError:
            pass
    return b"".join(parts)


def request(server, path, method="GET", host=None, token=True, body=b"", **headers):
    head = f"{method} {path} HTTP/1.1\r\n"
    head += f"Host: {host if host is not None else server.host}\r\n"
    if token:
        head += f"X-Ugoki-Token: {server.token if token is True else token}\r\n"
    for name, value in headers.items():
        head += f"{name.replace('_', '-')}: {value}\r\n"
    with server.connect() as s:
        s.sendall((head + "Connection: close\r\n\r\n").encode("utf-8") + body)
        parts = []
        try:
            while part := s.recv(1 << 16):
                parts.append(part)
        except OSError:
            pass
    return parse(b"".join(parts))


def want(server, status, path, **more):
    got = request(server, path, **more)
    check(got[0] == status, f"{more} {path[:80]}: {got[0]}, not {status}")
    if status >= 400:
        check(len(got[2]) < 100 and b"frame_count" not in got[2] and b"ugoki" not in got[2],
              f"{path[:80]}: refused, yet it got {got[2][:200]}")
    return got


def test_page(server):
    status, headers, body = want(server, 200, f"/?t={server.token}", token=None)
    check(b'id="ugoki"' in body and headers["content-type"] == "text/html; charset=utf-8", "page")
    check(headers["cache-control"] == "no-store" and headers["x-content-type-options"] == "nosniff"
          and headers["referrer-policy"] == "no-referrer"
          and "default-src 'none'" in headers["content-security-policy"]
          and "frame-ancestors 'none'" in headers["content-security-policy"], f"{headers}")
    check(server.token.encode() not in body, "the page holds the token")
    want(server, 200, "/")
    want(server, 200, "/", host=f"localhost:{server.port}", Origin=f"http://localhost:{server.port}")
    status, headers, body = want(server, 200, "/scenes/0/frames", method="HEAD")
    check(body == b"" and int(headers["content-length"]) > 0, "HEAD")


def test_strangers(server):
    wrong = ["0" * 32, server.token[:-1], server.token + "0", server.token.upper() + " x", "x" * 5000, "*"]
    for path in ["/", "/scenes", "/scenes/0/frames", "/nowhere", "/etc/passwd"]:
        want(server, 403, path, token=None)
        for token in wrong:
            want(server, 403, path, token=token)
        for host in ["evil.example", f"evil.example:{server.port}", "127.0.0.1", "localhost", "",
                     f"127.0.0.1:{server.port}.evil.example", f"[::1]:{server.port}", f"127.0.0.1:{server.port + 1}"]:
            status = request(server, path, host=host)[0]
            check(status in (400, 421), f"{path} as {host}: {status}")
        for origin in ["http://evil.example", "null", f"https://{server.host}", f"http://{server.host}.evil.example",
                       f"http://127.0.0.1:{server.port + 1}", "file://"]:
            want(server, 403, path, Origin=origin)
    want(server, 403, f"/scenes?t={server.token}", token=None)  # in an address only the page's own
    want(server, 403, f"/scenes/0/frames?t={server.token}", token=None)
    want(server, 403, "/?t=", token=None)
    want(server, 403, f"/?t={server.token}&t=1", token="1")
    status, _, body = parse(exchange(server, f"GET / HTTP/1.0\r\nX-Ugoki-Token: {server.token}\r\n\r\n".encode()))
    check(status == 421, f"no Host at all: {status}")


def test_paths(server):
    for path in ["/../etc/passwd", "/..%2f..%2fetc/passwd", "/%2e%2e/etc/passwd", "//", "//scenes", "/scenes/",
                 "/scenes/0", "/scenes/0/", "/scenes//frames", "/scenes/0/frames/", "/scenes/0//frames",
                 "/scenes/2/frames", "/scenes/-1/frames", "/scenes/+1/frames", "/scenes/01/frames",
                 "/scenes/0x0/frames", "/scenes/1e0/frames", "/scenes/18446744073709551616/frames",
                 "/scenes/4294967296/frames", "/scenes/%30/frames", "/%73cenes", "/scenes%00", "/scenes%00/x",
                 "/scenes/0/../1/frames", "/SCENES", "/index.html", "/favicon.ico", "/player.js", "/\xe5\x8b\x95",
                 "/" + "a" * 4000, f"http://{server.host}/scenes", "*", "/;/scenes", "/scenes/0/frames%0d%0aX: y"]:
        want(server, 404, path)


def test_ranges(server, records):
    for index, all_bytes in enumerate(records):
        path, size = f"/scenes/{index}/frames", len(all_bytes)
        check(request(server, path)[2] == all_bytes, "all of it")
        for text, first, end in [("0-0", 0, 1), (f"0-{size - 1}", 0, size), ("1-70000", 1, 70001),
                                 (f"{size - 1}-", size - 1, size), (f"{size - 1}-{size + 5}", size - 1, size),
                                 ("-1", size - 1, size), (f"-{size + 1}", 0, size), ("100-18446744073709551616", 100, size),
                                 ("-18446744073709551617", 0, size)]:
            end = min(end, size)
            _, headers, body = want(server, 206, path, Range=f"bytes={text}")
            check(body == all_bytes[first:end], f"bytes={text}")
            check(headers["content-range"] == f"bytes {first}-{end - 1}/{size}", headers["content-range"])
        for text in [f"bytes={size}-", f"bytes={size}-{size}", "bytes=5-3", "bytes=0-1,3-4", "bytes=--1", "bytes=-0",
                     "bytes=-", "bytes=", "bytes", "frames=0-1", "bytes=0x0-1", "bytes=18446744073709551616-",
                     "bytes=18446744073709551615-18446744073709551615", "bytes=1-2;", "bytes=-1-2", "bytes=\t0-1"]:
            _, headers, body = want(server, 416, path, Range=text)
            check(headers["content-range"] == f"bytes */{size}", headers["content-range"])
    want(server, 200, "/scenes", Range="bytes=0-1")  # a list is not sent in pieces


def test_methods(server):
    for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "get", "PROPFIND"]:
        for path in ["/", "/scenes", "/scenes/0/frames"]:
            _, headers, _ = want(server, 405, path, method=method)
            check(headers["allow"] == "GET, HEAD", "Allow")
        want(server, 403, "/", method=method, token="0" * 32)
    want(server, 413, "/scenes", body=b"12345", Content_Length="5")
    want(server, 413, "/scenes", body=b"5\r\n12345\r\n0\r\n\r\n", Transfer_Encoding="chunked")
    want(server, 405, "/scenes", method="POST", body=b"x" * 2000, Content_Length="2000")
    # a body must not be taken for the next request
    inner = f"GET /scenes HTTP/1.1\r\nHost: {server.host}\r\nX-Ugoki-Token: {server.token}\r\n\r\n"
    for method in ("GET", "POST"):
        head = (f"{method} / HTTP/1.1\r\nHost: {server.host}\r\nX-Ugoki-Token: {server.token}\r\n"
                f"Content-Length: {len(inner)}\r\n\r\n")
        check(b"frame_count" not in exchange(server, (head + inner).encode()), f"a body of {method} was answered")
    want(server, 200, "/scenes")


def world_places(h):
    """joint centres from the local rotations in the store, written down once more here"""
    def times(a, b):
        aw, av, bw, bv = a[..., :1], a[..., 1:], b[..., :1], b[..., 1:]
        return np.concatenate([aw * bw - (av * bv).sum(-1, keepdims=True), aw * bv + bw * av + np.cross(av, bv)], -1)

    def turned(q, v):
        t = 2 * np.cross(q[..., 1:], v)
        return v + q[..., :1] * t + np.cross(q[..., 1:], t)

    local, parents, offsets = h["motion/rotations"][()], h["skeleton/parents"][()], h["skeleton/offsets"][()]
    moved = dict(zip(h["motion/translated_joints"][()], np.moveaxis(h["motion/translations"][()], 1, 0)))
    turns, places = np.empty_like(local), np.empty(local.shape[:2] + (3,))
    for j, p in enumerate(parents):
        offset = moved.get(j, np.broadcast_to(offsets[j], places[:, j].shape))
        turns[:, j] = local[:, j] if p < 0 else times(turns[:, p], local[:, j])
        places[:, j] = offset if p < 0 else places[:, p] + turned(turns[:, p], offset)
    return turns, places


def test_truth(manifests, records):
    """markers are what h5py reads, to the bit; joints what follows from the store and what export writes"""
    for index, path in enumerate([MARKERS, MOTION]):
        m = manifests[index]
        raw = np.frombuffer(records[index], np.uint8).reshape(m["record_count"], m["record_bytes"])
        fields = {}
        for f in m["fields"]:
            width = {"f32": 4, "u8": 1}[f["type"]]
            size = int(np.prod(f["shape"])) * width
            part = np.ascontiguousarray(raw[:, f["offset"]:f["offset"] + size])
            fields[f["name"]] = part.view({4: "<f4", 1: "u1"}[width]).reshape(-1, *f["shape"])
        with h5py.File(path) as h:
            positions = h["markers/positions"]
            metres = (positions[()].astype(np.float64) * positions.attrs["scale_m"]).astype(np.float32)
            check(metres.shape[0] == m["frame_count"] == m["record_count"] and m["stride"] == 1, "frames")
            check(np.isnan(metres).any() or index == 1, "no gap to show")
            check(np.array_equal(fields["markers"], metres, equal_nan=True), f"markers of {path}")
            check(np.array_equal(fields["origin"], h["markers/origin"][()].astype(np.uint8)), "origin")
            check([x["label"] for x in m["markers"]] == list(h["markers/labels"].asstr()[:]), "labels")
            missing = sum(end - first for _, first, end, kind in m["lanes"] if kind == 0)
            check(missing == int((h["markers/origin"][()] & 1 == 0).sum()), "lanes of missing samples")
            if index == 0:
                continue
            check([x["name"] for x in m["joints"]] == list(h["skeleton/names"].asstr()[:]), "joints")
            turns, places = world_places(h)
            for name, truth in (("joints", places), ("turns", turns)):  # to the last bit but rounding
                far = np.abs(fields[name] - truth) / np.spacing(np.maximum(np.abs(truth), 1e-3).astype(np.float32))
                check(far.max() < 0.6, f"{name} are {far.max()} steps of float off")
            check(np.array_equal(fields["outcome"][:, 0], h["quality/frame_outcome"][:, 0].astype(np.uint8)), "outcome")
    with open(JOINTS, encoding="utf-8") as f:
        rows = list(csv.reader(f))
    check(len(rows) == m["frame_count"] + 1, f"{len(rows)} rows in {JOINTS}")
    names = [c[:-2] for c in rows[0][2::3]]
    check(names == [j["name"] for j in m["joints"]], "joints in the CSV")
    csv_m = np.array([[float(v) for v in row[2:]] for row in rows[1:]]).reshape(-1, len(names), 3)
    far = np.abs(fields["joints"] - csv_m).max()  # that file keeps float millimetres
    check(far < 1e-6, f"joints are {far} m from what export wrote")


def test_floods(server):
    held = []
    for i in range(90):  # half a request, and nothing more
        s = server.connect()
        s.sendall(b"GET /scenes HTTP/1.1\r\nHost: 127"[:1 + i % 33])
        held.append(s)
    for i in range(20):  # asks for everything, reads nothing
        s = server.connect()
        s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        s.sendall(f"GET /scenes/1/frames HTTP/1.1\r\nHost: {server.host}\r\nX-Ugoki-Token: {server.token}\r\n\r\n".encode())
        held.append(s)
    began = time.monotonic()
    want(server, 200, "/scenes")
    check(time.monotonic() - began < 5, "half-open connections keep others waiting")
    for data in [b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 20000 + b"\r\n", b"GET / HTTP/1.1\r\nA: " + b"b" * 1000000 + b"\r\n\r\n",
                 b"GET /" + b"a" * 1000000 + b" HTTP/1.1\r\n\r\n", b"\r\n" * 100000, b"\0" * 100000, b"A" * 1000000]:
        status, _, body = parse(exchange(server, data))
        check(status == 0 or status >= 400, f"flood: {status}")
    for s in held:
        s.close()
    want(server, 200, "/scenes")


def malformed(server, r):
    """(request, whether it may have been a good one after all)"""
    head = [f"GET /scenes/{r.choice([0, 1])}/frames HTTP/1.1", f"Host: {server.host}",
            f"X-Ugoki-Token: {server.token}", f"Range: bytes={r.randrange(5000)}-{r.randrange(9000)}"]
    kind = r.randrange(8)
    if kind == 0:
        return bytes(r.randrange(256) for _ in range(r.randrange(1, 300))), False
    if kind == 1:  # a token that is off by one bit
        token = bytearray(server.token.encode())
        token[r.randrange(32)] ^= 1 << r.randrange(7)
        head[2] = "X-Ugoki-Token: " + token.decode("latin-1")
        return ("\r\n".join(head) + "\r\n\r\n").encode("latin-1"), False
    if kind == 2:  # cut off anywhere
        data = ("\r\n".join(head) + "\r\n\r\n").encode()
        return data[:r.randrange(1, len(data) - 3)], False
    if kind == 3:  # bytes changed anywhere
        data = bytearray(("\r\n".join(head) + "\r\n\r\n").encode())
        for _ in range(r.randrange(1, 6)):
            data[r.randrange(len(data))] = r.randrange(256)
        return bytes(data), True
    if kind == 4:
        head[3] = "Range: " + r.choice(["bytes=", "bytes=-", "", "bytes=9-2", "bytes=%d-" % 2**70, "lines=1-2",
                                        "bytes=0-1," * r.randrange(1, 400), "bytes=" + "9" * r.randrange(1, 9000)])
        return ("\r\n".join(head) + "\r\n\r\n").encode(), False
    if kind == 5:
        head[0] = r.choice(["GET", "GET /scenes", "GET  /scenes HTTP/1.1", "GET /scenes HTTP/9.9", "/ HTTP/1.1", "GET /scenes FTP/1.1",
                            "G\0T /scenes HTTP/1.1", "GET /" + "%00" * 30 + " HTTP/1.1", "GET /%zz%% HTTP/1.1",
                            "GET " + "/.." * r.randrange(1, 900) + " HTTP/1.1", "CONNECT evil.example:443 HTTP/1.1"])
        return ("\r\n".join(head) + "\r\n\r\n").encode(), r"GET  " in head[0] or "GET /scenes" in head[0]
    if kind == 6:
        head.insert(r.randrange(1, 4), r.choice(["Content-Length: -1", "Content-Length: 99999999999999999999", "Content-Length: 5",
                                                 "Transfer-Encoding: chunked", "Content-Length: x", "Content-Length: 5\r\nContent-Length: 6"]))
        return ("\r\n".join(head) + "\r\n\r\n" + r.choice(["", "zz\r\n", "5\r\nhello\r\n0\r\n\r\n", "ffffffffffffffff\r\n"])).encode(), False
    head.insert(r.randrange(1, 4), r.choice([":", " folded", "no colon", "a b: c", "A" * r.randrange(40000), ": x", "X: " + "\x7f" * 50]))
    return "\n".join(head).encode() + r.choice([b"\n\n", b"\r\n\r\n", b"\r\n", b""]), True


def test_malformed(server, count=10000, clients=4):
    answers, trouble = {}, []

    def client(seed):
        r = random.Random(seed)
        try:
            for _ in range(count // clients):
                data, may_pass = malformed(server, r)
                status, _, body = parse(exchange(server, data))
                answers[status] = answers.get(status, 0) + 1
                if status in (200, 206) and not may_pass:
                    trouble.append(f"{data[:300]!r} was answered with {status}")
                if status >= 400 and (b"frame_count" in body or status in (500, 502, 503)):
                    trouble.append(f"{data[:300]!r}: {status} {body[:100]!r}")
        except Exception as e:  # a thread's own ends nothing
            trouble.append(repr(e))

    threads = [threading.Thread(target=client, args=(i,)) for i in range(clients)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    check(not trouble, trouble[:1])
    check(sum(answers.values()) == count, "some were not asked")
    check(sum(n for s, n in answers.items() if s >= 400) > count / 4, f"few refusals: {answers}")
    return answers


def test_scrubbing(server, manifests, records, clients=8):
    counts, trouble, ends = array.array("q", [0] * clients), [], time.monotonic() + SECONDS
    bytes_read = array.array("q", [0] * clients)
    memory = [server.memory_kb()]

    def client(number):
        r = random.Random(number)
        try:
            connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
            while time.monotonic() < ends:
                index = r.randrange(2)
                m = manifests[index]
                first = r.randrange(m["record_count"]) * m["record_bytes"]
                last = min(first + 256 * m["record_bytes"], len(records[index])) - 1
                if r.randrange(10) == 0:
                    first += r.randrange(last - first)  # inside a record
                connection.request("GET", f"/scenes/{index}/frames",
                                   headers={"X-Ugoki-Token": server.token, "Range": f"bytes={first}-{last}"})
                answer = connection.getresponse()
                body = answer.read()
                if answer.status != 206 or body != records[index][first:last + 1]:
                    trouble.append(f"{first}-{last} of {index}: {answer.status}")
                    return
                counts[number] += 1
                bytes_read[number] += len(body)
                if r.randrange(50) == 0:  # leaves in the middle of an answer, as a page that is closed
                    connection.request("GET", "/scenes/1/frames", headers={"X-Ugoki-Token": server.token})
                    connection.sock.recv(1000)
                    connection.close()
        except Exception as e:
            trouble.append(repr(e))

    threads = [threading.Thread(target=client, args=(i,)) for i in range(clients)]
    for t in threads:
        t.start()
    while any(t.is_alive() for t in threads):
        time.sleep(0.2)
        memory.append(server.memory_kb())
    check(not trouble, trouble[:1])
    check(min(counts) > 0, f"a client got nothing: {list(counts)}")
    return sum(counts), sum(bytes_read), memory


def test_address(server):
    with open("/proc/net/tcp", encoding="ascii") as f:
        rows = [line.split()[1] for line in f.readlines()[1:] if line.split()[3] == "0A"]
    mine = [row for row in rows if int(row.split(":")[1], 16) == server.port]
    check([row.split(":")[0] for row in mine] == ["0100007F"], f"listens at {mine}")
    if os.path.exists("/proc/net/tcp6"):
        with open("/proc/net/tcp6", encoding="ascii") as f:
            check(not any(int(line.split()[1].split(":")[1], 16) == server.port and line.split()[3] == "0A"
                          for line in f.readlines()[1:]), "listens on IPv6")


def main():
    server = Server(MARKERS, MOTION)
    manifests = json.loads(request(server, "/scenes")[2])
    check([m["name"] for m in manifests] == [os.path.basename(p) for p in (MARKERS, MOTION)], "two scenes")
    records = [request(server, f"/scenes/{i}/frames")[2] for i in range(2)]
    test_address(server)
    test_page(server)
    test_strangers(server)
    test_paths(server)
    test_ranges(server, records)
    test_methods(server)
    test_truth(manifests, records)
    test_floods(server)
    before = server.memory_kb()
    answers = test_malformed(server)
    after = server.memory_kb()
    print(f"10000 malformed requests: {dict(sorted(answers.items()))}; {before} kB before, {after} kB after")
    check(after < before + 16 * 1024, f"memory grew from {before} to {after} kB")
    test_truth(json.loads(request(server, "/scenes")[2]), [request(server, f"/scenes/{i}/frames")[2] for i in range(2)])
    requests, total, memory = test_scrubbing(server, manifests, records)
    print(f"8 clients for {SECONDS:g} s: {requests} requests, {total / 1e6:.0f} MB; "
          f"memory {memory[0]} kB before, at most {max(memory)}, {memory[-1]} after")
    check(max(memory) < memory[0] + 32 * 1024, f"memory grew from {memory[0]} to {max(memory)} kB")
    # ends while one has sent half a request and one is in the middle of an answer
    half, slow = server.connect(), server.connect()
    half.sendall(b"GET / HT")
    slow.sendall(f"GET /scenes/1/frames HTTP/1.1\r\nHost: {server.host}\r\nX-Ugoki-Token: {server.token}\r\n\r\n".encode())
    slow.recv(100)
    seconds = server.end(signal.SIGINT)
    check(seconds < 5, f"took {seconds:.1f} s to end")
    for sign in (signal.SIGTERM, signal.SIGINT) * 5:  # whichever thread it happens to meet
        Server(MARKERS).end(sign)
    print(f"{checks} checks of the server")


main()
