import type { Tool as ListedTool, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import { type ZodObject, z } from 'zod';
import type { McpScope } from '../../../identity/index.js';
import type { RouteContext } from '../../frame/index.js';
import type { Policy } from '../../limits/index.js';

/** What a tool does to the data of its user. */
type Effect = 'read' | 'add' | 'add once' | 'replace' | 'change' | 'delete';

/** What a tool is called with. */
export interface ToolCall<Arguments> {
  readonly uid: string;
  /** What the credential allows. */
  readonly scopes: readonly string[];
  readonly given: Arguments;
}

interface ToolHead {
  readonly name: string;
  readonly title: string;
  /** For a model, which chooses by it. */
  readonly description: string;
  /** What the credential has to allow: one of these. */
  readonly scopes: readonly [McpScope, ...McpScope[]];
  readonly effect: Effect;
  /** Limits by user that a call counts against, beside that of every message. */
  readonly limits?: readonly Policy[];
}

/** A declared tool: schemas, listing and checks are made from it. */
export interface Tool extends ToolHead {
  readonly input: ZodObject;
  readonly output: z.ZodType;
  // biome-ignore lint/suspicious/noExplicitAny: `tool` has checked the function against the schema
  readonly call: (call: ToolCall<any>) => Promise<object>;
}

/** Declares a tool. @param declared `call` answers plain JSON values in the form of `output`. */
export const tool = <Input extends ZodObject>(
  declared: ToolHead & {
    readonly input: Input;
    readonly output: z.ZodType;
    readonly call: (call: ToolCall<z.output<Input>>) => Promise<object>;
  },
): Tool => declared as unknown as Tool;

/** What tools work with. */
export type ToolContext = Pick<RouteContext, 'sql' | 'settings' | 'search'>;

/** The tools of a group, on what they work with. */
export type ToolGroup = (context: ToolContext) => readonly Tool[];

const annotationsOf: Readonly<Record<Effect, ToolAnnotations>> = {
  read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  add: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  'add once': { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  replace: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  change: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  delete: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
};

type JsonSchema = ListedTool['inputSchema'];

/** The JSON schema of what a schema accepts, or answers. Fields of `fields.ts` say themselves what they accept. */
const jsonSchema = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema => {
  const made = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema: part }) => {
      const { override } = part as { override?: object };
      delete (part as { override?: object }).override;
      delete (part as { id?: string }).id;
      if (override) Object.assign(part, override);
    },
    reused: 'inline',
  });
  const { $schema, ...rest } = made as Record<string, unknown>;
  return rest as JsonSchema;
};

/** A tool as `tools/list` shows it. @param structured whether the client knows titles and schemas of answers. */
export const listed = (declared: Tool, structured: boolean): ListedTool => {
  const { name, title, description, scopes, effect, input, output } = declared;
  return {
    name,
    ...(structured && { title }),
    description,
    inputSchema: jsonSchema(input, 'input'),
    ...(structured && { outputSchema: jsonSchema(output, 'output') }),
    annotations: annotationsOf[effect],
    // Not of the protocol: a platform for assistants asks for the scopes that it finds here.
    securitySchemes: [{ type: 'oauth2', scopes: [...scopes] }],
  } as ListedTool;
};

/** Whether a call may also be answered what another scope opens than that of its tool. */
export const alsoOpens = ({ scopes }: Pick<ToolCall<unknown>, 'scopes'>, scope: McpScope): boolean =>
  scopes.includes(scope);

/** Whether what a credential allows includes a tool. */
export const allows = (scopes: readonly string[], { scopes: needed }: Pick<Tool, 'scopes'>): boolean =>
  needed.some((scope) => scopes.includes(scope));
