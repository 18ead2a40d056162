import { homeOf, type Members, type Node } from '../../../src/bus/members/index.js';

/** Engines that reach each other without a bus. Messages wait until `deliver`. */
export class FakeFleet {
  readonly #engines = new Map<string, FakeMembers>();
  readonly #messages: { readonly from: string; readonly to: string; readonly text: string }[] = [];
  /** All delivered messages. */
  readonly delivered: string[] = [];
  away = false;
  /** Whether messages are lost on their way. */
  loses = false;

  join(id: string, run: string): FakeMembers {
    const members = new FakeMembers(this, { id, run });
    this.#engines.set(id, members);
    this.changed();
    return members;
  }

  leave(id: string): void {
    this.#engines.delete(id);
    this.changed();
  }

  changed(): void {
    for (const engine of this.#engines.values()) engine.changed();
  }

  get living(): readonly Node[] {
    return this.away ? [] : [...this.#engines.values()].map(({ self }) => self);
  }

  post(from: string, to: string, text: string): boolean {
    if (this.away) return false;
    if (!this.loses) this.#messages.push({ from, to, text });
    return true;
  }

  deliver(): void {
    for (let next = this.#messages.shift(); next !== undefined; next = this.#messages.shift()) {
      this.delivered.push(next.text);
      this.#engines.get(next.to)?.receive(next.from, next.text);
    }
  }
}

export class FakeMembers implements Members {
  readonly #changes = new Set<() => void>();
  readonly #readers = new Set<(from: string, text: string) => void>();

  constructor(
    private readonly fleet: FakeFleet,
    readonly self: Node,
  ) {}

  get living(): readonly Node[] {
    return this.fleet.living;
  }

  home(key: string): string | null {
    return homeOf(
      key,
      this.living.map(({ id }) => id),
    );
  }

  onChange(listener: () => void): () => void {
    this.#changes.add(listener);
    return () => this.#changes.delete(listener);
  }

  send(to: string, text: string): boolean {
    return this.fleet.post(this.self.id, to, text);
  }

  onMessage(listener: (from: string, text: string) => void): () => void {
    this.#readers.add(listener);
    return () => this.#readers.delete(listener);
  }

  changed(): void {
    for (const listener of this.#changes) listener();
  }

  receive(from: string, text: string): void {
    for (const reader of this.#readers) reader(from, text);
  }
}
