import { type AudioFiles, repeatedOgg, shortestPacket } from './audio-files.js';
import type { Form, RestKind } from './kinds.js';
import {
  longTranscript,
  ordinaryTranscript,
  quadraticText,
  quadraticTranscript,
  sentence,
  statements,
  textBounds,
  unansweredMarker,
} from './texts.js';

/** A request of an account that is active at the same time as the honest user. */
export interface NeighbourRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly credential: 'key' | 'token';
  /** Time of the request, as a share of the phase from 0 to 1. */
  readonly at: number;
  readonly type?: string;
  readonly body?: Uint8Array | string;
  /** Whether the client reads only 16 KB of the answer per second. */
  readonly slow?: true;
}

type Described = Omit<NeighbourRequest, 'at'>;

export const paths = {
  conversations: '/v1/dev/user/conversations',
  fromSegments: '/v1/dev/user/conversations/from-segments',
  memories: '/v1/dev/user/memories',
  searchMemories: '/v1/dev/user/memories/vector/search',
  searchConversations: '/v1/dev/user/conversations/vector/search',
  ask: '/v1/dev/user/ask',
  voice: '/v2/voice-message/transcribe',
} as const;

const post = (path: string, body: string): Described => ({
  method: 'POST',
  path,
  credential: 'key',
  type: 'application/json',
  body,
});
const get = (path: string): Described => ({ method: 'GET', path, credential: 'key' });
const fromSegments = (body: string): Described => post(paths.fromSegments, body);
const conversation = (text: string): Described => post(paths.conversations, JSON.stringify({ text }));
const memory = (content: string): Described => post(paths.memories, JSON.stringify({ content }));
const ask = (question: string): Described => post(paths.ask, JSON.stringify({ question }));
const search = (path: string, query: string): Described => get(`${path}?query=${encodeURIComponent(query)}`);

const boundary = 'cochlea-bench-form';

/** Returns the type and body of a multipart form with the files of a voice message. */
export const voiceForm = (
  name: string,
  files: readonly Uint8Array[],
): { readonly type: string; readonly body: Uint8Array } => ({
  type: `multipart/form-data; boundary=${boundary}`,
  body: Buffer.concat([
    ...files.flatMap((file) => [
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="files"; filename="${name}"\r\n` +
          'Content-Type: application/octet-stream\r\n\r\n',
      ),
      file,
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ]),
});

const voice = (name: string, files: readonly Uint8Array[]): Described => ({
  method: 'POST',
  path: paths.voice,
  credential: 'token',
  ...voiceForm(name, files),
});

/** Spreads requests evenly over a phase. */
const evenly = (requests: readonly Described[], share = 0.9): NeighbourRequest[] =>
  requests.map((request, index) => ({ ...request, at: (index * share) / requests.length }));
/** Sends some requests at the beginning and spreads the others evenly. */
const atOnceFirst = (count: number, requests: readonly Described[]): NeighbourRequest[] =>
  evenly(requests).map((request, index) => (index < count ? { ...request, at: 0 } : request));
const times = (count: number, make: (index: number) => Described): Described[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Number of packets in an Ogg file. It is nearly the maximum for half an hour. */
const mostPackets = 710_000;
/**
 * Number of Ogg files in an upload. `empty`: each has 8 MB of empty packets. `short`: each has 6 MB of 2.5 ms packets,
 * and their audio nearly uses up a user's daily limit.
 */
const filesOf = { empty: 10, short: 4 } as const;

const emptyOgg = (hostile: boolean, audio: AudioFiles): NeighbourRequest[] => {
  const repeated = (packet: Uint8Array, files: number): Uint8Array[] =>
    new Array<Uint8Array>(files).fill(repeatedOgg(audio.ogg, packet, mostPackets));
  const filesFor = (index: number): Uint8Array[] => {
    if (!hostile) return [audio.ogg];
    return index === 1 ? repeated(shortestPacket, filesOf.short) : repeated(new Uint8Array(0), filesOf.empty);
  };
  return atOnceFirst(
    2,
    times(4, (index) => voice('message.ogg', filesFor(index))),
  );
};

const searchText = (hostile: boolean): NeighbourRequest[] => {
  const text = (index: number, length: number): string =>
    hostile ? quadraticText(index, length) : sentence(index);
  const mixed = times(10, (index) => {
    const transcript = hostile ? quadraticTranscript : ordinaryTranscript;
    const choices = [
      () => fromSegments(transcript(index)),
      () => conversation(text(index, textBounds.conversation)),
      () => memory(text(index, textBounds.memory)),
      () => search(paths.searchMemories, text(index, textBounds.query)),
      () => search(paths.searchConversations, text(index, textBounds.query)),
    ] as const;
    return choices[index % choices.length]!();
  });
  const first = times(2, (index) =>
    fromSegments(hostile ? quadraticTranscript(index) : ordinaryTranscript(index)),
  );
  return atOnceFirst(first.length, [...first, ...mixed]);
};

const modelTimeouts = (hostile: boolean): NeighbourRequest[] => {
  const marked = (text: string): string => (hostile ? `${unansweredMarker} ${text}` : text);
  const transcript = (index: number): string => {
    const body = ordinaryTranscript(index);
    return hostile ? body.replaceAll('"text":"', `"text":"${unansweredMarker} `) : body;
  };
  const questions = times(8, (index) => ask(marked(sentence(index))));
  return atOnceFirst(4, [...questions, ...times(4, (index) => fromSegments(transcript(index)))]);
};

/**
 * Returns the requests of one account in a phase. Every phase has new accounts, so no account sends more requests than
 * the default hourly limits permit. The hostile and the ordinary form have equally many requests to the same routes.
 */
export const requestsOf = (kind: RestKind, form: Form, audio: AudioFiles): readonly NeighbourRequest[] => {
  const hostile = form === 'hostile';
  switch (kind) {
    case 'search-text':
      return searchText(hostile);
    case 'empty-ogg':
      return emptyOgg(hostile, audio);
    case 'wide-audio': {
      if (!audio.wide || !audio.mp3) throw new Error('this kind needs ffmpeg');
      const sent = hostile ? voice('message.mka', [audio.wide]) : voice('message.mp3', [audio.mp3]);
      return atOnceFirst(
        2,
        times(4, () => sent),
      );
    }
    case 'slow-pages': {
      const page = get(`${paths.conversations}?limit=25&include_transcript=true`);
      return evenly(
        times(5, () => (hostile ? { ...page, slow: true } : page)),
        0.3,
      );
    }
    case 'long-summaries':
      return atOnceFirst(
        2,
        times(10, (index) => {
          if (index % 2 === 0)
            return fromSegments(hostile ? longTranscript(index) : ordinaryTranscript(index));
          return conversation(hostile ? statements(textBounds.conversation, index) : sentence(index));
        }),
      );
    case 'many-jobs':
      return evenly(
        times(12, (index) => fromSegments(hostile ? longTranscript(index) : ordinaryTranscript(index))),
        0.2,
      );
    case 'model-timeouts':
      return modelTimeouts(hostile);
  }
};
