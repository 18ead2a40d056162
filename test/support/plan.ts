import type { TextValue } from '../../src/store/constant-text.js';
import type { Sql } from '../../src/store/database.js';

type Callable = (strings: TemplateStringsArray, ...values: unknown[]) => Promise<unknown>;

/**
 * Runs `work` with a pool whose statements are also explained.
 * @param part text that the statements of interest contain.
 * @returns the plans of those statements, in their order.
 */
export const plansOf = async (
  sql: Sql,
  part: string,
  work: (sql: Sql) => Promise<unknown>,
): Promise<string[]> => {
  const plans: Promise<string>[] = [];
  const explain = (plan: Promise<unknown>): void => {
    plans.push(
      (plan as Promise<{ 'QUERY PLAN': string }[]>).then((rows) =>
        rows.map((row) => row['QUERY PLAN']).join('\n'),
      ),
    );
  };
  const watched = new Proxy(sql, {
    get(target, name) {
      if (name !== 'unsafe') return Reflect.get(target, name) as unknown;
      return (...[text, values, options]: Parameters<Sql['unsafe']>) => {
        const statement = target.unsafe(text, values, options);
        if (!text.includes(part)) return statement;
        // A statement without arguments gets its parameters before it is sent, see `preparedText`.
        const explained = target.unsafe(`explain ${text}`, values, options);
        queueMicrotask(() => {
          const { parameters } = statement as { parameters?: TextValue[] };
          explain(parameters ? Object.assign(explained, { parameters: [...parameters] }) : explained);
        });
        return statement;
      };
    },
    apply: (target, _this, given) => {
      const [strings, ...values] = given as Parameters<Callable>;
      const call = target as unknown as Callable;
      if (Array.isArray(strings) && 'raw' in strings && /^\s*(?:select|update|delete)\b/.test(strings[0]!)) {
        if (!strings.join('').includes(part)) return call(strings, ...values);
        const explained = Object.assign([`explain ${strings[0]}`, ...strings.slice(1)], { raw: strings });
        explain(call(explained as unknown as TemplateStringsArray, ...values));
      }
      return call(strings, ...values);
    },
  });
  await work(watched);
  return Promise.all(plans);
};
