import type { WearableCodec } from './encode.js';
import type { TokenRenewal } from './token-renewal.js';

/** Where a wearable connects, as whom, and with which parameters of the stream. */
export interface WearableOptions {
  /** Base address of the engine, `ws://` or `http://`. A path is kept; without one `/v4/listen` is used. */
  readonly url: string;
  /** ID token; not needed with `AUTH_MODE=uid`. */
  readonly token?: string;
  readonly uid: string;
  readonly codec: WearableCodec | string;
  /** Hz. */
  readonly rate: number;
  readonly channels?: 1 | 2;
  readonly language?: string;
  /** Seconds of silence that end the conversation. */
  readonly conversationTimeout?: number;
  readonly source?: string;
  /** Id proposed for the conversation: it is continued, or begun. A stream that is opened again proposes that of the conversation it was in. */
  readonly conversation?: string;
  /** Further query parameters. */
  readonly query?: Readonly<Record<string, string>>;
  /** Ms that the upgrade may take. */
  readonly connectTimeout?: number;
  /** How the token is replaced while the stream is open; it ends with its token when absent. */
  readonly renewal?: TokenRenewal;
}
