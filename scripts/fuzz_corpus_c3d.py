#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the seed files of tests/fuzz/corpus/c3d: small C3D files that together touch every part
of the reader. Usage: fuzz_corpus_c3d.py FOLDER"""
import math
import os
import struct
import sys

BLOCK = 512


class Numbers:
    """One processor's byte order; DEC floats by their definition, not by shifting IEEE bits."""

    def __init__(self, processor):
        self.processor = processor
        self.end = ">" if processor == "M" else "<"

    def u16(self, *values):
        return b"".join(struct.pack(self.end + "H", int(v) & 0xFFFF) for v in values)

    def f32(self, *values):
        return b"".join(self.one_f32(v) for v in values)

    def one_f32(self, value):
        if self.processor != "D":
            return struct.pack(self.end + "f", value)
        if value == 0:
            return bytes(4)
        mantissa, exponent = math.frexp(abs(value))
        bits = (int(value < 0) << 31) | ((exponent + 128) << 23) | (int(mantissa * 2**24) & 0x7FFFFF)
        return struct.pack("<HH", bits >> 16, bits & 0xFFFF)


class Section:
    def __init__(self, numbers):
        self.n = numbers
        self.groups = {}
        self.records = b""

    def group(self, name):
        if name not in self.groups:
            self.groups[name] = len(self.groups) + 1
            self.record(name, -self.groups[name], b"\x04desc")
        return self.groups[name]

    def record(self, name, number, body):
        head = struct.pack("bb", len(name), number) + name.encode()
        self.records += head + self.n.u16(2 + len(body)) + body

    def put(self, group, name, kind, dimensions, data):
        number = self.group(group)
        body = struct.pack("bB", kind, len(dimensions)) + bytes(dimensions) + data + b"\x00"
        self.record(name, number, body)

    def words(self, group, name, *values, dimensions=None):
        self.put(group, name, 2, dimensions if dimensions is not None else [], self.n.u16(*values))

    def reals(self, group, name, *values, dimensions=None):
        self.put(group, name, 4, dimensions if dimensions is not None else [], self.n.f32(*values))

    def texts(self, group, name, *values, width=8):
        data = b"".join(v.encode("latin-1").ljust(width)[:width] for v in values)
        self.put(group, name, -1, [width, len(values)], data)

    def blocks(self):
        code = {"I": 84, "D": 85, "M": 86}[self.n.processor]
        data = bytes([1, 0x50, 0, code]) + self.records + b"\x00"
        data += bytes(-len(data) % BLOCK)
        return data[:2] + bytes([len(data) // BLOCK]) + data[3:]


def take(processor="I", integer=False, points=3, frames=4, channels=2, samples=2, extra=None,
         labels=True, header=None, flags=None):
    n = Numbers(processor)
    s = Section(n)
    scale = 0.5 if integer else -0.5
    s.words("POINT", "USED", points)
    s.words("POINT", "FRAMES", min(frames, 65535))
    s.reals("POINT", "SCALE", scale)
    s.reals("POINT", "RATE", 100)
    s.words("POINT", "DATA_START", 0)
    if labels:
        s.texts("POINT", "LABELS", *["M%d" % i for i in range(min(points, 255))])
        s.texts("POINT", "UNITS", "mm")
        s.texts("POINT", "X_SCREEN", "+X", width=2)
        s.texts("POINT", "Y_SCREEN", "+Z", width=2)
    s.words("ANALOG", "USED", channels)
    s.reals("ANALOG", "RATE", 100 * samples)
    s.reals("ANALOG", "GEN_SCALE", 1)
    s.reals("ANALOG", "SCALE", *[0.5] * channels, dimensions=[channels])
    s.words("ANALOG", "OFFSET", *[3] * channels, dimensions=[channels])
    if extra:
        extra(s)
    section = s.blocks()
    start = 2 + len(section) // BLOCK
    head = bytearray(BLOCK)
    head[0], head[1] = 2, 0x50
    head[2:12] = n.u16(points, channels * samples, 1, min(frames, 65535), 10)
    head[12:16] = n.f32(scale)
    head[16:20] = n.u16(start, samples)
    head[20:24] = n.f32(100)
    if header:
        header(head, n)
    data = b""
    for f in range(frames):
        for p in range(points):
            xyz = [100 * p + f, 50 * f, 10 * p]
            flag = flags(f, p) if flags else (256 * 3 + 4 if (f + p) % 4 else -1)
            if integer:
                data += n.u16(*[int(v / 0.5) for v in xyz], flag)
            else:
                data += n.f32(*xyz, flag)
        values = [c + k for k in range(samples) for c in range(channels)]
        data += n.u16(*values) if integer else n.f32(*values)
    return bytes(head) + section + data + bytes(-len(data) % BLOCK)


def events(s):
    s.words("EVENT", "USED", 2)
    s.reals("EVENT", "TIMES", 0, 1.5, 1, 2.5, dimensions=[2, 2])
    s.texts("EVENT", "LABELS", "Strike", "Off")
    s.texts("EVENT", "CONTEXTS", "Left", "Right")
    s.texts("EVENT", "SUBJECTS", "Anna", "Anna")


def outputs(s):
    s.texts("POINT", "ANGLES", "M1")
    s.texts("POINT", "FORCES", "M2")
    s.put("POINT", "TYPE_GROUPS", -1, [8, 2, 2], b"ANGLES  ANGLE   MYLIST  SCALAR  ")
    s.texts("POINT", "MYLIST", "M0")


def header_events(head, n):
    head[298:302] = n.u16(12345, 2)
    head[304:312] = n.f32(0.25, 1.5)
    head[396:404] = b"RHS LTO "


def odd_types(s):
    s.texts("TRIAL", "CAMERA_RATE", "100")
    s.put("TRIAL", "BYTES", 1, [3], bytes([1, 2, 255]))
    s.words("TRIAL", "ACTUAL_START_FIELD", 1, 0, dimensions=[2])
    s.words("TRIAL", "ACTUAL_END_FIELD", 4, 0, dimensions=[2])
    s.reals("POINT", "LONG_FRAMES", 4)
    s.put("ANALOG", "FORMAT", -1, [8], b"UNSIGNED")


def more_labels(s):
    s.texts("POINT", "LABELS2", *["N%d" % i for i in range(45)])


def main(folder):
    os.makedirs(folder, exist_ok=True)
    files = {}
    for processor in "IDM":
        for integer in (False, True):
            name = "%s_%s" % (processor, "integer" if integer else "float")
            files[name] = take(processor, integer, extra=events)
    files["outputs"] = take(extra=outputs)
    files["header_events"] = take("M", True, header=header_events)
    files["odd_types"] = take(extra=odd_types)
    files["many_points"] = take(points=300, frames=1, channels=0, extra=more_labels)
    files["no_points"] = take(points=0)
    files["nothing_declared"] = take(labels=False, frames=8)
    files["all_negative"] = take(flags=lambda f, p: -1)
    files["unsigned_flags"] = take(flags=lambda f, p: 65535)
    whole = take()
    files["truncated"] = whole[:-BLOCK - 40]
    files["saturated"] = take(points=1, frames=3, channels=0, header=lambda h, n: h.__setitem__(
        slice(8, 10), n.u16(65535)))
    files["no_parameters"] = take("D", labels=False)[:BLOCK] + bytes([1, 0x50, 1, 85]) + bytes(2000)
    for name, data in files.items():
        with open(os.path.join(folder, name + ".c3d"), "wb") as out:
            out.write(data)


main(sys.argv[1])
