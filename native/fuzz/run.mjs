// Fuzzes every parser of binary data. Builds the codec libraries and the targets, makes the seeds and replays
// earlier findings. Then fuzzes two targets at a time. The last line of the output is "N passed, N failed".
//   npm run fuzz -- [--minutes N] [--only NAME]
// Findings are kept in build/fuzz/findings, the corpus in build/fuzz/corpus. Needs clang, cmake, make and
// pkg-config.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const home = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const work = join(home, 'build/fuzz');
const built = join(work, 'targets');
const parallel = 2;

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '1' }, only: { type: 'string' } },
});
const seconds = Math.round(Number(values.minutes) * 60);
if (!(seconds > 0)) {
  console.error('--minutes takes a number above 0.');
  process.exit(2);
}

const running = new Set();
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    for (const child of running) child.kill('SIGKILL');
    process.exit(1);
  });
}

/** Runs a command until it ends. @returns its exit status and its output */
const run = (command, args, env = {}, inherit = false) =>
  new Promise((done) => {
    const child = spawn(command, args, {
      cwd: home,
      env: { ...process.env, ...env },
      stdio: ['ignore', inherit ? 'inherit' : 'pipe', inherit ? 'inherit' : 'pipe'],
    });
    running.add(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text) => {
        // Only the end of a long output is kept, because the result is at the end.
        output = (output + text).slice(-200_000);
      });
    }
    child.once('error', (error) => done({ status: 127, output: error.message }));
    child.once('close', (code) => {
      running.delete(child);
      done({ status: code ?? 1, output });
    });
  });

const must = async (command, args, env) => {
  const { status, output } = await run(command, args, env);
  if (status === 0) return;
  console.error(output.split('\n').slice(-40).join('\n'));
  console.error(`${command} failed with status ${status}.`);
  console.log('0 passed, 1 failed');
  process.exit(1);
};

const build = async () => {
  mkdirSync(work, { recursive: true });
  const libraries = await run('bash', ['native/fuzz/build-libraries.sh'], {}, true);
  if (libraries.status !== 0 && libraries.status !== 3) {
    console.log('0 passed, 1 failed');
    process.exit(1);
  }
  const env = { PKG_CONFIG_PATH: join(work, 'libraries/lib/pkgconfig') };
  const configure = ['-S', '.', '-B', built, '-DCMAKE_CXX_COMPILER=clang++', '-DCMAKE_BUILD_TYPE=Release', '-DCOCHLEA_FUZZ=ON'];
  await must('cmake', configure, env);
  await must('cmake', ['--build', built, '-j', String(parallel)], env);
  await must(join(built, 'fuzz-seeds'), [join(work, 'seeds')]);
  await encodeAac();
};

/** Encodes AAC seeds with FFmpeg in the format of fuzz/frames.h, because no library built here encodes AAC. */
const encodeAac = async () => {
  const shapes = [
    ['16000', '1', '24k'],
    ['8000', '1', '16k'],
    ['44100', '2', '64k'],
    ['48000', '2', '128k'],
  ];
  for (const [rate, channels, bitrate] of shapes) {
    const file = join(work, `${rate}-${channels}.aac`);
    const sound = `aevalsrc=0.3*sin(880*t*t)+0.05*random(0):s=${rate}:d=0.6`;
    const args = ['-v', 'error', '-y', '-f', 'lavfi', '-i', sound, '-ac', channels, '-c:a', 'aac', '-b:a', bitrate];
    const { status } = await run('ffmpeg', [...args, '-f', 'adts', file]);
    if (status !== 0) {
      console.log('aac: there is no ffmpeg here; this target starts from silent frames only');
      return;
    }
    const bytes = readFileSync(file);
    const frames = [];
    for (let at = 0; at + 7 <= bytes.length && frames.length < 12; ) {
      const length = ((bytes[at + 3] & 3) << 11) | (bytes[at + 4] << 3) | (bytes[at + 5] >> 5);
      frames.push(Buffer.from([length & 0xff, length >> 8]), bytes.subarray(at, at + length));
      at += length;
    }
    const stream = Buffer.concat(frames);
    writeFileSync(join(work, 'seeds/aac', `${rate}-${channels}`), stream);
    // The stream target expects byte 0 to be the codec, so it is written before the frames.
    writeFileSync(join(work, 'seeds/stream', `aac-${rate}-${channels}`), Buffer.concat([Buffer.from([3]), stream]));
  }
};

const files = (directory) =>
  existsSync(directory) ? readdirSync(directory).map((name) => join(directory, name)) : [];

/**
 * Options that make the sanitizers abort on a finding. Unlimited memory and inputs that take seconds also
 * count as findings.
 */
const sanitizers = {
  ASAN_OPTIONS: 'detect_leaks=1:allocator_may_return_null=0:quarantine_size_mb=16',
  UBSAN_OPTIONS: 'print_stacktrace=1:halt_on_error=1',
};
const limits = ['-timeout=10', '-rss_limit_mb=1024', '-max_len=8192'];

/** Fuzzes one target. @returns whether the target ran without a finding */
const fuzz = async (name) => {
  const target = join(built, `fuzz-${name}`);
  const findings = join(work, 'findings', name);
  const corpus = join(work, 'corpus', name);
  for (const directory of [findings, corpus]) mkdirSync(directory, { recursive: true });

  const old = files(join(home, 'native/fuzz/regressions', name));
  if (old.length > 0) {
    const replay = await run(target, [...limits, ...old], sanitizers);
    if (replay.status !== 0) return report(name, replay.output, 'what once failed fails again');
  }
  const before = files(findings).length;
  const args = [
    ...limits,
    `-max_total_time=${seconds}`,
    `-artifact_prefix=${findings}/`,
    '-print_final_stats=1',
    corpus,
    ...[join(work, 'seeds', name)].filter((seeds) => existsSync(seeds)),
  ];
  const { status, output } = await run(target, args, sanitizers);
  writeFileSync(join(work, `${name}.log`), output);
  if (status !== 0 || files(findings).length > before) return report(name, output, `see ${findings}`);
  const runs = output.match(/stat::number_of_executed_units:\s*(\d+)/)?.[1];
  const covered = output.match(/cov: (\d+)(?!.*cov: )/s)?.[1];
  if (!runs || Number(runs) < 100) return report(name, output, 'it hardly ran');
  console.log(`ok ${name}: ${runs} inputs in ${seconds} s, ${covered} edges, ${files(corpus).length} in the corpus`);
  return true;
};

const report = (name, output, why) => {
  const lines = output.split('\n');
  const first = lines.findIndex((line) => /ERROR:|runtime error:|SUMMARY:/.test(line));
  console.log(lines.slice(Math.max(0, first), Math.max(0, first) + 40).join('\n'));
  console.log(`not ok ${name}: ${why}`);
  return false;
};

await build();
const names = readdirSync(built)
  .filter((name) => name.startsWith('fuzz-') && name !== 'fuzz-seeds')
  .map((name) => name.slice('fuzz-'.length))
  .filter((name) => !values.only || name === values.only)
  .sort();
if (names.length === 0) {
  console.error(`There is no target ${values.only}.`);
  process.exit(2);
}
let passed = 0;
let failed = 0;
const waiting = [...names];
await Promise.all(
  Array.from({ length: parallel }, async () => {
    for (let name = waiting.shift(); name; name = waiting.shift()) {
      if (await fuzz(name)) passed++;
      else failed++;
    }
  }),
);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
