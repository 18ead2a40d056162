/**
 * A device that records spoken tokens to a file, deletes the audio that the engine confirmed, and sends the rest again.
 */
import { closeSync, fstatSync, openSync, readFileSync, readSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { WebSocket } from 'ws';

/** Bytes of 20 ms of audio: 16 kHz, 16 bits. */
const frameBytes = 640;
const bytesPerMs = 32;
const frameMs = 20;
/** Maximum rate at which the device sends stored audio, as a multiple of the rate at which it records. */
const fastest = 3;

export interface DeviceOptions {
  readonly url: string;
  /** Folder of the recording and of the confirmed position, which remain after the device's end. */
  readonly folder: string;
  readonly clock: string;
  readonly token: string;
  /** Returns the next frame of the recording; undefined at its end. */
  readonly record: () => Int16Array | undefined;
}

/** One life of a device, from its start to its end or its kill. */
export class RecordingDevice {
  readonly #file: number;
  readonly #state: string;
  #confirmed: number;
  #socket: WebSocket | undefined;
  /**
   * Position in bytes of the recording up to which it is sent; undefined until the engine has named the position to
   * begin from.
   */
  #sent: number | undefined;
  #length: number;
  #isRecording = true;
  #isAlive = true;
  readonly #timer: NodeJS.Timeout;
  connects = 0;

  constructor(private readonly options: DeviceOptions) {
    this.#file = openSync(join(options.folder, 'audio.pcm'), 'a+');
    this.#state = join(options.folder, 'confirmed');
    this.#length = fstatSync(this.#file).size;
    this.#length -= this.#length % frameBytes;
    this.#confirmed = readConfirmed(this.#state);
    this.#connect();
    this.#timer = setInterval(() => this.#step(), frameMs);
  }

  /** Whether the recording has ended, and all audio except the silence in its last second is confirmed. */
  get isDone(): boolean {
    return !this.#isRecording && this.#confirmed >= this.#length / bytesPerMs - 1000;
  }

  get confirmed(): number {
    return this.#confirmed;
  }

  /** Ends the device at once. The recording and the confirmed position stay in its files. */
  kill(): void {
    this.#isAlive = false;
    clearInterval(this.#timer);
    this.#socket?.terminate();
    closeSync(this.#file);
  }

  #connect(): void {
    if (!this.#isAlive) return;
    const { url, clock } = this.options;
    const address = new URL(url);
    address.searchParams.set('stream_clock', clock);
    address.searchParams.set('confirm', '1');
    address.searchParams.set('clock_at', String(this.#confirmed));
    const socket = new WebSocket(address, {
      perMessageDeflate: false,
      headers: { authorization: `Bearer ${this.options.token}` },
    });
    this.#socket = socket;
    this.connects++;
    socket.on('message', (data) => {
      if (this.#isAlive && socket === this.#socket) this.#receive(String(data));
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#sent = undefined;
      if (this.#isAlive) setTimeout(() => this.#connect(), 200);
    });
  }

  #receive(text: string): void {
    if (text === 'ping') return;
    const message = JSON.parse(text) as { type?: string; resume_at_ms?: number; confirmed_ms?: number };
    if (message.type === 'conversation_session' && message.resume_at_ms !== undefined) {
      if (message.resume_at_ms < this.#confirmed)
        throw new Error(
          `the engine wants deleted audio: ${message.resume_at_ms} of ${this.#confirmed} ${this.#socket?.url}`,
        );
      this.#sent = message.resume_at_ms * bytesPerMs;
    } else if (message.type === 'audio_confirmed') {
      this.#confirmed = message.confirmed_ms!;
      writeFileSync(this.#state, String(this.#confirmed));
    }
  }

  /** Records a frame, and sends the audio that is due. */
  #step(): void {
    if (this.#isRecording) {
      const frame = this.options.record();
      if (frame === undefined) this.#isRecording = false;
      else {
        writeSync(this.#file, new Uint8Array(frame.buffer, frame.byteOffset, frame.byteLength));
        this.#length += frameBytes;
      }
    }
    for (let count = 0; count < fastest && this.#sent !== undefined; count++) {
      if (this.#socket?.readyState !== WebSocket.OPEN || this.#sent + frameBytes > this.#length) return;
      const frame = Buffer.alloc(frameBytes);
      readSync(this.#file, frame, 0, frameBytes, this.#sent);
      this.#socket.send(frame);
      this.#sent += frameBytes;
    }
  }
}

const readConfirmed = (path: string): number => {
  try {
    return Number(readFileSync(path, 'utf8'));
  } catch {
    return 0;
  }
};
