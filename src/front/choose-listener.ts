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

/** Which library listens, and the reason in words for an operator. */
export interface ListenerChoice {
  /** The build of uWebSockets.js that listens; null when ws on `node:http` does. */
  readonly uws: UwsBuild | null;
  readonly why: string;
  /** Builds of uWebSockets.js that were tried before and are not used. */
  readonly refused: readonly RefusedBuild[];
}

/** Settings with which a listener is tested: on a port of its own that only this machine reaches. */
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

/** What came of the test of each build: a process tests it once. */
const tested = new Map<string, Promise<string | undefined>>();

/** Why a build that loads is not used; undefined where it answers every legal request. */
const test = (build: UwsBuild, settings: Settings, log: Logger): Promise<string | undefined> => {
  const fault = tested.get(build.name) ?? faultOf(build, settings, log);
  tested.set(build.name, fault);
  return fault;
};

const takeUntested = (): ListenerChoice => {
  const uws = loadUws();
  if (typeof uws !== 'string') return { uws, why: 'COCHLEA_LISTENER=uws-untested', refused: [] };
  const why = `no build of uWebSockets.js loads here (${uws}); auto or ws takes ws`;
  throw new CochleaError('setting_invalid', { name: 'COCHLEA_LISTENER', why });
};

/**
 * Chooses as `COCHLEA_LISTENER` asks: with `auto` the first build of uWebSockets.js that loads and answers every request of its
 * self-test, else ws on `node:http`. The self-test listens on loopback for the time it takes.
 * @param log told about builds that load and fail the test.
 * @throws CochleaError setting_invalid where the setting asks for uWebSockets.js and no build can be used here.
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
    why: `${why}; auto or ws takes ws`,
  });
};
