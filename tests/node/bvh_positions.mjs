// SPDX-License-Identifier: MIT
// World positions of every bone as three.js reads them: one line a frame, x y z per bone.
//   node bvh_positions.mjs FILE.bvh STEP      every STEP-th frame
import { readFileSync } from 'node:fs';
import { AnimationMixer, LoopOnce, Vector3 } from 'three';
import { BVHLoader } from 'three/addons/loaders/BVHLoader.js';

const [path, step] = process.argv.slice(2);
const text = readFileSync(path, 'utf8');
const { skeleton, clip } = new BVHLoader().parse(text);
const frames = Number(/^Frames:\s*(\d+)/m.exec(text)[1]);
const frameTime = Number(/^Frame Time:\s*(\S+)/m.exec(text)[1]);
const root = skeleton.bones[0];
const mixer = new AnimationMixer(root);
const action = mixer.clipAction(clip);
action.setLoop(LoopOnce); // the default loop would show frame 0 at the end
action.clampWhenFinished = true;
action.play();
const at = new Vector3();
for (let frame = 0; frame < frames; frame += Number(step)) {
    mixer.setTime(frame * frameTime);
    root.updateMatrixWorld(true);
    const row = skeleton.bones.flatMap((bone) => at.setFromMatrixPosition(bone.matrixWorld).toArray());
    console.log(row.map((v) => v.toPrecision(9)).join(' '));
}
