import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { closeReason, TokenBucket } from '../../common/index.js';
import type { Settings } from '../../config/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import { CochleaError } from '../../errors/index.js';
import type { ClientAddress } from '../../identity/index.js';
import { ringAge, ringClock } from '../../ring/index.js';
import { keepAliveBytes, type VoiceStreamLine, voiceStreamStart } from '../../wire/index.js';
import { bufferOf, type ListenerSocket, type MessageBytes, type SocketOwner } from '../listener/index.js';
import type { UserBudget } from '../shards/index.js';
import { maxUnread } from '../streams/index.js';

/** The user who sends a voice message. */
export interface VoiceCaller {
  readonly uid: string;
  /** Wall clock time in ms at which the token was issued. */
  readonly issuedAt: number;
  /** Wall clock time in ms at which the token expires. */
  readonly expiresAt: number;
}

/** The head of the request to the sidecar for a voice message. */
export interface VoiceRequestHead {
  readonly path: string;
  /** Alternating names and values. */
  readonly headers: string[];
}

export type VoiceLimits = Pick<
  Settings,
  'textRate' | 'voiceStreamBuffer' | 'voiceStreamIdle' | 'voiceTimeout'
>;

/**
 * Maximum number of bytes in a line of the sidecar's answer. A line has at most one segment, with the words of 15 s.
 */
const longestLine = 65_536;
/** Maximum number of bytes of an error answer that refuses the voice message. */
const longestRefusal = 16_384;
/** Text message with which a client ends its voice message. */
const finalize = 'finalize';
/** Ms that the front waits after the time limit of a message, so that the sidecar can report the timeout itself. */
const answerMargin = 10_000;
/** Result of the listener's `send` if it dropped the text. */
const dropped = 2;

const state = { waiting: 0, open: 1, finishing: 2, ended: 3 } as const;

/**
 * Statuses of refusals after which a client may retry: too many messages at once or per hour, or an unavailable
 * service.
 */
const mayPass: ReadonlySet<number> = new Set([429, 502, 503, 504]);

const closeCodeOf = (status: number, retryable: boolean): number => {
  if (mayPass.has(status) && retryable) return 1013;
  return status >= 400 && status < 500 ? 1008 : 1011;
};

/**
 * One WebSocket of a voice message. Its audio is the body of a request to the sidecar, and the sidecar answers in
 * lines. The listener cannot pause a client, so a bounded buffer stores audio that the sidecar has not read. Main
 * thread only.
 */
