import { base, tokens } from '../../console/style/index.js';

/** HTML text whose inserted values are escaped. */
export class Html {
  constructor(readonly text: string) {}
}

type Value = Html | string | number | false | null | undefined | readonly Html[];

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const written = (value: Value): string => {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return (value as readonly Html[]).map(({ text }) => text).join('');
  if (value === false || value === null || value === undefined) return '';
  return String(value).replace(/[&<>"']/g, (character) => escapes[character]!);
};

/** Creates HTML text. Escapes inserted values, unless they are `Html`. Attribute values must be quoted. */
export const html = (parts: TemplateStringsArray, ...values: readonly Value[]): Html =>
  new Html(parts.reduce((whole, part, index) => whole + written(values[index - 1]) + part));

/** Returns a complete page. @param head HTML that loads the page's style sheet. Pages of the sign-in run no script. */
export const page = (
  title: string,
  content: Html,
  head = html`<link rel="stylesheet" href="/account/style.css">`,
): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
${head}
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`.text;

/**
 * Returns the content security policy of a page.
 * @param redirect origin to which the page's form may lead, in addition to this service.
 */
export const pagePolicy = (redirect?: string): string =>
  `default-src 'none'; style-src 'self'; form-action 'self'${redirect ? ` ${redirect}` : ''}; frame-ancestors 'none'; base-uri 'none'`;

/** Returns a page with one message. @param ways links to what the person can do next. */
export const notice = (title: string, text: string, ways?: Html): string =>
  page(title, html`<p>${text}</p>${ways}`);

/** The style sheet of the sign-in and account pages. Its colours, spaces and type are those of the console. */
export const styleSheet = `${tokens}${base}
main { max-width: 26rem; margin: var(--space-6) auto; padding: var(--space-6); overflow-wrap: anywhere; }
h2 { margin-top: var(--space-6); }
label { display: block; margin: var(--space-4) 0 var(--space-1); }
input[type=email], input[type=password], input[type=text] { width: 100%; }
fieldset { margin: var(--space-4) 0; }
fieldset label, label:has(> input[type=checkbox]) { display: flex; align-items: center; gap: var(--space-3); min-height: var(--target); margin: 0; }
button { margin: var(--space-4) var(--space-2) 0 0; }
li { margin: var(--space-3) 0; }
strong { unicode-bidi: isolate; }
[role=alert] { padding: var(--space-3) var(--space-4); border-left: 4px solid var(--alert-edge); background: var(--alert); color: var(--alert-text); }
@media (max-width: 30rem) {
  main { margin: 0; padding: var(--space-4); }
  ul { padding-left: 1.2rem; }
  p > a, li > a { display: inline-block; padding: var(--space-3) 0; min-height: var(--target); }
}
`;
