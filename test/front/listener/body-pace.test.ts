/** Long request bodies share a rate, and clients take turns. Short bodies never wait. */
import t from 'tap';
import { fixedLimits } from '../../../src/config/limits/limits.js';
import { BodyPace } from '../../../src/front/listener/body-pace.js';

const chunk = 65_536;
const unpaced = fixedLimits.unpacedBody.value;
const rate = fixedLimits.bodyRate.value;
const burst = fixedLimits.bodyBurst.value;

/** Creates a pace with a clock that the test advances, and clients that send as fast as the pace allows. */
const startPace = () => {
  let now = 0;
  let work: (() => void) | undefined;
  let due = 0;
  const pace = new BodyPace(
    () => now,
    (next, ms) => {
      work = next;
      due = now + ms;
      return undefined as unknown as NodeJS.Timeout;
    },
  );
  const sent = new Map<string, number>();
  /** Starts a body of a client. It sends chunks without end. @returns a function that ends it. */
  const send = (client: string): (() => void) => {
    const body = pace.body(client, () => flow());
    const flow = (): void => {
      do sent.set(client, (sent.get(client) ?? 0) + chunk);
      while (body.received(chunk));
    };
    flow();
    return () => body.leave();
  };
  const pass = (ms: number): void => {
    for (const end = now + ms; now < end; now++) {
      if (work === undefined || now < due) continue;
      const next = work;
      work = undefined;
      next();
    }
  };
  return { pace, send, pass, sent, scheduled: () => work !== undefined };
};

t.test('passes on the beginning of a body and a burst at once, then a rate', (t) => {
  const { send, pass, sent } = startPace();
  send('a');
  const first = sent.get('a')!;
  t.ok(first >= unpaced + burst - chunk && first <= unpaced + burst + chunk, `${first} bytes at once`);
  pass(2000);
  const share = (sent.get('a')! - first) / (2 * rate);
  t.ok(share > 0.95 && share < 1.05, `${share} of the rate`);
  t.end();
});

t.test('never delays short bodies beside long ones', (t) => {
  const { pace, send } = startPace();
  for (let body = 0; body < 50; body++) send('a');
  for (let body = 0; body < 50; body++) {
    const short = pace.body('b', () => t.fail('a short body waited'));
    for (let bytes = 0; bytes + chunk < unpaced; bytes += chunk) t.ok(short.received(chunk));
  }
  t.end();
});

t.test('shares the rate among clients, not among bodies', (t) => {
  const { send, pass, sent } = startPace();
  for (let body = 0; body < 20; body++) send('many');
  send('one');
  const before = new Map(sent);
  pass(3000);
  const [many, one] = ['many', 'one'].map((client) => sent.get(client)! - before.get(client)!);
  t.ok(Math.abs(many! / one! - 1) < 0.05, `${many} and ${one} bytes`);
  t.end();
});

t.test('forgets bodies that end while they wait', (t) => {
  const { pace, send, pass, sent, scheduled } = startPace();
  const ends = Array.from({ length: 1000 }, (_, index) => send(`client ${index}`));
  for (const end of ends) end();
  const before = [...sent.values()].reduce((sum, bytes) => sum + bytes, 0);
  pass(1000);
  t.equal(
    [...sent.values()].reduce((sum, bytes) => sum + bytes, 0),
    before,
    'no ended body continues',
  );
  t.notOk(scheduled(), 'no timer is left');
  send('a');
  pace.close();
  const own = sent.get('a');
  pass(1000);
  t.equal(sent.get('a'), own, 'nothing continues after the pace is closed');
  t.end();
});
