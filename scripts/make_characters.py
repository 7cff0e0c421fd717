#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes datasets/characters/*.yaml out of the humanoid template.

Three bodies that differ in everything a retarget must cope with: leg length (0.5, 1.0, 1.5 of the
template's), spine joints (5, 2, 5), rest pose (A, T, A), names, and local axes that point anywhere.
Run from the root of the tree; `--check` only says whether the files are what this would write.
"""
import math
import re
import sys

TEMPLATE = 'datasets/templates/humanoid.yaml'

# part of the template -> names of each character; {side} is filled in for limbs
NAMES = {
    'troll': {  # 3ds Max Biped
        'pelvis': 'Bip01 Pelvis', 'spine': 'Bip01 Spine', 'spine2': 'Bip01 Spine1',
        'spine3': 'Bip01 Spine2', 'spine4': 'Bip01 Spine3', 'chest': 'Bip01 Spine4',
        'neck': 'Bip01 Neck', 'head': 'Bip01 Head', 'clavicle': 'Bip01 {side} Clavicle',
        'upperarm': 'Bip01 {side} UpperArm', 'forearm': 'Bip01 {side} Forearm',
        'hand': 'Bip01 {side} Hand', 'thigh': 'Bip01 {side} Thigh', 'shank': 'Bip01 {side} Calf',
        'foot': 'Bip01 {side} Foot', 'toes': 'Bip01 {side} Toe0', 'sides': ('L', 'R')},
    'human': {  # Mixamo
        'pelvis': 'mixamorig:Hips', 'spine': 'mixamorig:Spine', 'chest': 'mixamorig:Spine1',
        'neck': 'mixamorig:Neck', 'head': 'mixamorig:Head', 'clavicle': 'mixamorig:{side}Shoulder',
        'upperarm': 'mixamorig:{side}Arm', 'forearm': 'mixamorig:{side}ForeArm',
        'hand': 'mixamorig:{side}Hand', 'thigh': 'mixamorig:{side}UpLeg',
        'shank': 'mixamorig:{side}Leg', 'foot': 'mixamorig:{side}Foot',
        'toes': 'mixamorig:{side}ToeBase', 'sides': ('Left', 'Right')},
    'long_legs': {  # Unreal
        'pelvis': 'pelvis', 'spine': 'spine_01', 'spine2': 'spine_02', 'spine3': 'spine_03',
        'spine4': 'spine_04', 'chest': 'spine_05', 'neck': 'neck_01', 'head': 'head',
        'clavicle': 'clavicle_{side}', 'upperarm': 'upperarm_{side}', 'forearm': 'lowerarm_{side}',
        'hand': 'hand_{side}', 'thigh': 'thigh_{side}', 'shank': 'calf_{side}',
        'foot': 'foot_{side}', 'toes': 'ball_{side}', 'sides': ('l', 'r')},
}
BODIES = [
    # name, leg factor, trunk width factor, extra spine joints, arms down from the T pose, degrees
    ('troll', 0.5, 1.25, 3, 45.0),
    ('human', 1.0, 1.0, 0, 0.0),
    ('long_legs', 1.5, 1.0, 3, 35.0),
]
ANKLE_HEIGHT_M = 0.078  # of the ankle joint over the sole
TIPS = {'head': (0.0, 0.18, 0.0), 'hand': (0.17, 0.0, 0.0), 'toes': (0.0, -0.015, 0.07)}


def read_template():
    """name -> (parent, offset) of the template's joints, in its order."""
    text = open(TEMPLATE, encoding='utf-8').read()
    joints = {}
    for name, parent, offset in re.findall(
            r'name: (\w+), parent: (\S+?),.*?offset_m: \[([^\]]+)\]', text, re.S):
        joints[name] = (None if parent == '~' else parent,
                        tuple(float(v) for v in offset.split(',')))
    assert len(joints) == 21, 'the template has changed; this script must follow'
    return joints


def quat_mul(a, b):
    return (a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
            a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
            a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
            a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0])


def quat_conj(q):
    return (q[0], -q[1], -q[2], -q[3])


def rotate(q, v):
    return quat_mul(quat_mul(q, (0.0,) + tuple(v)), quat_conj(q))[1:]