export class VoiceSocket implements SocketOwner, Dispatcher.DispatchHandler {
  readonly #openedAt = ringClock();
  readonly #body: Readable;
  /** Limits the number of queued messages, because each takes more memory than its bytes. */
  readonly #messages = new TokenBucket(
    fixedLimits.voiceMessageRate.value,
    fixedLimits.voiceMessageBurst.value,
  );
  #lastAudio = this.#openedAt;
  #state: number = state.waiting;
  #socket: ListenerSocket | null = null;
  #controller: Dispatcher.DispatchController | null = null;
  /** An incomplete line of the answer, or the part of a refusal's body that has arrived. */
  #rest = Buffer.alloc(0);
  #status = 0;
  #isOver = false;
  /** The user's budget; null while the socket is not open. */
  budget: UserBudget | null = null;

  constructor(
    readonly caller: VoiceCaller,
    readonly client: ClientAddress,
    private readonly limits: VoiceLimits,
  ) {
    this.#body = new Readable({ highWaterMark: limits.voiceStreamBuffer, read: () => undefined });
    // Errors of the body are ignored, because the request reports the reason.
    this.#body.on('error', () => undefined);
  }

  /** Wall clock time in ms at which the caller's token was issued. */
  get issuedAt(): number {
    return this.caller.issuedAt;
  }

  get attached(): boolean {
    return this.#socket !== null;
  }

  attach(socket: ListenerSocket): void {
    this.#socket = socket;
  }

  /** Starts the request to the sidecar. */
  begin(upstream: Dispatcher, { path, headers }: VoiceRequestHead): void {
    this.#state = state.open;
    this.#body.push(Buffer.alloc(voiceStreamStart));
    upstream.dispatch({ method: 'POST', path, headers, body: this.#body }, this);
  }

  /** Handles a message of the client. */
  message(message: MessageBytes, isBinary: boolean, now: number): void {
    const { budget } = this;
    if (this.#state === state.ended || budget === null) return;
    if (isBinary) this.#audio(message, budget, now);
    else if (!budget.texts.take(message, now))
      this.refuse(new CochleaError('text_flood', { rate: this.limits.textRate }));
    else if (bufferOf(message).toString().trim() === finalize) this.#finish();
  }

  /**
   * Ends a voice message that was silent or open for too long, or whose token has expired. Called about once per
   * second.
   * @param wall the wall clock time, in ms.
   */
  check(now: number, wall: number): void {
    if (this.#state === state.ended) return;
    const { voiceStreamIdle, voiceTimeout } = this.limits;
    if (wall >= this.caller.expiresAt) this.refuse(new CochleaError('token_expired'));
    else if (ringAge(this.#openedAt, now) >= voiceTimeout + answerMargin)
      this.refuse(new CochleaError('stt_timeout'));
    else if (this.#state === state.open && ringAge(this.#lastAudio, now) >= voiceStreamIdle)
      this.refuse(new CochleaError('idle', { seconds: voiceStreamIdle / 1000 }));
  }

  /** Closes the socket with an error of the registry. */
  refuse(error: CochleaError): void {
    this.end(error.entry.close ?? 1011, error.message);
  }

  /**
   * Closes the socket with a code. The close handler runs before this returns. Does nothing when the socket has closed.
   */
  end(code: number, reason: string): void {
    this.#state = state.ended;
    this.#socket?.end(code, closeReason(reason));
  }

  /** Cancels the request to the sidecar. Called when the socket has closed. */
  closed(): void {
    this.#socket = null;
    this.#state = state.ended;
    if (this.#isOver) return;
    const gone = new Error('the client is gone');
    this.#controller?.abort(gone);
    this.#body.destroy();
  }

  // Callbacks of the upstream client follow.

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#state === state.ended) controller.abort(new Error('the client is gone'));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    this.#status = status;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#state === state.ended) return;
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let at = 0;
    if (this.#status === 200) {
      for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, at)) {
        this.#line(JSON.parse(bytes.toString('utf8', at, end)) as VoiceStreamLine);
        at = end + 1;
      }
    }
    this.#rest = Buffer.from(bytes.subarray(at));
    const most = this.#status === 200 ? longestLine : longestRefusal;
    if (this.#rest.length > most) controller.abort(new Error('the answer of the sidecar is too long'));
  }

  onResponseEnd(): void {
    this.#isOver = true;
    if (this.#state === state.ended) return;
    if (this.#status === 200) this.end(1000, 'finalized');
    else this.#refused();
  }

  onResponseError(): void {
    this.#isOver = true;
    this.#body.destroy();
    if (this.#state !== state.ended) this.end(1013, new CochleaError('upstream_unavailable').message);
  }

  #audio(message: MessageBytes, budget: UserBudget, now: number): void {
    if (!this.#messages.take(1, now) || !budget.messages.take(1, now)) {
      this.refuse(new CochleaError('message_flood', { rate: fixedLimits.voiceMessageRate.value }));
      return;
    }
    const bytes = message.byteLength;
    if (this.#state !== state.open || bytes <= keepAliveBytes) return;
    if (this.#body.readableLength + bytes > this.limits.voiceStreamBuffer) {
      this.refuse(new CochleaError('overloaded'));
      return;
    }
    this.#lastAudio = now;
    // The bytes are copied, because the memory of the message is invalid after this handler.
    this.#body.push(Buffer.from(bufferOf(message)));
  }

  #finish(): void {
    if (this.#state !== state.open) return;
    this.#state = state.finishing;
    this.#body.push(null);
  }

  #line(line: VoiceStreamLine): void {
    if (this.#state === state.ended) return;
    if ('close' in line) this.end(line.close.code, line.close.reason);
    else this.#send(JSON.stringify(line.send));
  }

  #send(text: string): void {
    const socket = this.#socket;
    if (socket === null) return;
    const isSlow = socket.getBufferedAmount() > maxUnread || socket.send(text, false, false) === dropped;
    if (isSlow) this.refuse(new CochleaError('slow_reader', { limit: maxUnread }));
  }

  /** Closes the socket after the sidecar has refused the message. The close reason is the sidecar's error text. */
  #refused(): void {
    let reason = 'The voice message is refused';
    let isFinal = false;
    try {
      const { detail, message, retryable } = JSON.parse(this.#rest.toString());
      reason = String(message ?? detail ?? reason);
      isFinal = retryable === false;
    } catch {
      // The answer is not JSON, so it does not come from the sidecar.
    }
    this.end(closeCodeOf(this.#status, !isFinal), reason);
  }
}
