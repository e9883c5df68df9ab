import type { ImageFormat } from '../catalogue/formats';
import type { ImageHeader } from '../domain/image-header';
import type { GivenFor } from '../domain/given';
import type { ByteSource } from './video';
import type {
  AnonymisedVideo,
  EngineMethods,
  ImageJob,
  ImageResult,
  PixelLimits,
  Progress,
  VideoFiles,
  VideoJob,
  VideoProgressListener,
} from './engine';

/** Which videos a host can read. */
export interface VideoSupport {
  readonly takesVideo: boolean;
  /** Whether videos that cannot be read directly are converted first. */
  readonly convertsVideo: boolean;
}

/** Which images a host can write. */
export interface ImageSupport {
  readonly writtenFormats: readonly ImageFormat[];
}

/** Methods that read an image. */
export type ImageMethodName =
  | 'anonymiseImage'
  | 'outlineObjects'
  | 'embedSample'
  | 'matchFaces'
  | 'renderImage';

/** What others have detected in an image or a video, as a file of the host. */
export interface GivenSource extends GivenFor {
  readonly source: ByteSource;
  /** Of the file. */
  readonly sha256: string;
}

/** A job whose files are those of the host, not bytes and objects in memory. */
type OfFile<Job> = Omit<Job, 'bytes' | 'given'> & { readonly source: ByteSource };
/** A job that may have detections. */
type WithGiven<Job> = Omit<Job, 'given'> & { readonly given?: GivenSource };

type FromFile<Method> = Method extends (image: infer Image, ...rest: infer Rest) => infer Result
  ? (image: Image extends Uint8Array ? ByteSource : OfFile<Image>, ...rest: Rest) => Result
  : never;

/** What a file says before it is worked on. */
export interface Inspector {
  /**
   * Recognises an image, and refuses files that cannot or should not be decoded. All of the file is read, because only
   * its end proves that it is complete.
   *
   * @throws UnreadableFile
   */
  inspectImage(source: ByteSource, limits: PixelLimits): Promise<ImageHeader>;
  /** Refuses detections that are not those of the image or video. @throws UnreadableFile */
  inspectGiven(given: GivenSource): Promise<void>;
}

type ImageMethods = {
  readonly [Name in Exclude<ImageMethodName, 'anonymiseImage'>]: FromFile<EngineMethods[Name]>;
};

/** Methods whose jobs may have detections. */
interface GivenMethods {
  anonymiseImage(
    job: WithGiven<OfFile<ImageJob>>,
    onProgress: Progress,
    signal: AbortSignal,
  ): Promise<ImageResult>;
  /** @throws where the host takes no videos */
  anonymiseVideo(
    job: WithGiven<VideoJob>,
    files: Omit<VideoFiles, 'given'>,
    onProgress: VideoProgressListener,
    signal: AbortSignal,
  ): Promise<AnonymisedVideo>;
}

/** The engine of a host. It runs away from the main thread, and reads files of strangers in the host's place. */
export interface Engine
  extends
    Omit<EngineMethods, ImageMethodName | 'anonymiseVideo'>,
    ImageMethods,
    GivenMethods,
    Inspector,
    ImageSupport,
    VideoSupport {
  /**
   * Runs work that calls the engine, and runs it again if the engine ended meanwhile: then alone, because the work
   * itself may be the reason.
   *
   * @param work starts from the beginning at each call
   * @throws FailureError if the engine ended each time that the work ran alone; what the work throws
   */
  retrying<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
}
