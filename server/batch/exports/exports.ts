import { createCocoWriter } from './coco';
import type { ExportWriter } from './exported-frame';
import { createJsonlWriter } from './jsonl';

interface ExportEntry {
  /** What the name of its file ends with. */
  readonly ending: string;
  readonly create: () => ExportWriter;
}

const TABLE = {
  coco: { ending: '-coco.json', create: createCocoWriter },
  jsonl: { ending: '.jsonl', create: createJsonlWriter },
} as const satisfies Record<string, ExportEntry>;

/** A format in which other tools get the objects of a file. */
export type ExportFormat = keyof typeof TABLE;
export const EXPORTS: Readonly<Record<ExportFormat, ExportEntry>> = TABLE;
export const EXPORT_FORMATS = Object.keys(TABLE) as readonly ExportFormat[];
