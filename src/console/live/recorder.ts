import { signal } from '@preact/signals';
import { levelOf } from '../audio/index.js';
import { Problem, recording, request } from '../shared/index.js';
import {
  emptyTranscript,
  LiveStream,
  machineTime,
  nextTranscript,
  SignedOut,
  type StreamState,
  type StreamToken,
  type Transcript,
} from '../stream/index.js';
import { type Microphone, openMicrophone } from './microphone.js';

/** State of the recording; null before the first one. */
export const state = signal<StreamState | null>(null);
/** What was said. */
export const transcript = signal<Transcript>(emptyTranscript);
/** Level of the microphone in dB. */
export const level = signal(-60);
export const muted = signal(false);
/** Seconds since the start, seconds that wait for a connection, and seconds that were lost. */
export const times = signal({ recorded: 0, waiting: 0, lost: 0 });
/** Why there is no recording; null without a reason. */
export const failure = signal<string | null>(null);

let stream: LiveStream | null = null;
let microphone: Microphone | null = null;
let begun = 0;

const deviceKey = 'cochlea-device';

/** Returns the id of this browser, so that its streams continue one conversation. */
const deviceId = (): string => {
  const known = localStorage.getItem(deviceKey);
  if (known !== null && /^[a-z0-9-]{36}$/.test(known)) return known;
  const made = crypto.randomUUID();
  localStorage.setItem(deviceKey, made);
  return made;
};

const token = async (): Promise<StreamToken> => {
  try {
    return (await request<StreamToken>('stream-token', { method: 'POST' })).body;
  } catch (error) {
    if (error instanceof Problem && error.status === 401) throw new SignedOut();
    throw error;
  }
};

const closeMicrophone = (): void => {
  microphone?.close();
  microphone = null;
  level.value = -60;
};

const changed = (next: StreamState): void => {
  state.value = next;
  const isOver = next.kind === 'saved' || next.kind === 'failed';
  recording.value = !isOver;
  if (isOver) closeMicrophone();
};

const received = (samples: Int16Array): void => {
  if (stream === null) return;
  level.value = muted.value ? -60 : levelOf(samples);
  stream.push(samples);
  const recorded = Math.floor((machineTime.now() - begun) / 1000);
  const { waiting, lost } = stream;
  const before = times.value;
  if (recorded !== before.recorded || Math.abs(waiting - before.waiting) > 0.5 || lost !== before.lost)
    times.value = { recorded, waiting, lost };
};

const open = async (input: string): Promise<void> => {
  closeMicrophone();
  microphone = await openMicrophone(input, received, () => {
    failure.value = 'The microphone is gone. Choose another one, or stop and save';
  });
  failure.value = null;
};

/** Starts a recording. @param input id of the microphone. @param language of the speech */
export const start = async (input: string, language: string): Promise<void> => {
  if (recording.value) return;
  recording.value = true;
  transcript.value = emptyTranscript;
  muted.value = false;
  times.value = { recorded: 0, waiting: 0, lost: 0 };
  state.value = null;
  try {
    await open(input);
  } catch (error) {
    recording.value = false;
    failure.value = (error as Error).message;
    return;
  }
  begun = machineTime.now();
  stream = new LiveStream({
    address: `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/v4/web/listen`,
    parameters: { source: 'desktop', language },
    clock: crypto.randomUUID(),
    deviceId: deviceId(),
    open: (address) => new WebSocket(address),
    token,
    time: machineTime,
    random: Math.random,
    onState: changed,
    onMessage: (message) => {
      transcript.value = nextTranscript(transcript.value, message);
    },
  });
  stream.start();
};

/** Changes the microphone of the recording. */
export const useInput = async (input: string): Promise<void> => {
  if (!recording.value) return;
  await open(input).catch((error: Error) => {
    failure.value = error.message;
  });
};

export const mute = (on: boolean): void => {
  muted.value = on;
  stream?.mute(on);
};

export const stop = (): void => {
  closeMicrophone();
  stream?.stop();
};

/** Names a speaker of the conversation: a person, or the wearer. @returns false without a connection. */
export const nameSpeaker = (
  speakerId: number,
  person: { readonly id: string; readonly name: string },
): boolean =>
  stream?.send({
    type: 'speaker_assigned',
    speaker_id: speakerId,
    person_id: person.id,
    person_name: person.name,
    segment_ids: [],
  }) ?? false;

// Leaving the page would lose the audio that was not sent yet.
addEventListener('beforeunload', (event) => {
  if (recording.value) event.preventDefault();
});
