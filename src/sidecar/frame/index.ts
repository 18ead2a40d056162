/** The frame that every route uses: declares, describes, registers and admits it. */
export { installBodyParser, longBody } from './body-parser.js';
export type { RouteContext } from './context.js';
export { deletion } from './deletion.js';
export { describeConsole } from './description.js';
export { installDescription } from './description-pages.js';
export { recordHeads } from './record-heads.js';
export { type Registration, registerRoutes } from './register.js';
export {
  answerBytesOf,
  jsonAnswer,
  type Limit,
  type Route,
  type RouteHead,
  type RouteInput,
  route,
  successStatus,
  type Tag,
} from './route.js';
export { schemaController } from './schema-compilers.js';
