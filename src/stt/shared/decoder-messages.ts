import type { CochleaError } from '../../errors/index.js';
import type { EarlierTexts } from './earlier-texts.js';
import type { UtteranceRequest, UtteranceResult } from './provider.js';

/** State of the transcriber: whether it accepts utterances. */
export type TranscriberState = 'starting' | 'ready' | 'unusable' | 'stopped';

/** Shard to main thread, over a MessagePort; the samples are transferred. */
export interface PortRequest {
  readonly kind: 'utterance';
  readonly request: UtteranceRequest;
}

/** Main thread to shard. */
export type PortAnswer =
  | { readonly kind: 'result'; readonly result: UtteranceResult }
  | { readonly kind: 'state'; readonly state: TranscriberState };

/** Transcription service to the process that decodes. */
export type ChildRequest =
  | { readonly kind: 'load'; readonly model: string; readonly modelsDir: string }
  | {
      readonly kind: 'decode';
      readonly job: number;
      readonly pcm: Int16Array;
      /** What was recognised of the same speech before. */
      readonly earlier: EarlierTexts;
    };

/** The process that decodes to the transcription service. */
export type ChildAnswer =
  /** `together`: most utterances that it decodes at once. */
  | { readonly kind: 'ready'; readonly together: number }
  | { readonly kind: 'unusable'; readonly error: ReturnType<CochleaError['toJSON']> }
  | Decoded;

/** The transcriber process has decoded an utterance. */
export interface Decoded {
  readonly kind: 'decoded';
  readonly job: number;
  /** Absent when the decoder refused the audio and the process continues. */
  readonly text?: string;
  /** Start and end (ms) of each word of the text, one after the other; empty when the model does not tell. */
  readonly times?: readonly number[];
  /** The text repeated itself, and had its copies taken out. */
  readonly looped?: boolean;
  /** The model's tokens, those of copies included; absent where they are not known. */
  readonly tokens?: readonly number[];
  /** Ms that were spent on it, without those spent on others meanwhile. */
  readonly decoded: number;
  /** Parts of the utterance that were decoded twice, because the first decode ran on. */
  readonly repeated: number;
}
