import { ringAge } from '../ring/index.js';
import { keepAliveBytes, longestBurst, longestPacket, pacePackets } from '../wire/index.js';

/** Duration in ms of a frame, by the configuration number in the TOC byte. Source: RFC 6716, section 3.1. */
const frameLengths = new Float64Array(32);
/** Mode of the coder (0 SILK, 1 hybrid, 2 CELT), by the configuration number. */
const modes = new Uint8Array(32);
for (let config = 0; config < 32; config++) {
  modes[config] = config < 12 ? 0 : config < 16 ? 1 : 2;
  if (config < 12) frameLengths[config] = [10, 20, 40, 60][config & 3]!;
  else if (config < 16) frameLengths[config] = [10, 20][config & 1]!;
  else frameLengths[config] = [2.5, 5, 10, 20][config & 3]!;
}

/** Returns the number of frames of a packet by its first two bytes. */
const framesIn = (toc: number, second: number): number => {
  const code = toc & 3;
  if (code === 0) return 1;
  return code < 3 ? 2 : second & 63;
};

/**
 * Held packets count as audio if they fill at least this share of the time since the last audio. Keep-alives fill far
 * less; audio packets that arrive in a late burst fill this share.
 */
const filledShare = 0.5;

/**
 * Minimum number of consecutive held packets that become audio when a larger packet of audio directly follows them.
 * Keep-alives never come in such numbers.
 */
const fewestEnding = 3;

/**
 * Distinguishes audio packets of one or two bytes from keep-alives, in one Opus stream. An encoder with discontinuous
 * transmission (DTX) sends such small packets at the stream's pace while its microphone is silent. A client without
 * audio sends one now and then to keep its socket alive.
 *
 * A small packet must have the mode and the frame length of the last audio. It is audio if it arrives within three
 * packet durations of the last audio. Later small packets are held, because a bridge (a phone that forwards the packets
 * of a device) may send several audio packets at once.
 *
 * Held packets become audio when they fill half of the time since the last audio. They also become audio when other
 * audio follows three or more consecutive held packets. Held packets never count for more time than has passed.
 */
export class OpusPace {
  #mode = -1;
  #frame = 0;
  /** Duration in ms of the last audio packet. */
  #duration = 0;
  /** Arrival of the last audio packet on the ring clock. */
  #last = 0;
  /** Total duration in ms of all held packets. */
  #held = 0;
  /** Duration in ms of the latest held packet. */
  #heldEach = 0;
  /** Arrival of the latest held packet on the ring clock. */
  #heldLast = 0;
  /** Number of consecutive held packets up to the latest one. */
  #run = 0;
  /** Arrival of the last audio before the first held packet; -1 if no packet is held. */
  #since = -1;
  /** Duration in ms of all small packets that have become audio since `#since`. */
  #counted = 0;

  /**
   * Number of held frames that became audio in the last call of `counts`. They precede the packet that was passed to
   * that call.
   */
  before = 0;
  /**
   * A packet with one frame. For each of the `before` held frames, the caller sends this packet once in place of the
   * held packet, because a held packet may have several frames.
   */
  readonly heldPacket = new Uint8Array(1);

  /**
   * Decides how many packets become audio with this packet. Called for every packet, so it allocates nothing.
   * @param toc first byte of the packet; any value if the packet is empty.
   * @param second second byte of the packet; any value if the packet is shorter.
   * @param length bytes of the packet.
   * @param arrival time on the ring clock.
   * @returns 0 for a held packet and for a keep-alive, 1 for audio. More than 1 if held packets like this one become
   * audio, too.
   */
  counts(toc: number, second: number, length: number, arrival: number): number {
    this.before = 0;
    if (length === 0) return 0;
    const config = toc >> 3;
    const mode = modes[config]!;
    const frame = frameLengths[config]!;
    const isSmall = length <= keepAliveBytes;
    if (isSmall && (mode !== this.#mode || frame !== this.#frame)) return 0;
    const frames = framesIn(toc, length > 1 ? second : 0);
    const duration = Math.min(longestPacket, Math.max(1, frames) * frame);
    const packets = isSmall ? this.#smallPackets(duration, arrival) : 1;
    if (packets === 0) {
      this.heldPacket[0] = toc & ~3;
      return 0;
    }
    if (!isSmall) this.#endPause(arrival);
    this.#mode = mode;
    this.#frame = frame;
    this.#duration = duration;
    this.#last = arrival;
    return packets;
  }

  /** Returns the number of packets that become audio when a small packet of this duration arrives. */
  #smallPackets(duration: number, arrival: number): number {
    const silent = ringAge(this.#last, arrival);
    const isPaced = silent <= pacePackets * this.#duration;
    if (this.#since < 0) {
      if (isPaced) return 1;
      this.#since = this.#last;
      this.#counted = 0;
    }
    if (silent > longestBurst) {
      this.#held = 0;
      return 0;
    }
    this.#hold(duration, arrival);
    if (!isPaced && this.#held < filledShare * silent) return 0;
    return this.#take(duration, arrival, duration);
  }

  #hold(duration: number, arrival: number): void {
    const isRun = this.#held > 0 && ringAge(this.#heldLast, arrival) <= pacePackets * duration;
    this.#run = isRun ? this.#run + 1 : 1;
    this.#held += duration;
    this.#heldEach = duration;
    this.#heldLast = arrival;
  }

  /**
   * Turns held packets into audio, at most as many as fit into the time that has passed.
   * @param duration ms of each packet.
   * @param paced ms between packets at the client's pace.
   * @returns the number of packets; 0 if longer packets that became audio earlier have used up the time.
   */
  #take(duration: number, arrival: number, paced: number): number {
    const passed = ringAge(this.#since, arrival) + pacePackets * paced;
    const packets = Math.max(0, Math.floor(Math.min(this.#held, passed - this.#counted) / duration));
    this.#held -= packets * duration;
    this.#counted += packets * duration;
    return packets;
  }

  /**
   * Called when a packet of audio arrives that is not small. Held packets directly before that packet become audio. All
   * other held packets are dropped.
   */
  #endPause(arrival: number): void {
    if (this.#held > 0) {
      const each = this.#heldEach;
      const atOnce = ringAge(this.#heldLast, arrival) <= pacePackets * each;
      if (atOnce && this.#run >= fewestEnding) this.before = this.#take(this.#frame, arrival, each);
    }
    this.#held = 0;
    this.#since = -1;
  }
}
