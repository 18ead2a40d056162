import { Problem, problemOf } from '../shared/index.js';

/** A file that the service sent. */
export interface SentFile {
  readonly name: string;
  readonly blob: Blob;
}

/** Returns the name of a file from a header `Content-Disposition`. @param usual the name if the header has none */
export const nameIn = (disposition: string | null, usual: string): string => {
  const [, encoded] = /filename\*=UTF-8''([\w.~!#$&+^`|%-]+)/.exec(disposition ?? '') ?? [];
  try {
    return encoded === undefined ? usual : decodeURIComponent(encoded);
  } catch {
    return usual;
  }
};

/** Begins to read an address below `/console/api/`. @throws Problem */
export const open = async (path: string, signal?: AbortSignal): Promise<Response> => {
  let answer: Response;
  try {
    answer = await fetch(`/console/api/${path}`, signal && { signal });
  } catch {
    throw new Problem(0, 'There is no connection to the service');
  }
  if (!answer.ok) throw await problemOf(answer);
  return answer;
};

/** Reads a file. @throws Problem */
export const readFile = async (path: string, usual: string): Promise<SentFile> => {
  const answer = await open(path);
  const name = nameIn(answer.headers.get('content-disposition'), usual);
  try {
    return { name, blob: await answer.blob() };
  } catch {
    throw new Problem(0, 'The connection was lost while the file was read');
  }
};

/** Ms from the start of a download until the memory of its data is released. By then the browser has read the data. */
const saving = 60_000;

/** Saves a file as a download of the browser. */
export const save = ({ name, blob }: SentFile): void => {
  const link = document.createElement('a');
  const address = URL.createObjectURL(blob);
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), saving);
};
