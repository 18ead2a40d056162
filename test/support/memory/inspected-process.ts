/** Counts objects on the JavaScript heaps of a running process, through V8's inspector. */
import { WebSocket } from 'ws';
import { z } from 'zod';
import { until } from '../until.js';

interface Teardown {
  teardown(action: () => unknown): unknown;
}

export interface InspectedProcess {
  /** Collects garbage in the main thread and in every worker. @returns the number of objects that remain in all threads. */
  objects(): Promise<number>;
}

const replySchema = z.object({
  id: z.number().optional(),
  method: z.string().optional(),
  params: z.record(z.string(), z.unknown()).optional(),
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.object({ message: z.string() }).optional(),
});
type Reply = z.output<typeof replySchema>;

const listSchema = z.tuple([z.object({ webSocketDebuggerUrl: z.string() })]);
const objectSchema = z.object({ objectId: z.string() });
const group = 'count';

/** Returns environment variables that make the engine of a product open its inspector on this port. */
export const inspectedEngine = (port: number): NodeJS.ProcessEnv => ({
  NODE_OPTIONS: `--import=${new URL('open-inspector.js', import.meta.url)}`,
  TEST_INSPECTOR_PORT: String(port),
});

/** Connects to the inspector of an engine that was started with `inspectedEngine`, and attaches to its workers. */
export const inspectProcess = async (t: Teardown, port: number): Promise<InspectedProcess> => {
  const [{ webSocketDebuggerUrl: url }] = await until(async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/json/list`).catch(() => undefined);
    return answer && listSchema.parse(await answer.json());
  }, 'the inspector listens');
  const socket = new WebSocket(url);
  t.teardown(() => socket.terminate());
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));

  const workers = new Set<string>();
  const waiting = new Map<number, (reply: Reply) => void>();
  let lastId = 0;
  const take = (reply: Reply): void => {
    const { sessionId, message } = reply.params ?? {};
    if (reply.method === 'NodeWorker.attachedToWorker') workers.add(String(sessionId));
    else if (reply.method === 'NodeWorker.detachedFromWorker') workers.delete(String(sessionId));
    else if (reply.method === 'NodeWorker.receivedMessageFromWorker')
      take(replySchema.parse(JSON.parse(String(message))));
    else waiting.get(reply.id ?? 0)?.(reply);
  };
  socket.on('message', (data) => take(replySchema.parse(JSON.parse(String(data)))));

  /** Sends a request to the inspector. @param worker session of a worker. Default: the main thread. */
  const ask = async (method: string, params: object, worker?: string): Promise<Record<string, unknown>> => {
    const id = ++lastId;
    const text = JSON.stringify({ id, method, params });
    const reply = await new Promise<Reply>((resolve) => {
      waiting.set(id, resolve);
      const through = { sessionId: worker, message: text };
      const wrapped = { id: ++lastId, method: 'NodeWorker.sendMessageToWorker', params: through };
      socket.send(worker === undefined ? text : JSON.stringify(wrapped));
    });
    waiting.delete(id);
    if (reply.error) throw new Error(`${method}: ${reply.error.message}`);
    return reply.result ?? {};
  };

  const objectsOf = async (worker?: string): Promise<number> => {
    const every = { expression: 'Object.prototype', objectGroup: group };
    const { objectId } = objectSchema.parse((await ask('Runtime.evaluate', every, worker)).result);
    // A query of objects collects garbage first.
    const query = { prototypeObjectId: objectId, objectGroup: group };
    const found = objectSchema.parse((await ask('Runtime.queryObjects', query, worker)).objects);
    const length = {
      objectId: found.objectId,
      functionDeclaration: 'function () { return this.length; }',
      returnByValue: true,
    };
    const counted = await ask('Runtime.callFunctionOn', length, worker);
    await ask('Runtime.releaseObjectGroup', { objectGroup: group }, worker);
    return z.object({ value: z.number() }).parse(counted.result).value;
  };

  await ask('NodeWorker.enable', { waitForDebuggerOnStart: false });
  await until(() => workers.size > 0, 'a worker is attached');
  return {
    objects: async () => {
      let sum = await objectsOf();
      for (const worker of workers) sum += await objectsOf(worker);
      return sum;
    },
  };
};
