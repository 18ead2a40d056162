import { setTimeout as pause } from 'node:timers/promises';
import { endsWithin } from '../../common/index.js';
import { CochleaError } from '../../errors/index.js';
import { type ServiceRule, ServiceSocket, serviceRules } from '../custom-stt/index.js';
import { demoSpeech, wordError } from '../sample/index.js';
import { encodeFrames, type Frame, sendPaced, usualRate, type WearableCodec } from '../wearable/index.js';

export interface CheckOptions {
  readonly codec: WearableCodec;
  readonly rate?: number;
  /** Speed of sending as a multiple of real time. */
  readonly pace: number | 'max';
  /** Maximum ms from the end of the stream until the service has sent the last words and closed the connection. */
  readonly timeout: number;
  /** Number of ms without messages after which the service must close a connection; absent: not checked. */
  readonly idle?: number;
}

export interface RuleResult {
  readonly rule: ServiceRule;
  readonly passed: boolean;
  /** For a broken rule: the observed fault. For a rule that was not tested: the reason. */
  readonly why?: string;
  /** Whether the rule was not tested, because an earlier rule is broken or the test was not requested. */
  readonly skipped?: boolean;
}

/** Maximum share of wrong words. A service that does not transcribe the sent speech has a far larger share. */
const mostWrong = 0.5;
/** Tolerance for closing an idle connection early or late, as a share of the idle time. */
const idleTolerance = 0.25;

interface Speech {
  readonly frames: readonly Frame[];
  readonly text: string;
}

/** Returns the speech to send: the utterances of the fixture with surrounding pauses, and their words. */
const speech = async ({ codec, rate }: CheckOptions): Promise<Speech> => {
  const { recording, text } = await demoSpeech('novel');
  return { frames: encodeFrames(recording, codec, rate ?? usualRate(codec)), text };
};

/** Broken rules with their first fault, and the received words. */
class Findings {
  /** Whether the connection was lost before the service could send all words. */
  isCut = false;
  /** Whether an unreadable message ended the connection. */
  unreadable = false;
  readonly faults = new Map<ServiceRule, string>();
  readonly texts: string[] = [];

  fault(rule: ServiceRule, why: string): void {
    if (!this.faults.has(rule)) this.faults.set(rule, why);
  }

  /**
   * Records the loss of the connection. @param why the reason. It is ignored if an unreadable message caused the loss.
   */
  cut(why: string): void {
    this.isCut = true;
    if (!this.unreadable) this.fault('audio', why);
  }
}

const connect = (url: string, findings: Findings): Promise<ServiceSocket> =>
  ServiceSocket.open(url, (reply) => {
    if (reply.kind === 'broken') {
      findings.fault(reply.rule, reply.why);
      findings.unreadable ||= reply.ends === true;
    }
    if (reply.kind === 'ignored' && reply.fault !== undefined)
      findings.fault(reply.fault.rule, reply.fault.why);
    if (reply.kind === 'segments') findings.texts.push(...reply.segments.map(({ text }) => text));
  });

/** WebSocket close codes of an orderly close. */
const orderly: readonly number[] = [1000, 1001, 1005];

/** Streams the speech, ends the stream and records the findings. */
const stream = async (
  socket: ServiceSocket,
  { frames, text }: Speech,
  findings: Findings,
  options: CheckOptions,
): Promise<void> => {
  await sendPaced(frames, ({ bytes, duration }) => socket.send(bytes, duration), {
    pace: options.pace,
    stopped: () => socket.isOver,
    ready: async () => {
      while (!socket.takes && !socket.isOver) await pause(5);
    },
  });
  if (socket.isOver) {
    findings.cut(`it closed ${await socket.closed} while audio was sent`);
    return;
  }
  if (!(await socket.end(options.timeout)))
    findings.fault('close', `it was still connected ${options.timeout / 1000} s later`);
  else if (!orderly.includes(await socket.closed)) findings.cut(`it closed ${await socket.closed}`);
  socket.cut();
  if (findings.isCut) return;
  const { rate } = wordError(text, findings.texts.join(' '));
  if (rate > mostWrong) {
    const told =
      findings.texts.length === 0 ? 'it told none' : `${Math.round(rate * 100)} % of the words are wrong`;
    findings.fault('words', told);
  }
};

/** Tests that the service closes an idle connection: opens a connection and sends nothing. */
const idle = async (url: string, findings: Findings, limit: number): Promise<void> => {
  const socket = await connect(url, findings);
  const began = performance.now();
  const isClosed = await endsWithin(socket.closed, limit * (1 + idleTolerance));
  socket.cut();
  if (!isClosed) findings.fault('idle', 'it was still connected');
  else if (performance.now() - began < limit * (1 - idleTolerance))
    findings.fault('idle', 'it was closed before its time');
};

/** Rules about words. They cannot be tested if a service has sent no words. */
const aboutWords: readonly ServiceRule[] = [
  'json',
  'object',
  'segments',
  'type',
  'text',
  'speaker',
  'times',
  'size',
];

/**
 * Tests the rules of a custom transcription service by streaming real speech to it, as the application does.
 * @returns a result for each rule, in the order of `serviceRules`.
 */
export const checkService = async (url: string, options: CheckOptions): Promise<RuleResult[]> => {
  const findings = new Findings();
  let connected = false;
  // The speech is prepared before the connection opens, so that the connection does not look idle.
  const sent = await speech(options);
  try {
    const socket = await connect(url, findings);
    connected = true;
    await stream(socket, sent, findings, options);
    if (options.idle !== undefined) await idle(url, findings, options.idle);
  } catch (thrown) {
    if (!(thrown instanceof CochleaError)) throw thrown;
    findings.fault('connect', thrown.message);
  }
  return (Object.keys(serviceRules) as ServiceRule[]).map((rule): RuleResult => {
    const why = findings.faults.get(rule);
    if (why !== undefined) return { rule, passed: false, why };
    if (!connected) return { rule, passed: false, skipped: true, why: 'there was no connection' };
    if (rule === 'idle' && options.idle === undefined)
      return { rule, passed: false, skipped: true, why: 'takes 90 s: --idle tries it' };
    if (findings.isCut && (rule === 'words' || rule === 'close'))
      return { rule, passed: false, skipped: true, why: 'the connection was lost' };
    if (aboutWords.includes(rule) && findings.texts.length === 0)
      return { rule, passed: false, skipped: true, why: 'it sent no readable words' };
    return { rule, passed: true };
  });
};
