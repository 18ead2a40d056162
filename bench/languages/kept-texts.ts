import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { checkout } from '../checkout.js';

/**
 * Texts that a model wrote for recordings, kept in a file of `build/bench`. Decoding all recordings again would take
 * minutes.
 */
export class KeptTexts {
  private constructor(
    private readonly file: string,
    private readonly texts: Record<string, string>,
  ) {}

  /** Opens the file of a model. A missing or damaged file counts as empty. */
  static async open(model: string): Promise<KeptTexts> {
    const file = fileURLToPath(new URL(`build/bench/texts-${model}.json`, checkout));
    const texts = await readFile(file, 'utf8')
      .then((content) => JSON.parse(content) as Record<string, string>)
      .catch(() => ({}));
    return new KeptTexts(file, texts);
  }

  /** Returns the text of a recording. If the file does not contain the text, `make` makes it. */
  async of(path: string, make: () => Promise<string>): Promise<string> {
    const key = path.split('/').slice(-4).join('/');
    this.texts[key] ??= await make();
    return this.texts[key];
  }

  async write(): Promise<void> {
    await writeFile(this.file, JSON.stringify(this.texts));
  }
}
