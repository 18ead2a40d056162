/**
 * Tests random streams of a device on several engines that store their spills late. Each word is stored exactly once.
 */
import fc from 'fast-check';
import t from 'tap';
import { applyEntry } from '../../../src/journal/replay.js';
import type { Sql } from '../../../src/store/client/database.js';
import { readAudioConfirmed } from '../../../src/store/live/audio-confirmed.js';
import { noteAudioResumes, numberAudioStreams } from '../../../src/store/live/audio-resumes.js';
import { commitChanges } from '../../../src/store/live/fenced-writes.js';
import type { SpilledChange } from '../../../src/wire/spill/spill.js';
import { testDatabase } from '../../support/database/database.js';
import { takeConversation } from '../../support/database/take-conversation.js';
import { spilledConversation } from '../copies/support.js';
import { segment, startOfTime } from '../support.js';

const step = fc.record({
  kind: fc.constantFrom('speak', 'speak', 'store', 'spill', 'open', 'hear', 'replay', 'confirm'),
  choice: fc.nat({ max: 20 }),
});

/** Returns the number of the first word whose end is after a position. */
const wordAt = (position: number): number => Math.max(0, Math.floor((position - 500) / 1000) + 1);

interface Engine {
  readonly change: Pick<SpilledChange, 'conversation' | 'epoch'>;
  readonly stream: number;
  readonly resumedAt: number;
  hasAudio: boolean;
  /** Number of the next word: the engine has stored or spilled all its words before it. */
  next: number;
  confirmed: number;
  /** Position in ms of the engine's last write. From there to `confirmed` there may be confirmed silence. */
  written: number;
  readonly spill: SpilledChange[];
}

/**
 * A device, and the engines to which it has streamed. Each engine may have some of the words in its spill. A word is
 * spoken every 1,000 ms, and takes 500 ms.
 */
class Run {
  spoken = 0;
  /** The confirmed position that the device knows. It has deleted its audio before this position. */
  #known = 0;
  #engines: Engine[] = [];

  constructor(
    private readonly sql: Sql,
    readonly uid: string,
    private readonly number: number,
  ) {}

  get #key() {
    return { uid: this.uid, source: 'omi', deviceId: null, clock: 'clock' };
  }

  get #engine(): Engine {
    return this.#engines.at(-1)!;
  }

  async take(kind: string, choice: number): Promise<void> {
    const engine = this.#engines[choice % this.#engines.length]!;
    switch (kind) {
      case 'speak':
        this.spoken++;
        return;
      case 'open':
        return this.open();
      case 'hear':
        return this.#hear();
      case 'store':
        return this.#commit(false);
      case 'spill':
        // An earlier engine may spill words, too: it still has audio that it got before the device left.
        return choice % 2 === 0 ? this.#commit(true) : this.#commit(true, engine);
      case 'replay':
        return this.#replay(engine, 1 + (choice % 3));
      default:
        // Silence up to the next word may be confirmed, too.
        if (choice % 2 === 0 && this.#engine.hasAudio)
          this.#engine.confirmed = Math.max(this.#engine.confirmed, this.#engine.next * 1000 - 50);
        // The device learns the position that its engine has confirmed, rounded down to whole steps.
        this.#known = Math.max(this.#known, Math.floor(this.#engine.confirmed / 120) * 120);
    }
  }

  async open(): Promise<void> {
    const { sql, uid } = this;
    const id = `00000000-0000-4000-8000-${String(this.number * 1000 + this.#engines.length).padStart(12, '0')}`;
    const stream = (await numberAudioStreams(sql, [this.#key]))[0]!.stream;
    const taken = await takeConversation(
      sql,
      spilledConversation({ id, uid }),
      `engine ${this.#engines.length}`,
    );
    const [confirmed] = await readAudioConfirmed(sql, [this.#key]);
    const resumedAt = Math.max(this.#known, confirmed?.confirmed[0] ?? 0);
    this.#engines.push({
      change: { conversation: taken!.conversation, epoch: taken!.epoch },
      stream: stream!,
      resumedAt,
      hasAudio: false,
      next: wordAt(resumedAt),
      confirmed: resumedAt,
      written: confirmed?.confirmed[0] ?? 0,
      spill: [],
    });
  }

  async #hear(): Promise<void> {
    const engine = this.#engine;
    if (engine.hasAudio) return;
    engine.hasAudio = true;
    const { stream, resumedAt } = engine;
    const resume = { clock: 'clock', stream, positions: [resumedAt] };
    const [noted] = await noteAudioResumes(this.sql, [{ ...this.#key, ...resume }]);
    const [found = 0] = noted!;
    engine.confirmed = Math.max(engine.confirmed, found);
    engine.written = Math.max(engine.written, found);
    engine.next = wordAt(engine.confirmed);
  }

  async #commit(spills: boolean, engine = this.#engine): Promise<void> {
    // An engine stores words only after it has recorded the position from which the device sends (`#hear`).
    if (!engine.hasAudio || engine.next >= this.spoken) return;
    const word = engine.next;
    const made: SpilledChange = {
      ...engine.change,
      startedAt: startOfTime,
      lastSpeechAt: startOfTime,
      speechProbability: null,
      spoken: null,
      audio: {
        clock: 'clock',
        confirmed: [word * 1000 + 700],
        newest: { stream: engine.stream, since: [engine.confirmed], after: [engine.written] },
      },
      rows: [
        {
          id: `${engine.stream}-${word}`,
          position: engine.stream * 1000 + word,
          revision: 1,
          segment: segment(`${engine.stream}-${word}`, String(word)),
        },
      ],
    };
    if (spills || engine.spill.length > 0) engine.spill.push(made);
    else if ((await commitChanges(this.sql, [made], `engine ${engine.stream - 1}`)).size === 0) return;
    engine.next++;
    engine.confirmed = made.audio!.confirmed[0]!;
    engine.written = engine.confirmed;
  }

  async #replay(engine: Engine, count: number): Promise<void> {
    const changes = engine.spill.splice(0, count);
    for (const made of changes)
      await this.sql.begin((transaction) =>
        applyEntry(transaction, { kind: 'commit', changes: [made] }, 'ended'),
      );
  }

  /** The device connects once more. All spills are stored, and the device sends the rest of its audio. */
  async end(): Promise<void> {
    await this.open();
    await this.#hear();
    for (const engine of this.#engines) await this.#replay(engine, engine.spill.length);
    while (this.#engine.next < this.spoken) await this.#commit(false);
  }
}

t.test('each word is stored once, whatever happens', { timeout: 300_000 }, async (t) => {
  const { sql } = await testDatabase(t);
  let users = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      const run = new Run(sql, `random-${++users}`, users);
      await run.open();
      for (const { kind, choice } of steps) await run.take(kind, choice);
      await run.end();
      const found = (
        await sql<{ text: string }[]>`
        select text from segments s join conversations c on c.id = conversation_id where c.uid = ${run.uid}`
      )
        .flatMap(({ text }) => text.split(' '))
        .map(Number)
        .sort((one, other) => one - other);
      if (JSON.stringify(found) !== JSON.stringify([...new Array(run.spoken).keys()]))
        throw new Error(`${found} of ${run.spoken}`);
    }),
    { numRuns: Number(process.env.RESUME_RUNS ?? 12) },
  );
});
