import { Signal, type StepMetrics } from '../work/index.js';
import { type DescribingContext, describeNextPhoto } from './describe-photos.js';
import { findPhotos, type PhotoContext, removeAbandonedPhotos, removePhotoFiles } from './photo-files.js';

/** Ms between two searches for an image without a description. */
const photoPause = 1000;
/**
 * Ms between two searches for image files that have no row, or are not at the storage location that their rows name.
 */
const abandonedPause = 3_600_000;

/** Creates a pause that ends early when the pipeline closes. */
const pauseUntil = (signal: AbortSignal): Signal => {
  const pause = new Signal();
  signal.addEventListener('abort', () => pause.wake());
  return pause;
};

/** Removes files of deleted images every `interval` ms, until the signal aborts. Never rejects. */
export const watchPhotos = async (
  context: PhotoContext,
  interval: number,
  signal: AbortSignal,
): Promise<void> => {
  const pause = pauseUntil(signal);
  let searchedAt = Number.NEGATIVE_INFINITY;
  while (!signal.aborted) {
    try {
      await removePhotoFiles(context);
      if (performance.now() - searchedAt > abandonedPause) {
        searchedAt = performance.now();
        await removeAbandonedPhotos(context, Date.now(), await findPhotos(context));
      }
    } catch (error) {
      if (!signal.aborted) context.log.warn({ err: error }, 'files of deleted images cannot be removed yet');
    }
    if (!signal.aborted) await pause.wait(interval);
  }
};

/**
 * Describes images one after the other until the context's signal aborts. Other work runs at the same time and never
 * waits for descriptions. Never rejects.
 */
export const watchDescriptions = async (
  context: DescribingContext,
  metrics: StepMetrics | undefined,
): Promise<void> => {
  const { log, signal } = context;
  const pause = pauseUntil(signal);
  while (!signal.aborted) {
    let more = false;
    try {
      more = await describeNextPhoto(context, metrics);
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'images cannot be described yet');
    }
    if (!signal.aborted && !more) await pause.wait(photoPause);
  }
};
