import { readFileSync } from 'node:fs';
import { loadSettings } from '../../../src/config/load-settings.js';
import { issueIdToken } from '../../../src/identity/token-issuer.js';
import { createUser } from '../../../src/identity/users.js';
import { connectDatabase } from '../../../src/store/client/database.js';
import { joinSlices } from '../../fleet/load-row.js';
import { loadRow, measureLoad } from '../../fleet/measure.js';
import { familyOf } from '../../fleet/process-usage.js';
import type { Slice } from '../../fleet/session.js';
import { startHosted } from '../../fleet/targets/hosted-target.js';
import { quantileOf } from '../../fleet/targets/server-page.js';
import { quantile } from '../../micro/stats.js';
import type { Row, SuiteOutcome } from '../../report/index.js';
import { Speaker } from '../../translations/speaker.js';
import { startUploads, type UploadProcess } from '../../uploads/upload-process.js';
import type { UploadCounts } from '../../uploads/upload-program.js';
import { type AskedLoadOptions, loadWords, measureAsked } from '../asked-load.js';
import { startProductData } from '../database.js';
import { labelsOf } from '../fleet.js';
import { losses } from '../hostile.js';

/** Maximum delay of the live streams during uploads, divided by their delay without uploads. */
export const toleratedRatio = 1.5;
/** Number of streams that measure the delay of texts. */
const speakerCount = 10;

export interface VoiceUploadsOptions extends Omit<AskedLoadOptions, 'target'> {
  /** Number of concurrent uploads. */
  readonly uploads: number;
  readonly settle: number;
  readonly seconds: number;
  readonly slice: number;
  /** CPUs that the engine may use; absent: any CPU. */
  readonly cpus?: string | undefined;
}

/** Results of live streams, without or during uploads. */
export interface LiveStreams {
  readonly slices: readonly Slice[];
  /** Ms from each final text until its segment arrived. */
  readonly delays: readonly number[];
}

export interface VoiceUploadsOutcome extends SuiteOutcome {
  /** Reasons why the server failed; empty if it passed. */
  readonly failures: readonly string[];
  readonly counts: UploadCounts;
}

/** Statuses with which an upload may end. */
const allowed = ['200', '429', '503'];

/**
 * Compares live streams without uploads with equally many live streams during uploads. Checks how the uploads ended.
 */
export const judgeUploads = (
  alone: LiveStreams,
  beside: LiveStreams,
  { waves, ended }: UploadCounts,
): {
  readonly ratio: number | undefined;
  readonly textRatio: number | undefined;
  readonly failures: readonly string[];
} => {
  const [before, during] = [joinSlices(alone.slices), joinSlices(beside.slices)];
  const failures = [...losses('undisturbed', before), ...losses('beside uploads', during)];
  const ratioOf = (
    what: string,
    own: number | undefined,
    disturbed: number | undefined,
  ): number | undefined => {
    if (own === undefined || disturbed === undefined) {
      failures.push(`${what}: nothing was measured`);
      return undefined;
    }
    const ratio = disturbed / own;
    if (ratio > toleratedRatio) {
      failures.push(
        `${what}: p99 ${disturbed.toFixed(1)} ms beside uploads, ${own.toFixed(1)} ms without: ${ratio.toFixed(2)} times, at most ${toleratedRatio}`,
      );
    }
    return ratio;
  };
  const late = ({ delays }: LiveStreams): number | undefined =>
    delays.length === 0 ? undefined : quantile(delays, 0.99);
  const ratio = ratioOf(
    'frame to decision',
    quantileOf(before.frameToVad, 0.99),
    quantileOf(during.frameToVad, 0.99),
  );
  const textRatio = ratioOf('final text to segment', late(alone), late(beside));
  if (waves === 0) failures.push('no wave of uploads has ended');
  for (const [how, count] of Object.entries(ended)) {
    if (!allowed.includes(how)) failures.push(`${count} uploads ended with ${how}`);
  }
  if (!ended[200]) failures.push('no upload was transcribed');
  return { ratio, textRatio, failures };
};

/** Returns the current or peak memory of a process in MiB. */
const memoryMib = (pid: number, field: 'VmRSS' | 'VmHWM'): number =>
  Math.round(
    Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024,
  );

const rounded = (value: number): number => Number(value.toPrecision(6));

/**
 * Measures live streams without and with uploads. Clients upload voice messages with a minute of speech again and
 * again; `uploads` is their number. Measures delays of decisions and final texts, and memory of engine and sidecar. The
 * transcription services are stubs in other processes.
 */