class Noise:
    """SplitMix64: the same axes on every machine."""

    def __init__(self, seed):
        self.state = seed

    def uniform(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & (2 ** 64 - 1)
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & (2 ** 64 - 1)
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & (2 ** 64 - 1)
        return ((z ^ (z >> 31)) >> 11) / 2.0 ** 53

    def rotation(self):
        """Uniform over all rotations (Shoemake 1992)."""
        u, v, w = self.uniform(), self.uniform(), self.uniform()
        a, b = math.sqrt(1 - u), math.sqrt(u)
        return (b * math.cos(2 * math.pi * w), a * math.sin(2 * math.pi * v),
                a * math.cos(2 * math.pi * v), b * math.sin(2 * math.pi * w))


def part_of(name):
    return name[2:] if name[:2] in ('l_', 'r_') else name


def world_offset(name, offset, leg, width):
    """The template's offset for this body's proportions."""
    x, y, z = offset
    part = part_of(name)
    if part in ('shank', 'foot'):
        return (x, y * leg, z)
    if part in ('thigh', 'clavicle'):
        return (x * width, y, z)
    return offset


def build(template, leg, width, extra_spine, arms_down_deg):
    """[(name, parent, world offset, end site)] with parents first, in the rest pose."""
    joints = []
    for name, (parent, offset) in template.items():
        offset = world_offset(name, offset, leg, width)
        if part_of(name) in ('forearm', 'hand') and arms_down_deg:
            angle = math.radians(-arms_down_deg if name[0] == 'l' else arms_down_deg)
            offset = rotate((math.cos(angle / 2), 0, 0, math.sin(angle / 2)), offset)
        if name == 'pelvis':
            down = sum(-world_offset(n, template[n][1], leg, width)[1]
                       for n in ('l_shank', 'l_foot'))
            offset = (0.0, down + ANKLE_HEIGHT_M, 0.0)
        if name == 'chest' and extra_spine:
            step = tuple(v / (extra_spine + 1) for v in offset)
            for k in range(extra_spine):
                joints.append(('spine%d' % (k + 2), parent, step, False))
                parent = 'spine%d' % (k + 2)
            offset = step
        joints.append((name, parent, offset, False))
        part = part_of(name)
        if part in TIPS:
            tip = TIPS[part]
            if name[0] == 'r' and part == 'hand':
                tip = (-tip[0], tip[1], tip[2])
            if part == 'hand' and arms_down_deg:
                angle = math.radians(-arms_down_deg if name[0] == 'l' else arms_down_deg)
                tip = rotate((math.cos(angle / 2), 0, 0, math.sin(angle / 2)), tip)
            joints.append((name + '_end', name, tip, True))
    return joints


def shown(name, names):
    if name.endswith('_end'):
        return shown(name[:-4], names) + '_end'
    side = names['sides'][0 if name[0] == 'l' else 1] if name[:2] in ('l_', 'r_') else ''
    return names[part_of(name)].format(side=side)


def numbers(values):
    return ', '.join('%.10g' % (0.0 if abs(v) < 1e-12 else v) for v in values)


def character(template, name, leg, width, extra_spine, arms_down_deg, seed):
    names, noise = NAMES[name], Noise(seed)
    world = {}
    lines = ['# SPDX-License-Identifier: MIT',
             '# Made by scripts/make_characters.py: do not edit by hand.',
             '# Legs %g of the humanoid template\'s, %d spine joints, %s rest pose, local axes that '
             'point anywhere.' % (leg, extra_spine + 2, 'A' if arms_down_deg else 'T'),
             'name: %s' % name, 'unit: m', 'axes: {x: left, y: up, z: forward}', 'joints:']
    for joint, parent, offset, is_tip in build(template, leg, width, extra_spine, arms_down_deg):
        world[joint] = noise.rotation()
        up = world[parent] if parent else (1.0, 0.0, 0.0, 0.0)
        rest = quat_mul(quat_conj(up), world[joint])
        local = rotate(quat_conj(up), offset)
        text = '  - {name: "%s", parent: %s,\n     offset_m: [%s], rest_wxyz: [%s],\n     type: %s' % (
            shown(joint, names), '"%s"' % shown(parent, names) if parent else '~', numbers(local),
            numbers(rest), 'fixed' if is_tip else 'ball' if parent else 'free')
        lines.append(text + (', end_site: true}' if is_tip else ', axes: [x, y, z]}'))
    return '\n'.join(lines) + '\n'


def main():
    template, bad = read_template(), 0
    for seed, (name, leg, width, extra_spine, arms_down_deg) in enumerate(BODIES, 1):
        path = 'datasets/characters/%s.yaml' % name
        text = character(template, name, leg, width, extra_spine, arms_down_deg, seed)
        if '--check' in sys.argv[1:]:
            if open(path, encoding='utf-8').read() != text:
                print('%s is not what scripts/make_characters.py writes' % path)
                bad = 1
        else:
            open(path, 'w', encoding='utf-8').write(text)
            print('wrote', path)
    return bad


if __name__ == '__main__':
    sys.exit(main())
