import type { Schemas } from '../../client/index.js';
import { answeredList } from '../api/index.js';
import type { Session } from '../session/index.js';

type Folder = Schemas['Folder'];

export const listFolders = async (session: Session): Promise<void> => {
  const api = await session.api();
  await session.print.list(answeredList(await api.GET('/v1/dev/user/folders')), [
    { head: 'id', value: (row: Folder) => row.id },
    { head: 'name', value: (row: Folder) => row.name, width: 40 },
    { head: 'conversations', value: (row: Folder) => row.conversation_count },
    { head: 'color', value: (row: Folder) => row.color },
    { head: 'icon', value: (row: Folder) => row.icon },
    { head: 'system', value: (row: Folder) => row.is_system },
  ]);
};
