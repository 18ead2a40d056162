import { setTimeout as pause } from 'node:timers/promises';
import { within } from '../../common/index.js';
import { CochleaError } from '../../errors/index.js';
import { type ServiceRule, ServiceSocket, serviceRules } from '../custom-stt/index.js';
import { demoSpeech, wordError } from '../sample/index.js';
import { encodeFrames, type Frame, sendPaced, usualRate, type WearableCodec } from '../wearable/index.js';

export interface CheckOptions {
  readonly codec: WearableCodec;
  readonly rate?: number;
  /** Times real time. */
  readonly pace: number | 'max';
  /** Ms that the service may take for the last words, and then to close. */
  readonly timeout: number;
  /** Ms of silence on a connection after which it has to be closed; not looked at when absent. */
  readonly idle?: number;
}

export interface RuleResult {
  readonly rule: ServiceRule;
  readonly passed: boolean;
  /** What was seen, where it failed; why it was not tried, where `passed` says nothing. */
  readonly why?: string;
  /** Whether it could not be tried, because an earlier rule is broken or because it was not asked for. */
  readonly skipped?: boolean;
}

/** Part of the words that may be wrong: a service that recognises anything else than what is spoken is far above it. */
const mostWrong = 0.5;
/** How early and how late, in its own length, an idle connection may be closed. */
const idleTolerance = 0.25;

interface Speech {
  readonly frames: readonly Frame[];
  readonly text: string;
}

/** What is sent: the utterances of the fixture, with the pauses around them, and their words. */
const speech = async ({ codec, rate }: CheckOptions): Promise<Speech> => {
  const { recording, text } = await demoSpeech('novel');
  return { frames: encodeFrames(recording, codec, rate ?? usualRate(codec)), text };
};

/** Which rules were broken, the first fault of each, and what was told. */
class Findings {
  /** Whether the connection was lost before the service could tell all. */
  isCut = false;
  /** Whether a message came that ended the connection. */
  unreadable = false;
  readonly faults = new Map<ServiceRule, string>();
  readonly texts: string[] = [];

  fault(rule: ServiceRule, why: string): void {
    if (!this.faults.has(rule)) this.faults.set(rule, why);
  }

  /** The connection was lost. @param why if no message is to blame. */
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

/** Codes of a close in good order. */
const orderly: readonly number[] = [1000, 1001, 1005];

/** Streams the speech and ends the stream. */
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

/** Opens a connection and says nothing on it. */
const idle = async (url: string, findings: Findings, limit: number): Promise<void> => {
  const socket = await connect(url, findings);
  const began = performance.now();
  const isClosed = await within(
    socket.closed.then(() => true),
    limit * (1 + idleTolerance),
    () => false,
  );
  socket.cut();
  if (!isClosed) findings.fault('idle', 'it was still connected');
  else if (performance.now() - began < limit * (1 - idleTolerance))
    findings.fault('idle', 'it was closed before its time');
};

/** Rules about what a service says, which say nothing of one that has said nothing. */
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
 * Holds a custom transcription service to its rules: streams real speech to it, as the application does.
 * @returns a result for each rule, in the order of `serviceRules`.
 */
export const checkService = async (url: string, options: CheckOptions): Promise<RuleResult[]> => {
  const findings = new Findings();
  let connected = false;
  // Before the connection is made, so that it does not look idle.
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
      return { rule, passed: false, skipped: true, why: 'it told no words that can be looked at' };
    return { rule, passed: true };
  });
};
