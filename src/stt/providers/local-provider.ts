import type { MessagePort } from 'node:worker_threads';
import { within } from '../../common/index.js';
import { CochleaError } from '../../errors/index.js';
import {
  type DeathReason,
  knowsLanguage,
  type PortAnswer,
  type PortRequest,
  ProviderError,
  resultOf,
  type StreamRequest,
  type TranscriberState,
  transferable,
  type UtteranceProvider,
  type UtteranceRequest,
  type UtteranceResult,
  type UtteranceStream,
} from '../shared/index.js';

const name = 'local';

/** Result of utterances that can no longer be answered. */
const lost = (id: number): UtteranceResult => ({ id, ...resultOf('upstream_error', name) });

/**
 * Creates the shard's end of the local provider. It sends utterances over the port to the transcriber on the main
 * thread.
 *
 * The port keeps the thread alive only while an answer is outstanding. The caller created the port and closes it. When
 * the port closes, outstanding utterances resolve with `upstream_error`, and the main thread retains their audio.
 * @param models the speech models of this machine. A model that arrives later adds its languages. The selection of
 * providers refuses a language that no model knows. It refuses `multi` if the models know only one language.
 */
export const createLocalProvider = (
  port: MessagePort,
  models: { languages(): readonly string[] },
): UtteranceProvider => {
  const awaited = new Map<number, (result: UtteranceResult) => void>();
  let state: TranscriberState = 'starting';
  let longSilence = false;
  let closed = false;
  /** Event callbacks of the connected streams. */
  const streams = new Set<StreamRequest['emit']>();

  const die = (reason: DeathReason): void => {
    for (const emit of streams) emit({ kind: 'death', reason });
    streams.clear();
  };
  const settle = (result: UtteranceResult): void => {
    const resolve = awaited.get(result.id);
    awaited.delete(result.id);
    if (awaited.size === 0) port.unref();
    resolve?.(result);
  };
  port.on('message', (answer: PortAnswer) => {
    if (answer.kind === 'result') settle(answer.result);
    else if (answer.kind === 'silence') {
      longSilence = answer.long;
      for (const emit of streams) emit({ kind: 'silence', long: longSilence });
    } else {
      state = answer.state;
      if (state === 'unusable') die('unusable');
      if (state === 'away') die('socket_unavailable');
    }
  });
  port.on('close', () => {
    closed = true;
    for (const id of [...awaited.keys()]) settle(lost(id));
    die('connection_lost');
  });
  port.unref();

  const transcribe = (request: UtteranceRequest): Promise<UtteranceResult> => {
    if (closed) return Promise.resolve(lost(request.id));
    return new Promise((resolve) => {
      awaited.set(request.id, resolve);
      port.ref();
      const pcm = transferable(request.pcm);
      const message: PortRequest = { kind: 'utterance', request: { ...request, pcm } };
      port.postMessage(message, [pcm.buffer as ArrayBuffer]);
    });
  };

  const connect = async ({ emit }: StreamRequest): Promise<UtteranceStream> => {
    if (state === 'unusable') throw new CochleaError('stt_provider_configuration_error');
    if (closed || state === 'away' || state === 'stopped') throw new ProviderError('socket_unavailable');
    const pending = new Set<Promise<UtteranceResult>>();
    streams.add(emit);
    return {
      transcribe: (request) => {
        const result = transcribe(request);
        // The end of a stream does not wait for interim words, because the stream no longer needs them.
        if (!request.interim) pending.add(result);
        void result.then(() => pending.delete(result));
        return result;
      },
      get longSilence() {
        return longSilence;
      },
      finish: async (timeout) => {
        await within(Promise.all(pending), timeout, () => undefined);
        streams.delete(emit);
      },
    };
  };

  return {
    name,
    capabilities: {
      audio: 'utterances',
      supports: (language) => knowsLanguage(models.languages(), language),
      diarizes: false,
      interim: true,
      wordTimes: true,
    },
    connect,
  };
};
