/** The option of a command that can print JSON. */
export interface JsonOption {
  readonly json?: boolean;
}

/** Prints a value as one line of JSON where the option asks for it, else lines for a reader. */
export const print = ({ json }: JsonOption, value: unknown, lines: readonly string[]): void => {
  const shown = json ? [JSON.stringify(value)] : lines;
  process.stdout.write(shown.map((line) => `${line}\n`).join(''));
};
