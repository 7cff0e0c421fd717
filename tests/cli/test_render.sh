#!/usr/bin/env bash
# render: contact sheets as a user asks for them. What is on them is tested in
# tests/unit/pipeline/report; here, that files come out whole, and refusals are one clear line.
source "$UGOKI_SOURCE/tests/support/cli.sh"

# A picture that decodes, of that width, and with more than a few colours on it.
check_png() {
    python3 - "$1" "$2" <<'PY' || fail "$1 is no picture of width $2"
import struct, sys, zlib
data = open(sys.argv[1], "rb").read()
assert data[:8] == b"\x89PNG\r\n\x1a\n", "signature"
at, idat, seen_end = 8, b"", False
while at < len(data):
    size, kind = struct.unpack(">I4s", data[at:at + 8])
    body = data[at + 8:at + 8 + size]
    assert struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0] == zlib.crc32(kind + body), "crc"
    if kind == b"IHDR":
        width, height, depth, colour = struct.unpack(">IIBB", body[:10])
    idat += body if kind == b"IDAT" else b""
    seen_end = seen_end or kind == b"IEND"
    at += 12 + size
assert seen_end and (width, depth, colour) == (int(sys.argv[2]), 8, 2), (width, depth, colour)
raw, stride, line, colours = zlib.decompress(idat), 3 * width, bytearray(3 * width), set()
assert len(raw) == height * (stride + 1), "size"
def paeth(a, b, c):
    p = a + b - c
    d = (abs(p - a), abs(p - b), abs(p - c))
    return a if d[0] <= d[1] and d[0] <= d[2] else b if d[1] <= d[2] else c
for y in range(height):
    f, row = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
    for i in range(stride if f else 0):
        a, b, c = (row[i - 3] if i > 2 else 0), line[i], (line[i - 3] if i > 2 else 0)
        row[i] = row[i] + (a, b, (a + b) // 2, paeth(a, b, c))[f - 1] & 255
    line = row
    if y % 7 == 0:
        colours.update(bytes(row[i:i + 3]) for i in range(0, stride, 3))
assert len(colours) > 20, "blank"
PY
    checks=$((checks + 1))
}

"$UGOKI" synth -o take.c3d --truth truth.h5 --strides 2 -q || fail "synth"
"$UGOKI" export truth.h5 -o truth.bvh -q || fail "export"

# every kind of file, every kind of sheet
expect 0 "wrote sheet.png: 8 poses, 640 x [0-9]+" render truth.h5 -o sheet.png --width 640
check_png sheet.png 640
expect 0 "6 poses" render take.c3d truth.bvh truth.h5 -o three.png --poses 6 --width 500 \
    --views front,side,top,persp --theme dark --trails --unit mm --up +Y
check_png three.png 500
expect 0 "" render truth.h5 -o fixed.svg --no-follow --pick keys --poses 5 -q
head -c 5 fixed.svg | grep -q '<?xml' && grep -q '</svg>' fixed.svg || fail "no whole SVG"
expect 0 "" render truth.h5 -o each.PDF --facing each --markers off --contacts file
head -c 4 each.PDF | grep -q '%PDF' && tail -c 6 each.PDF | grep -q EOF || fail "no whole PDF"

# two runs, the same bytes
for ending in png svg pdf; do
    "$UGOKI" render truth.h5 -o "a.$ending" -q && "$UGOKI" render truth.h5 -o "b.$ending" -q ||
        fail "render to $ending"
    cmp "a.$ending" "b.$ending" || fail "two $ending of one take differ"
done

# --json says what is shown, by frame numbers from 0
expect 0 '"pose_count":3,"width_px":400,"height_px":[0-9]+,"px_per_m":[0-9.]+' \
    render truth.h5 -o j.png --json --frames 120,0,60 --width 400
grep -q '"frames":\[0,60,120\],"times_s":\[0,0.5,1\]' out || fail "frames and times of --json"
write_bvh short.bvh 30
write_bvh short2.bvh 10
expect 0 '"frames":\[0,29\].*"frames":\[0,null\]' render short.bvh short2.bvh -o k.png --json \
    --poses 2 --unit cm --up +Y -y
expect 0 '"frames":\[12,15,17\]' render short.bvh -o l.png --json --poses 3 --unit cm --up +Y \
    --from-s 0.1 --to-s 0.14 --width 300
check_png l.png 300

# one frame; no font; a name that is no UTF-8
write_bvh one.bvh 1
expect 0 "1 poses" render one.bvh -o one.png --unit cm --up +Y
echo '<?xml version="1.0"?><fontconfig></fontconfig>' >fonts.conf
FONTCONFIG_FILE=$PWD/fonts.conf expect 0 "" render one.bvh -o nofont.png --unit cm --up +Y \
    --width 400
check_png nofont.png 400
odd=$(printf 'caf\351 %%s.bvh')
cp one.bvh "$odd"
expect 0 "" render "$odd" -o odd.png --unit cm --up +Y

# the demo ends with a sheet
expect 0 "sheet.png" demo -o demo-out
head -c 4 demo-out/sheet.png | grep -q PNG || fail "no sheet of the demo"

# refusals
expect 2 "which file\? ugoki render FILE -o sheet.png" render
expect 2 "say where the result goes with -o FILE" render truth.h5
expect 2 "cannot write 'x.gif': a sheet is a .png, .svg or .pdf" render truth.h5 -o x.gif
expect 2 "sheet.png: is there already; -y overwrites it" render truth.h5 -o sheet.png
cp truth.h5 in.png
expect 2 "in.png: is an input of this call" render in.png -o in.png -y
expect 2 "views: 'back' is none of front, side, top, persp" render truth.h5 -o x.png --views back
expect 2 "views: 'side' is there twice" render truth.h5 -o x.png --views side,side
expect 2 "frames: '1.5' is not a whole number" render truth.h5 -o x.png --frames 1.5
expect 2 "frame 99999 is not in the take: it has 0 to" render truth.h5 -o x.png --frames 99999
expect 2 "frames says which: leave out" render truth.h5 -o x.png --frames 1 --poses 3
expect 2 "from-s 2 is after --to-s 1" render truth.h5 -o x.png --from-s 2 --to-s 1
expect 2 "nothing from 5000 s on: the take ends at" render truth.h5 -o x.png --from-s 5000
expect 2 "facing each needs a camera that follows" render truth.h5 -o x.png --facing each --no-follow
expect 2 "poses: '0' is not a whole number from 1 to 100" render truth.h5 -o x.png --poses 0
expect 3 "cannot be opened" render none.bvh -o x.png
expect 3 "strict: BVH declares no unit" render truth.bvh -o x.png --strict
"$UGOKI" calibrate take.c3d --markers cmu_41 -o subject.h5 -q -y 2>/dev/null ||
    fail "calibrate" # a subject: a skeleton, and no frame of anything
expect 4 "subject.h5: nothing to draw: no frame of motion or markers" render subject.h5 -o x.png
expect 6 "ugoki render: no/such/folder/x.png: cannot be written" render truth.h5 -o no/such/folder/x.png
[ ! -e x.png ] || fail "a refused call left a sheet"

# a write that fails leaves the old sheet
cp sheet.png before.png
(ulimit -f 8 && expect 6 "cannot be written" render truth.h5 -o sheet.png -y --width 3000) || exit 1
cmp sheet.png before.png || fail "a failed write touched the old sheet"
[ -z "$(find . -name '*.tmp.*')" ] || fail "a temporary file is left"
finish
