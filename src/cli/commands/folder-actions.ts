import { folderRecord } from '../../client/records/index.js';
import { answeredList } from '../api/index.js';
import type { Session } from '../session/index.js';
import { columnsOf } from './record-commands.js';

export const listFolders = async (session: Session): Promise<void> => {
  const api = await session.api();
  await session.print.list(answeredList(await api.GET('/v1/dev/user/folders')), columnsOf(folderRecord));
};
