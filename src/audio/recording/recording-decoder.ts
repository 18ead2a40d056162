import { MessageChannel } from 'node:worker_threads';
import { LazyPool } from '../../common/threads/index.js';
import type { Settings } from '../../config/index.js';
import { CochleaError } from '../../errors/index.js';
import type { StreamFormat } from '../../wire/index.js';
import type { Utterance } from '../interface/index.js';
import type { Finding } from '../readability/index.js';
import type { DecodeAnswer, DecodeTask } from './decode-worker.js';

/** The result of decoding a recording. */
export interface DecodedFrames {
  readonly decoded: number;
  readonly invalid: number;
  /** How the recording's content differs from its declared format; absent if no difference is certain. */
  readonly finding?: Finding;
}

/** Decodes recordings on its own threads, which end when they are idle. */
export interface RecordingDecoder {
  /**
   * Decodes the frames of a `.bin` file and yields its utterances in order, as for a live stream. Sends the thread one
   * piece at a time, so memory is bounded for any file.
   * @param pieces of the file, of any length. They are read as fast as the caller takes utterances.
   * @returns the numbers of decoded frames, and of invalid frames that were left out.
   * @throws CochleaError recording_invalid, recording_too_long, codec_unavailable, sample_rate_unsupported,
   *   channels_unsupported; the errors of `pieces`.
   */
  decode(
    format: StreamFormat,
    pieces: AsyncIterable<Uint8Array>,
  ): AsyncGenerator<Utterance, DecodedFrames, undefined>;
  /** Ends the threads and fails recordings in progress. A second call does nothing. */
  close(): Promise<void>;
}

/**
 * Number of bytes that the thread decodes at once. With the shortest Opus packets, this is 3 min of audio, which takes
 * 6 MB.
 */
const pieceBytes = 16_384;
const idleTimeout = 10_000;

/** @param longest maximum duration in ms of the audio in one recording. */
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
    // `close` is emitted after the last answer. It is also emitted if the thread has ended.
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
