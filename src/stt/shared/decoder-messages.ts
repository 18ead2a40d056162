import type { CochleaError } from '../../errors/index.js';
import type { EarlierTexts } from './earlier-texts.js';
import type { UtteranceRequest, UtteranceResult } from './provider.js';

/** State of the transcriber: whether it accepts utterances. */
export type TranscriberState = 'starting' | 'ready' | 'unusable' | 'stopped';

/** Message from shard to main thread, over a MessagePort. The samples are transferred. */
export interface PortRequest {
  readonly kind: 'utterance';
  readonly request: UtteranceRequest;
}

/** Message from main thread to shard. */
export type PortAnswer =
  | { readonly kind: 'result'; readonly result: UtteranceResult }
  | { readonly kind: 'state'; readonly state: TranscriberState };

/** Message from the transcription service to a decoder process. */
export type ChildRequest =
  | { readonly kind: 'load'; readonly model: string; readonly modelsDir: string }
  | {
      readonly kind: 'decode';
      readonly job: number;
      readonly pcm: Int16Array;
      /** Tokens of earlier texts of the same speech. */
      readonly earlier: EarlierTexts;
    };

/** Message from a decoder process to the transcription service. */
export type ChildAnswer =
  /** `together`: most utterances that the process decodes at once. */
  | { readonly kind: 'ready'; readonly together: number }
  | { readonly kind: 'unusable'; readonly error: ReturnType<CochleaError['toJSON']> }
  | Decoded;

/** The transcriber process has decoded an utterance. */
export interface Decoded {
  readonly kind: 'decoded';
  readonly job: number;
  /** Absent when the decoder refused the audio and the process continues. */
  readonly text?: string;
  /** Start and end (ms) of each word of the text, as a flat list; empty when the model returns no times. */
  readonly times?: readonly number[];
  /** Whether the text repeated itself and its repetitions were removed. */
  readonly looped?: boolean;
  /** Tokens of the model, including removed repetitions; absent when unknown. */
  readonly tokens?: readonly number[];
  /** Ms spent on this utterance, without time spent on others meanwhile. */
  readonly decoded: number;
  /** Number of parts decoded twice because the first decode did not end. */
  readonly repeated: number;
}
