import type { Edits } from '../../../domain/edits/edits';
import type { AppliedEdits, FileFacts, Provenance } from '../../../domain/provenance';
import type { Task } from '../../../domain/task';
import type { ImageEncoding } from '../../../ports/engine';
import type { Report } from '../../contract/schemas-report';
import type { DetectionCounter } from './count-detections';

/** A file that a report names as its result. */
export interface ReportedFile {
  readonly contentType: string;
  readonly facts: FileFacts;
  /** Of a download that differs from the stored result. */
  readonly variant?: ImageEncoding | undefined;
}

/** What a report states, as it was read. */
export interface ReportedTask {
  readonly task: Task;
  /** Undefined where nothing was anonymised. */
  readonly file: ReportedFile | undefined;
  readonly provenance: Provenance;
  readonly frameCount: number;
  /** In the result; undefined for images. */
  readonly audioTracks: number | undefined;
  readonly counted: ReturnType<DetectionCounter['end']>;
  readonly revision: number;
  readonly appliedEdits: readonly AppliedEdits[];
  readonly editsInForce: Pick<Edits, 'mute' | 'audio'>;
  readonly keepMetadata: boolean;
  readonly sparedMemory: boolean;
}

export type UnsignedReport = Omit<Report, 'signature'>;
