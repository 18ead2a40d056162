import { fixedLimits } from '../../config/limits/index.js';
import type { MetricsRow } from '../../metrics/index.js';
import {
  encodeSpillEntry,
  mostParts,
  readEntryNumber,
  readSpillEntry,
  type SpilledChange,
  withEntryNumber,
} from '../../wire/spill/index.js';
import type { CopyBus } from './copy-channel.js';
import { createSealer, type Sealer } from './seal.js';

/** Maximum number of entries that are read from the spill at once. */
const readAtOnce = 32;
const { value: mostUnconfirmed } = fixedLimits.spillUnconfirmed;
const { value: largestCopy } = fixedLimits.spillCopy;

/**
 * The part of a spill that its copier uses. Keys are consecutive numbers. Entries are removed in the order of their
 * keys.
 */
export interface CopiedSpill {
  /** Returns at most `limit` entries that are on the disk, in order, beginning with the key `from`. */
  read(from: number, limit: number): readonly { readonly key: number; readonly bytes: Uint8Array }[];
}

export interface CopierOptions {
  /** Name of the journal in the subjects of the bus. */
  readonly journal: string;
  /** Value of the setting `SPILL_KEY`. */
  readonly secret: string;
  readonly bus: CopyBus;
  readonly metrics: MetricsRow;
  /** Called when the stream has confirmed further entries, or when the database has further entries. */
  readonly advanced?: () => void;
}

interface Waiting {
  readonly key: number;
  readonly patient: boolean;
  readonly resolve: (copied: boolean) => void;
}

/**
 * Copies the entries of a journal's spill to the fleet's stream of spilled entries (NATS JetStream), in order. Reads
 * the entries from the disk. So a copy that the stream did not confirm can be sent again later, and only a few copies
 * are in memory. A copy that is stored twice changes nothing.
 */
export class SpillCopier {
  readonly #sealer: Sealer;
  #spill: CopiedSpill | undefined;
  /** Key of the next entry to send. */
  #next = 0;
  /** Largest key for which this entry and all entries before it are confirmed or too large for a copy. */
  #confirmed = 0;
  readonly #sent = new Map<number, 'waits' | 'done'>();
  /** Keys of entries that are too large for a copy. */
  readonly #uncopied = new Set<number>();
  #unconfirmed = 0;
  /**
   * Number of times that sending was restarted after `#confirmed`. Answers to copies of earlier attempts are ignored.
   */
  #attempt = 0;
  #waiting: Waiting[] = [];
  /** Whether a marker must be sent, because the stream may have copies of entries that the database now has. */
  #owesMarker = false;
  #marking = false;
  #closed = false;

