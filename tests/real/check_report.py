# SPDX-License-Identifier: MIT
"""check_report.py NICK CMU: what is known of two takes, in NAME.json, NAME-solve.json and NAME.html."""
import json
import re
import sys


def read(name):
    with open(name + ".json") as file:
        return json.load(file)["report"]["files"][0]


def close(a, b):
    return abs(a - b) <= 1e-6 * max(abs(a), abs(b), 1e-9)


nick, cmu = read(sys.argv[1]), read(sys.argv[2])

# nick_freeform_001: CLAV never seen; RTOE and the wrist's label exchanged at the end; front and back of
# both shoulders exchanged throughout
never = [m["label"] for m in nick["markers"] if m["missing"] == nick["frame_count"]]
assert never == ["CLAV"], never
toe = [s for s in nick["swaps"] if {s["marker"], s["other"]} == {"RIWR", "RTOE"}]
assert len(toe) == 1 and toe[0]["repaired"], nick["swaps"]
assert 940 < toe[0]["first"] < 1000 and toe[0]["end"] == nick["frame_count"] == 1101, toe
assert not [s for s in nick["strays"] if s["marker"] == "RTOE"], nick["strays"]
codes = [f["code"] for f in nick["findings"]]
assert codes[0] == "never_seen" and "swap" in " ".join(codes) and "labels_exchanged" in codes, codes
assert nick["metrics"]["exchanged_labels"] == 4, nick["metrics"]["exchanged_labels"]
assert nick["metrics"]["missing_pct"] < nick["metrics"]["missing_before_pct"]
verdict = {g["gate"].split("<")[0]: g["verdict"] for g in nick["gates"]}
assert verdict["never_seen_count"] == "not met" and verdict["marker_rms_mm"] == "met", verdict
assert [s["stage"] for s in nick["stages"]] == ["import", "clean", "calibrate", "solve", "retarget"]
assert not any(s["of_subject"] for s in nick["stages"])

# 85_12: nothing is missing, so nothing is filled; limits hit
assert cmu["frame_count"] == 4499 and cmu["metrics"]["missing_pct"] == 0
assert all(m["filled"] == 0 and m["gap_count"] == 0 for m in cmu["markers"])

for name, facts in ((sys.argv[1], nick), (sys.argv[2], cmu)):
    solve = read(name + "-solve")
    stage = next(s for s in facts["stages"] if s["stage"] == "solve")
    figures = {f["name"]: f["value"] for f in stage["figures"]}
    # what the report counts on the samples is what the solve said, before and after a retarget
    for m in facts["markers"]:
        said = figures.get("marker_rms_mm_of/" + m["label"])
        if said is not None:
            assert close(m["marker_rms_mm"], said), (m["label"], m["marker_rms_mm"], said)
    counted = sum(m["residual_count"] or 0 for m in facts["markers"])
    far = sum(m["outlier_count"] or 0 for m in facts["markers"])
    assert close(100.0 * far / counted, figures["outlier_pct"]), (far, counted)
    assert solve["markers"] == facts["markers"] and solve["strays"] == facts["strays"]
    # the hits name the joints of the solved body, in the retargeted file too
    assert solve["limit_hits"] == facts["limit_hits"] and facts["limit_hits"]
    frames = {}
    for h in facts["limit_hits"]:
        frames[h["joint"]] = frames.get(h["joint"], 0) + h["end"] - h["first"]
        assert h["limit_deg"] > 1.0
    assert frames == {k.split("/")[1]: v for k, v in figures.items() if k.startswith("limit_hits_of/")}, frames
    # a solve holds no contacts: those found on its motion are shown, and each stands within reach
    assert solve["contacts_found"] and "contacts" not in solve["parts"] and solve["contacts"]
    assert not facts["contacts_found"] and "contacts" in facts["parts"]
    assert all(c["slide_before_mm"] is None and 0 <= c["slide_after_mm"] < 100 for c in solve["contacts"] if c["accepted"])
    # no stage's figures are lost to those of a later one of the same name
    scale = {s["stage"]: s["metrics"]["scale_ratio"] for s in facts["stages"] if "scale_ratio" in s["metrics"]}
    assert set(scale) == {"calibrate", "retarget"} and scale["calibrate"] != scale["retarget"], scale
    assert facts["metrics"]["scale_ratio"] == scale["retarget"]
    # every filled sample is in one fill
    assert sum(f["end"] - f["first"] for f in facts["fills"]) == sum(m["filled"] for m in facts["markers"])
    # planted contacts slid before, and do not after
    slides = [(c["slide_before_mm"], c["slide_after_mm"]) for c in facts["contacts"] if c["accepted"]]
    assert len(slides) == facts["metrics"]["contact_count"]
    assert max(b for b, _ in slides) > 20 and max(a for _, a in slides) < 1
    assert close(max(a for _, a in slides) + 1, facts["metrics"]["foot_slide_pinned_mm"] + 1)
    # the page says what the JSON says
    page = open(name + ".html", encoding="utf-8").read()
    shown = re.findall(r'<data value="([^"]*)" data-figure="marker_rms_mm">', page)
    assert len(shown) > 40, len(shown)
    exact = re.findall(r'"marker_rms_mm":([-0-9.e]+)', open(name + ".json").read())
    said = re.findall(r'"name":"marker_rms_mm","value":([-0-9.e]+)', open(name + ".json").read())
    assert set(shown) <= set(exact) | set(said), set(shown) - set(exact)
print("as known")
