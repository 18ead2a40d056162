import type { AudioCore } from '../../audio/interface/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import { ringAge } from '../../ring/index.js';
import { burst, type EngineClock } from '../shared/index.js';
import { AudioLine, type LineOwner } from './audio-line.js';

/** Ms that one piece of work should take: so much later than otherwise the audio of other streams may be decoded. */
const pieceTime = 1;
/** Frames of a piece, of all streams together. */
const fewest = 1;
const most = 256;
/** Bytes that may wait of a user whatever waits of the others. */
const guaranteed = 65_536;

/** A session whose audio may wait here. */
export interface BacklogOwner extends LineOwner {
  readonly request: { readonly uid: string };
  /** What waits of it; null while nothing does. Kept here, because it is looked at once for every frame. */
  backlog: AudioLine | null;
}

interface UserLines {
  /** The one that is next to be served first. */
  readonly lines: Set<AudioLine>;
  bytes: number;
}

export interface AudioBacklogsOptions {
  readonly core: Pick<AudioCore, 'push' | 'lose'>;
  readonly clock: EngineClock;
  /** Makes the core decode all that it was given, so that no queue of a stream overflows. */
  readonly decode: () => void;
}

/**
 * Audio that came faster than a pass takes it of one stream: what a client kept while it was away, or a flood. It waits here, so
 * that the ring is always emptied at once and the audio of the other streams does not stand behind it, and is decoded in the
 * time that they leave, by users in turn. As long as something of a session waits, all its later frames go here too, so that
 * their order is kept. On the shard's thread only.
 */
export class AudioBacklogs {
  readonly #options: AudioBacklogsOptions;
  /** The user that is next to be served first. */
  readonly #users = new Map<string, UserLines>();
  readonly #owners = new Map<AudioLine, BacklogOwner>();
  readonly #emptied = new Map<AudioLine, (() => void)[]>();
  #bytes = 0;
  /** Frames of the next piece. */
  #frames = fewest;

  constructor(options: AudioBacklogsOptions) {
    this.#options = options;
  }

  /** Whether audio waits. */
  get waiting(): boolean {
    return this.#users.size > 0;
  }

  /** Bytes that wait, with what each frame costs beside its own. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Ms since the oldest frame came that waits; 0 when none does. @param now ring clock. */
  oldestAge(now: number): number {
    let oldest = 0;
    for (const line of this.#owners.keys()) oldest = Math.max(oldest, ringAge(line.oldestArrival, now));
    return oldest;
  }

  /**
   * Makes a frame wait behind what waits of its session.
   * @param track its number among those of the session.
   * @param frame copied before this returns.
   * @param arrival ring clock.
   * @returns false when too much waits: the frame is to be dropped.
   */
  add(owner: BacklogOwner, track: number, frame: Uint8Array, arrival: number): boolean {
    const { uid } = owner.request;
    const needed = AudioLine.cost(frame);
    const user = this.#users.get(uid);
    const own = (user?.bytes ?? 0) + needed;
    if (own > fixedLimits.audioWaitingPerUser.value) return false;
    if (this.#bytes + needed > fixedLimits.audioWaitingPerShard.value && own > this.#share) return false;
    let line = owner.backlog;
    if (line === null) {
      line = new AudioLine(owner);
      owner.backlog = line;
      this.#owners.set(line, owner);
    }
    const bytes = line.add(track, frame, arrival);
    this.#bytes += bytes;
    if (user === undefined) {
      this.#users.set(uid, { lines: new Set([line]), bytes });
    } else {
      user.lines.add(line);
      user.bytes += bytes;
    }
    return true;
  }

  /** Decodes what waits, in small pieces: one at least, and as many as fit before `until` on the thread's clock. */
  run(until: number): void {
    const { clock, decode } = this.#options;
    if (!this.waiting) return;
    // What the streams were given in this pass comes first.
    decode();
    let began = clock.monotonic();
    while (this.waiting) {
      this.#piece(began);
      decode();
      const now = clock.monotonic();
      const took = now - began;
      if (took > pieceTime) this.#frames = Math.max(fewest, this.#frames >> 1);
      else if (took < pieceTime / 2) this.#frames = Math.min(most, this.#frames * 2);
      if (now >= until) return;
      began = now;
    }
  }

  /** Resolves when nothing of a session waits any more. */
  async whenEmpty({ backlog }: BacklogOwner): Promise<void> {
    if (backlog === null) return;
    await new Promise<void>((resolve) => {
      this.#emptied.set(backlog, [...(this.#emptied.get(backlog) ?? []), resolve]);
    });
  }

  /** Drops what waits of a session. @returns how many frames. */
  drop(owner: BacklogOwner): number {
    const { backlog } = owner;
    if (backlog === null) return 0;
    const { frames } = backlog;
    this.#count(owner, -backlog.bytes);
    backlog.clear();
    this.#end(owner, backlog);
    return frames;
  }

  /** Gives the core its next frames: of each user in turn, of one stream no more than it may get before it decodes. */
  #piece(now: number): void {
    let left = this.#frames;
    let users = this.#users.size;
    for (const [uid, user] of this.#users) {
      const [line] = user.lines;
      // Behind the others, where the next piece comes to it again.
      user.lines.delete(line!);
      user.lines.add(line!);
      this.#users.delete(uid);
      this.#users.set(uid, user);
      left -= this.#serve(line!, left, now);
      if (left <= 0 || --users <= 0) return;
    }
  }

  /** @returns how many frames the core got. */
  #serve(line: AudioLine, left: number, now: number): number {
    const owner = this.#owners.get(line)!;
    if (!line.wanted) {
      this.drop(owner);
      return 0;
    }
    const before = line.bytes;
    const mostFrames = Math.min(left, burst.frames);
    let frames = 0;
    let bytes = 0;
    while (line.length > 0 && frames < mostFrames && bytes < burst.bytes) {
      bytes += line.push(this.#options.core, now);
      frames++;
    }
    this.#count(owner, line.bytes - before);
    if (line.length === 0) this.#end(owner, line);
    return frames;
  }

  /** Bytes that may wait of a user when the shard is full: who has more gives way to who has less. */
  get #share(): number {
    return Math.max(guaranteed, fixedLimits.audioWaitingPerShard.value / (this.#users.size + 1));
  }

  #count({ request }: BacklogOwner, bytes: number): void {
    this.#bytes += bytes;
    this.#users.get(request.uid)!.bytes += bytes;
  }

  /** Nothing of a session waits any more. */
  #end(owner: BacklogOwner, line: AudioLine): void {
    const { uid } = owner.request;
    owner.backlog = null;
    line.end(this.#options.core);
    this.#owners.delete(line);
    const user = this.#users.get(uid)!;
    user.lines.delete(line);
    if (user.lines.size === 0) this.#users.delete(uid);
    for (const resolve of this.#emptied.get(line) ?? []) resolve();
    this.#emptied.delete(line);
  }
}