  constructor(private readonly options: CopierOptions) {
    this.#sealer = createSealer(options.secret, options.journal);
    options.bus.onReady((ready) => this.#onReady(ready));
  }

  /** Copies this spill from its first entry on. */
  follow(spill: CopiedSpill): void {
    this.#spill = spill;
    this.#next = 1;
    this.#restart(0);
  }

  /** Called when a further entry of the spill is on the disk. */
  appended(): void {
    this.#pump();
  }

  /**
   * Waits until the stream has confirmed an entry, or the database has the entry.
   * @param patient whether to wait even while the stream is not ready.
   * @returns false after `timeout` ms, or at once if the entry is too large for a copy.
   */
  copied(key: number, timeout: number, patient: boolean): Promise<boolean> {
    if (this.#closed) return Promise.resolve(false);
    if (key <= this.#confirmed || this.#spill === undefined) return Promise.resolve(!this.#uncopied.has(key));
    if (!this.options.bus.ready && !patient) return Promise.resolve(false);
    return new Promise((resolve) => {
      const timer = setTimeout(() => settle(false), timeout);
      const settle = (copied: boolean): void => {
        clearTimeout(timer);
        this.#waiting = this.#waiting.filter((other) => other !== waiting);
        resolve(copied);
      };
      const waiting = { key, patient, resolve: settle };
      this.#waiting.push(waiting);
    });
  }

  /**
   * Whether an entry and all entries before it need no copy any more: the stream confirmed them, they are too large for
   * a copy, or the database has them.
   */
  passed(key: number): boolean {
    return key <= this.#confirmed;
  }

  /** Called when the database has all entries of the spill. Their copies may be removed. */
  replayed(): void {
    this.#spill = undefined;
    this.#restart(Number.MAX_SAFE_INTEGER);
    this.#uncopied.clear();
    this.#settle();
    void this.#mark();
  }

  /** Stops reading the spill. Copies that were already sent may still be stored. */
  close(): void {
    this.#closed = true;
    this.#spill = undefined;
    this.#restart(this.#confirmed);
    for (const { resolve } of this.#waiting) resolve(false);
  }

  #onReady(ready: boolean): void {
    if (ready) {
      this.#pump();
      void this.#mark();
      return;
    }
    for (const { patient, resolve } of this.#waiting) if (!patient) resolve(false);
  }

  #restart(confirmed: number): void {
    this.#attempt++;
    this.#confirmed = confirmed;
    this.#sent.clear();
    this.#unconfirmed = 0;
  }

  #pump(): void {
    while (this.#spill !== undefined && this.options.bus.ready && this.#unconfirmed < mostUnconfirmed) {
      const entries = this.#spill.read(this.#next, readAtOnce);
      if (entries.length === 0) return;
      for (const { key, bytes } of entries) {
        // If entries between `#next` and this key are missing, they were removed from the spill because the database
        // has them.
        for (let gone = this.#next; gone < key; gone++) this.#done(gone);
        this.#next = key + 1;
        void this.#send(key, bytes);
        if (this.#unconfirmed >= mostUnconfirmed) return;
      }
    }
  }

  async #send(key: number, bytes: Uint8Array): Promise<void> {
    const attempt = this.#attempt;
    const pieces = bytes.byteLength <= largestCopy ? [bytes] : this.#piecesOf(key, bytes);
    this.#sent.set(key, 'waits');
    this.#unconfirmed += bytes.byteLength;
    this.#owesMarker ||= pieces.length > 0;
    const { bus, journal } = this.options;
    const stored = await Promise.all(pieces.map((piece) => bus.store(journal, this.#sealer.entry(piece))));
    if (attempt !== this.#attempt) return;
    if (stored.includes(undefined)) {
      this.#next = this.#confirmed + 1;
      this.#restart(this.#confirmed);
      this.#pump();
      return;
    }
    this.#unconfirmed -= bytes.byteLength;
    this.#done(key);
    this.#pump();
  }

  /**
   * Splits a large entry into pieces, each with some segments of one conversation. Leaves out a segment that is too
   * large for a piece.
   */
  #piecesOf(key: number, bytes: Uint8Array): Uint8Array[] {
    const entry = readSpillEntry(bytes);
    const pieces = entry?.kind === 'commit' ? entry.changes.flatMap(piecesOfChange) : [];
    const number = readEntryNumber(bytes);
    // A piece gets the same number each time it is sent.
    const left = pieces.flatMap((piece, part) => {
      if (piece.byteLength > largestCopy || part >= mostParts) return [];
      return [number === undefined ? piece : withEntryNumber(piece, { ...number, part })];
    });
    if (left.length < Math.max(1, pieces.length)) {
      this.#uncopied.add(key);
      this.options.metrics.add('spill_copies_too_large_total', Math.max(1, pieces.length) - left.length);
    }
    return left;
  }

  #done(key: number): void {
    this.#sent.set(key, 'done');
    while (this.#sent.get(this.#confirmed + 1) === 'done') this.#sent.delete(++this.#confirmed);
    this.#settle();
  }

  #settle(): void {
    for (const { key, resolve } of this.#waiting)
      if (key <= this.#confirmed) resolve(!this.#uncopied.has(key));
    this.options.advanced?.();
  }

  /**
   * Sends two markers, which tell sidecars that the database has the entries of all copies. The first marker covers no
   * copies. Its sequence is after all copies that were sent before, also after unconfirmed copies. The second marker
   * covers all copies up to the first marker. If the stream does not confirm both, they are sent again later.
   */
  async #mark(): Promise<void> {
    const { bus, journal } = this.options;
    while (this.#owesMarker && !this.#marking && this.#spill === undefined && bus.ready) {
      this.#marking = true;
      this.#owesMarker = false;
      const first = await bus.store(journal, this.#sealer.marker(0));
      // If a new spill has begun, its copies may be before the first marker, so the second marker is not sent.
      // `replayed` calls this method again.
      const second =
        first !== undefined && this.#spill === undefined
          ? await bus.store(journal, this.#sealer.marker(first))
          : undefined;
      this.#marking = false;
      // After a failure the stream is not ready. `#onReady` calls this method when the stream is ready again.
      if (second !== undefined) continue;
      this.#owesMarker = true;
      return;
    }
  }
}

/**
 * Halves the segments of a change until each piece fits into a copy. Each piece can be written to the database
 * separately.
 */
const piecesOfChange = (change: SpilledChange): Uint8Array[] => {
  const bytes = encodeSpillEntry({ kind: 'commit', changes: [change] });
  const { rows } = change;
  if (bytes.byteLength <= largestCopy || rows.length < 2) return [bytes];
  const half = rows.length >> 1;
  return [rows.slice(0, half), rows.slice(half)].flatMap((part) => piecesOfChange({ ...change, rows: part }));
};
