import type { EngineMethods, VideoFiles } from '../ports/engine';
import type { Engine, GivenSource, ImageMethodName, Inspector } from '../ports/host-engine';
import type { ByteSource } from '../ports/video';
import { readImageHeader } from './formats/read-header';
import type { ListedImage } from './given/given-file';

const bytesOf = (source: ByteSource): Promise<Uint8Array> => source.read(0, source.sizeBytes);

/** Loaded only where it is needed: most files are searched. */
const givenFiles = () => import('./given/read-given');

/** Reads a file of detections, whatever images and videos it lists. @throws UnreadableFile */
export type ListGiven = (given: GivenSource) => Promise<readonly ListedImage[]>;

export const listGivenFile: ListGiven = async ({ source, hasAreas }) =>
  (await givenFiles()).listGiven(await bytesOf(source), hasAreas);

/** Inspects files in the thread of the caller. */
export const inspector: Inspector = {
  inspectImage: async (source, limits) => readImageHeader(await bytesOf(source), limits),
  inspectGiven: async (given) => void (await givenFiles()).givenFor(await listGivenFile(given), given),
};

/** What is given for one image or video. @throws UnreadableFile */
const readGiven = async (given: GivenSource, list: ListGiven) => {
  const listed = await list(given);
  const { givenFor, givenObjects } = await givenFiles();
  return { images: givenFor(listed, given), givenObjects };
};

const objectsFor = async (given: GivenSource | undefined, list: ListGiven) => {
  if (!given) return {};
  const { images, givenObjects } = await readGiven(given, list);
  return { given: givenObjects(images[0]!) };
};

/** Reads detections of videos where they are, because a thread works on objects. @param list see `ListGiven` */
export const withVideoDetections = (
  engine: Pick<EngineMethods, 'anonymiseVideo'>,
  list = listGivenFile,
): Pick<Engine, 'anonymiseVideo'> => ({
  anonymiseVideo: async ({ given, ...job }, files, ...rest) => {
    if (!given) return engine.anonymiseVideo(job, files, ...rest);
    const { images, givenObjects } = await readGiven(given, list);
    const [{ width, height }] = images as [ListedImage];
    const partOf: VideoFiles['given'] = async (part) => {
      const start = part * job.framesPerReport;
      if (start >= images.length) return undefined;
      return images.slice(start, start + job.framesPerReport).map(givenObjects);
    };
    return engine.anonymiseVideo({ ...job, given: { width, height } }, { ...files, given: partOf }, ...rest);
  },
});

/** Reads images and their detections where they are, because a thread works on bytes. @param list see `ListGiven` */
export const withImageDetections = (
  engine: Pick<EngineMethods, ImageMethodName>,
  list = listGivenFile,
): Pick<Engine, ImageMethodName> => ({
  anonymiseImage: async ({ source, given, ...job }, ...rest) => {
    const objects = await objectsFor(given, list);
    return engine.anonymiseImage({ ...job, ...objects, bytes: await bytesOf(source) }, ...rest);
  },
  outlineObjects: async (source, ...rest) => engine.outlineObjects(await bytesOf(source), ...rest),
  embedSample: async (source, ...rest) => engine.embedSample(await bytesOf(source), ...rest),
  matchFaces: async (source, ...rest) => engine.matchFaces(await bytesOf(source), ...rest),
  renderImage: async ({ source, ...job }, signal) =>
    engine.renderImage({ ...job, bytes: await bytesOf(source) }, signal),
});
