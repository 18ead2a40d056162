import type { AudioCore } from '../../audio/interface/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import { ringAge } from '../../ring/index.js';
import { burst, type EngineClock } from '../shared/index.js';
import { AudioLine, type LineOwner } from './audio-line.js';

/** Target duration in ms of one piece of work. A piece delays the audio of other streams by its duration. */
const pieceTime = 1;
/** Minimum number of frames in a piece, over all streams. */
const fewest = 1;
/** Maximum number of frames in a piece, over all streams. */
const most = 256;
/** Number of bytes of waiting audio that each user may have even if the shard's limit is reached. */
const guaranteed = 65_536;

/** A session whose audio may wait in `AudioBacklogs`. */
export interface BacklogOwner extends LineOwner {
  readonly request: { readonly uid: string };
  /** Waiting audio of the session; null if none waits. It is a field of the session, because every frame checks it. */
  backlog: AudioLine | null;
}

interface UserLines {
  /** Waiting audio of the user's sessions, in the order in which the sessions are served. */
  readonly lines: Set<AudioLine>;
  bytes: number;
}

export interface AudioBacklogsOptions {
  readonly core: Pick<AudioCore, 'push' | 'lose'>;
  readonly clock: EngineClock;
  /** Makes the core decode all frames that it has, so that no frame queue of a stream overflows. */
  readonly decode: () => void;
}

/**
 * Queues audio of streams that send more than one pass may process, such as a client's offline backlog or a flood.
 * The shard can therefore always empty its ring, and this audio does not delay other streams. The queued audio is
 * decoded in the remaining time, and users take turns. While audio of a session waits, its later frames are queued
 * behind it to keep their order. Use it on the shard's thread only.
 */
export class AudioBacklogs {
  /** Users with waiting audio, in the order in which they are served. */
  readonly #users = new Map<string, UserLines>();
  readonly #owners = new Map<AudioLine, BacklogOwner>();
  readonly #emptied = new Map<AudioLine, (() => void)[]>();
  #bytes = 0;
  /** Number of frames in the next piece. */
  #frames = fewest;

  constructor(private readonly options: AudioBacklogsOptions) {}

  /** Whether audio waits. */
  get waiting(): boolean {
    return this.#users.size > 0;
  }

  /** Number of bytes of all waiting frames, including the overhead of each frame. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Age of the oldest waiting frame in ms; 0 if none waits. @param now ring clock. */
  oldestAge(now: number): number {
    let oldest = 0;
    for (const line of this.#owners.keys()) oldest = Math.max(oldest, ringAge(line.oldestArrival, now));
    return oldest;
  }

  /**
   * Queues a frame behind the waiting audio of its session.
   * @param track number of the track within the session.
   * @param frame copied before this returns.
   * @param arrival ring clock.
   * @returns false if too much audio waits. The caller must then drop the frame.
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

  /**
   * Decodes waiting audio in small pieces. It decodes at least one piece, and more until the thread's monotonic
   * clock reaches `until`.
   */
  run(until: number): void {
    const { clock, decode } = this.options;
    if (!this.waiting) return;
    // Decodes the frames of this pass before the waiting frames.
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

  /** Resolves when no audio of the session waits. */
  async whenEmpty({ backlog }: BacklogOwner): Promise<void> {
    if (backlog === null) return;
    await new Promise<void>((resolve) => {
      this.#emptied.set(backlog, [...(this.#emptied.get(backlog) ?? []), resolve]);
    });
  }

  /** Drops the waiting audio of a session. @returns the number of dropped frames. */
  drop(owner: BacklogOwner): number {
    const { backlog } = owner;
    if (backlog === null) return 0;
    const { frames } = backlog;
    this.#count(owner, -backlog.bytes);
    backlog.clear();
    this.#end(owner, backlog);
    return frames;
  }

  /**
   * Passes the next waiting frames to the core. Users take turns, and so do the sessions of a user. One stream gets
   * at most a burst (see `FrameBatch`) before the core decodes.
   */
  #piece(now: number): void {
    let left = this.#frames;
    let users = this.#users.size;
    for (const [uid, user] of this.#users) {
      const [line] = user.lines;
      // Moves the session and the user to the end of their queues.
      user.lines.delete(line!);
      user.lines.add(line!);
      this.#users.delete(uid);
      this.#users.set(uid, user);
      left -= this.#serve(line!, left, now);
      if (left <= 0 || --users <= 0) return;
    }
  }

  /** Passes waiting frames of one session to the core. @returns the number of these frames. */
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
      bytes += line.push(this.options.core, now);
      frames++;
    }
    this.#count(owner, line.bytes - before);
    if (line.length === 0) this.#end(owner, line);
    return frames;
  }

  /**
   * Number of bytes of waiting audio that one user may have when the shard's limit is reached. If a user has more, new
   * frames of that user are dropped.
   */
  get #share(): number {
    return Math.max(guaranteed, fixedLimits.audioWaitingPerShard.value / (this.#users.size + 1));
  }

  #count({ request }: BacklogOwner, bytes: number): void {
    this.#bytes += bytes;
    this.#users.get(request.uid)!.bytes += bytes;
  }

  /** Removes the waiting line of a session after its last frame. */
  #end(owner: BacklogOwner, line: AudioLine): void {
    const { uid } = owner.request;
    owner.backlog = null;
    line.end(this.options.core);
    this.#owners.delete(line);
    const user = this.#users.get(uid)!;
    user.lines.delete(line);
    if (user.lines.size === 0) this.#users.delete(uid);
    for (const resolve of this.#emptied.get(line) ?? []) resolve();
    this.#emptied.delete(line);
  }
}
