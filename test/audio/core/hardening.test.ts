/** Checks the compiler and linker hardening options of the addon. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import t from 'tap';

const inCheckout = (path: string): string => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));
const flags = (text: string): string[] => text.match(/-[\w=,-]+/g)!.sort();

t.test('both build files have the same hardening flags', async (t) => {
  const cmake = readFileSync(inCheckout('CMakeLists.txt'), 'utf8');
  const gyp = readFileSync(inCheckout('binding.gyp'), 'utf8');
  const set = (name: string): string[] => flags(new RegExp(`set\\(${name}\\s([^)]*)\\)`).exec(cmake)![1]!);
  const linux = /\['OS=="linux"', \{([^}]*)\}/.exec(gyp)![1]!;
  const [compile, link] = linux.split("'ldflags'");
  t.same(flags(compile!.replace("'cflags_cc'", '')), set('HARDENING_COMPILE'));
  t.same(flags(link!), set('HARDENING_LINK'));
  const x86 = /target_arch=="x64"', \{([^}]*)\}/.exec(gyp)![1]!;
  t.same(flags(x86.replace("'cflags_cc'", '')), set('HARDENING_COMPILE_X86'));
});

const addon = inCheckout('build/Release/cochlea.node');
const lacking = !existsSync(addon)
  ? 'the native core has not been built'
  : process.platform !== 'linux' || spawnSync('readelf', ['--version']).error
    ? 'readelf is not installed (Debian: apt-get install binutils)'
    : false;

t.test('the built addon has the hardening', { skip: lacking }, async (t) => {
  const read = (option: string): string =>
    spawnSync('readelf', [option, '-W', addon], { encoding: 'utf8' }).stdout;
  const segments = read('-l');
  t.match(segments, 'GNU_RELRO', 'tables of addresses are read-only');
  t.match(read('-d'), /\bBIND_NOW\b|Flags:.*\bNOW\b/, 'and filled before anything runs');
  const stack = segments.split('\n').find((line) => line.includes('GNU_STACK'))!;
  t.match(stack, / RW +0x/, 'the stack is not executable');
  t.notMatch(segments, /LOAD.* RWE /, 'no memory is writable and executable');
  const symbols = read('--dyn-syms');
  t.match(symbols, '__stack_chk_fail', 'stack protector');
  t.match(symbols, '__memcpy_chk', 'fortified copies');
});
