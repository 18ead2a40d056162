/** Engines, sidecars and transcribers, started by the product's own commands. */
import { fileURLToPath } from 'node:url';
import { type SettingName, settings as table } from '../../../src/config/index.js';
import { addressFor, type FleetState, type Launch, type Part } from '../state.js';
import { pairUrl } from './postgres.js';

/** The command `cochlea`. */
export const command = fileURLToPath(new URL('../../../src/app/cochlea.js', import.meta.url));

/** Files and addresses that all processes of the product need. */
export interface ProductPlan {
  readonly parts: readonly Part[];
  readonly links: FleetState['links'];
  readonly secrets: FleetState['secrets'];
  readonly settings: FleetState['settings'];
  readonly network: FleetState['network'];
  readonly publicUrl: string;
  readonly modelsDir: string;
  /** Folder of the bus's credentials. */
  readonly keys: string;
  /** Certificate of the NATS servers; absent on loopback. */
  readonly natsCa?: string | undefined;
  /** Program that runs in place of `cochlea transcriber`. */
  readonly transcriberProgram?: string | undefined;
}

type Variables = Readonly<Record<string, string>>;

const settingNames = Object.keys(table) as SettingName[];

/**
 * Returns the variables of this process without settings of the product. Those settings belong to another deployment.
 */
export const cleanEnvironment = (): NodeJS.ProcessEnv => {
  const env = { ...process.env };
  for (const name of settingNames) delete env[table[name].env];
  return env;
};

/** Returns the variables with which an operator's command acts on the fleet. */
export const operatorSettings = (state: FleetState, publicUrl: string): Variables => {
  const servers = state.parts.filter(({ role }) => role === 'postgres');
  return {
    DATABASE_URL: pairUrl(
      state.secrets.database,
      servers.map(({ host, ports }) => `${host}:${ports.main}`),
    ),
    ISSUER_SECRET: state.secrets.issuer,
    PUBLIC_URL: publicUrl,
  };
};

/** Settings of a bus that is not used. They make settings valid that require a bus. */
export const standInBus = { NATS_URL: 'nats://127.0.0.1', SPILL_KEY: 's'.repeat(32) } as const;

const shared = (plan: ProductPlan, part: Part, role: 'ENGINE' | 'SIDECAR'): Variables => {
  const reach = (wanted: Part['role']): string[] =>
    plan.parts
      .filter((other) => other.role === wanted)
      .map((other) => addressFor(plan.links, part.name, other.name));
  const scheme = plan.natsCa ? 'tls' : 'nats';
  return {
    DATABASE_URL: pairUrl(plan.secrets.database, reach('postgres')),
    ISSUER_SECRET: plan.secrets.issuer,
    SPILL_KEY: plan.secrets.spill,
    PUBLIC_URL: plan.publicUrl,
    COCHLEA_DATA_DIR: part.folder,
    COCHLEA_MODELS_DIR: plan.modelsDir,
    TRANSCRIBER_START: 'join',
    NATS_URL: reach('nats')
      .map((address) => `${scheme}://${address}`)
      .join(','),
    NATS_NAME: part.name,
    [`NATS_${role}_CREDENTIALS`]: `${plan.keys}/${role.toLowerCase()}-${part.name}.seed`,
    ...(plan.natsCa ? { NATS_CA: plan.natsCa, PRIVATE_NETWORK: 'true' } : {}),
  };
};

const portsOf = ({ host, ports }: Part, own: 'main' | 'monitor'): { host: string; port: string } => ({
  host,
  port: String(ports[own]),
});

const engineSettings = (plan: ProductPlan, part: Part): Variables => {
  const sidecars = plan.parts.filter(({ role }) => role === 'sidecar');
  const engines = plan.parts.filter(({ role }) => role === 'engine');
  const sidecar = sidecars[engines.findIndex(({ name }) => name === part.name) % sidecars.length]!;
  const [sidecarHost, sidecarPort] = addressFor(plan.links, part.name, sidecar.name).split(':') as [
    string,
    string,
  ];
  const balancer = plan.parts.find(({ role }) => role === 'balancer')!;
  return {
    ...shared(plan, part, 'ENGINE'),
    HOST: part.host,
    PORT: portsOf(part, 'main').port,
    METRICS_HOST: part.host,
    METRICS_PORT: portsOf(part, 'monitor').port,
    SIDECAR_HOST: sidecarHost,
    SIDECAR_PORT: sidecarPort,
    ...(plan.network === 'netns' ? { TLS_PROXY: 'true', TRUSTED_PROXIES: balancer.host } : {}),
  };
};

const sidecarSettings = (plan: ProductPlan, part: Part): Variables => ({
  ...shared(plan, part, 'SIDECAR'),
  SIDECAR_HOST: part.host,
  SIDECAR_PORT: portsOf(part, 'main').port,
  METRICS_HOST: part.host,
  SIDECAR_METRICS_PORT: portsOf(part, 'monitor').port,
});

const transcriberSettings = (plan: ProductPlan, part: Part): Variables => ({
  // A transcriber uses no bus, but checks all settings of `--env`, and some of them require a bus.
  ...standInBus,
  COCHLEA_DATA_DIR: part.folder,
  COCHLEA_MODELS_DIR: plan.modelsDir,
});

/** Returns how a process of the product is started. The settings of `--env` override all others. */
export const productLaunch = (plan: ProductPlan, part: Part): Launch => {
  const role = part.role as 'engine' | 'sidecar' | 'transcriber';
  const of = { engine: engineSettings, sidecar: sidecarSettings, transcriber: transcriberSettings };
  return {
    program: process.execPath,
    args: role === 'transcriber' && plan.transcriberProgram ? [plan.transcriberProgram] : [command, role],
    env: { ...of[role](plan, part), ...plan.settings },
  };
};

const answers = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(2000) }).then(
    ({ ok }) => ok,
    () => false,
  );

/** Whether an engine accepts streams. */
export const isEngineReady = ({ host, ports }: Part): Promise<boolean> =>
  answers(`http://${host}:${ports.main}/engine/health/ready`);

/** Whether a sidecar reaches its database. */
export const isSidecarReady = ({ host, ports }: Part): Promise<boolean> =>
  answers(`http://${host}:${ports.main}/health/ready`);

/** Returns the samples of a metrics page, by name with labels; nothing if the page does not answer. */
export const readMetrics = async ({ host, ports }: Part): Promise<ReadonlyMap<string, number>> => {
  try {
    const url = `http://${host}:${ports.monitor}/metrics`;
    const page = await (await fetch(url, { signal: AbortSignal.timeout(2000) })).text();
    const samples = page.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    return new Map(
      samples.map((line) => {
        const at = line.lastIndexOf(' ');
        return [line.slice(0, at), Number(line.slice(at + 1))];
      }),
    );
  } catch {
    return new Map();
  }
};
