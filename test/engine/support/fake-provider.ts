import { within } from '../../../src/common/within.js';
import type {
  ProviderCapabilities,
  StreamRequest,
  UtteranceProvider,
  UtteranceRequest,
  UtteranceResult,
  UtteranceStream,
} from '../../../src/stt/shared/provider.js';

export interface Held {
  readonly request: UtteranceRequest;
  answer(result?: Partial<UtteranceResult>): void;
  fail(): void;
}

/**
 * A provider whose text names the voice that it received: an utterance of voice 7 becomes "Voice 7 says word <n>.". In manual mode,
 * results wait in `held` until the test releases them, in any order.
 */
export class FakeProvider implements UtteranceProvider {
  readonly name: string;
  readonly capabilities: ProviderCapabilities;
  manual = false;
  /** Number of connections that the provider still refuses. */
  refusals = 0;
  readonly held: Held[] = [];
  /** Whether the provider asks that utterances end only after the long silence; see `lingering`. */
  longSilence = false;
  readonly #streams = new Set<StreamRequest['emit']>();
  connects = 0;
  openStreams = 0;
  utterances = 0;
  readonly ids = new Set<number>();

  constructor(name = 'local', languages: readonly string[] = ['en'], interim = false) {
    this.name = name;
    this.capabilities = {
      audio: 'utterances',
      supports: (language) => languages.includes(language),
      diarizes: false,
      interim,
      wordTimes: false,
    };
  }

  /** Tells all streams whether utterances should end after the long silence. */
  lingering(long: boolean): void {
    this.longSilence = long;
    for (const emit of this.#streams) emit({ kind: 'silence', long });
  }

  async connect({ emit }: Pick<StreamRequest, 'emit'>): Promise<UtteranceStream> {
    this.connects++;
    if (this.refusals > 0) {
      this.refusals--;
      throw new Error('no');
    }
    this.openStreams++;
    this.#streams.add(emit);
    const pending = new Set<Promise<unknown>>();
    const current = (): boolean => this.longSilence;
    return {
      get longSilence() {
        return current();
      },
      transcribe: (request) => {
        const result = this.#transcribe(request);
        pending.add(result);
        result.catch(() => undefined).finally(() => pending.delete(result));
        return result;
      },
      finish: async (timeout) => {
        this.openStreams--;
        this.#streams.delete(emit);
        await within(Promise.allSettled(pending), timeout, () => undefined);
      },
    };
  }

  #transcribe(request: UtteranceRequest): Promise<UtteranceResult> {
    this.utterances++;
    this.ids.add(request.id);
    const result: UtteranceResult = {
      id: request.id,
      outcome: 'success',
      text: `Voice ${request.pcm.find((sample) => sample !== 0)} says word ${this.utterances}.`,
      provider: this.name,
      waited: 0,
      decoded: 0,
    };
    if (!this.manual) return Promise.resolve(result);
    return new Promise((resolve, reject) => {
      this.held.push({
        request,
        answer: (change = {}) => resolve({ ...result, ...change }),
        fail: () => reject(new Error('gone')),
      });
    });
  }
}
