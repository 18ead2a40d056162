import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { asProblem, me, type Problem } from '../shared/index.js';
import { type Done, doneOf, split } from './divisions.js';
import {
  changeText,
  type KnownPerson,
  nameSpeaker,
  type Person,
  readPeople,
  readSegments,
  type Segment,
  undoNaming,
} from './records.js';
import { identityOf, isWhole, type Row, type Scope, scopeOf } from './rows.js';

/**
 * The transcript of a conversation, and the corrections that its user makes. Does not depend on the browser's document.
 */
export class TranscriptState {
  /** The rows. The list changes when a page arrives, not when a segment changes. */
  readonly rows = signal<readonly Row[]>([]);
  readonly complete = signal(false);
  readonly problem = signal<Problem | null>(null);
  readonly done: Signal<Done | null>;
  /** Whether the user corrected the transcript on this page after the page had read the summary. */
  readonly corrected = signal(false);
  /** Why the last change could not be undone. */
  readonly undoProblem = signal<Problem | null>(null);
  readonly people = signal<readonly KnownPerson[]>([]);
  /** Changes whenever the speaker of a segment changes. */
  readonly speakersChanged = signal(0);
  /** The number of each speaker's colour and shape, by the identity that `identityOf` returns. */
  readonly marks: ReadonlySignal<ReadonlyMap<string, number>>;
  /**
   * The marks that the speakers have had so far. A speaker keeps the mark, so that a change of one speaker does not
   * redraw the rows of others.
   */
  readonly #marks = new Map<string, number>();
  #turn = 0;
  #undoing = false;
  #known = new Map<string, Row>();

