import type { KeyObject } from 'node:crypto';
import { ApiError } from '#shared/api/contract/errors';
import { parseTiling } from '#shared/api/handlers/image-options';
import { LIMITS } from '#shared/domain/limits';
import { isDefaultClass, OBJECT_CLASSES, type ObjectClass } from '#shared/catalogue/classes';
import type { Tiling } from '#shared/domain/options';
import { SAVE_MASK_CHOICES } from '#shared/tasks/base/settings';
import { LOG_FORMATS, LOG_LEVELS } from '../adapters/log';
import { PRIVATE_KEY_FORM, readPrivateKey } from '../adapters/report-keys';
import { FlagError, type Flag } from './flag';
import { fromFile, notEmpty, one, oneOf, onOff, pixels, taskTime, wholeNumber } from './values';

const MAX_WORKERS = 64;
/** Maximum of `--max-pixels`: 2 GiB as RGBA, the largest buffer that all runtimes support. */
const MAX_PIXELS = 2 ** 29;
/** Maximum of `--max-video-pixels`: a month of 8192 × 4096 pixels at 60 frames a second. */
const MAX_VIDEO_PIXELS = 2 ** 53 - 1;
/** Maximum of `--task-timeout`, because timers cannot wait longer. */
const MAX_TASK_DAYS = 24;

const classes = (texts: readonly string[], label: string): readonly ObjectClass[] => {
  const chosen = texts.map((text) => oneOf(OBJECT_CLASSES)(text, label));
  return OBJECT_CLASSES.filter((objectClass) => chosen.includes(objectClass));
};

const OFF_BY_DEFAULT = OBJECT_CLASSES.filter((name) => !isDefaultClass(name));

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
    help: `class to process: ${OBJECT_CLASSES.join(', ')}; repeat it for several (all except ${OFF_BY_DEFAULT.join(', ')})`,
    repeated: true,
    read: (texts, label) => ({ classes: classes(texts, label) }),
  },
  {
    name: 'format',
    value: '<tiling>',
    help: 'tiling of images before detection, unless a request sets it: whole, pano:N or JSON (whole)',
    read: one(tiling, (format) => ({ format })),
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
    name: 'max-video-pixels',
    value: '<number>',
    help: `largest video, width times height times frames, such as 500GP (${LIMITS.maxVideoTotalPixels / 1e9}GP)`,
    read: one(pixels(MAX_VIDEO_PIXELS), (maxVideoTotalPixels) => ({ limits: { maxVideoTotalPixels } })),
  },
  {
    name: 'task-timeout',
    value: '<duration>',
    help: 'maximum time for processing one image or video, such as 30m, or with more time for each megapixel of the image or of all frames (10m+60s/MP)',
    read: one(taskTime(MAX_TASK_DAYS), (time) => time),
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
