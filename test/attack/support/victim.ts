/**
 * A victim that repeatedly requests its own conversation and checks that every answer is complete and belongs to this
 * victim.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../support/until.js';
import type { HttpAnswer } from './http-answers.js';
import { parseAnswers } from './http-answers.js';
import type { RawConnection } from './raw-connection.js';
import type { AttackTarget } from './target.js';

/** Timeout for an answer, in ms. It is long because the attack shares the machine. */
const answerBound = 60_000;

export class Victim {
  /** Faults, one per line. Empty if all answers were correct. */
  readonly faults: string[] = [];
  /** Number of complete answers so far. */
  answered = 0;
  readonly #target: AttackTarget;
  readonly #from: string;
  #running = false;
  #loops: Promise<void>[] = [];

  /** @param from loopback source address of the victim. */
  constructor(target: AttackTarget, from = '127.0.0.1') {
    this.#target = target;
    this.#from = from;
  }

  /**
   * Starts to send requests. @param kept number of connections that are reused. @param fresh number of loops that open a connection for
   * each request.
   */
  start(kept = 2, fresh = 1): void {
    this.#running = true;
    this.#loops = [
      ...Array.from({ length: kept }, () => this.#loop(true)),
      ...Array.from({ length: fresh }, () => this.#loop(false)),
    ];
  }

  /** Sends no more requests, and waits for outstanding answers. */
  async stop(): Promise<void> {
    this.#running = false;
    await Promise.all(this.#loops);
  }

  /**
   * Resolves after `count` more answers, or as soon as the victim stopped.
   * @throws Error when an answer takes too long.
   */
  async progress(count: number): Promise<void> {
    const aim = this.answered + count;
    await until(() => !this.#running || this.answered >= aim, 'the victim is answered', answerBound);
  }

  async #loop(kept: boolean): Promise<void> {
    let connection: RawConnection | null = null;
    for (let turn = 0; this.#running; turn++) {
      connection ??= await this.#open();
      if (connection === null) return;
      const reading = turn % 3 !== 2;
      const answer = await this.#exchange(connection, reading ? this.#read() : this.#wrong());
      if (answer !== null) {
        this.answered++;
        if (reading) this.#judgeRead(answer);
        else this.#judgeWrong(answer);
      }
      // The pause leaves CPU time to the attack and other checks.
      await pause(5);
      if (!kept || answer === null || connection.isClosed || answer.headers.connection === 'close') {
        connection.destroy();
        connection = null;
      }
    }
    connection?.destroy();
  }

  async #open(): Promise<RawConnection | null> {
    try {
      return await this.#target.connect({ from: this.#from });
    } catch (error) {
      this.faults.push(`no connection: ${(error as Error).message}`);
      this.#running = false;
      return null;
    }
  }

  #read(): string {
    const { conversation, key } = this.#target.victim;
    return (
      `GET /v1/dev/user/conversations/${conversation}?include_transcript=true HTTP/1.1\r\n` +
      `Host: cochlea\r\nAuthorization: Bearer ${key}\r\n\r\n`
    );
  }

  /**
   * Returns a request with an invalid body that contains the victim's key. If the server repeated the body in its error
   * message and sent that answer to the wrong connection, the attacker would receive the key.
   */
  #wrong(): string {
    const { key } = this.#target.victim;
    const body = JSON.stringify({ transcript_segments: [{ text: key, start: 'soon', end: key }] });
    return (
      'POST /v1/dev/user/conversations/from-segments HTTP/1.1\r\nHost: cochlea\r\n' +
      `Authorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    );
  }

  async #exchange(connection: RawConnection, request: string): Promise<HttpAnswer | null> {
    if (connection.received.length > 0) this.faults.push(`unasked: ${JSON.stringify(connection.text)}`);
    connection.send(request);
    const parsed = () => parseAnswers(connection.received, [], connection.isClosed);
    await connection.until(() => {
      const { answers, fault } = parsed();
      return answers.length > 0 || fault !== null;
    }, answerBound);
    const { answers, rest, fault } = parsed();
    if (fault !== null || answers.length !== 1 || rest.length > 0) {
      const seen = connection.text.slice(0, 300);
      this.faults.push(`${fault ?? `${answers.length} answers`}: ${JSON.stringify(seen)}`);
      return null;
    }
    connection.forget();
    return answers[0]!;
  }

  #judgeRead({ status, body }: HttpAnswer): void {
    const { conversation, marker } = this.#target.victim;
    const text = body.toString();
    const own = status === 200 && text.includes(marker) && JSON.parse(text).id === conversation;
    if (!own) this.faults.push(`read: ${status} ${text.slice(0, 300)}`);
  }

  #judgeWrong({ status, body }: HttpAnswer): void {
    const { key } = this.#target.victim;
    const text = body.toString();
    if (status !== 422 || text.includes(key)) this.faults.push(`422: ${status} ${text.slice(0, 300)}`);
  }
}
