import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import t from 'tap';
import { endChild } from '../../../bench/fleet/child-process.js';
import { cpuBetween, familyOf, readCpu, readMemory } from '../../../bench/fleet/process-usage.js';

/**
 * A program that uses CPU time in its main thread, in another thread and in a child that ends. It prints the CPU time
 * in ms that it and the child measured. A second child stays alive.
 */
const burner = `
const { execFileSync, spawn } = require('node:child_process');
const { Worker } = require('node:worker_threads');
const burn = 'const end = process.cpuUsage().user + MS * 1000; while (process.cpuUsage().user < end);';
const used = '(({ user, system }) => (user + system) / 1000)(process.cpuUsage())';
const child = spawn(process.execPath, ['-e', burn.replace('MS', 150) + 'console.log(1); setInterval(() => 0, 1000)']);
const rl = require('node:readline').createInterface({ input: process.stdin });
rl.on('line', () => {
  const before = eval(used);
  eval(burn.replace('MS', 100));
  const reaped = execFileSync(process.execPath, ['-e', burn.replace('MS', 100) + 'console.log(' + used + ')']);
  new Worker(burn.replace('MS', 100), { eval: true }).on('exit', () => {
    console.log(eval(used) - before + Number(reaped));
  });
});
child.stdout.once('data', () => console.log('ready'));
process.on('exit', () => child.kill());
process.on('SIGTERM', () => process.exit());
`;

t.test('the CPU time of a process includes its threads and children, also ended ones', async (t) => {
  const child = spawn(process.execPath, ['-e', burner], { stdio: ['pipe', 'pipe', 'inherit'] });
  t.teardown(() => endChild(child, 5000));
  const lines = createInterface({ input: child.stdout });
  await once(lines, 'line');
  const pid = child.pid!;
  const family = familyOf(pid);
  t.equal(family.length, 2, 'the process and the child that lives');
  t.ok(family.every(({ command }) => command.includes(process.execPath)));
  const before = readCpu(pid);
  const done = once(lines, 'line');
  child.stdin.write('\n');
  const [told] = (await done) as [string];
  const spent = cpuBetween(before, readCpu(pid));
  // The child runs for a moment after its report. The system counts CPU time in steps of 10 ms.
  const ratio = spent / Number(told);
  t.ok(ratio > 0.9 && ratio < 1.3, `${ratio.toFixed(2)} of what they say themselves`);
  t.equal(cpuBetween(before, before), 0);

  const alone = readCpu(pid, [family.find((entry) => entry.pid !== pid)!.pid]);
  t.same([...alone.keys()], [pid], 'a child can be left out');
  const { rssKb, pssKb } = readMemory(pid);
  t.ok(rssKb > 50_000, `${rssKb} KB of two processes`);
  t.ok(pssKb > 0 && pssKb <= rssKb, 'what they share counts once');
});

t.test('an ended process has no children and no CPU time', async (t) => {
  const child = spawn(process.execPath, ['-e', '0']);
  await once(child, 'exit');
  t.same(familyOf(child.pid!), []);
  t.equal(readCpu(child.pid!).size, 0);
  t.same(readMemory(child.pid!), { rssKb: 0, pssKb: 0 });
});
