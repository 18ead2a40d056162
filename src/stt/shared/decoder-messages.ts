import type { CochleaError } from '../../errors/index.js';
import type { EarlierTexts } from './earlier-texts.js';
import type { UtteranceRequest, UtteranceResult } from './provider.js';
import type { SpokenLanguages } from './spoken-languages.js';

/**
 * State of the transcriber: whether it accepts utterances. `away`: no service answered for half a minute; it becomes
 * `ready` again when one answers. `unusable`: the configuration is wrong, so an operator must act.
 */
export type TranscriberState = 'starting' | 'ready' | 'away' | 'unusable' | 'stopped';

/** Message of the shard to the main thread, over a MessagePort. The samples are transferred. */
export interface PortRequest {
  readonly kind: 'utterance';
  readonly request: UtteranceRequest;
}

/** Message of the main thread to the shard. */
export type PortAnswer =
  | { readonly kind: 'result'; readonly result: UtteranceResult }
  | { readonly kind: 'state'; readonly state: TranscriberState }
  /**
   * Reports whether utterances should end only after the long silence. Until the first such message, they should not.
   */
  | { readonly kind: 'silence'; readonly long: boolean };

/** Speech for a decoder process. */
export interface DecoderInput {
  readonly pcm: Int16Array;
  /** Name of the model that decodes the speech. */
  readonly model: string;
  /** Code of the spoken language that the model knows; `multi` if the model detects one of `languages`. */
  readonly language: string;
  /** Codes of the languages that the speaker may use, the most probable one first. The model knows them. */
  readonly languages: readonly string[];
  /** Words that the speaker may use: see `UtteranceRequest`. */
  readonly keywords: readonly string[];
  /** Mean probability of speech that the detector found in the audio; 0 if unknown. */
  readonly detected: number;
  /** Tokens of earlier texts of the same speech. */
  readonly earlier: EarlierTexts;
}

/** Message of the transcription service to a decoder process. A decode waits until its model is loaded. */
export type ChildRequest =
  | { readonly kind: 'load'; readonly model: string; readonly modelsDir: string }
  | ({ readonly kind: 'decode'; readonly job: number } & DecoderInput);

/** Message of a decoder process to the transcription service. */
export type ChildAnswer =
  /** A model is loaded. `together`: maximum number of utterances that the process decodes at once with it. */
  | { readonly kind: 'ready'; readonly model: string; readonly together: number }
  | {
      readonly kind: 'unusable';
      readonly model: string;
      readonly error: ReturnType<CochleaError['toJSON']>;
    }
  | Decoded;

/** Reports that a decoder process has finished an utterance. */
export interface Decoded extends SpokenLanguages {
  readonly kind: 'decoded';
  readonly job: number;
  /** The text; absent if the decoder refused the audio. The process continues in that case. */
  readonly text?: string;
  /** Start and end (ms) of each word of the text, as a flat list; empty if the model returned no times. */
  readonly times?: readonly number[];
  /** Whether the text repeated itself and its repetitions were removed. */
  readonly looped?: boolean;
  /** Tokens of the model, including removed repetitions; absent if unknown. */
  readonly tokens?: readonly number[];
  /** Time in ms spent on this utterance, without the time spent on other utterances meanwhile. */
  readonly decoded: number;
  /** Number of parts that were decoded twice because the first text did not end or repeated itself. */
  readonly repeated: number;
}