export const runVoiceUploads = async (options: VoiceUploadsOptions): Promise<VoiceUploadsOutcome> => {
  const { uploads: count, asked, settle, seconds, view, cpus } = options;
  const closing: (() => unknown)[] = [];
  try {
    const { database, env: data } = await startProductData(closing);
    const uploads: UploadProcess = await startUploads();
    closing.unshift(() => uploads.stop());
    const env = {
      ...data,
      MODULATE_BATCH_URL: `${uploads.url}/api/velma-2-stt-batch`,
    };
    const target = () => startHosted('provider_b', cpus, env);
    return await measureAsked('voice-uploads', { ...options, target }, async (load, streams) => {
      const sql = connectDatabase(database.url, { max: 2, name: 'bench' });
      closing.unshift(() => sql.end({ timeout: 1 }));
      const settings = loadSettings({ ...process.env, ...env }).values;
      const userOf = async (uid: string): Promise<string> => {
        await createUser(sql, { uid });
        return uid;
      };
      const tokens: string[] = [];
      for (let index = 0; index < count; index++)
        tokens.push(await issueIdToken(sql, settings, await userOf(`uploads-${index}`)));
      const spoken: string[] = [];
      for (let index = 0; index < speakerCount; index++) spoken.push(await userOf(`speaks-${index}`));
      // The speakers listen before their streams are ready, so that they miss no message.
      const speakers = spoken.map((uid) => new Speaker(load.target.url, uid));
      closing.unshift(() => {
        for (const speaker of speakers) speaker.close();
      });
      await Promise.all(speakers.map((speaker) => speaker.ready()));
      for (const [index, speaker] of speakers.entries()) speaker.start((index * 1000) / speakerCount);
      const delays = (): number[] => speakers.flatMap((speaker) => speaker.take().delays);
      const measure = async (): Promise<LiveStreams> => {
        await measureLoad(load.session, { ...options, streams, seconds: 0 });
        delays();
        const slices = await measureLoad(load.session, {
          ...options,
          ...{ streams, settle: 0 },
          onSlice: (slice) => view.slice(slice),
        });
        return { slices, delays: delays() };
      };
      view.phase(`${load.target.name}: ${streams} streams, undisturbed`, seconds, settle);
      const alone = await measure();
      const sidecar = familyOf(load.target.familyPid!).find(({ command }) => / sidecar\s*$/.test(command));
      if (sidecar === undefined) throw new Error('the sidecar was not found');
      const processes = [
        ['engine', load.target.pid!],
        ['sidecar', sidecar.pid],
      ] as const;
      const before = processes.map(([, pid]) => memoryMib(pid, 'VmRSS'));
      view.phase(`${load.target.name}: ${streams} streams beside ${count} uploads at once`, seconds, settle);
      uploads.begin({ port: Number(new URL(load.target.url).port), tokens });
      const beside = await measure();
      const counts = await uploads.finish();
      const { ratio, textRatio, failures } = judgeUploads(alone, beside, counts);
      const labels = { ...labelsOf('voice-uploads', options, load.target), asked: loadWords(asked), streams };
      const mode = `beside ${count} uploads at once`;
      const row = (of: string, { slices }: LiveStreams): Row =>
        loadRow({ ...labels, mode: of }, slices, load.baselineKb);
      const textRow = (of: string, { delays }: LiveStreams): Row => ({
        ...labels,
        mode: `final texts, ${of}`,
        ...(delays.length > 0 && {
          p50_ms: rounded(quantile(delays, 0.5)),
          p99_ms: rounded(quantile(delays, 0.99)),
        }),
      });
      const against = (of: string, times: number | undefined) => ({
        against: of,
        ...(times === undefined ? {} : { ratio: Number(times.toPrecision(4)) }),
      });
      const results: Row[] = [
        row('undisturbed', alone),
        { ...row(mode, beside), ...against('undisturbed', ratio) },
        textRow('undisturbed', alone),
        { ...textRow(mode, beside), ...against('final texts, undisturbed', textRatio) },
      ];
      const statuses = Object.entries(counts.ended).map(([how, times]) => `${times} ended with ${how}`);
      view.line(`${counts.waves} waves of ${count} uploads: ${statuses.join(', ')}`);
      const memory = processes.map(
        ([name, pid], index) => `${name} ${before[index]} MiB before, ${memoryMib(pid, 'VmHWM')} at most`,
      );
      view.line(memory.join('; '));
      return { results, failures, counts };
    });
  } finally {
    for (const close of closing) await close();
  }
};
