// node contact_peer.mjs PACKAGE SCENE.xml OUT STEPS SECONDS
// Steps a scene with MuJoCo's package in the folder PACKAGE, until STEPS are taken or they have cost SECONDS of processor time. Writes
// OUT.obj and OUT.npy (positions of the mesh and of every state, as `clothlab run --positions` does; y up) and numbers with their names.
import fs from 'node:fs';
import path from 'node:path';
import {pathToFileURL} from 'node:url';

const [folder, scene, out, steps, seconds] = process.argv.slice(2);
const load = (await import(pathToFileURL(path.join(folder, 'mujoco.js')))).default;
const warnings = new Set();
const mujoco = await load({print: () => {}, printErr: (line) => warnings.add(line.replace(/\s*Time = .*/, ''))});
const model = mujoco.MjModel.from_xml_string(fs.readFileSync(scene, 'utf8'));
const data = new mujoco.MjData(model);
const points = model.nflexvert;
if (model.nv !== 3 * points) throw new Error('a vertex without three degrees of freedom');

// z up becomes y up.
const turned = (a) => {
    const b = new Float64Array(3 * points);
    for (let i = 0; i < 3 * points; i += 3) [b[i], b[i + 1], b[i + 2]] = [a[i], a[i + 2], -a[i + 1]];
    return b;
};
const frames = [];
const keep = () => {
    mujoco.mj_kinematics(model, data);
    mujoco.mj_flex(model, data);
    frames.push(turned(data.flexvert_xpos), turned(data.qvel));
};

keep();
const mesh = [];
for (let i = 0; i < 3 * points; i += 3) mesh.push(`v ${frames[0][i]} ${frames[0][i + 1]} ${frames[0][i + 2]}`);
// The triangles of each sheet count its own vertices.
for (let f = 0; f < model.nflex; ++f) {
    const first = model.flex_elemdataadr[f], base = model.flex_vertadr[f] + 1;
    for (let e = 0; e < model.flex_elemnum[f]; ++e)
        mesh.push('f ' + [0, 1, 2].map((k) => model.flex_elem[first + 3 * e + k] + base).join(' '));
}
fs.writeFileSync(`${out}.obj`, mesh.join('\n') + '\n');

const ms = [];
let iterations = 0;
for (let n = 0, spent = 0; n < Number(steps) && spent < 1000 * Number(seconds); ++n) {
    const before = process.cpuUsage();
    mujoco.mj_step(model, data);
    const used = process.cpuUsage(before);
    ms.push((used.user + used.system) / 1000);
    spent += ms.at(-1);
    iterations += data.solver_niter[0];
    keep();
}

const shape = `{'descr': '<f8', 'fortran_order': False, 'shape': (${frames.length / 2}, 2, ${points}, 3), }`;
const head = Buffer.from(shape.padEnd(128 - 10 - 1) + '\n');
const file = fs.openSync(`${out}.npy`, 'w');
fs.writeSync(file, Buffer.concat([Buffer.from([0x93]), Buffer.from('NUMPY'), Buffer.from([1, 0, head.length, 0]), head]));
for (const frame of frames) fs.writeSync(file, Buffer.from(frame.buffer));
fs.closeSync(file);

const mean = ms.reduce((sum, one) => sum + one, 0) / ms.length;
const sorted = [...ms].sort((a, b) => a - b);
console.log(`vertices ${points}\nsteps ${ms.length}\nmean_ms ${mean}\np99_ms ${sorted[Math.ceil(0.99 * sorted.length) - 1]}`);
console.log(`worst_ms ${sorted.at(-1)}\niterations ${iterations / ms.length}\nwarnings ${warnings.size}`);
console.log(`versions ${mujoco.mj_versionString()} ${process.version}`);
for (const line of warnings) console.error(`MuJoCo: ${line}`);
