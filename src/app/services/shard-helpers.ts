import type { Settings } from '../../config/index.js';
import { openImagePool, serveImages } from '../../engine/images/index.js';
import type { ShardHelper } from '../../engine/pool/index.js';
import { openReadabilityPool, serveReadability } from '../../engine/readability/index.js';
import type { Logger } from '../../log/index.js';
import type { MetricsTable } from '../../metrics/index.js';
import { startTranslations } from '../../translation/index.js';
import { type ClosingOrder, type EnginePart, leaveTimeout } from '../process/index.js';
import { openVoices } from './open-voices.js';

/** Threads that work for the shards of an engine. */
export interface ShardHelpers {
  /** Diarizes; absent if disabled. */
  readonly voices: ShardHelper | undefined;
  /** Stores images. */
  readonly images: ShardHelper;
  /** Decodes samples of streams to check that their audio has the declared format. */
  readonly readability: ShardHelper;
  /** Translates segments; absent if disabled. */
  readonly translations: ShardHelper | undefined;
}

/**
 * Opens the threads that work for the shards of an engine, and adds them to the closing order.
 * @param row number of the translation thread's row in the metrics table.
 */
export const openShardHelpers = (
  settings: Settings,
  metrics: MetricsTable,
  row: number,
  closing: ClosingOrder<EnginePart>,
  log: Logger,
): ShardHelpers => {
  const voices = settings.speakerDiarization === 'on' ? openVoices(settings, log) : undefined;
  if (voices !== undefined) closing.add('voices', leaveTimeout, () => voices.stop());
  const images = openImagePool(settings, log);
  closing.add('images', leaveTimeout, () => images.stop());
  const readability = openReadabilityPool(settings, log);
  closing.add('readability', leaveTimeout, () => readability.stop());
  const { translator, databaseUrl } = settings;
  const translations =
    translator === 'off'
      ? undefined
      : startTranslations({ settings, translator, databaseUrl, metrics, row, log });
  if (translations !== undefined) closing.add('translations', leaveTimeout, () => translations.stop());
  return {
    voices,
    images: { attach: (port) => serveImages(port, images) },
    readability: { attach: (port) => serveReadability(port, readability.check) },
    translations,
  };
};
