// SPDX-License-Identifier: MIT
// Hold GLBs to the Khronos validator and to places known from elsewhere.
//   node glb_check.mjs LIST      a line a file: GLB, tab, PLACES ("-": none)
// PLACES is a .csv of joint centres ("frame,time,a.x,a.y,a.z,…", metres, a row a frame; 20 rows are
// looked at), or lines of   t SECONDS | j JOINT x y z | v VERTEX x y z.
// Prints a line a file; exit 1 when any has an error or a warning, or stands 1e-4 m elsewhere.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import validator from 'gltf-validator';
import { AnimationMixer, LoopOnce, Vector3 } from 'three';

globalThis.self ??= globalThis; // GLTFLoader asks for it
const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');
const TOLERANCE = 1e-4;

function csvPlaces(path, extras) {
    const rows = readFileSync(path, 'utf8').trim().split('\n').slice(1);
    const places = [];
    const looks = Math.min(20, rows.length);
    for (let i = 0; i < looks; i++) {
        const row = looks > 1 ? Math.round((i * (rows.length - 1)) / (looks - 1)) : 0;
        const cells = rows[row].split(',').slice(2).map(Number);
        places.push(['t', (row * extras.rate_den) / extras.rate_num]);
        for (let j = 0; 3 * j < cells.length; j++) {
            places.push(['j', j, ...cells.slice(3 * j, 3 * j + 3)]);
        }
    }
    return places;
}

function linePlaces(path) {
    return readFileSync(path, 'utf8').trim().split('\n').map((line) => {
        const [kind, ...numbers] = line.split(' ');
        return [kind, ...numbers.map(Number)];
    });
}

// three.js renames nodes that share a name or have odd letters: find them by their number
function nodesOf(gltf) {
    const nodes = [];
    for (const [object, where] of gltf.parser.associations) {
        if (where?.nodes !== undefined && object.isObject3D) nodes[where.nodes] = object;
    }
    return nodes;
}

async function compare(bytes, path) {
    const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
    const gltf = await new GLTFLoader().parseAsync(buffer, '');
    const places = path.endsWith('.csv') ? csvPlaces(path, gltf.scene.userData) : linePlaces(path);
    const nodes = nodesOf(gltf);
    const mesh = nodes.find((node) => node?.isSkinnedMesh);
    const mixer = new AnimationMixer(gltf.scene);
    for (const clip of gltf.animations) {
        const action = mixer.clipAction(clip);
        action.setLoop(LoopOnce); // the default loop would show frame 0 at the end
        action.clampWhenFinished = true;
        action.play();
    }
    const worst = { j: 0, v: 0 }, seen = { j: 0, v: 0 };
    const at = new Vector3();
    for (const [kind, ...numbers] of places) {
        if (kind === 't') {
            mixer.setTime(Math.fround(numbers[0]));
            gltf.scene.updateMatrixWorld(true);
            continue;
        }
        if (kind === 'j') at.setFromMatrixPosition(nodes[numbers[0]].matrixWorld);
        else mesh.getVertexPosition(numbers[0], at);
        const distance = at.distanceTo(new Vector3(...numbers.slice(1)));
        worst[kind] = distance <= worst[kind] ? worst[kind] : distance; // NaN stays
        seen[kind]++;
    }
    return { worst, seen };
}

let bad = 0, files = 0;
for (const line of readFileSync(process.argv[2], 'utf8').trim().split('\n')) {
    const [glb, places] = line.split('\t');
    const bytes = new Uint8Array(readFileSync(glb));
    const { issues } = await validator.validateBytes(bytes, { uri: basename(glb), maxIssues: 0 });
    let text = `${basename(glb)}: ${issues.numErrors} errors, ${issues.numWarnings} warnings, ` +
        `${issues.numInfos} infos, ${issues.numHints} hints`;
    let ok = issues.numErrors === 0 && issues.numWarnings === 0;
    if (ok && places !== '-') {
        const { worst, seen } = await compare(bytes, places);
        text += `; ${seen.j} joint places at most ${worst.j.toExponential(1)} m off` +
            (seen.v ? `, ${seen.v} vertices ${worst.v.toExponential(1)} m` : '');
        ok = worst.j < TOLERANCE && worst.v < TOLERANCE && seen.j > 0;
    }
    console.log((ok ? '' : 'WRONG ') + text);
    for (const message of issues.messages.slice(0, 5)) {
        console.log(`    ${message.code} ${message.pointer ?? ''} ${message.message}`);
    }
    bad += !ok;
    files++;
}
process.exit(bad > 0 || files === 0 ? 1 : 0);
