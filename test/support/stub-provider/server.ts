/**
 * A speech provider that receives all audio, in its own process on a Unix socket, with a journal of its input. A
 * section of samples other than 0 becomes "Voice V says word N."; V is its first sample. With the argument SECONDS, the
 * provider returns words after every SECONDS seconds of any audio. With NAME and PERCENT, each word is unique:
 * "NAME-STREAM-WORD". Then PERCENT of the streams fail each minute, in a random way at a random time.
 *
 * node server.js SOCKET [SECONDS [NAME PERCENT]]
 */
import { createServer, type Socket } from 'node:net';
import {
  encodeJson,
  type Fault,
  type FromClient,
  type FromServer,
  faults,
  MessageKind,
  MessageReader,
  type StubRecord,
  type StubWords,
} from './protocol.js';

const [path, every, name, percent = '0'] = process.argv.slice(2);
/** Probability that a stream fails within a second. */
const chance = Number(percent) / 100 / 60;
const lots: readonly Fault[] = ['quota', 'garbage', 'half-close', 'stall'];
const samplesEach = every === undefined ? 0 : Number(every) * 16_000;
/** Number of silent samples that end a section of sound. */
const pause = 4800;
/** Number of received samples after which faults begin. */
const faultAfter = 8000;

const journal: StubRecord[] = [];

class StubStream {
  readonly #socket: Socket;
  readonly #number = journal.length;
  #fault: Fault | undefined;
  readonly #record: StubRecord;
  #voice = 0;
  #runStart = 0;
  #silence = 0;
  #told = 0;
  #word = 0;
  /** Words that are held back until the next words were sent (fault `late-finals`). */
  #late: StubWords | undefined;
  #isMute = false;

  constructor(socket: Socket, { id, user, language }: Extract<FromClient, { type: 'hello' }>) {
    this.#socket = socket;
    this.#fault = faults.find((name) => user === `fault-${name}`);
    this.#record = { id, user, language, samples: 0, spoken: 0, finals: [], finished: false };
    journal.push(this.#record);
    if (chance > 0) this.#failByLot();
    if (this.#fault === 'refuse') socket.end();
    else if (this.#fault !== 'stall-connect') this.#say({ type: 'ready' });
    if (this.#fault === 'quota-at-once') setTimeout(() => this.#say({ type: 'error', reason: 'quota' }), 20);
  }

  audio(body: Buffer): void {
    const samples = body.length / 2;
    if (samplesEach > 0) this.#count(samples);
    else this.#listen(new Int16Array(body.buffer.slice(body.byteOffset, body.byteOffset + body.length)));
    this.#record.samples += samples;
    if (chance === 0 && this.#record.samples >= faultAfter) this.#misbehave();
  }

  finish(): void {
    if (this.#isMute) return;
    if (this.#fault === 'no-done') {
      this.#socket.end();
      return;
    }
    if (this.#voice !== 0) this.#endRun(this.#record.samples);
    if (this.#late !== undefined) this.#tell(this.#late);
    this.#record.finished = true;
    this.#say({ type: 'done' });
  }

  #failByLot(): void {
    const timer = setInterval(() => {
      if (Math.random() >= chance) return;
      clearInterval(timer);
      this.#fault = lots[Math.floor(Math.random() * lots.length)];
      this.#misbehave();
      this.#isMute = true;
    }, 1000);
    this.#socket.once('close', () => clearInterval(timer));
  }

  #misbehave(): void {
    switch (this.#fault) {
      case 'quota':
        this.#say({ type: 'error', reason: 'quota' });
        return;
      case 'stall':
        this.#isMute = true;
        return;
      case 'garbage':
        this.#socket.write(Buffer.from('\x05\x00\x00\x00{"no}\x07\x00\x00\x09garbage'));
        this.#isMute = true;
        return;
      case 'half-close':
        this.#socket.end();
        this.#isMute = true;
        return;
      case 'slow-reader':
        this.#socket.pause();
        this.#isMute = true;
        return;
      default:
    }
  }

  /** Returns words after every `samplesEach` samples. */
  #count(samples: number): void {
    const total = this.#record.samples + samples;
    if (total - this.#told < samplesEach) return;
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
      const start = position / 16_000;
      if (!this.#isMute) this.#say({ type: 'interim', text: 'Voice', start, end: start });
    }
  }

  #endRun(end: number): void {
    this.#final(this.#runStart, end, this.#voice);
    this.#voice = 0;
  }

  #final(start: number, end: number, voice?: number): void {
    if (this.#isMute) return;
    const number = ++this.#word;
    const who = voice === undefined ? '' : `Voice ${voice} says `;
    const words: StubWords = {
      text: name === undefined ? `${who}word ${number}.` : `${name}-${this.#number}-${number}.`,
      start: start / 16_000,
      end: end / 16_000,
      ...(voice === undefined ? {} : { speaker: voice % 2 }),
    };
    this.#record.finals.push(words);
    if (this.#fault === 'late-finals') {
      const before = this.#late;
      this.#late = before === undefined ? words : undefined;
      if (before === undefined) return;
      this.#tell(words);
      this.#tell(before);
      return;
    }
    this.#tell(words);
    if (this.#fault === 'duplicate-finals') this.#tell(words);
  }

  #tell(words: StubWords): void {
    this.#say({ type: 'final', ...words });
  }

  #say(message: FromServer): void {
    if (this.#socket.writable) this.#socket.write(encodeJson(message));
  }
}

const server = createServer((socket) => {
  let stream: StubStream | undefined;
  const reader = new MessageReader((kind, body) => {
    if (kind === MessageKind.audio) {
      stream?.audio(body);
      return;
    }
    const message = JSON.parse(body.toString()) as FromClient;
    if (message.type === 'journal') socket.end(encodeJson(journal));
    else if (message.type === 'hello') stream = new StubStream(socket, message);
    else stream?.finish();
  });
  socket.on('data', (bytes) => reader.read(bytes));
  socket.on('error', () => undefined);
});
// Any user may connect, because an engine started by root switches to a different user.
server.listen({ path, readableAll: true, writableAll: true }, () => process.stdout.write('ready\n'));
process.on('disconnect', () => process.exit());
