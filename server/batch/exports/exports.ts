import { createCocoWriter } from './coco';
import { createCvatWriter } from './cvat';
import type { ExportWriter } from './exported-frame';
import { createJsonlWriter } from './jsonl';
import { createLabelmeWriter } from './labelme';

interface ExportEntry {
  /** What the name of its file ends with. */
  readonly ending: string;
  readonly create: () => ExportWriter;
  /** Whether `--from` reads it. */
  readonly isRead: boolean;
  /** Whether it has a form for videos; they have no file of it otherwise. */
  readonly hasVideos: boolean;
}

const TABLE = {
  coco: { ending: '-coco.json', create: createCocoWriter, isRead: true, hasVideos: true },
  cvat: { ending: '-cvat.xml', create: createCvatWriter, isRead: false, hasVideos: true },
  labelme: { ending: '-labelme.json', create: createLabelmeWriter, isRead: false, hasVideos: false },
  jsonl: { ending: '.jsonl', create: createJsonlWriter, isRead: true, hasVideos: true },
} as const satisfies Record<string, ExportEntry>;

/** A format in which other tools get the objects of a file. */
export type ExportFormat = keyof typeof TABLE;
export const EXPORTS: Readonly<Record<ExportFormat, ExportEntry>> = TABLE;
export const EXPORT_FORMATS = Object.keys(TABLE) as readonly ExportFormat[];
