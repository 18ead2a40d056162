/**
 * Tests that the checks of `markup.test.ts` can fail: each payload is written into a page that makes the mistake which
 * the payload is made for.
 */
import t from 'tap';
import { browserMissing as skip } from '../../support/browser.js';
import { type Hole, markupPayloads } from '../../support/texts/markup-payloads.js';
import { openBrowser } from './console-browser.js';
import { missingIn, strayIn, watch } from './markup-watch.js';

const base = 'http://service.example';

const escaped = (text: string): string => text.replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`);
const inBody = (markup: string): string =>
  `<!doctype html><title>Page</title><body><p id="text">${markup}</p>`;
const inScript = (script: string): string => inBody(`</p><script id="text">${script}</script>`);

/** For each mistake, a function that writes a text into a page that makes this mistake. */
const holes: Readonly<Record<Hole, (text: string) => string>> = {
  markup: inBody,
  double: (text) => inBody(`<input value="${text}">`),
  single: (text) => inBody(`<input value='${text}'>`),
  bare: (text) => inBody(`<input value=${text}>`),
  address: (text) => inBody(`<a href="${escaped(text)}">Open</a>`),
  title: (text) => `<!doctype html><title>${text}</title><body><p id="text"></p>`,
  textarea: (text) => inBody(`<textarea>${text}</textarea>`),
  comment: (text) => inBody(`<!-- ${text} -->`),
  script: (text) => inScript(`const given = "${text}";`),
  quoted: (text) => inScript(`const given = "${text.replaceAll('"', '\\"')}";`),
  style: (text) => inBody(`<style>p { color: red; ${text}</style>`),
  decoded: (text) =>
    inScript(
      `const once = new DOMParser().parseFromString(${JSON.stringify(text)}, 'text/html').body.textContent;
       const place = document.createElement('p'); document.body.append(place); place.innerHTML = once;`,
    ),
  stripped: (text) => inBody(text.replaceAll('\u0000', '')),
  template: (text) =>
    inScript(
      `const given = ${JSON.stringify(text)}.replace(/\\{\\{(.*)\\}\\}|<%=(.*)%>/, '$' + '{$1$2}');
       const constructor = Function; new Function('constructor', 'return \`' + given + '\`')(Object);`,
    ),
  markdown: (text) =>
    inBody(
      text
        .replace(/^!\[x\]\((.*)\)$/, '<img src="$1">')
        .replace(/^\[x\]\((.*)\)$/, '<a href="$1">x</a>')
        .replace(/^<(\w+:.*)>$/, '<a href="$1">x</a>'),
    ),
  sentence: (text) => inBody(`Signed in as ${escaped(text)}. It works once.`),
};

t.test('each payload is found in a page with its hole', { skip, timeout: 60_000 }, async (t) => {
  const browser = await openBrowser(t);
  const context = await browser.newContext({ serviceWorkers: 'block' });
  const page = await context.newPage();
  const { reports } = await watch(context, base);
  let body = '';
  let policy = '';
  await context.route(`${base}/**`, (route) =>
    route.fulfill({
      contentType: 'text/html; charset=utf-8',
      headers: policy === '' ? {} : { 'content-security-policy': policy },
      body: new URL(route.request().url()).pathname === '/page' ? body : '',
    }),
  );
  const kinds = new Set<string>();
  const found = async (hole: Hole, text: string, isolated: readonly string[] = []): Promise<string[]> => {
    reports.length = 0;
    body = holes[hole](text);
    await page.goto(`${base}/page`, { waitUntil: 'load' });
    // A payload may open a different page. Then `strayIn` fails, and a request is reported.
    const all = [...(await strayIn(page, isolated).catch(() => [])), ...reports];
    if (hole === 'markup' && (await missingIn(page, '#text', [text])).length > 0) all.push('text: changed');
    return all;
  };
  /** What the check finds in the page with this mistake if the text is harmless. */
  const usual = new Map<Hole, readonly string[]>();
  for (const [hole] of markupPayloads) if (!usual.has(hole)) usual.set(hole, await found(hole, 'Words'));
  t.ok(markupPayloads.length >= 60, `${markupPayloads.length} payloads`);
  t.equal(new Set(markupPayloads.map(([, text]) => text)).size, markupPayloads.length);
  for (const [hole, text] of markupPayloads) {
    const all = await found(hole, text, hole === 'sentence' ? [text] : []);
    for (const one of usual.get(hole)!) if (all.includes(one)) all.splice(all.indexOf(one), 1);
    for (const one of all) kinds.add(one.split(':')[0]!);
    t.ok(all.length > 0, `${hole}: ${JSON.stringify(text)}: ${all.join(', ')}`);
  }
  policy = "default-src 'none'; script-src 'self'";
  for (const one of await found('markup', '<img src=x onerror=ran()>')) kinds.add(one.split(':')[0]!);
  t.same([...kinds].sort(), [
    ...['address', 'attribute', 'dialog', 'direction', 'element', 'policy', 'request', 'script', 'text'],
  ]);
  body = inBody(escaped(markupPayloads[0]![1]));
  reports.length = 0;
  await page.goto(`${base}/page`);
  t.same(
    [await strayIn(page), await missingIn(page, '#text', [markupPayloads[0]![1]]), reports],
    [[], [], []],
  );
});
