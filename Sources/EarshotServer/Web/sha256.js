// SHA-256 (FIPS 180-4) of files of any size. Browsers have it for pages of https addresses only, and for what fits into memory.
const K = new Uint32Array(64);
const first = new Uint32Array(8);
{
  // The fractions of the cube and square roots of the first primes.
  const fraction = (value) => ((value - Math.floor(value)) * 2 ** 32) >>> 0;
  for (let number = 2, count = 0; count < 64; number += 1) {
    let isPrime = true;
    for (let divisor = 2; divisor * divisor <= number; divisor += 1) if (number % divisor === 0) isPrime = false;
    if (!isPrime) continue;
    if (count < 8) first[count] = fraction(Math.sqrt(number));
    K[count] = fraction(Math.cbrt(number));
    count += 1;
  }
}

function compress(state, words, bytes, from) {
  for (let i = 0; i < 16; i += 1) {
    const at = from + 4 * i;
    words[i] = (bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3];
  }
  const turn = (value, by) => (value >>> by) | (value << (32 - by));
  for (let i = 16; i < 64; i += 1) {
    const [x, y] = [words[i - 15], words[i - 2]];
    words[i] = words[i - 16] + (turn(x, 7) ^ turn(x, 18) ^ (x >>> 3)) + words[i - 7] + (turn(y, 17) ^ turn(y, 19) ^ (y >>> 10));
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i += 1) {
    const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + words[i]) | 0;
    const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((value, i) => { state[i] += value; });
}

// The digest of a file as 64 hexadecimal digits.
export async function sha256(blob) {
  if (globalThis.crypto?.subtle && blob.size <= 64 << 20) {
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await blob.arrayBuffer()));
    return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  }
  return digestInParts(blob);
}

export async function digestInParts(blob) {
  const state = new Uint32Array(first);
  const words = new Int32Array(64);
  const step = 4 << 20;
  let rest = new Uint8Array(0);
  for (let place = 0; place < blob.size; place += step) {
    rest = new Uint8Array(await blob.slice(place, place + step).arrayBuffer());
    if (place + step > blob.size) break;
    for (let at = 0; at < rest.length; at += 64) compress(state, words, rest, at);
    rest = new Uint8Array(0);
  }
  const tail = new Uint8Array(Math.ceil((rest.length + 9) / 64) * 64);
  tail.set(rest);
  tail[rest.length] = 0x80;
  const view = new DataView(tail.buffer);
  view.setUint32(tail.length - 8, Math.floor(blob.size / 2 ** 29));
  view.setUint32(tail.length - 4, (blob.size * 8) >>> 0);
  for (let at = 0; at < tail.length; at += 64) compress(state, words, tail, at);
  return [...state].map((value) => value.toString(16).padStart(8, '0')).join('');
}
