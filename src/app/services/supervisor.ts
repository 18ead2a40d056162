import { setTimeout as pause } from 'node:timers/promises';
import { connectionPlan, type Settings, settings as table } from '../../config/index.js';
import { dataDirectory } from '../../config/process/index.js';
import { CochleaError } from '../../errors/index.js';
import type { Logger } from '../../log/index.js';
import { transcribesHere } from '../models/index.js';
import {
  type EmbeddedPostgres,
  removeRunState,
  startEmbeddedPostgres,
  writeRunState,
} from '../postgres/index.js';
import { makeDataDirectory } from '../privileges/index.js';
import {
  type ClosingProcess,
  closingBound,
  closingProcesses,
  type DataLock,
  engineFlags,
  ManagedChild,
  sidecarFlags,
  takeDataLock,
  transcriberFlags,
} from '../process/index.js';
import { chooseAccount } from './run-as.js';

const postgresPause = 500;
/**
 * Returns the maximum number of connections of the embedded server. It includes this deployment's connections,
 * PostgreSQL's reserved connections, and some for operators' clients.
 */
const embeddedConnections = (settings: Settings): number =>
  Math.max(200, connectionPlan(settings).total + 20);

/** Node flags and port variable of each command that the supervisor runs. */
const kinds = {
  engine: { flags: engineFlags, portVariable: table.port.env },
  sidecar: { flags: sidecarFlags, portVariable: table.sidecarPort.env },
  transcriber: { flags: transcriberFlags },
} as const;

export interface Addresses {
  /** Port of the engine: WebSocket and REST. */
  readonly port: number;
  /** Address of the database. It contains the password, so it must not be logged. */
  readonly databaseUrl: string;
  /** The audio core that the engine uses: native or portable. */
  readonly core: string;
}

/**
 * Runs the embedded database (unless `DATABASE_URL` is set), the transcription service, the sidecar and the engines.
 * Restarts a process that ends. Only the supervisor closes these processes. The owner of the supervisor must handle
 * signals.
 */
export class Supervisor {
  readonly #dataDir: string;
  #database: KeptPostgres | undefined;
  #engines: ManagedChild[] = [];
  #sidecar: ManagedChild | undefined;
  #transcriber: ManagedChild | undefined;
  #lock: DataLock | undefined;
  #wroteState = false;
  #starting: Promise<unknown> = Promise.resolve();
  #stopped: Promise<void> | undefined;

  constructor(
    private readonly settings: Settings,
    private readonly log: Logger,
  ) {
    this.#dataDir = dataDirectory(settings);
  }

  /**
   * Starts all parts. Resolves when all of them answer.
   * @throws CochleaError the error of the part that did not start; `shutdown` if stopped during the start. The caller
   *   must then also call `stop`.
   */
  start(): Promise<Addresses> {
    const starting = this.#start();
    this.#starting = starting;
    return starting;
  }

