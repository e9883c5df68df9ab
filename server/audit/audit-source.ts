import type { ListedFile } from '../adapters/list-files';
import type { KnownFiles } from './find-orphans';

/** Records and files that are compared. */
export interface AuditSource {
  /** Milliseconds since the epoch, by the earliest clock at hand: files look younger rather than older. */
  nowMs(): Promise<number>;
  files(): AsyncIterable<ListedFile>;
  /** Called after the files are listed: what is recorded meanwhile is known. */
  known(): Promise<KnownFiles>;
  /** Keeps other processes out until `close`. @throws StartProblem if one works */
  keepOthersOut(): Promise<void>;
  /** @throws StartProblem if others are not kept out any more */
  remove(prefix: string): Promise<void>;
  close(): Promise<void>;
}
