import type { Settings } from '../../config/index.js';
import { recordingChannel } from '../../store/uploads/index.js';
import { Signal, type StepMetrics } from '../work/index.js';
import { mergeRecordings } from './recorded-words.js';
import { nextRecording, type RecordingContext, removeOrphans } from './recordings.js';

/** Number of recordings that are transcribed at once. The transcription service limits its load with a separate queue. */
const workers = 2;
/** Ms between two searches for files that no recording needs. */
const orphanPause = 120_000;
/** Maximum ms from the timeout of an upload to its last SQL statement. */
const orphanMargin = 60_000;

/**
 * Transcribes uploaded recordings and stores their words in conversations, until the context's signal aborts. Uploads
 * send notifications. Because a notification can be lost, this function also looks for recordings every
 * `sweepInterval` ms. Never rejects.
 */
export const watchRecordings = async (
  context: RecordingContext,
  { sweepInterval: interval, uploadTimeout }: Pick<Settings, 'sweepInterval' | 'uploadTimeout'>,
  metrics: StepMetrics | undefined,
): Promise<void> => {
  const { sql, log, signal } = context;
  const ended = (): boolean => signal.aborted;
  const wakes = Array.from({ length: workers }, () => new Signal());
  const wakeAll = (): void => {
    for (const wake of wakes) wake.wake();
  };
  signal.addEventListener('abort', wakeAll, { once: true });
  let listening = false;
  let lookedAt = Number.NEGATIVE_INFINITY;

  const listen = async (): Promise<void> => {
    if (listening) return;
    listening = true;
    await sql.listen(recordingChannel, wakeAll, wakeAll).catch(() => {
      listening = false;
    });
  };

  const work = async (): Promise<void> => {
    await listen();
    if (performance.now() - lookedAt > orphanPause) {
      lookedAt = performance.now();
      await removeOrphans(context, uploadTimeout + orphanMargin);
    }
    for (;;) {
      const outcome = await nextOutcome(context, metrics);
      const merged = await mergeRecordings(context);
      if (ended() || (outcome === null && !merged)) return;
    }
  };

  await Promise.all(
    wakes.map(async (wake) => {
      while (!ended()) {
        await work().catch((error: unknown) => {
          if (!ended()) log.warn({ err: error }, 'recordings cannot be transcribed yet');
        });
        if (!ended()) await wake.wait(interval);
      }
    }),
  );
};

/** Transcribes the next recording. Counts an attempt only if a recording was due. */
const nextOutcome = async (context: RecordingContext, metrics: StepMetrics | undefined) => {
  const began = performance.now();
  const outcome = await nextRecording(context);
  if (outcome !== null) metrics?.attempted('recording', outcome, (performance.now() - began) / 1000);
  return outcome;
};
