import { connectDatabase } from '../../../src/store/client/database.js';
import { until } from '../until.js';
import { startTestServer } from './shared-database.js';

/** A separate database server. A test can make its commits wait for a synchronous standby. */
export interface StandbyServer {
  readonly url: string;
  /**
   * Sets whether commits wait for a standby that never connects.
   * @param wanted true: commits wait. false: commits do not wait, and waiting commits are confirmed.
   */
  readonly awaitStandby: (wanted: boolean) => Promise<void>;
  /** Cancels every connection's wait for the standby, as an administrator does. */
  readonly cancelWaits: () => Promise<void>;
  /** Waits until a commit of an application waits for the standby. @param application a pattern of LIKE. */
  readonly untilWaiting: (application: string) => Promise<void>;
}

/** Starts a server that stops after the test. Its database `cochlea` has the product's schema. */
export const openStandbyServer = async (t: {
  teardown(handler: () => unknown): unknown;
}): Promise<StandbyServer> => {
  const server = await startTestServer();
  const admin = connectDatabase(server.url, { max: 1, name: 'admin' });
  const probe = connectDatabase(server.url, { max: 1, name: 'probe' });
  t.teardown(async () => {
    await probe.end({ timeout: 0 });
    await admin.end({ timeout: 0 });
    await server.stop();
  });
  await probe`create table probes (number integer)`;
  const isWaiting = async (application: string): Promise<boolean> => {
    const rows = await admin`
      select from pg_stat_activity where wait_event = 'SyncRep' and application_name like ${application}`;
    return rows.length > 0;
  };
  const cancelWaits = async (application = '%'): Promise<void> => {
    await admin`
      select pg_cancel_backend(pid) from pg_stat_activity
      where wait_event = 'SyncRep' and application_name like ${application}`;
  };
  /**
   * Commits, and returns whether the commit waits for the standby. The setting takes effect only when a background
   * process of the server has read it.
   */
  const commitsWait = async (): Promise<boolean> => {
    let ended = false;
    const end = (): void => {
      ended = true;
    };
    const committed = probe`insert into probes values (1)`.then(end, end);
    let waits = false;
    await until(async () => {
      waits = await isWaiting('cochlea probe');
      return ended || waits;
    }, 'the commit waits or ends');
    // Cancels only the wait of this commit. Commits of the product must continue to wait until no standby is required.
    if (waits) await cancelWaits('cochlea probe');
    await committed;
    return waits;
  };
  return {
    url: server.url,
    awaitStandby: async (wanted) => {
      await admin.unsafe(`alter system set synchronous_standby_names = '${wanted ? 'missing' : ''}'`);
      await admin`select pg_reload_conf()`;
      await until(async () => (await commitsWait()) === wanted, 'the server has read its settings');
    },
    cancelWaits: () => cancelWaits(),
    untilWaiting: async (application) => {
      await until(() => isWaiting(application), 'a commit waits');
    },
  };
};