  /**
   * Closes all parts in order: engines (which drain), sidecar, transcription service, database. A second call waits
   * until the first call has ended.
   */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  /** Kills engines, sidecar and transcription service. The database still closes in order. */
  kill(): void {
    for (const child of [...this.#engines, this.#sidecar, this.#transcriber]) child?.kill();
  }

  async #start(): Promise<Addresses> {
    const settings = this.settings;
    await makeDataDirectory(this.#dataDir);
    this.#lock = await takeDataLock(this.#dataDir, 'up');
    // The account is chosen once for all children. Children start as root and change to the account when they have
    // opened the resources that need root.
    const account = await chooseAccount(settings, this.log);
    const runAs = settings.runAs || account?.name || (process.getuid?.() === 0 ? 'root' : '');
    if (settings.databaseUrl === '') {
      this.#database = await KeptPostgres.start({
        dataDir: this.#dataDir,
        log: this.log,
        connections: embeddedConnections(settings),
      });
    }
    const databaseUrl = this.#database?.url ?? settings.databaseUrl;
    await writeRunState(this.#dataDir, { pid: process.pid, databaseUrl });
    this.#wroteState = true;

    const env = {
      DATABASE_URL: databaseUrl,
      [table.runAs.env]: runAs,
      [table.dataDir.env]: this.#dataDir,
      [table.transcriberStart.env]: 'join',
    };
    if (transcribesHere(settings) && settings.transcriberStart === 'auto')
      this.#transcriber = this.#child('transcriber', ['transcriber'], env);
    const transcriberReady = this.#transcriber?.start();
    // The promise is awaited below. Without this handler, an earlier failure would count as an unhandled rejection.
    transcriberReady?.catch(() => undefined);
    this.#sidecar = this.#child('sidecar', ['sidecar'], env);
    const sidecarReady = this.#sidecar.start();
    // If the sidecar chooses its port, the engines wait until the port is known.
    const sidecarPort = settings.sidecarPort === 0 ? (await sidecarReady).port : settings.sidecarPort;
    this.#engines = Array.from({ length: settings.engineProcesses }, (_, index) =>
      this.#child(index === 0 ? 'engine' : `engine-${index}`, ['engine', '--index', String(index)], {
        ...env,
        SIDECAR_PORT: String(sidecarPort),
      }),
    );
    const started = this.#engines.map((engine) => engine.start());
    const [engine] = await Promise.all([...started, sidecarReady, transcriberReady]);
    return { port: engine!.port, databaseUrl, core: engine!.core ?? 'unknown' };
  }

  #child(name: string, args: readonly string[], env: Readonly<Record<string, string>>): ManagedChild {
    if (this.#stopped) throw new CochleaError('shutdown');
    const kind = kinds[args[0] as keyof typeof kinds];
    return new ManagedChild({ name, args, env, ...kind, log: this.log });
  }

  async #stop(): Promise<void> {
    const bound = closingBound(this.settings);
    const closeProcess: Record<ClosingProcess, () => Promise<unknown>> = {
      engine: () => Promise.all(this.#engines.map((engine) => engine.stop(bound))),
      sidecar: async () => this.#sidecar?.stop(bound),
      transcriber: async () => this.#transcriber?.stop(bound),
      database: async () => {
        // The database cannot be stopped while it starts, so its start must end first.
        await this.#starting.catch(() => undefined);
        if (this.#wroteState) await removeRunState(this.#dataDir);
        await this.#database?.stop();
      },
    };
    for (const part of closingProcesses) {
      await closeProcess[part]();
      this.log.debug({ part }, 'closed');
    }
    this.#lock?.release();
  }
}

interface KeptOptions {
  readonly dataDir: string;
  readonly log: Logger;
  readonly connections: number;
}

/** The embedded database. If it ends unexpectedly, it is restarted on the same folder and port. */
class KeptPostgres {
  #stopping = false;
  #restarting: Promise<void> = Promise.resolve();

  private constructor(
    private server: EmbeddedPostgres,
    private readonly options: KeptOptions,
  ) {
    this.#watch();
  }

  static async start(options: KeptOptions): Promise<KeptPostgres> {
    return new KeptPostgres(await startEmbeddedPostgres(options), options);
  }

  get url(): string {
    return this.server.url;
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#restarting;
    await this.server.stop();
  }

  #watch(): void {
    void this.server.exited.then(() => {
      if (!this.#stopping) this.#restarting = this.#restart();
    });
  }

  async #restart(): Promise<void> {
    const { log } = this.options;
    log.warn('database ended: restarting');
    // The children know the address, so the port must not change.
    const port = Number(new URL(this.server.url).port);
    while (!this.#stopping) {
      try {
        this.server = await startEmbeddedPostgres({ ...this.options, port });
        this.#watch();
        return;
      } catch (error) {
        log.error({ err: error }, 'database does not start');
        await pause(postgresPause);
      }
    }
  }
}
