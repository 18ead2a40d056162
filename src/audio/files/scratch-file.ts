import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Number of bytes that are read at once. */
const readBytes = 65_536;

/**
 * A temporary file without a name. The system deletes the file when it is closed, and also when its process ends or
 * crashes. Methods throw the errors of the file system.
 */
export class ScratchFile {
  #size = 0;

  private constructor(private readonly file: FileHandle) {}

  /**
   * Creates a file in a folder.
   * @param folder is created if missing. Only the user of this process may access a created folder.
   */
  static async create(folder: string): Promise<ScratchFile> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, randomUUID());
    const file = await open(path, 'wx+', 0o600);
    try {
      await rm(path);
    } catch (error) {
      await file.close();
      throw error;
    }
    return new ScratchFile(file);
  }

  /** Length of the file in bytes. */
  get size(): number {
    return this.#size;
  }

  /** A file descriptor of this process. A child process may inherit it while the file is open. */
  get descriptor(): number {
    return this.file.fd;
  }

  async append(piece: Uint8Array): Promise<void> {
    for (let at = 0; at < piece.length; ) {
      const { bytesWritten } = await this.file.write(piece, at, piece.length - at, this.#size);
      at += bytesWritten;
      this.#size += bytesWritten;
    }
  }

  /** Replaces bytes within the file, whose size stays the same. */
  async overwrite(from: number, bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      const { bytesWritten } = await this.file.write(bytes, at, bytes.length - at, from + at);
      at += bytesWritten;
    }
  }

  /** Records that `bytes` bytes were appended through the descriptor, for example by a child process. */
  hasGrown(bytes: number): void {
    this.#size += bytes;
  }

  /**
   * Returns `bytes` bytes of the file from `from` on, or fewer bytes if the file ends before. The caller owns the
   * buffer.
   */
  async read(from: number, bytes: number): Promise<Buffer> {
    const wanted = Math.max(0, Math.min(bytes, this.#size - from));
    const piece = Buffer.alloc(wanted);
    let got = 0;
    while (got < wanted) {
      const { bytesRead } = await this.file.read(piece, got, wanted - got, from + got);
      if (bytesRead === 0) break;
      got += bytesRead;
    }
    return piece.subarray(0, got);
  }

  /** Yields the bytes between two positions, piece by piece. */
  async *pieces(from = 0, to = this.#size): AsyncGenerator<Buffer, void, undefined> {
    for (let at = from; at < to; at += readBytes) yield await this.read(at, Math.min(readBytes, to - at));
  }

  /** Closes and thereby deletes the file. A second call does nothing. */
  async close(): Promise<void> {
    await this.file.close().catch(() => undefined);
  }
}
