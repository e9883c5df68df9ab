import { join } from 'node:path';
import type { ImageResult } from '#shared/ports/engine';
import { OBJECT_CLASSES } from '#shared/pipeline/object-class';
import type { Picture } from './picture';
import type { Report } from './report';

const countObjects = ({ report }: ImageResult): Record<string, number> =>
  Object.fromEntries(
    OBJECT_CLASSES.map((objectClass): [string, number] => [
      objectClass,
      report.detections.filter((detection) => detection.objectClass === objectClass).length,
    ]).filter(([, count]) => count > 0),
  );

/** One JSON object a line, for programs. @param write takes whole lines */
export const createJsonReport = (outputFolder: string, write: (line: string) => void): Report => {
  const say = (event: string, facts: object): void => write(`${JSON.stringify({ event, ...facts })}\n`);
  const place = (name: string | null): string | null => (name === null ? null : join(outputFolder, name));
  const done = ({ path, outputs }: Picture, result: ImageResult): void =>
    say('done', {
      input: path,
      output: place(outputs.picture),
      binary_mask: place(outputs.masks.binary ?? null),
      instance_mask: place(outputs.masks.instance ?? null),
      metadata: place(outputs.metadata),
      objects: countObjects(result),
      seconds: result.report.durationS,
    });
  const failed: Report['failed'] = (path, reason) => say('failed', { input: path, error: reason });
  return {
    planned: (plan) => {
      say('start', { pictures: plan.pictures.length, skipped: plan.done.length });
      for (const { path } of plan.done) say('skipped', { input: path });
      for (const { kind, path, reason } of plan.notTaken) {
        if (kind === 'failed') failed(path, reason);
        else say('left', { input: path, reason });
      }
    },
    done,
    failed,
    ended: (counts, seconds, problem) => say('end', { ...counts, seconds, error: problem ?? null }),
  };
};
