import { coreRate } from '../interface/index.js';

interface Table {
  readonly up: number;
  readonly down: number;
  readonly taps: number;
  readonly phases: number;
  readonly rows: Float32Array;
}

const attenuation = 85;
const transition = 0.125;
const maxPhases = 1024;

const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));

const bessel = (x: number): number => {
  let sum = 1;
  let term = 1;
  for (let k = 1; k < 60; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
};

/** Builds the filter of native/resample/resampler.cc: a Kaiser-windowed sinc with one row of coefficients per phase. */
function build(rate: number): Table {
  const common = divisor(coreRate, rate);
  const up = coreRate / common;
  const down = rate / common;
  const phases = up > maxPhases ? maxPhases / 2 : up;
  const nyquist = Math.min(rate, coreRate) / 2;
  const cutoff = ((1 - transition / 2) * nyquist) / rate;
  const half = Math.ceil((attenuation - 7.95) / (14.36 * ((transition * nyquist) / rate)) / 2);
  const beta = 0.1102 * (attenuation - 8.7);
  const taps = 2 * half;
  const rows = new Float32Array((phases + 1) * taps);
  const row = new Float64Array(taps);
  for (let p = 0; p <= phases; p++) {
    let sum = 0;
    for (let k = 0; k < taps; k++) {
      const t = k - (half - 1) - p / phases;
      const x = 2 * cutoff * t;
      const sinc = Math.abs(x) < 1e-12 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
      const edge = t / half;
      row[k] = Math.abs(edge) >= 1 ? 0 : sinc * bessel(beta * Math.sqrt(1 - edge * edge));
      sum += row[k]!;
    }
    for (let k = 0; k < taps; k++) rows[p * taps + k] = row[k]! / sum;
  }
  return { up, down, taps, phases, rows };
}

const tables = new Map<number, Table>();

/** Resamples one stream to 16 kHz. Output sample n lies at input position n * rate / 16,000. */
export class Resampler {
  readonly #table: Table;
  #buffer: Float32Array;
  #filled: number;
  #start = 0;
  #phase = 0;

  constructor(rate: number) {
    const table = tables.get(rate) ?? build(rate);
    tables.set(rate, table);
    this.#table = table;
    this.#filled = table.taps / 2 - 1;
    this.#buffer = new Float32Array(table.taps + 512);
  }

  /** Number of input samples before and behind an output sample that the filter reads. */
  get reach(): number {
    return this.#table.taps / 2;
  }

  /** Returns the number of output samples that become available with `inputs` more input samples. */
  outputsFor(inputs: number): number {
    const slack = this.#filled + inputs - this.#start - this.#table.taps;
    const reach = (slack + 1) * this.#table.up - 1 - this.#phase;
    return slack < 0 || reach < 0 ? 0 : Math.floor(reach / this.#table.down) + 1;
  }

  process(input: Int16Array): Int16Array {
    const out = new Int16Array(this.outputsFor(input.length));
    if (this.#filled + input.length > this.#buffer.length) {
      const larger = new Float32Array(this.#filled + input.length);
      larger.set(this.#buffer.subarray(0, this.#filled));
      this.#buffer = larger;
    }
    this.#buffer.set(input, this.#filled);
    this.#filled += input.length;
    const { up, down, taps } = this.#table;
    for (let n = 0; n < out.length; n++) {
      out[n] = Math.round(Math.min(32_767, Math.max(-32_768, this.#output())));
      this.#phase += down;
      this.#start += Math.floor(this.#phase / up);
      this.#phase %= up;
    }
    const used = Math.min(this.#start, this.#filled);
    this.#buffer.copyWithin(0, used, this.#filled);
    this.#filled -= used;
    this.#start -= used;
    if (this.#buffer.length > 4 * taps + 4096) this.#buffer = this.#buffer.slice(0, taps + 512);
    return out;
  }

  get bytes(): number {
    return this.#buffer.byteLength;
  }

  #output(): number {
    const { up, phases } = this.#table;
    if (phases === up) return this.#dot(this.#phase);
    const scaled = this.#phase * phases;
    const row = Math.floor(scaled / up);
    const part = (scaled % up) / up;
    const before = this.#dot(row);
    return before + part * (this.#dot(row + 1) - before);
  }

  #dot(row: number): number {
    const { taps, rows } = this.#table;
    const base = row * taps;
    let sum = 0;
    for (let k = 0; k < taps; k++) sum += this.#buffer[this.#start + k]! * rows[base + k]!;
    return sum;
  }
}
