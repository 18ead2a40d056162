import { MessageChannel } from 'node:worker_threads';
import { LazyPool } from '../../common/threads/index.js';
import type { Settings } from '../../config/index.js';
import { CochleaError } from '../../errors/index.js';
import type { StreamFormat } from '../../wire/index.js';
import type { Utterance } from '../interface/index.js';
import type { Finding } from '../readability/index.js';
import type { DecodeAnswer, DecodeTask } from './decode-worker.js';

/** What was made of a recording. */
export interface DecodedFrames {
  readonly decoded: number;
  readonly invalid: number;
  /** How it is not what its format says; absent where nothing is wrong, or nothing is sure. */
  readonly finding?: Finding;
}

/** Decodes recordings in threads of its own, which end when there are none. */
export interface RecordingDecoder {
  /**
   * Decodes the frames of a `.bin` file and hands out its speech as the live line would, in order. At most one piece is under way, so
   * that memory is bounded whatever the file holds.
   * @param pieces of the file, of any length; read as fast as the caller takes utterances.
   * @returns how many frames were decoded, and how many were none: those are left out.
   * @throws CochleaError recording_invalid, recording_too_long, codec_unavailable, sample_rate_unsupported, channels_unsupported; what
   *   `pieces` throws.
   */
  decode(
    format: StreamFormat,
    pieces: AsyncIterable<Uint8Array>,
  ): AsyncGenerator<Utterance, DecodedFrames, undefined>;
  /** Ends the threads. Recordings under way fail. Idempotent. */
  close(): Promise<void>;
}

/** Bytes that are decoded in one piece; of the shortest packets of Opus these are 3 min of audio, 6 MB. */
const pieceBytes = 16_384;
const idleTimeout = 10_000;

/** @param longest ms of audio that one recording may have. */
export const createRecordingDecoder = (settings: Settings, longest: number): RecordingDecoder => {
  const threads = new LazyPool(new URL('./decode-worker.js', import.meta.url), {
    maxThreads: settings.jobThreads,
    idleTimeout,
  });

  async function* decode(
    format: StreamFormat,
    pieces: AsyncIterable<Uint8Array>,
  ): AsyncGenerator<Utterance, DecodedFrames, undefined> {
    const { port1: port, port2 } = new MessageChannel();
    const task: DecodeTask = { port: port2, format, settings, longest };
    let settle: (answer: DecodeAnswer) => void = () => undefined;
    let fail: (error: Error) => void = () => undefined;
    port.on('message', (answer: DecodeAnswer) => settle(answer));
    // Comes after the last answer, also when the thread has ended.
    port.on('close', () => fail(new CochleaError('shutdown')));
    threads
      .run(task, { name: 'decodeRecording', transferList: [port2] })
      .catch((error: Error) => fail(error));
    const ask = async (
      piece: Uint8Array | null,
    ): Promise<Exclude<DecodeAnswer, { readonly error: unknown }>> => {
      const answer = await new Promise<DecodeAnswer>((resolve, reject) => {
        settle = resolve;
        fail = reject;
        port.postMessage(piece);
      });
      if ('error' in answer) throw CochleaError.fromJSON(answer.error);
      return answer;
    };
    try {
      for await (const piece of pieces) {
        for (let at = 0; at < piece.length; at += pieceBytes) {
          yield* (await ask(piece.slice(at, at + pieceBytes))).utterances;
        }
      }
      const { utterances, ...frames } = await ask(null);
      yield* utterances;
      return frames;
    } finally {
      port.close();
    }
  }

  return {
    decode,
    close: () => threads.destroy(),
  };
};
