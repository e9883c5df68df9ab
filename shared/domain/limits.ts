/** All limits of the product. A server's flag changes a limit where its comment names one. */
export const LIMITS = {
  /** Largest upload; `--max-upload`. */
  maxUploadBytes: 2 * 1024 ** 3,
  /** Largest image file: an image is held in memory while it is processed. */
  maxImageBytes: 256 * 1024 ** 2,
  /** Width times height; refused before anything is decoded. 2^27 = 16384 × 8192; `--max-pixels`. */
  maxPixels: 2 ** 27,
  /** Longest side in px: the maximum of JPEG and of canvases. */
  maxSidePx: 65_535,
  /** Width times height of a video's frame, 2^25 = 8192 × 4096. Low, because seconds of frames are held in memory. */
  maxVideoPixels: 2 ** 25,
  /**
   * Width times height times frames of a video: 24 hours of 1920 × 1080 or 9 hours of 3840 × 2160 pixels at 60 frames a
   * second; `--max-video-pixels`.
   */
  maxVideoTotalPixels: 16_000 * 1e9,
  maxVideoTracks: 32,
  /** Largest temporary copy of a converted video: some hours, nearly lossless. The page applies a lower limit. */
  maxConvertedBytes: 32 * 1024 ** 3,
  /** 24 hours at 60 frames a second. */
  maxVideoFrames: 5_184_000,
  /** Columns times rows of `format`. */
  maxTiles: 256,
  maxIgnoreAreas: 1_000,
  maxHiddenAreas: 1_000,
  /** Corners of one polygon of `hides`. */
  maxAreaPoints: 1_000,
  /** Objects, and areas, that one set of edits names. */
  maxEdits: 5_000,
  /** Decisions about single objects that one task records. */
  maxDecisions: 2_000,
  /** Codes of reasons that one upload, or one set of edits, may name. */
  maxReasons: 200,
  /** Label and legal basis of a reason. */
  maxReasonTextChars: 500,
  /** Name of the person who decided a set of edits. */
  maxReviewerChars: 200,
  maxStrokePoints: 10_000,
  /** Parts without sound that one set of edits names. */
  maxMutedRanges: 1_000,
  /** Pixels that the brush strokes of one set of edits touch, each counted as often as it is touched: a second or two. */
  maxStrokePixels: 2 ** 27,
  /** The same for strokes in a video, which are painted again in each frame: a tenth of a second for a frame. */
  maxVideoStrokePixels: 2 ** 23,
  /** Pixels of all boxes and ellipses of one set of edits. */
  maxEditedPixels: 2 ** 31,
  /** Largest file of detections that comes with an upload: it is held in memory. */
  maxDetectionsBytes: 64 * 1024 ** 2,
  /** Largest body of a request that carries no file. */
  maxJsonBytes: 16 * 1024 ** 2,
  /** Sample photos of one subject. */
  maxSubjectPhotos: 10,
  maxFilenameChars: 255,
  maxIdempotencyKeyChars: 255,
  /** Notifications of edits that one task keeps for a receiver that does not accept them; older ones are given up. */
  maxPendingEditWebhooks: 100,
  /** Smallest and largest N of `format=pano:N`; a panorama is half as high as it is wide. */
  minPanoramaPx: 512,
  maxPanoramaPx: 16_384,
} as const;

/** The limits that a host applies: `LIMITS`, or values from its flags. */
export type Limits = Readonly<Record<keyof typeof LIMITS, number>>;
