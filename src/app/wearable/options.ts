import type { WearableCodec } from './encode.js';
import type { TokenRenewal } from './token-renewal.js';

/** Server, user and stream parameters of a wearable. */
export interface WearableOptions {
  /** Base address of the engine, `ws://` or `http://`. If it has no path, `/v4/listen` is used. */
  readonly url: string;
  /** ID token; not needed with `AUTH_MODE=uid`. */
  readonly token?: string;
  readonly uid: string;
  readonly codec: WearableCodec | string;
  /** Sample rate in Hz. */
  readonly rate: number;
  readonly channels?: 1 | 2;
  readonly language?: string;
  /** Number of seconds of silence that end the conversation. */
  readonly conversationTimeout?: number;
  readonly source?: string;
  /**
   * Conversation id that the client proposes. The engine continues or begins that conversation. A reopened stream
   * proposes its previous conversation.
   */
  readonly conversation?: string;
  /**
   * Id of the recording's clock. If it is set, audio that the engine has not confirmed is sent again after a lost
   * connection.
   */
  readonly clock?: string | undefined;
  /** Position in ms that the engine confirmed last; set by the wearable. */
  readonly clockAt?: number | undefined;
  /** Further query parameters. */
  readonly query?: Readonly<Record<string, string>>;
  /** Timeout of the WebSocket upgrade in ms. */
  readonly connectTimeout?: number;
  /** Replaces the token while the stream is open. Absent: the stream ends with its token. */
  readonly renewal?: TokenRenewal;
}
