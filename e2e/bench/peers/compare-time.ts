import { statSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { ALL_FORMATS, FilePathSource, Input } from 'mediabunny';
import { FRAMES_PER_SECOND, repeatClip } from '../video-clip';
import { alternate } from './alternate';
import type { PeerOptions } from './peer-options';
import type { Program } from './programs';
import { runOnCopies } from './run-on-copies';
import { clipTable, photoTable } from './tables';

const PHOTO_EXTENSIONS = ['.jpg', '.jpeg', '.png'];

/** Prints time and memory for some photos. */
export const comparePhotos = async (
  title: string,
  paths: readonly string[],
  programs: readonly Program[],
  rounds: number,
): Promise<void> => {
  const measured = await alternate(programs, rounds, async (program) => ({
    all: await runOnCopies(program, paths),
    first: await runOnCopies(program, paths.slice(0, 1)),
  }));
  console.log(`\n${title}\n\n${photoTable(measured, paths.length).join('\n')}`);
};

/** Prints time and memory for the photos in a folder, without its subfolders. */
export const compareFolder = async (
  folder: string,
  programs: readonly Program[],
  rounds: number,
): Promise<void> => {
  const names = await readdir(folder).catch((): undefined => undefined);
  if (names === undefined) return console.log(`\nThere is no folder ${folder}.`);
  const photos = names
    .filter((name) => PHOTO_EXTENSIONS.includes(extname(name).toLowerCase()))
    .sort()
    .map((name) => join(folder, name));
  if (photos.length === 0) return console.log(`\nThere is no JPEG or PNG file in ${folder}.`);
  await comparePhotos(`${photos.length} photos of ${folder}`, photos, programs, rounds);
};

/** @returns NaN if the clip cannot be read */
const countFrames = async (path: string): Promise<number> => {
  const input = new Input({ source: new FilePathSource(path), formats: ALL_FORMATS });
  try {
    const track = await input.getPrimaryVideoTrack();
    return (await track?.computePacketStats())?.packetCount ?? Number.NaN;
  } catch {
    return Number.NaN;
  } finally {
    input.dispose();
  }
};

/**
 * Prints speed and memory for one clip. A clip of seconds measures mostly the start of the programs, so it can be
 * repeated.
 *
 * @param minFrames number of frames to which an MP4 file with H.264 is repeated, in whole turns; 0: once
 */
export const compareClip = async (
  path: string,
  programs: readonly Program[],
  { rounds, frames: minFrames }: Pick<PeerOptions, 'rounds' | 'frames'>,
): Promise<void> => {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return console.log(`\nThere is no file ${path}.`);
  if (minFrames === 0) return measureClip(path, programs, rounds);
  const folder = await mkdtemp(join(tmpdir(), 'veil-peers-'));
  try {
    const repeated = join(folder, basename(path));
    // At its own pace.
    await repeatClip(await readFile(path), minFrames, FRAMES_PER_SECOND, repeated);
    await measureClip(repeated, programs, rounds);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const measureClip = async (path: string, programs: readonly Program[], rounds: number): Promise<void> => {
  const frames = await countFrames(path);
  const measured = await alternate(programs, rounds, (program) => runOnCopies(program, [path]));
  const count = Number.isNaN(frames) ? 'unknown number of' : frames;
  console.log(`\n${basename(path)}, ${count} frames\n\n${clipTable(measured, frames).join('\n')}`);
};