  constructor(readonly conversationId: string) {
    this.done = signal(doneOf(conversationId));
    this.marks = computed(() => {
      void this.speakersChanged.value;
      for (const { segment } of this.rows.value) {
        const identity = identityOf(segment.peek());
        if (!this.#marks.has(identity)) this.#marks.set(identity, this.#marks.size);
      }
      return new Map(this.#marks);
    });
  }

  /** Reads the whole transcript, page after page. */
  async read(): Promise<void> {
    const own = ++this.#turn;
    this.complete.value = false;
    this.problem.value = null;
    const known = new Map<string, Row>();
    const rows: Row[] = [];
    // A row with an open form is not replaced, so that the typed text stays. If its segment has changed meanwhile, the
    // service refuses the change of the outdated text.
    const before = new Map([...this.#known].filter(([, { open }]) => open.peek() !== 'nothing'));
    const current = this.current?.segment.peek().id;
    try {
      this.people.value = await readPeople();
      for await (const body of this.#pages(own)) {
        for (const segment of body) {
          const open = before.get(segment.id);
          const row: Row = open ?? {
            segment: signal(segment),
            current: signal(current === undefined ? known.size === 0 : segment.id === current),
            open: signal('nothing'),
          };
          known.set(segment.id, row);
          rows.push(row);
        }
        this.#known = known;
        this.rows.value = [...rows];
      }
      if (own === this.#turn) this.complete.value = true;
    } catch (error) {
      if (own === this.#turn) this.problem.value = asProblem(error);
    }
  }

  /**
   * Reads the transcript of a conversation in progress again. Rows whose segments are unchanged stay. After a failed
   * request, all rows stay.
   */
  async refresh(): Promise<void> {
    const own = ++this.#turn;
    const segments: Segment[] = [];
    try {
      for await (const body of this.#pages(own)) segments.push(...body);
    } catch {
      return;
    }
    if (own !== this.#turn) return;
    batch(() => {
      const rows = segments.map((segment): Row => {
        const row = this.#known.get(segment.id);
        if (row === undefined)
          return { segment: signal(segment), current: signal(false), open: signal('nothing') };
        if (row.segment.peek().revision !== segment.revision) row.segment.value = segment;
        return row;
      });
      if (rows[0] !== undefined && !rows.some(({ current }) => current.peek())) rows[0].current.value = true;
      this.#known = new Map(rows.map((row) => [row.segment.peek().id, row]));
      this.rows.value = rows;
      this.speakersChanged.value++;
    });
  }

  /** Reads the segments page after page. Ends early when another reading begins. @param own number of this reading */
  async *#pages(own: number): AsyncGenerator<readonly Segment[], void, undefined> {
    for (let cursor: string | null = null; ; ) {
      const { body, next } = await readSegments(this.conversationId, cursor);
      if (own !== this.#turn) return;
      yield body;
      if (next === null) return;
      cursor = next;
    }
  }

  /** Stops reading the transcript. */
  close(): void {
    this.#turn++;
  }

  get current(): Row | undefined {
    const rows = this.rows.peek();
    return rows.find(({ current }) => current.peek()) ?? rows[0];
  }

  /** Makes a row the one that keys act on. */
  select(row: Row): void {
    const before = this.rows.peek().find(({ current }) => current.peek());
    if (before === row) return;
    batch(() => {
      if (before) {
        before.current.value = false;
        before.open.value = 'nothing';
      }
      row.current.value = true;
    });
  }

  /**
   * Selects the row that is `by` rows after the selected one; at the ends of the list, the first or last row.
   * @returns the row; undefined if there are no rows
   */
  move(by: number): Row | undefined {
    const rows = this.rows.peek();
    const at = rows.findIndex(({ current }) => current.peek());
    const row = rows[Math.min(rows.length - 1, Math.max(0, at + by))];
    if (row) this.select(row);
    return row;
  }

  /**
   * Selects the next row with an unnamed speaker other than the speaker of the selected row.
   * @returns the row; undefined if there is none
   */
  nextUnnamed(): Row | undefined {
    const rows = this.rows.peek();
    const at = rows.findIndex(({ current }) => current.peek());
    const isUnnamed = ({ segment }: Row): boolean =>
      !segment.peek().is_user && segment.peek().person_id === null;
    const own = rows[at]?.segment.peek();
    const isOther = (row: Row): boolean =>
      own === undefined || row.segment.peek().speaker_id !== own.speaker_id;
    const found = [...rows.slice(at + 1), ...rows.slice(0, at)].find((row) => isUnnamed(row) && isOther(row));
    if (found) this.select(found);
    return found;
  }

  /** Returns the rows that a name for `row` applies to. */
  scopeOf(row: Row, scope: Scope): readonly Row[] {
    return scopeOf(this.rows.peek(), row, scope);
  }

  /** Stores a new text of a row. @throws Problem */
  async changeText(row: Row, text: string): Promise<void> {
    const before = row.segment.peek();
    if (text.trim() === before.text) return;
    row.segment.value = await changeText(this.conversationId, before, text);
    this.#tell({
      text: 'The text is changed.',
      what: 'the change of a text',
      undo: async () => {
        row.segment.value = await changeText(this.conversationId, row.segment.peek(), before.text);
        return null;
      },
    });
  }

  /** Names the speaker of a row in the segments of `scope`. @throws Problem */
  async name(row: Row, person: Person, scope: Scope): Promise<void> {
    const rows = this.scopeOf(row, scope);
    const { speaker_id } = row.segment.peek();
    const ids = isWhole(rows, this.rows.peek(), speaker_id)
      ? null
      : rows.map(({ segment }) => segment.peek().id);
    const named = await nameSpeaker(this.conversationId, speaker_id, person, ids);
    const { changed, undo, added_person_id: added, ...speaker } = named;
    if (speaker.person_id !== null && !this.people.peek().some(({ id }) => id === speaker.person_id))
      this.people.value = await readPeople();
    const name = this.#nameOf(speaker.is_user, speaker.person_id, speaker_id);
    const before: Segment[] = [];
    batch(() => {
      for (const [id, revision] of undo.flatMap(({ segments }) => Object.entries(segments))) {
        const changedRow = this.#known.get(id);
        if (changedRow === undefined) continue;
        before.push(changedRow.segment.peek());
        changedRow.segment.value = {
          ...changedRow.segment.peek(),
          ...speaker,
          speaker_name: name,
          revision,
          by_user: true,
        };
      }
      this.speakersChanged.value++;
      this.#tell({
        text: `${changed} ${changed === 1 ? 'segment' : 'segments'} changed.`,
        what: `the name ${name}`,
        undo: async () => {
          const isRemoved = await undoNaming(this.conversationId, named);
          batch(() => {
            if (isRemoved) this.people.value = this.people.peek().filter(({ id }) => id !== added);
            for (const segment of before) {
              const restored = this.#known.get(segment.id);
              if (restored)
                restored.segment.value = { ...segment, revision: restored.segment.peek().revision + 1 };
            }
            this.speakersChanged.value++;
          });
          return null;
        },
      });
    });
  }

  /**
   * Moves a row and all rows after it to a new conversation.
   * @returns the address of the new conversation's page.
   * @throws Problem
   */
  split(row: Row): Promise<string> {
    return split(this.conversationId, row.segment.peek().id);
  }

  /**
   * Undoes the last change and sets `done`. If that fails, `undoProblem` has the reason.
   * @returns the address of the page to show then; null for the same page.
   */
  async undo(): Promise<string | null> {
    const { undo, what } = this.done.peek() ?? { undo: null, what: '' };
    if (undo === null || this.#undoing) return null;
    this.#undoing = true;
    try {
      const address = await undo();
      this.#tell({ text: `Undone: ${what}.`, what, undo: null });
      return address;
    } catch (error) {
      this.undoProblem.value = asProblem(error);
      return null;
    } finally {
      this.#undoing = false;
    }
  }

  #tell(done: Done): void {
    batch(() => {
      this.done.value = done;
      this.corrected.value = true;
      this.undoProblem.value = null;
    });
  }

  #nameOf(isUser: boolean, personId: string | null, speakerId: number): string {
    if (isUser) return me.peek()?.name ?? 'User';
    return this.people.peek().find(({ id }) => id === personId)?.name ?? `Speaker ${speakerId}`;
  }
}
