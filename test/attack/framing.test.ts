/**
 * An attacker sends requests with correct and wrong framing, while a victim requests its own data. Every attacking
 * request must get one answer or a closed connection. The server must not answer requests that are hidden in bodies.
 * The victim must receive only its own answers, and both processes must survive.
 */
import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { chunkVariants } from './support/framing/chunks.js';
import { judge, play } from './support/framing/judge.js';
import { lengthVariants } from './support/framing/lengths.js';
import { lineVariants } from './support/framing/lines.js';
import { requestVariants } from './support/framing/methods.js';
import { partsOf, type Variant } from './support/framing/variant.js';
import { type AttackTarget, startTarget } from './support/target.js';
import { Victim } from './support/victim.js';

/** Number of concurrent attackers. Each has its own loopback address. */
const abreast = 24;
/**
 * If a connection is still open after this time in ms, the attacker starts its next variant. The listener waits at
 * least ten seconds for the rest of an incomplete head.
 */
const parkedAfter = 600;

/** Plays every variant. @returns the faults, in the order of the variants. */
const attack = async (target: AttackTarget, variants: readonly Variant[]): Promise<string[]> => {
  const judged: Promise<string[]>[] = [];
  const waiting = [...variants];
  const run = async (from: string): Promise<void> => {
    for (let variant = waiting.shift(); variant !== undefined; variant = waiting.shift()) {
      const current = variant;
      const verdict = play(target, current, from).then((outcome) => judge(current, outcome, target));
      judged.push(verdict);
      await Promise.race([verdict, pause(parkedAfter)]);
    }
  };
  await Promise.all(Array.from({ length: abreast }, (_, index) => run(`127.0.1.${index + 1}`)));
  return (await Promise.all(judged)).flat();
};

t.test("no variant of HTTP framing disturbs or reveals another user's requests", async (t) => {
  const target = await startTarget(t, { COCHLEA_STT: 'discard' });
  const parts = partsOf(target.attacker);
  const variants = [
    ...lengthVariants(parts),
    ...chunkVariants(parts),
    ...requestVariants(parts),
    ...lineVariants(parts),
  ];
  t.ok(variants.length >= 200, `${variants.length} variants`);
  const before = target.processIds();
  const victim = new Victim(target);
  victim.start();
  await victim.progress(3);
  const faults = await attack(target, variants);
  await victim.progress(3);
  await victim.stop();

  t.same(faults, [], 'every variant gets an allowed answer');
  t.same(victim.faults, [], `the victim's ${victim.answered} answers are its own`);
  t.ok(victim.answered >= 6, 'the victim was answered throughout');
  t.same(target.processIds(), before, 'the processes did not restart');
  const owned = await target.conversationsOf(target.attacker);
  t.notMatch(owned, target.victim.marker, 'the attacker has no data of the victim');
  t.notMatch(owned, target.victim.key);
  t.match(await target.conversationsOf(target.victim), target.victim.marker, 'the victim still has its data');
});
