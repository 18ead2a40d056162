import { signal } from '@preact/signals';
import { levelOf, wavFile } from '../audio/index.js';
import { Problem, recording, request } from '../shared/index.js';
import {
  emptyTranscript,
  LiveStream,
  machineTime,
  nextTranscript,
  SignedOut,
  SpeechTimes,
  type SpokenTime,
  type StreamState,
  type StreamToken,
  type Transcript,
  WordDelay,
} from '../stream/index.js';
import { beginRecording, endRecording } from './one-tab.js';
import { askTab, Sound } from './sound.js';

/** State of the recording; null before the first recording. */
export const state = signal<StreamState | null>(null);
/** The transcript of the recording. */
export const transcript = signal<Transcript>(emptyTranscript);
/** Level of the sound in dB. */
export const level = signal(-60);
export const muted = signal(false);

/** Times of the recording for the page, in s. */
export interface Times {
  /** Length of the recording since its start. */
  readonly recorded: number;
  /** Audio that waits for a connection. */
  readonly waiting: number;
  /** Audio that the page keeps, because the engine has not confirmed it. */
  readonly kept: number;
  /** Audio that was dropped and is not stored. */
  readonly lost: number;
  /** Time since the connection was lost; 0 with a connection. */
  readonly away: number;
  /** Time from the start of speech to its first words; null if unknown. */
  readonly delay: number | null;
}

const noTimes: Times = { recorded: 0, waiting: 0, kept: 0, lost: 0, away: 0, delay: null };
export const times = signal<Times>(noTimes);
/** Why there is no recording, as a text for the user; null if there is no reason to show. */
export const failure = signal<string | null>(null);
/** Notice for the user about a change while the recording continues; null if there is none. */
export const notice = signal<string | null>(null);
/**
 * Guesses about speakers that the user has denied. Each is a text with the speaker's number, a blank and the person's
 * id.
 */
export const denied = signal<ReadonlySet<string>>(new Set());

let stream: LiveStream | null = null;
let sound: Sound | null = null;
let channels: 1 | 2 = 1;
let begun = 0;
/** Whether the user stopped the recording before the microphone was open. */
let stoppedEarly = false;
let speechTimes = new SpeechTimes();
let delay = new WordDelay();

const otherTab = 'Another tab of this browser records. Stop it there first';

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

const closeSound = (): void => {
  sound?.close();
  sound = null;
  level.value = -60;
};

/** Whether this page keeps audio that is not stored. */
export const keepsAudio = (): boolean => state.value?.kind === 'failed' && state.value.kept > 0;

const changed = (next: StreamState): void => {
  state.value = next;
  if (next.kind !== 'live') speechTimes.end(machineTime.now());
  const isOver = next.kind === 'saved' || next.kind === 'failed';
  recording.value = !isOver;
  if (!isOver) return;
  closeSound();
  if (!keepsAudio()) endRecording();
};

const measure = (): void => {
  if (stream === null) return;
  const now = machineTime.now();
  const at = stream.state;
  const next: Times = {
    recorded: Math.floor((now - begun) / 1000),
    waiting: Math.round(stream.waiting),
    kept: Math.round(stream.kept),
    lost: Math.round(stream.lost),
    away: at.kind === 'reconnecting' ? Math.floor((now - at.since) / 1000) : 0,
    delay: delay.seconds,
  };
  const keys = Object.keys(next) as (keyof Times)[];
  if (keys.some((key) => next[key] !== times.value[key])) times.value = next;
};

const received = (samples: Int16Array): void => {
  if (stream === null) return;
  level.value = muted.value ? -60 : levelOf(samples);
  stream.push(samples);
  measure();
};

const ended = (source: 'microphone' | 'tab'): void => {
  if (source === 'microphone') failure.value = 'The microphone is gone. Choose another one, or stop and save';
  else notice.value = 'The sound of the tab has ended. The microphone is still recorded';
};

const open = async (input: string, tab: boolean): Promise<void> => {
  const shared = tab ? await askTab() : null;
  channels = shared === null ? 1 : 2;
  sound = new Sound({ tab: shared, onSamples: received, onEnd: ended });
  await sound.useMicrophone(input);
};

export interface RecordingOptions {
  /** Id of the microphone. */
  readonly input: string;
  /** Whether the sound of a tab is recorded, too. */
  readonly tab: boolean;
  /** Language of the speech. */
  readonly language: string;
}

/** Starts a recording. Call it in a click handler, because browsers ask for a tab only after a click. */
export const start = async ({ input, tab, language }: RecordingOptions): Promise<void> => {
  if (recording.value || keepsAudio()) return;
  recording.value = true;
  transcript.value = emptyTranscript;
  muted.value = false;
  times.value = noTimes;
  state.value = null;
  denied.value = new Set();
  [failure.value, notice.value] = [null, null];
  [speechTimes, delay] = [new SpeechTimes(), new WordDelay()];
  stream = null;
  stoppedEarly = false;
  try {
    if (!(await beginRecording())) throw new Error(otherTab);
    await open(input, tab);
    if (stoppedEarly) throw new Error('The recording was stopped before it began');
  } catch (error) {
    closeSound();
    endRecording();
    recording.value = false;
    failure.value = (error as Error).message;
    return;
  }
  begun = machineTime.now();
  // If a stream with two channels names the source `desktop`, the engine may read its audio as tagged frames. Such
  // frames have no audio positions. So two channels get the source `svc`.
  const source = channels === 2 ? 'svc' : 'desktop';
  const opened: LiveStream = new LiveStream({
    address: `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/v4/web/listen`,
    parameters: { source, language, activity: 'true' },
    clock: crypto.randomUUID(),
    channels,
    deviceId: deviceId(),
    open: (address) => new WebSocket(address),
    token,
    time: machineTime,
    random: Math.random,
    onState: changed,
    onMessage: (message) => {
      speechTimes.message(message, opened.position, machineTime.now());
      delay.message(message, opened.position);
      transcript.value = nextTranscript(transcript.value, message);
    },
  });
  stream = opened;
  opened.start();
};

/** Changes the microphone of the recording. */
export const useInput = async (input: string): Promise<void> => {
  if (sound === null) return;
  try {
    await sound.useMicrophone(input);
    failure.value = null;
  } catch (error) {
    failure.value = (error as Error).message;
  }
};

export const mute = (on: boolean): void => {
  muted.value = on;
  if (on) speechTimes.end(machineTime.now());
  stream?.mute(on);
};

export const stop = (): void => {
  stoppedEarly = true;
  closeSound();
  stream?.stop();
  measure();
};

/** Tries again to store the audio that this page keeps. */
export const retry = (): void => {
  recording.value = true;
  stream?.retry();
};

/** Forgets the audio that this page keeps. */
export const discard = (): void => {
  stream = null;
  state.value = null;
  endRecording();
};

/** Returns the audio that this page keeps, as a WAV file. */
export const keptFile = (): Blob => {
  const samples = stream?.keptSamples() ?? new Int16Array(0);
  return new Blob([wavFile(samples, channels, 16_000)], { type: 'audio/wav' });
};

/** Returns the times of the last minute at which someone spoke, in ms of `machineTime`. */
export const spoken = (now: number): readonly SpokenTime[] => speechTimes.spoken(now);

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

/** Hides a guess about a speaker. */
export const deny = (speakerId: number, personId: string): void => {
  denied.value = new Set([...denied.value, `${speakerId} ${personId}`]);
};

// Makes the browser ask the user before it leaves the page, because audio that is not stored yet would be lost.
addEventListener('beforeunload', (event) => {
  if (recording.value || keepsAudio()) event.preventDefault();
});
