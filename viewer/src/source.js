// SPDX-License-Identifier: MIT
// Where records come from: a server's byte ranges, or base64 text in the page. Chunks around the
// playhead are kept, the rest forgotten, so that a take of any length fits.

const CHUNK_BYTES = 256 * 1024;
const KEPT_BYTES = 48 * 1024 * 1024;
const IN_FLIGHT = 3;
const AHEAD = 4, BEHIND = 1;

export const traffic = { bytes: 0, requests: 0 };

function embeddedBytes(index) {
  const element = document.getElementById(`ugoki-frames-${index}`);
  if (!element) throw new Error(`the page holds no frames of scene ${index}`);
  return fromBase64(element.textContent.trim());
}

function fromBase64(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

// The record of frame 0, which a served page brings along so that there is something to see at once.
function firstRecord(index, size) {
  const element = document.getElementById(`ugoki-first-${index}`);
  const bytes = element && fromBase64(element.textContent.trim());
  return bytes?.length === size ? new DataView(bytes.buffer) : null;
}

function token() {
  return new URLSearchParams(location.search).get('t') ?? '';
}

async function request(path, headers, signal) {
  const answer = await fetch(path, {
    headers: { 'X-Ugoki-Token': token(), ...headers }, signal, cache: 'no-store',
  });
  if (!answer.ok) {
    throw new Error(answer.status === 403
      ? 'this address is not valid any more: open the one that ugoki view printed last'
      : `the server answered ${answer.status}`);
  }
  return answer;
}

// A row of records in pieces. `arrived` is called after each piece, `failed` with an Error.
export class Records {
  constructor(manifest, index, embedded, arrived, failed) {
    this.recordBytes = manifest.record_bytes;
    this.count = manifest.record_count;
    this.index = index;
    this.perChunk = Math.max(1, Math.floor(CHUNK_BYTES / this.recordBytes));
    this.chunkCount = Math.ceil(this.count / this.perChunk);
    this.keep = Math.max(AHEAD + BEHIND + 2,
      Math.floor(KEPT_BYTES / (this.perChunk * this.recordBytes)));
    this.chunks = new Map(); // chunk -> DataView; insertion order is order of use
    this.loading = new Map(); // chunk -> AbortController
    this.wanted = [];
    this.waiting = []; // [{chunk, resolve}]
    this.arrived = arrived;
    this.failed = failed;
    this.embedded = embedded;
    this.whole = null;
    this.first = embedded ? null : firstRecord(index, this.recordBytes);
  }

  // DataView that holds record `r`, or null. `record / perChunk` says where in it.
  chunkOf(r) {
    if (this.embedded) {
      this.whole ??= new DataView(embeddedBytes(this.index).buffer);
      return this.whole;
    }
    const c = Math.floor(r / this.perChunk);
    return this.chunks.get(c) ?? (r === 0 ? this.first : null);
  }

  offsetOf(r) {
    return (this.embedded ? r : r % this.perChunk) * this.recordBytes;
  }

  has(r) {
    return this.embedded || this.chunks.has(Math.floor(r / this.perChunk)) || (r === 0 && this.first !== null);
  }

  // The record at hand that is nearest to `r`; -1 when there is none yet.
  nearest(r) {
    if (this.has(r)) return r;
    let best = this.first ? 0 : -1, distance = this.first ? r : Infinity;
    for (const c of this.chunks.keys()) {
      const low = c * this.perChunk, high = Math.min(this.count, low + this.perChunk) - 1;
      const near = Math.min(high, Math.max(low, r));
      if (Math.abs(near - r) < distance) {
        distance = Math.abs(near - r);
        best = near;
      }
    }
    return best;
  }

  // Ask for record `r` first and then for what the playhead will reach next. Cheap when at hand.
  want(r, direction = 1) {
    if (this.embedded) return;
    const centre = Math.floor(r / this.perChunk);
    if (centre === this.centre && direction === this.direction) return;
    this.centre = centre;
    this.direction = direction;
    const view = this.chunks.get(centre);
    if (view) { // used now: the last to be forgotten
      this.chunks.delete(centre);
      this.chunks.set(centre, view);
    }
    this.wanted.length = 0;
    this.push(centre);
    for (let k = 1; k <= AHEAD; k++) {
      this.push(centre + k * direction);
      if (k <= BEHIND) this.push(centre - k * direction);
    }
    for (const [chunk, abort] of this.loading) {
      if (!this.wanted.includes(chunk) && !this.waiting.some((w) => w.chunk === chunk)) {
        abort.abort();
        this.loading.delete(chunk);
      }
    }
    this.pump();
  }

  push(chunk) {
    if (chunk >= 0 && chunk < this.chunkCount) this.wanted.push(chunk);
  }

  // Resolves once record `r` is at hand.
  when(r) {
    if (this.has(r)) return Promise.resolve();
    const chunk = Math.floor(r / this.perChunk);
    return new Promise((resolve) => {
      this.waiting.push({ chunk, resolve });
      this.want(r, this.direction ?? 1);
    });
  }

  pump() {
    for (const chunk of this.wanted) {
      const urgent = chunk === this.centre;
      if (this.loading.size >= IN_FLIGHT && !urgent) return;
      if (!this.chunks.has(chunk) && !this.loading.has(chunk)) this.load(chunk);
    }
  }

  async load(chunk) {
    const abort = new AbortController();
    this.loading.set(chunk, abort);
    const first = chunk * this.perChunk;
    const end = Math.min(this.count, first + this.perChunk);
    const from = first * this.recordBytes, to = end * this.recordBytes - 1;
    try {
      traffic.requests++;
      const answer = await request(`/scenes/${this.index}/frames`,
        { Range: `bytes=${from}-${to}` }, abort.signal);
      const buffer = await answer.arrayBuffer();
      traffic.bytes += buffer.byteLength;
      if (buffer.byteLength !== to - from + 1) throw new Error('the server sent a part of the frames');
      this.loading.delete(chunk);
      this.chunks.set(chunk, new DataView(buffer));
      this.forget();
      this.waiting = this.waiting.filter((w) => w.chunk !== chunk || w.resolve());
      this.arrived();
      this.pump();
    } catch (error) {
      if (abort.signal.aborted) return;
      this.loading.delete(chunk);
      this.centre = undefined; // the next want() asks again
      this.failed(error);
    }
  }

  forget() {
    for (const chunk of this.chunks.keys()) {
      if (this.chunks.size <= this.keep) return;
      if (!this.wanted.includes(chunk)) this.chunks.delete(chunk);
    }
  }
}

// The manifests: of the page itself, or of the server, which has them in its page too.
export async function openScenes() {
  const element = document.getElementById('ugoki-scenes'), served = document.getElementById('ugoki-served');
  if (element) return { manifests: JSON.parse(element.textContent), embedded: true };
  if (served) return { manifests: JSON.parse(served.textContent), embedded: false };
  const answer = await request('/scenes', {});
  return { manifests: await answer.json(), embedded: false };
}
