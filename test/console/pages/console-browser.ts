/** Opens the console in Chromium, with a microphone that plays a file. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { browserProgram } from '../../support/browser.js';

interface Teardown {
  teardown(action: () => unknown): unknown;
}

/** Writes a WAV file of 16 kHz. @returns its path; it is removed with the test */
const wavFile = async (t: Teardown, pcm: Int16Array): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'cochlea-microphone-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + pcm.byteLength, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(16_000, 24);
  head.writeUInt32LE(32_000, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(pcm.byteLength, 40);
  const file = join(folder, 'microphone.wav');
  await writeFile(file, Buffer.concat([head, Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength)]));
  return file;
};

/** Starts Chromium. @param pcm sound that the microphone plays once. Default: a microphone with a tone. */
export const openBrowser = async (t: Teardown, pcm?: Int16Array): Promise<Browser> => {
  const browser = await chromium.launch({
    executablePath: browserProgram!,
    args: [
      '--no-sandbox',
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      '--autoplay-policy=no-user-gesture-required',
      ...(pcm ? [`--use-file-for-fake-audio-capture=${await wavFile(t, pcm)}%noloop`] : []),
    ],
  });
  t.teardown(() => browser.close());
  return browser;
};

/**
 * Signs a browser in with a link, as a user does. @param secret the secret of the link.
 * @returns errors of the page, and requests that leave the service. Both lists grow.
 */
export const enterConsole = async (
  base: string,
  secret: string,
  page: Page,
): Promise<{ readonly problems: string[]; readonly foreign: string[] }> => {
  const [problems, foreign]: [string[], string[]] = [[], []];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('request', (request) => request.url().startsWith(base) || foreign.push(request.url()));
  await page.goto(`${base}/console/enter#${secret}`);
  await page.getByRole('button', { name: /^Continue as/ }).click();
  await page.getByRole('heading', { name: 'Today' }).waitFor();
  return { problems, foreign };
};

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Returns the controls that are too small for a finger: less than 44 px, even together with their label. Links within a
 * text are excepted, as in WCAG 2.2 (2.5.8).
 */
const smallTargets = `[...document.querySelectorAll('a, button, input, select, textarea, summary, [role=option]')]
  .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest('[inert], .skip'))
  .filter((element) => !document.querySelector('dialog[open]') || element.closest('dialog'))
  .filter((element) => !(element.matches('a') && getComputedStyle(element).display === 'inline'))
  .flatMap((element) => {
    const { height } = (element.closest('label') ?? element).getBoundingClientRect();
    return height >= 43.9 ? [] : ['a target of ' + height + ' px: ' + element.outerHTML.slice(0, 120)];
  })`;

/**
 * Returns the findings of axe-core in light and dark, at 1280 and 390 px. Also reports a page that is wider than the
 * window at these widths and at 320 px (400 % of 1280), and targets that are too small on a phone.
 */
export const findingsOf = async (page: Page): Promise<string[]> => {
  const found: string[] = [];
  const measure = async (width: number, name: string): Promise<void> => {
    const wide = (await page.evaluate('document.documentElement.scrollWidth')) as number;
    if (wide > width) found.push(`${name}: ${wide} px wide`);
  };
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      const violations = (await page.evaluate(
        `${axe}; axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`,
      )) as string[];
      found.push(...violations.map((text) => `${colorScheme} ${width}: ${text}`));
      await measure(width, `${colorScheme} ${width}`);
    }
  }
  const small = (await page.evaluate(smallTargets)) as string[];
  found.push(...small.map((text) => `390: ${text}`));
  await page.setViewportSize({ width: 320, height: 800 });
  await measure(320, '320');
  await page.setViewportSize({ width: 1280, height: 800 });
  return found;
};
