import { fixedLimits } from '../../config/limits/index.js';
import { CochleaError } from '../../errors/index.js';
import type { Logger } from '../../log/index.js';
import type { MetricsRow } from '../../metrics/index.js';
import type { CopyChannel } from './copy-channel.js';
import { journalName } from './journal-name.js';
import { type CopiedSpill, SpillCopier } from './spill-copier.js';

const { durabilityWait, spillConfirmation } = fixedLimits;

/** Settings for copying the entries of a spill to the fleet's stream of spilled entries (NATS JetStream). */
export interface JournalCopies {
  readonly channel: CopyChannel;
  /** Value of the setting `SPILL_KEY`. */
  readonly secret: string;
  /** Whether words are acknowledged to clients only when the stream or the database has them. */
  readonly required: boolean;
}

export interface AcknowledgerOptions {
  /** Name of the journal in the database. */
  readonly holder: string;
  /** When absent, spilled entries are only on the disk of this machine. */
  readonly copies?: JournalCopies | undefined;
  readonly log: Logger;
  readonly metrics: MetricsRow;
}

/**
 * Decides when words of one journal may be acknowledged to clients. Counts the words by their storage: database, stream
 * or disk.
 */
export class Acknowledger {
  readonly #copier: SpillCopier | undefined;
  /** Whether new words are refused, because earlier words are only on the disk of this machine (`MIN_DURABILITY`). */
  #refuses = false;
  /**
   * Key of the newest entry whose words were refused. When the stream has a copy of this entry, words are accepted
   * again.
   */
  #refused = 0;

  constructor(private readonly options: AcknowledgerOptions) {
    const { holder, copies, metrics } = options;
    if (copies === undefined) return;
    const { channel: bus, secret } = copies;
    const advanced = (): void => {
      // The stream may have been ready all the time, but slower than new words arrive. So this is checked after each
      // confirmation.
      if (this.#copier?.passed(this.#refused)) this.#refuse(false);
    };
    this.#copier = new SpillCopier({ journal: journalName(holder), secret, bus, metrics, advanced });
    bus.onReady((ready) => ready && this.#refuse(false));
  }

  /** Copies a new spill to the stream. */
  follow(spill: CopiedSpill): void {
    this.#copier?.follow(spill);
  }

  /**
   * Refuses new words before they are written to the spill, if earlier words could not be acknowledged. Conversations
   * try to store refused words again and again. Without this check, each attempt would add them to the spill.
   * @throws CochleaError durability_unmet
   */
  checkWords(): void {
    if (this.#refuses) throw new CochleaError('durability_unmet');
  }

  /** Called when a further entry of the spill is on the disk. */
  appended(): void {
    this.#copier?.appended();
  }

  /**
   * Waits until the stream has a copy of an entry with words, at most for a fixed time.
   * @param key key of the entry, which is on the disk of this machine.
   * @param changes number of changes in the entry.
   * @throws CochleaError durability_unmet if there is no copy, and `MIN_DURABILITY` requires one.
   */
  async spilled(key: number, changes: number): Promise<void> {
    const required = this.options.copies?.required ?? false;
    const { value: timeout } = required ? durabilityWait : spillConfirmation;
    const copied = (await this.#copier?.copied(key, timeout, required)) ?? false;
    if (required && !copied) {
      this.#refused = key;
      // If the entry was only too large for a copy, further words are not refused.
      if (!this.#copier?.passed(key)) this.#refuse(true);
      throw new CochleaError('durability_unmet');
    }
    this.#count(copied ? 'stream' : 'disk', changes);
  }

  /**
   * Counts changes.
   * @param changes number of changes that the database has.
   * @param rejected number of changes that the database refuses permanently. These are stored in files on this machine.
   */
  stored(changes: number, rejected = 0): void {
    this.#count('database', changes);
    if (rejected > 0) this.#count('disk', rejected);
  }

  /** Called when the database accepts writes and has all entries of the spill. */
  replayed(): void {
    this.#copier?.replayed();
    this.#refuse(false);
  }

  close(): void {
    this.#copier?.close();
  }

  #count(durability: 'database' | 'stream' | 'disk', changes: number): void {
    this.options.metrics.add(`acknowledged_total{durability="${durability}"}`, changes);
  }

  #refuse(refuses: boolean): void {
    if (this.#refuses === refuses) return;
    this.#refuses = refuses;
    this.options.copies?.channel.refusing(refuses);
    if (refuses) this.options.log.error('words are on the own disk only and are not acknowledged');
  }
}
