# SPDX-License-Identifier: MIT
"""Bars of the real take: figures of two runs (built-in set, VSK) as `ugoki run --json` prints them."""
import json
import re
import sys

bad = []


def want(ok, text):
    print('ok  ' if ok else 'BAD ', text)
    if not ok:
        bad.append(text)


def stage(run, name):
    return [s for s in run['stages'] if s['stage'] == name]


def warned(s, code, *words):
    return any(w['code'] == code and all(x in w['first'] for x in words) for w in s['warnings'])


for path in sys.argv[1:]:
    run = json.load(open(path, encoding='utf-8'))
    calibrate, solve = stage(run, 'calibrate')[0], stage(run, 'solve')[0]
    m, bones = solve['metrics'], calibrate['metrics']['bone_mm']
    print(path)
    want(m['marker_rms_mm'] <= 10, 'marker_rms_mm %.2f <= 10' % m['marker_rms_mm'])
    want(m['outlier_pct'] <= 0.5, 'outlier_pct %.2f <= 0.5' % m['outlier_pct'])
    if 'vsk' in path:  # its elbows are hinges
        want(warned(calibrate, 'pronation_added', 'ForeArm'), 'forearms given their second axis')
    want(m['unsolved_frames'] == 0, 'unsolved_frames %d' % m['unsolved_frames'])
    want(warned(calibrate, 'marker_unseen', 'CLAV'), 'CLAV reported as never seen')
    want(warned(calibrate, 'labels_exchanged', 'FSH', 'BSH'), 'FSH/BSH reported as exchanged')
    # RTOE's wrong frames are those of the wrist: the two labels were exchanged to the end of the take
    repaired = [w['first'] for s in stage(run, 'clean') for w in s['warnings'] if w['code'] == 'swap_repaired']
    toe = re.search(r"'RIWR' and 'RTOE' frames (\d+)-(\d+)", repaired[0]) if repaired else None
    want(bool(toe) and 970 <= int(toe[1]) <= 980 and int(toe[2]) == 1100,
         'RTOE reported as exchanged with the wrist in frames %s-%s' % ((toe[1], toe[2]) if toe else (None, None)))
    names = (('l_thigh-l_shank', 'r_thigh-r_shank'), ('l_shank-l_foot', 'r_shank-r_foot')) if 'set' in path else \
        (('LeftUpLeg-LeftLeg', 'RightUpLeg-RightLeg'), ('LeftLeg-LeftFoot', 'RightLeg-RightFoot'))
    for left, right in names:
        want(abs(bones[left] / bones[right] - 1) <= 0.03,
             '%s %.0f, %s %.0f mm within 3 %%' % (left, bones[left], right, bones[right]))
    for foot in ('l_foot-l_toes', 'r_foot-r_toes') if 'set' in path else \
            ('LeftFoot-LeftToe', 'RightFoot-RightToe'):
        want(150 <= bones[foot] <= 195, 'foot %.0f mm in 150-195' % bones[foot])
    for s in stage(run, 'retarget'):
        r = s['metrics']
        want(r['foot_slide_pinned_mm'] is not None and r['foot_slide_pinned_mm'] <= 1,
             'foot_slide_pinned_mm %s <= 1' % r['foot_slide_pinned_mm'])
        want(r['penetration_mm'] <= 10, 'penetration_mm %.1f <= 10' % r['penetration_mm'])
        want(r['knee_accel_ratio'] <= 2.5, 'knee_accel_ratio %.2f <= 2.5' % r['knee_accel_ratio'])
sys.exit(1 if bad else 0)
