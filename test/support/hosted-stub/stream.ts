import type { WebSocket } from 'ws';
import type { StubProtocol, StubWords } from './protocols.js';

/** Faults of a stub's stream. */
export const hostedFaults = [
  'refuse',
  'stall-connect',
  'quota-at-once',
  'quota',
  'stall',
  'garbage',
  'hiccup',
  'half-close',
  'slow-reader',
  'no-done',
  'duplicate-finals',
  'late-finals',
] as const;
export type HostedFault = (typeof hostedFaults)[number];

/** Data that a stream sent to the stub, and the words that the stub returned. */
export interface HostedRecord {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly authorization: string | undefined;
  /** Number of samples received. */
  samples: number;
  /** Number of received samples that are not silence. */
  spoken: number;
  /** Text messages received. */
  readonly texts: string[];
  readonly finals: StubWords[];
  finished: boolean;
}

const rate = 16_000;
/** Number of silent samples that end a section of sound. */
const pause = 4800;
/** Number of received samples after which faults begin. */
const faultAfter = 8000;

/**
 * One stream of a stub. A section of samples that are not 0 becomes the words "Voice V says word N."; V is the value of
 * the section's first sample. With `samplesEach`, the stub returns words after every `samplesEach` samples of any
 * content.
 */
export class HostedStream {
  readonly #socket: WebSocket;
  readonly #protocol: StubProtocol;
  readonly #fault: HostedFault | undefined;
  readonly #record: HostedRecord;
  readonly #samplesEach: number;
  #voice = 0;
  #runStart = 0;
  #silence = 0;
  #told = 0;
  #words = 0;
  /** A message that is held back until the next words were sent (fault `late-finals`). */
  #late: string | undefined;
  #isMute = false;
  #hasHiccupped = false;

  constructor(
    socket: WebSocket,
    protocol: StubProtocol,
    record: HostedRecord,
    fault: HostedFault | undefined,
    samplesEach: number,
  ) {
    this.#socket = socket;
    this.#protocol = protocol;
    this.#record = record;
    this.#fault = fault;
    this.#samplesEach = samplesEach;
    socket.on('error', () => undefined);
    socket.on('message', (data, isBinary) => {
      if (isBinary) this.#audio(data as Buffer);
      else this.#text((data as Buffer).toString());
    });
    if (fault === 'stall-connect') return;
    if (fault === 'quota-at-once') protocol.quota(socket);
    else if (protocol.hello !== undefined) this.#say(protocol.hello);
  }

  #audio(body: Buffer): void {
    if (body.length % 2 !== 0) {
      this.#socket.close(1003, 'half a sample');
      return;
    }
    const samples = body.length / 2;
    if (this.#samplesEach > 0) this.#count(samples);
    else this.#listen(new Int16Array(body.buffer.slice(body.byteOffset, body.byteOffset + body.length)));
    this.#record.samples += samples;
    if (this.#record.samples >= faultAfter) this.#misbehave();
  }

  #text(text: string): void {
    this.#record.texts.push(text);
    if (!this.#protocol.isEnding(text)) return;
    if (this.#fault === 'no-done') {
      this.#socket.terminate();
      return;
    }
    if (this.#isMute) return;
    if (this.#voice !== 0) this.#endRun(this.#record.samples);
    if (this.#late !== undefined) this.#say(this.#late);
    this.#record.finished = true;
    this.#protocol.finish(this.#socket, this.#record.samples / rate);
  }

  #misbehave(): void {
    if (this.#isMute) return;
    switch (this.#fault) {
      case 'quota':
        this.#protocol.quota(this.#socket);
        break;
      case 'stall':
        break;
      case 'garbage':
        for (let message = 0; message < 3; message++) this.#socket.send('{"no');
        break;
      case 'hiccup':
        if (!this.#hasHiccupped) this.#socket.send('{"no');
        this.#hasHiccupped = true;
        return;
      case 'half-close':
        (this.#socket as unknown as { _socket: { end(): void } })._socket.end();
        break;
      case 'slow-reader':
        this.#socket.pause();
        break;
      default:
        return;
    }
    this.#isMute = true;
  }

  /** Returns words after every `samplesEach` samples. */
  #count(samples: number): void {
    const total = this.#record.samples + samples;
    if (total - this.#told < this.#samplesEach) return;
    this.#final(this.#told, total);
    this.#told = total;
  }

  /** Returns words for each section of samples other than 0. */
  #listen(pcm: Int16Array): void {
    for (let at = 0; at < pcm.length; at++) {
      const sample = pcm[at]!;
      const position = this.#record.samples + at;
      if (sample === 0) {
        this.#silence++;
        if (this.#voice !== 0 && this.#silence >= pause) this.#endRun(position - this.#silence + 1);
        continue;
      }
      this.#record.spoken++;
      this.#silence = 0;
      if (this.#voice !== 0) continue;
      this.#voice = sample;
      this.#runStart = position;
      const start = position / rate;
      const { interim } = this.#protocol;
      if (interim !== undefined && !this.#isMute) this.#say(interim({ text: 'Voice', start, end: start }));
    }
  }

  #endRun(end: number): void {
    this.#final(this.#runStart, end, this.#voice);
    this.#voice = 0;
  }

  #final(start: number, end: number, voice?: number): void {
    if (this.#isMute) return;
    const who = voice === undefined ? '' : `Voice ${voice} says `;
    const words = { text: `${who}word ${++this.#words}.`, start: start / rate, end: end / rate };
    this.#record.finals.push(words);
    const message = this.#protocol.final(words, this.#words);
    if (this.#fault === 'late-finals') {
      const before = this.#late;
      this.#late = before === undefined ? message : undefined;
      if (before === undefined) return;
      this.#say(message);
      this.#say(before);
      return;
    }
    this.#say(message);
    if (this.#fault === 'duplicate-finals') this.#say(message);
  }

  #say(message: string): void {
    this.#socket.send(message);
  }
}
