import type { KeyObject } from 'node:crypto';
import { ApiError } from '#shared/api/contract/errors';
import { parseTiling } from '#shared/api/handlers/image-options';
import { LIMITS } from '#shared/domain/limits';
import { OBJECT_CLASSES, type ObjectClass } from '#shared/domain/object-class';
import type { Tiling } from '#shared/domain/options';
import { SAVE_MASK_CHOICES } from '#shared/tasks/base/settings';
import { LOG_FORMATS, LOG_LEVELS } from '../adapters/log';
import { PRIVATE_KEY_FORM, readPrivateKey } from '../adapters/report-keys';
import { FlagError, type Flag } from './flag';
import { fromFile } from './secret-files';
import { duration, notEmpty, one, oneOf, onOff, pixels, wholeNumber } from './values';

const MAX_WORKERS = 64;
/** Maximum of `--max-pixels`: 2 GiB as RGBA, the largest buffer that all runtimes support. */
const MAX_PIXELS = 2 ** 29;
/** Maximum of `--task-timeout`, because timers cannot wait longer. */
const MAX_TASK_DAYS = 24;

const classes = (texts: readonly string[], label: string): readonly ObjectClass[] => {
  const chosen = texts.map((text) => oneOf(OBJECT_CLASSES)(text, label));
  return OBJECT_CLASSES.filter((objectClass) => chosen.includes(objectClass));
};

const tiling = (text: string, label: string): Tiling => {
  try {
    return parseTiling(text);
  } catch (error) {
    if (error instanceof ApiError) throw new FlagError(error.message.replace('`format`', label));
    throw error;
  }
};

const privateKey = (text: string, label: string): KeyObject => {
  const key = readPrivateKey(text);
  // The message does not contain the text, which is a secret even if it is wrong.
  if (!key) throw new FlagError(`${label} must be ${PRIVATE_KEY_FORM}.`);
  return key;
};

/** Flags of both the server and batch mode. */
export const COMMON_FLAGS: readonly Flag[] = [
  {
    name: 'anonymise',
    short: 'a',
    value: '<class>',
    help: `class to process: ${OBJECT_CLASSES.join(', ')}; repeat it for several (all except text)`,
    repeated: true,
    read: (texts, label) => ({ classes: classes(texts, label) }),
  },
  {
    name: 'format',
    value: '<tiling>',
    help: 'tiling of images before detection, unless a request sets it: whole, pano:N or JSON (whole)',
    read: one(tiling, (value) => ({ tiling: value })),
  },
  {
    name: 'save-mask',
    value: '<which>',
    help: 'masks saved beside each result: all, binary, instance or none (none)',
    read: one(oneOf(SAVE_MASK_CHOICES), (saveMask) => ({ saveMask })),
  },
  {
    name: 'keep-metadata',
    help: 'keeps EXIF camera, exposure, date and GPS fields in results; all other metadata is always removed',
    read: one(onOff, (keepMetadata) => ({ keepMetadata })),
  },
  {
    name: 'output',
    short: 'o',
    value: '<folder>',
    help: 'folder for results; the server keeps them until their task is deleted (.veil/output)',
    read: one(notEmpty, (outputFolder) => ({ outputFolder })),
  },
  {
    name: 'max-pixels',
    value: '<number>',
    help: `largest image, width times height, such as 24MP (${LIMITS.maxPixels})`,
    read: one(pixels(MAX_PIXELS), (maxPixels) => ({ limits: { maxPixels } })),
  },
  {
    name: 'task-timeout',
    value: '<duration>',
    help: 'maximum time for processing one image or video, such as 30m (no limit)',
    read: one(duration(MAX_TASK_DAYS), (taskTimeoutMs) => ({ taskTimeoutMs })),
  },
  {
    name: 'ffmpeg',
    value: '<path|off>',
    help: 'ffmpeg program for video formats that Veil does not read itself, such as AVI; off: these are refused (the one on the PATH)',
    read: one(notEmpty, (ffmpeg) => ({ ffmpeg })),
  },
  {
    name: 'packs',
    value: '<folder>',
    help: 'folder of installed model packs; detection uses their models (models/installed)',
    read: one(notEmpty, (packsFolder) => ({ packsFolder })),
  },
  {
    name: 'workers',
    value: '<number>',
    help: 'images and videos processed at the same time (half the cores)',
    read: one(wholeNumber(1, MAX_WORKERS), (workers) => ({ workers })),
  },
  {
    name: 'log-level',
    value: '<level>',
    help: `log level: ${LOG_LEVELS.join(', ')} (info)`,
    read: one(oneOf(LOG_LEVELS), (logLevel) => ({ logLevel })),
  },
  {
    name: 'log-format',
    value: '<format>',
    help: 'log format: json or pretty (pretty on a terminal, json elsewhere)',
    read: one(oneOf(LOG_FORMATS), (logFormat) => ({ logFormat })),
  },
  {
    name: 'report-key',
    value: '<file>',
    help: 'PEM file with the Ed25519 private key that signs reports (reports are not signed)',
    read: one(fromFile(privateKey), (reportKey) => ({ reportKey })),
  },
];
