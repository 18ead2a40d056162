/** Values of one reading of a server's Prometheus page. */
export interface ServerReading {
  readonly framesDecoded: number;
  readonly framesInvalid: number;
  readonly vadWindows: number;
  readonly dropped: number;
  /** Total bytes of all open utterances; 0 if the server does not report it. */
  readonly speechBufferBytes: number;
  /** Number of open streams; undefined if the server does not report it. */
  readonly connections?: number;
  /** CPU seconds of the process since its start; undefined if the server does not report them. */
  readonly processCpuS?: number;
  /** Resident memory of the process, in bytes; undefined if the server does not report it. */
  readonly processRssBytes?: number;
  readonly frameToVad: Distribution;
}

/** A Prometheus histogram. */
export interface Distribution {
  /** Upper bounds of the buckets in ms, in rising order. The last bound is infinite. */
  readonly bounds: readonly number[];
  /** Number of values in each bucket. */
  readonly counts: readonly number[];
}

/** Length of a window of the detector, in ms. */
export const windowMs = 32;

const sample = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)/;
const bound = /(?:^|,)\s*le="([^"]*)"/;

interface Sample {
  readonly name: string;
  readonly labels: string;
  readonly value: number;
}

const parse = (page: string): Sample[] =>
  page.split('\n').flatMap((line) => {
    const found = sample.exec(line);
    return found ? [{ name: found[1]!, labels: found[2] ?? '', value: Number(found[3]) }] : [];
  });

/** Returns a function that checks whether a sample has this metric name, with any prefix. */
const called = (wanted: string): ((sample: Sample) => boolean) => {
  const ending = `_${wanted}`;
  return ({ name }) => name === wanted || name.endsWith(ending);
};

const sum = (samples: readonly Sample[], name: string): number | undefined => {
  const found = samples.filter(called(name));
  return found.length === 0 ? undefined : found.reduce((total, { value }) => total + value, 0);
};

/** Names under which servers report the number of dropped frames. Only the first name that is found counts. */
const droppedNames = ['ring_frames_dropped_total', 'frames_queue_dropped_total', 'frames_dropped_total'];
const isDropped = (given: Sample): boolean => droppedNames.some((name) => called(name)(given));

const readDistribution = (samples: readonly Sample[]): Distribution => {
  const cumulative = new Map<number, number>();
  for (const { labels, value } of samples.filter(called('frame_to_vad_seconds_bucket'))) {
    const le = bound.exec(labels)?.[1];
    if (le === undefined) continue;
    const at = le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le) * 1000;
    cumulative.set(at, (cumulative.get(at) ?? 0) + value);
  }
  const bounds = [...cumulative.keys()].sort((a, b) => a - b);
  const counts = bounds.map((at, i) => cumulative.get(at)! - (i === 0 ? 0 : cumulative.get(bounds[i - 1]!)!));
  return { bounds, counts };
};

/**
 * Reads a Prometheus page. bench/README.md explains the metric names. A name may have any prefix.
 * @throws Error when a counter that every result needs is missing.
 */
export const readPage = (page: string): ServerReading => {
  const samples = parse(page);
  const must = (name: string): number => {
    const value = sum(samples, name);
    if (value === undefined) throw new Error(`the server's page has no ${name}`);
    return value;
  };
  return {
    framesDecoded: must('frames_decoded_total'),
    framesInvalid: sum(samples, 'frames_invalid_total') ?? 0,
    vadWindows: must('vad_windows_total'),
    dropped: samples.filter(isDropped).reduce((total, { value }) => total + value, 0),
    speechBufferBytes: sum(samples, 'speech_buffer_bytes') ?? 0,
    connections: sum(samples, 'connections_active'),
    processCpuS: sum(samples, 'process_cpu_seconds_total'),
    processRssBytes: sum(samples, 'process_resident_memory_bytes'),
    frameToVad: readDistribution(samples),
  };
};

const fetchText = async (url: string): Promise<string> => {
  const answer = await fetch(url, { signal: AbortSignal.timeout(5000) });
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}`);
  return answer.text();
};

/**
 * Fetches and reads a server's page.
 * @throws Error when no page arrives within five seconds.
 */
export const fetchPage = async (url: string): Promise<ServerReading> => readPage(await fetchText(url));

/** Fetches single values of a server's page. A missing metric is 0. @throws Error as `fetchPage`. */
export const fetchValues = async <Name extends string>(
  url: string,
  names: readonly Name[],
): Promise<Record<Name, number>> => {
  const samples = parse(await fetchText(url));
  return Object.fromEntries(names.map((name) => [name, sum(samples, name) ?? 0])) as Record<Name, number>;
};

/** Returns the values that were added to a distribution since an earlier reading of the same server. */
export const gained = (before: Distribution, after: Distribution): Distribution => ({
  bounds: after.bounds,
  counts: after.counts.map((count, i) => {
    const earlier = before.bounds[i] === after.bounds[i] ? (before.counts[i] ?? 0) : 0;
    return Math.max(0, count - earlier);
  }),
});

/** Merges several distributions with the same bounds. Distributions without buckets are skipped. */
export const merged = (parts: readonly Distribution[]): Distribution => {
  const full = parts.filter(({ counts }) => counts.length > 0);
  const bounds = full[0]?.bounds ?? [];
  return {
    bounds,
    counts: bounds.map((_, i) => full.reduce((total, { counts }) => total + (counts[i] ?? 0), 0)),
  };
};

/**
 * Returns a quantile in ms. Values are assumed to be evenly spread inside their bucket. A value above the last finite
 * bound counts as that bound.
 * @param share 0 to 1
 * @returns undefined when there are no values.
 */
export const quantileOf = ({ bounds, counts }: Distribution, share: number): number | undefined => {
  const total = counts.reduce((a, b) => a + b, 0);
  if (total === 0) return undefined;
  const rank = share * total;
  let below = 0;
  for (const [i, count] of counts.entries()) {
    if (count > 0 && below + count >= rank) {
      const low = bounds[i - 1] ?? 0;
      const high = Number.isFinite(bounds[i]) ? bounds[i]! : low;
      return low + (high - low) * Math.min(1, Math.max(0, (rank - below) / count));
    }
    below += count;
  }
  return undefined;
};
