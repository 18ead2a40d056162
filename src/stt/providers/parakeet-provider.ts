import { z } from 'zod';
import type { Settings } from '../../config/index.js';
import { atLeast, type Provider, providerRate, streamAddress } from '../shared/index.js';
import { openAudioSocket, type SocketActions, type SocketProtocol } from './audio-socket.js';
import type { BatchService } from './batch-recogniser.js';

const moment = z.number().min(0);
const segment = z.object({
  text: z.string(),
  start: moment,
  end: moment,
  speaker: z.string().nullish(),
});
/** Schema of `ready` and of a segment. Messages without a text are skipped. */
const message = z.looseObject({ type: z.string().nullish(), text: z.unknown().optional() });

/** Returns the number in a label such as `SPEAKER_03`; undefined for other labels. */
const speakerOf = (label: string | null | undefined): number | undefined => {
  const digits = /^SPEAKER_(\d{1,4})$/.exec(label ?? '')?.[1];
  return digits === undefined ? undefined : Number(digits);
};

/**
 * Protocol of Parakeet. Each message is one final segment. `finalize` ends the audio. The server then sends the
 * remaining segments and closes.
 */
const protocolOf = ({ emit, ready }: SocketActions): SocketProtocol => ({
  servesWhenOpen: false,
  ending: 'finalize',
  endsByClosing: true,
  read: (given) => {
    const { type, text } = message.parse(given);
    if (type === 'ready') ready();
    if (text === undefined) return;
    const { start, end, speaker, text: words } = segment.parse(given);
    emit({
      kind: 'final',
      text: words.trim(),
      start,
      end: atLeast(start, end),
      speaker: speakerOf(speaker),
    });
  },
});

/**
 * Creates the provider for Parakeet's streaming service (`/v3/stream`). The service gets all audio. It returns
 * segments with speakers, in one language.
 */
export const createProviderA = (settings: Settings): Provider | null => {
  if (settings.providerAUrl === '') return null;
  const url = streamAddress(settings.providerAUrl, 'v3/stream');
  url.searchParams.set('sample_rate', String(providerRate));
  const languages = new Set(settings.providerALanguages);
  return {
    name: 'provider_a',
    capabilities: {
      audio: 'everything',
      supports: (language) => languages.has(language),
      diarizes: true,
      interim: false,
      wordTimes: false,
    },
    connect: (request) => openAudioSocket({ url, settings, request, protocol: protocolOf }),
  };
};

/** Parakeet's batch route: gets a WAV file and returns the text and its segments. */
export const batchProviderA = (settings: Settings): BatchService | null => {
  if (settings.providerAUrl === '') return null;
  const languages = new Set(settings.providerABatchLanguages);
  const base = settings.providerAUrl.replace(/^ws/, 'http').replace(/\/+$/, '');
  return {
    name: 'provider_a',
    model: 'parakeet',
    supports: (language) => languages.has(language),
    url: new URL(`${base}/v1/transcribe`),
    headers: {},
    field: 'file',
    fields: {},
  };
};
