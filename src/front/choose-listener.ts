import type { Settings } from '../config/index.js';
import { CochleaError } from '../errors/index.js';
import type { Logger } from '../log/index.js';
import { selfTest } from './self-test/index.js';
import {
  createUwsApp,
  describeRefused,
  isLoaded,
  loadUws,
  type RefusedBuild,
  type UwsBuild,
  uwsBuilds,
} from './uws/index.js';

/** The listener library to use, and the reason for the choice as a text for the operator. */
export interface ListenerChoice {
  /** The build of uWebSockets.js to use; null for ws on `node:http`. */
  readonly uws: UwsBuild | null;
  readonly why: string;
  /** Builds of uWebSockets.js that this process tried and rejected before the choice. */
  readonly refused: readonly RefusedBuild[];
}

/** Returns settings with which a test listens on a free port that only this machine can reach. */
const forTest = (settings: Settings): Settings => ({
  ...settings,
  host: '127.0.0.1',
  port: 0,
  tlsCert: '',
  tlsKey: '',
  engineProcesses: 1,
});

const faultOf = async (build: UwsBuild, settings: Settings, log: Logger): Promise<string | undefined> => {
  try {
    const failing = await selfTest(await createUwsApp(build, forTest(settings), log));
    return failing.length === 0 ? undefined : `it does not answer legal requests: ${failing.join(', ')}`;
  } catch (thrown) {
    return `its self-test failed: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
  }
};

/** Results of the tests, by build: the fault, or undefined if the build passed. A process tests each build once. */
const tested = new Map<string, Promise<string | undefined>>();

/** Tests a loaded build. Returns its fault, or undefined if the build answers every legal request. */
const test = (build: UwsBuild, settings: Settings, log: Logger): Promise<string | undefined> => {
  const fault = tested.get(build.name) ?? faultOf(build, settings, log);
  tested.set(build.name, fault);
  return fault;
};

const takeUntested = (): ListenerChoice => {
  const uws = loadUws();
  if (typeof uws !== 'string') return { uws, why: 'COCHLEA_LISTENER=uws-untested', refused: [] };
  const why = `no build of uWebSockets.js loads here (${uws}); auto and ws select ws`;
  throw new CochleaError('setting_invalid', { name: 'COCHLEA_LISTENER', why });
};

/**
 * Chooses the listener by `COCHLEA_LISTENER`. `auto` takes the first build of uWebSockets.js that loads and passes its
 * self-test, otherwise ws on `node:http`. The self-test listens on the loopback interface while it runs.
 * @param log receives a line for each build that loads and fails the self-test.
 * @throws CochleaError setting_invalid if the setting requires uWebSockets.js and no build is usable here.
 */
export const chooseListener = async (settings: Settings, log: Logger): Promise<ListenerChoice> => {
  const { listener: wanted } = settings;
  if (wanted === 'ws') return { uws: null, why: 'COCHLEA_LISTENER=ws', refused: [] };
  if (wanted === 'uws-untested') return takeUntested();
  const refused: RefusedBuild[] = [];
  for (const build of uwsBuilds()) {
    if (!isLoaded(build)) {
      refused.push(build);
      continue;
    }
    const why = await test(build, settings, log);
    if (why === undefined) {
      const words = 'a build of it loads here and answers every request of the self-test';
      return { uws: build, why: wanted === 'uws' ? 'COCHLEA_LISTENER=uws' : words, refused };
    }
    log.warn({ build: build.name, why }, 'a build of uWebSockets.js is not used');
    refused.push({ name: build.name, why });
  }
  const why = `no build of uWebSockets.js can be used here (${describeRefused(refused)})`;
  if (wanted === 'auto') return { uws: null, why, refused };
  throw new CochleaError('setting_invalid', {
    name: 'COCHLEA_LISTENER',
    why: `${why}; auto and ws select ws`,
  });
};
